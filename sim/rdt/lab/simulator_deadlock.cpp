// SPDX-License-Identifier: MIT
// Will every packet in the network move on? An input buffer is live if the packet at its front will
// leave it in the end: because the packet is on the way to a processor, because the buffer it goes
// to is live or has space for all that is left of it, or because a channel it waits for is free or
// will be released. A packet that is not live by these rules never moves again.
#include <algorithm>

#include <rdt/lab/simulator.h>

namespace rdt::lab {

template <typename F>
void Simulator::for_wanted(Index in, F f) const {
    if (m_channel[in].wanted < Several) f(m_channel[in].wanted);
    else if (m_channel[in].wanted != Eject)
        for (const Index out : m_choices[m_channel[in].wanted & ~Several]) f(out);
}

// A number from bit planes.
uint64_t Simulator::value_of(const Words& words, uint32_t all, uint32_t first, uint32_t end,
                             Index channel) const {
    uint64_t value = 0;
    for (uint32_t i = first; i < end; ++i)
        value |= (words[place_of(channel >> 6, i, all)] >> (channel & 63) & 1) << (i - first);
    return value;
}

bool Simulator::will_leave(Index in, const std::vector<bool>& live) const {
    if (is_connected(in)) {
        const Index out = to(in);
        if (!is_link(out) || live[out]) return true;
        const uint32_t all = m_input_planes;
        const uint32_t counts_end = InputState::Count + m_in_planes;
        const uint64_t left = value_of(m_in.state, all, counts_end, all, in) + 1;
        const uint64_t used = value_of(m_in.state, all, InputState::Count, counts_end, out) +
                              value_of(m_out.count, OutPlanes, 0, OutPlanes, out);
        return left + used <= m_options.buffer + m_options.out_buffer;
    }
    if (m_channel[in].wanted == None || m_channel[in].wanted == Eject) return true;
    bool will = false;
    for_wanted(in, [&](Index out) {
        const Index holder = m_until_empty ? out : from(out);
        will = will || is_free(out) || holder >= spare_side() || live[holder];
    });
    return will;
}

std::vector<bool> Simulator::find_live() const {
    const Index end = m_first_sink * 64;
    std::vector<bool> live(end, true);
    std::vector<Index> open;
    for (Index in = 0; in < end; ++in) {
        const bool busy = m_channel[in].wanted != None || is_connected(in);
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
std::vector<ChannelName> Simulator::find_deadlock() const {
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
        if (is_connected(at)) {
            at = to(at);
        } else {
            Index needed = None;
            for_wanted(at, [&](Index out) { needed = needed == None ? out : needed; });
            at = needed;
        }
    }
    std::vector<ChannelName> cycle;
    for (const Index channel : path) cycle.push_back(name_of(channel));
    return cycle;
}

ChannelName Simulator::name_of(Index channel) const {
    const WordPlace& place = m_place[channel >> 6];
    return {node_of(channel), place.port, place.vc};
}

// Looks for a deadlock when a packet that waits has been on the way for long; less and less often
// while it finds none.
void Simulator::watch() {
    constexpr uint64_t Long = 1000;
    m_next_watch = m_now + 1024;
    const bool suspicious = std::any_of(m_waiting.begin(), m_waiting.end(), [&](const List& l) {
        return l.first != None && m_now - m_packet[front(l.first)].injected >= Long;
    });
    if (!suspicious) return;
    m_deadlock = find_deadlock();
    m_next_watch = m_now + std::max<uint64_t>(1024, m_now / 4);
}

}  // namespace rdt::lab
