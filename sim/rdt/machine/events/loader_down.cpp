// SPDX-License-Identifier: MIT
// Links that find back (network_resync.cpp has the clocks).
#include <rdt/machine/events/loader.h>

namespace rdt::machine::events {

// When both ends fell, and when they are there again.
Network::Down Loader::find_fall(const End& first, const End& second) const {
    const std::array<End, 2> ends{first, second};
    Network::Down d;
    for (uint32_t side = 0; side < 2; ++side) {
        const fast::LinkIo::Regs& q = line(ends[side]);
        // An end that is still up is called in this clock.
        d.fall[side] = q.up() ? m_now : m_now - q.cnt - (q.st == LineSync ? 1 : 10);
    }
    const uint64_t earliest = std::min(d.fall[First], d.fall[Second]);
    const bool together = d.fall[First] == d.fall[Second];
    d.ann = earliest + (together ? 12 : 13);
    if (line(first).st != LineAnn) {
        require(d.fall[First] + d.fall[Second] - 2 * earliest <= 1);
        return d;
    }
    // It shows no more who fell first, but to a slow tick.
    require(line(second).st == LineAnn && line(second).cnt == line(first).cnt);
    d.ann = m_now - line(first).cnt;
    for (const auto& [a, b] : {std::pair{12, 12}, std::pair{13, 12}, std::pair{12, 13}}) {
        d.fall = {d.ann - uint64_t(a), d.ann - uint64_t(b)};
        if (m_net.ticked(first, d.fall[First]) == line(first).tick &&
            m_net.ticked(second, d.fall[Second]) == line(second).tick)
            return d;
    }
    throw Irregular{};
}

void Loader::load_down(uint32_t link, const End& first, const End& second) {
    Network::Down d = find_fall(first, second);
    Node& n = m_net.m_nodes[first.node];
    Line& l = n.line[what_of(link)];
    l.phase = Line::Down;
    l.owner = Second;
    for (const Side side : {First, Second}) {
        const End& from = side == First ? first : second;
        const End& to = side == First ? second : first;
        const Hop hop = coming(from, to);
        require(hop.since == 0 || hop.since > hop.flits);
        if (hop.since != 0) load_hop(hop);
        for (const uint64_t clock : {d.fall[side] + 1, d.ann, d.ann + Network::AnnClocks}) {
            std::vector<uint32_t>& resync = day(first.node, clock).resync;
            if (clock >= m_now && (resync.empty() || resync.back() != link)) resync.push_back(link);
        }
        const fast::LinkIo::Regs& q = line(from);
        if (q.up()) {
            d.owner = q.mine ? side : side == First ? Second : First;
            continue;
        }
        Node& own = m_net.m_nodes[from.node];
        own.down = uint16_t(own.down | 1u << from.port);
        const uint32_t full = is_chip(from) ? own.have >> FirstSlot[from.port] : 0;
        d.kept[side] = q.keep;
        d.freed[side] = uint8_t(q.keep & ~full);
        for (uint32_t v = 0; v < 3; ++v)
            d.had[side] = uint8_t(d.had[side] | uint32_t(out(from).owed[v] == 1) << v);
    }
    m_net.m_down[link] = d;
    n.planned |= uint8_t(1u << what_of(link));
    day(first.node, d.ann + Network::AnnClocks).decide.push_back(link);
}

// Credits of an end that is down, and those that it shows.
bool Loader::is_in_hand(const End& end, uint32_t vc) const {
    const fast::LinkIo::Regs& q = line(end);
    const uint32_t owed = out(end).owed[vc];
    // In the first clock it has not been heard of yet.
    if (q.st == LineSync && q.cnt == 0) return owed == 1;
    return (q.up() || q.ann()) && owed == 0;
}

}  // namespace rdt::machine::events
