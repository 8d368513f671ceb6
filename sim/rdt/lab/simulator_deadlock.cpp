// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_deadlock.h>

#include <algorithm>

namespace rdt::lab {

bool DeadlockFinder::will_leave(Index in, const std::vector<bool>& live) const {
    if (m_channels.is_connected(in)) {
        const Index out = m_channels.to(in);
        if (!m_channels.is_link(out) || live[out]) return true;
        const uint32_t counts_end = Plane::Count + m_channels.in_planes;
        const uint64_t left = m_channels.value_of(counts_end, m_channels.planes, in) + 1;
        const uint64_t used =
            m_channels.value_of(Plane::Count, counts_end, out) +
            m_channels.value_of(Plane::OutputCount, Plane::OutputCount + OutPlanes, out);
        return left + used <= m_space;
    }
    if (m_channels.channel[in].wanted == NoIndex ||
        m_channels.channel[in].wanted == HeaderRouter::Eject)
        return true;
    bool will = false;
    m_router.for_wanted(in, [&](Index out) {
        const Index holder = m_channels.until_empty ? out : m_channels.from(out);
        will = will || m_channels.is_free(out) || holder >= m_channels.spare_side() || live[holder];
    });
    return will;
}

std::vector<bool> DeadlockFinder::find_live() const {
    const Index end = m_channels.first_sink * 64;
    std::vector<bool> live(end, true);
    std::vector<Index> open;
    for (Index in = 0; in < end; ++in) {
        const bool busy = m_channels.channel[in].wanted != NoIndex || m_channels.is_connected(in);
        if (!busy) continue;
        live[in] = false;
        open.push_back(in);
    }
    for (bool more = true; more;) {
        const auto still = std::remove_if(open.begin(), open.end(), [&](Index in) {
            if (!will_leave(in, live)) return false;
            live[in] = true;
            return true;
        });
        more = still != open.end();
        open.erase(still, open.end());
    }
    return live;
}

// A packet that never moves on needs a channel whose own front packet never does, and so on.
std::vector<ChannelName> DeadlockFinder::find() const {
    const std::vector<bool> live = find_live();
    const auto stuck = std::find(live.begin(), live.end(), false);
    if (stuck == live.end()) return {};
    std::vector<Index> path;
    Index at = Index(stuck - live.begin());
    for (auto met = path.end();; met = std::find(path.begin(), path.end(), at)) {
        if (met != path.end()) {
            path.erase(path.begin(), met);
            break;
        }
        path.push_back(at);
        if (m_channels.is_connected(at)) {
            at = m_channels.to(at);
        } else {
            Index needed = NoIndex;
            m_router.for_wanted(at, [&](Index out) { needed = needed == NoIndex ? out : needed; });
            at = needed;
        }
    }
    std::vector<ChannelName> cycle;
    for (const Index channel : path) cycle.push_back(name_of(channel));
    return cycle;
}

ChannelName DeadlockFinder::name_of(Index channel) const {
    const WordPlace& place = m_channels.place[channel >> 6];
    return {m_channels.node_of(channel), place.port, place.vc};
}

}  // namespace rdt::lab
