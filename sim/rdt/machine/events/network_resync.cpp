// SPDX-License-Identifier: MIT
// Links that find back. An end that has missed a credit for two slow ticks asks for nothing any
// more and, at the first clock in which nobody has the line, calls: both ends forget their credits,
// and each is told anew of the buffers that were empty all the time (specification, section 1).
// Where packets wait for long that happens without any fault.
//
// An end falls in clock f; the other, if it does not fall in the same clock, in f+1. Then, counted
// from the first clock of Sync, T = f+1:
//   T         the end calls, for nine clocks
//   ann       T+12, or T+11 if both ends fell together: both are in Ann
//   ann+1     the first credit is shown, the others three clocks apart
//   ann+12    the line is up, and buffers that have been emptied meanwhile are told of
#include <rdt/machine/events/network.h>

#include <algorithm>

namespace rdt::machine::events {

Network::End Network::end_of(uint32_t link, uint32_t side) const {
    const uint32_t node = node_of(link);
    const uint32_t port = port_of_link(what_of(link));
    if (side == First) return {node, port};
    if (is_mbp(port)) return {node, NumPorts + port - PortM0};
    return {m_nodes[node].next[port], opposite(port)};
}

uint32_t Network::link_of(uint32_t node, uint32_t end) const {
    if (end >= NumPorts) return name_of(node, link_at(end - NumPorts + PortM0));
    if (has_priority(end)) return name_of(node, link_at(end));
    return name_of(m_nodes[node].next[end], link_at(end));
}

// A credit that is away at two ticks on end is late from the next clock on, unless it comes then.
void Network::check_slow_ticks(Lane& lane) {
    const Day& tomorrow = lane.calendar.at(m_now + 1);
    const auto comes = [](const std::vector<uint32_t>& list, uint32_t what) {
        return std::find(list.begin(), list.end(), what) != list.end();
    };
    if (m_is_slow_tick) {
        for (uint32_t node = lane.first; node < lane.end; ++node) {
            if (!ticking_of(node).is_slow) continue;
            Node& n = m_nodes[node];
            const uint32_t away = AllCredits & ~n.credit;
            for (uint32_t left = away & n.missed; left != 0; left &= left - 1) {
                const auto bit = uint32_t(__builtin_ctz(left));
                if (!comes(tomorrow.back, name_of(node, bit))) note_late(node, 1u << bit, bit / 3);
            }
            n.missed = away;
            // Only links that are up miss credits.
            for (uint32_t left = n.down & AllInputs; left != 0; left &= left - 1) {
                const auto port = uint32_t(__builtin_ctz(left));
                uint64_t fall = 0;
                if (down_at(node, port, fall) != nullptr && m_now > fall)
                    n.missed &= ~credits_of(port);
            }
        }
    }
    if (m_now % SlowTick != SlowTick - 1) return;
    for (uint32_t mbp = 2 * lane.first; mbp < 2 * lane.end; ++mbp) {
        Mbp& m = m_mbps[mbp];
        const uint32_t end = NumPorts + mbp % 2;
        const bool away = m.is_away(m_now);
        if (away && m.missed && !comes(tomorrow.mbp_back, mbp))
            note_late(mbp / 2, credits_of(end), PortM0 + mbp % 2);
        uint64_t fall = 0;
        m.missed = away && (down_at(mbp / 2, end, fall) == nullptr || m_now <= fall);
    }
}

void Network::note_late(uint32_t node, uint32_t credit, uint32_t port) {
    if ((m_nodes[node].late & credit) != 0) return;
    lane_of(node).late.emplace_back(node, credit);
    request(node, port);
}

// What is late in this clock.
void Network::follow_late() {
    for (const Lane& lane : m_lanes)
        for (const auto& late : lane.late) m_late.push_back(late.first);
    if (m_late.empty()) return;
    std::sort(m_late.begin(), m_late.end());
    m_late.erase(std::unique(m_late.begin(), m_late.end()), m_late.end());
    for (const uint32_t node : m_late) {
        Node& n = m_nodes[node];
        n.late_before = n.late;
        n.is_late = true;
    }
    for (Lane& lane : m_lanes) {
        for (const auto& [node, credit] : lane.late) m_nodes[node].late |= credit;
        lane.late.clear();
        const Day& today = lane.calendar.at(m_now);
        for (const uint32_t credit : today.back)
            m_nodes[node_of(credit)].late &= ~(1u << what_of(credit));
        for (const uint32_t mbp : today.mbp_back)
            m_nodes[mbp / 2].late &= ~credits_of(NumPorts + mbp % 2);
    }
    m_late.erase(std::remove_if(m_late.begin(), m_late.end(),
                                [this](uint32_t node) {
                                    Node& n = m_nodes[node];
                                    n.is_late = (n.late | n.late_before) != 0;
                                    return !n.is_late;
                                }),
                 m_late.end());
}

void Network::fall(uint32_t link, const Hush& hush) {
    const bool both = hush[First] && hush[Second];
    Down& d = m_down[link];
    d = {};
    d.ann = m_now + (both ? 12 : 13);
    for (const Side side : {First, Second}) {
        d.fall[side] = hush[side] ? m_now : m_now + 1;
        if (hush[side]) begin_fall(d, link, side);
        if (!both || side == First) day(node_of(link), d.fall[side] + 1).resync.push_back(link);
    }
    Line& line = m_nodes[node_of(link)].line[what_of(link)];
    d.owner = line.owner;
    line.phase = Line::Down;
    line.owner = Second;
    m_nodes[node_of(link)].planned |= uint8_t(1u << what_of(link));
    for (const uint64_t clock : {d.ann, d.ann + AnnClocks})
        day(node_of(link), clock).resync.push_back(link);
    plan(node_of(link), link, d.ann + AnnClocks);
}

// Credits that were on their way to the other end are kept for later. (What was given back in this
// clock before the line was looked at is one of them.)
void Network::begin_fall(Down& d, uint32_t link, uint32_t side) {
    const End end = end_of(link, side);
    CreditHistory& credit = m_credits[end.node][end.port];
    Node& n = m_nodes[end.node];
    n.down = uint16_t(n.down | 1u << end.port);
    const uint32_t shown = uint32_t(m_now) - credit.at;
    uint32_t vcs = std::exchange(credit.owed, uint8_t(0));
    if (shown <= 2) vcs |= 1u << (credit.vc - 1);
    d.kept[side] = d.freed[side] = uint8_t(vcs);
}

// At the beginning of a clock.
void Network::find_back(uint32_t link) {
    const auto found = m_down.find(link);
    if (found == m_down.end()) return;
    Down& d = found->second;
    for (const Side side : {First, Second}) {
        const End end = end_of(link, side);
        Node& n = m_nodes[end.node];
        CreditHistory& credit = m_credits[end.node][end.port];
        if (m_now == d.fall[side]) begin_fall(d, link, side);
        if (m_now == d.fall[side] + 1) {
            d.had[side] = uint8_t(credits_in_hand(end) | credits_coming(end, d, side));
            drop_credits(end);
        }
        if (m_now == d.ann) {
            const bool is_chip = end.port < NumPorts;
            const uint32_t vcs = is_chip ? (1u << vcs_of(end.port)) - 1 : 1;
            const uint32_t full = is_chip ? n.have >> FirstSlot[end.port] & vcs : 0;
            d.kept[side] = uint8_t(d.kept[side] | full);
            credit.owed = uint8_t(vcs & ~d.kept[side]);
            day(end.node, m_now + 1).owed.push_back(name_of(end.node, end.port));
        }
        if (m_now == d.ann + AnnClocks) {
            n.down = uint16_t(n.down & ~(1u << end.port));
            credit.owed = uint8_t(credit.owed | d.freed[side]);
            day(end.node, m_now).owed.push_back(name_of(end.node, end.port));
        }
    }
    if (m_now == d.ann + AnnClocks) m_down.erase(found);
}

uint32_t Network::credits_in_hand(const End& end) const {
    if (end.port < NumPorts) return m_nodes[end.node].credit >> 3 * end.port & 7;
    return m_mbps[2 * end.node + end.port - NumPorts].credit ? 1 : 0;
}

// In this clock, the first after the fall. Who was called has seen one half of them at most.
uint32_t Network::credits_coming(const End& end, const Down& d, Side side) const {
    if (d.fall[side] > d.fall[side == First ? Second : First]) return 0;
    const Day& today = m_lanes[lane_number(end.node)].calendar.at(m_now);
    uint32_t vcs = 0;
    if (end.port < NumPorts) {
        for (const uint32_t credit : today.back)
            if (node_of(credit) == end.node && what_of(credit) / 3 == end.port)
                vcs |= 1u << what_of(credit) % 3;
        return vcs;
    }
    for (const uint32_t mbp : today.mbp_back)
        vcs |= mbp == 2 * end.node + end.port - NumPorts ? 1u : 0;
    return vcs;
}

void Network::drop_credits(const End& end) {
    Node& n = m_nodes[end.node];
    n.late &= ~credits_of(end.port);
    if (end.port >= NumPorts) {
        Mbp& m = m_mbps[2 * end.node + end.port - NumPorts];
        m.credit = false;
        m.missed = false;
        m.used_at = uint32_t(m_now);
        mark_mbp(2 * end.node + end.port - NumPorts);
        return;
    }
    const uint32_t in_hand = n.credit & credits_of(end.port);
    n.credit &= ~in_hand;
    n.missed &= ~credits_of(end.port);
    for (uint32_t left = in_hand; left != 0; left &= left - 1)
        mark_waiting(end.node, uint32_t(__builtin_ctz(left)));
}

// A buffer is emptied while its link is down.
void Network::keep(uint32_t node, uint32_t receiver, uint32_t vc) {
    const uint32_t link = link_of(node, receiver);
    Down& d = m_down.at(link);
    const End first = end_of(link, First);
    const Side side = first.node == node && first.port == receiver ? First : Second;
    d.kept[side] = uint8_t(d.kept[side] | 1u << vc);
    d.freed[side] = uint8_t(d.freed[side] | 1u << vc);
}

const Network::Down* Network::down_at(uint32_t node, uint32_t end, uint64_t& fall) const {
    if ((m_nodes[node].down >> end & 1) == 0) return nullptr;
    const uint32_t link = link_of(node, end);
    const Down& d = m_down.at(link);
    const End first = end_of(link, First);
    fall = d.fall[first.node == node && first.port == end ? First : Second];
    return &d;
}

// A credit that comes was shown before the link went down.
bool Network::is_forgotten(uint32_t node, uint32_t end) const {
    uint64_t fall = 0;
    const Down* d = down_at(node, end, fall);
    return d != nullptr && m_now > fall && m_now <= d->ann;
}

uint32_t Network::links_down() const {
    uint32_t count = 0;
    for (const auto& [link, d] : m_down)
        if (m_now > std::min(d.fall[First], d.fall[Second]) && m_now < d.ann + AnnClocks) ++count;
    return count;
}

}  // namespace rdt::machine::events
