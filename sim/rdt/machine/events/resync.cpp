// SPDX-License-Identifier: MIT
#include <rdt/machine/events/resync.h>

#include <algorithm>

namespace rdt::machine::events {

// A credit that is away at two ticks on end is late from the next cycle on, unless it comes then.
void Resync::check_ticks(Lane& lane) {
    const uint64_t now = m_state.now;
    const Day& tomorrow = lane.calendar.at(now + 1);
    const auto comes = [](const std::vector<uint32_t>& list, uint32_t what) {
        return std::find(list.begin(), list.end(), what) != list.end();
    };
    if (m_timers.is_any_slow()) {
        for (uint32_t node = lane.first; node < lane.end; ++node) {
            if (!m_timers.of(node).is_slow) continue;
            Node& n = m_state.nodes[node];
            const uint32_t away = AllCredits & ~n.credit;
            for (uint32_t left = away & n.missed; left != 0; left &= left - 1) {
                const uint32_t bit = lowest(left);
                if (!comes(tomorrow.back, name_of(node, bit))) note_late(node, 1u << bit, bit / 3);
            }
            n.missed = away;
            // Only links that are up miss credits.
            for (uint32_t left = n.down & AllInputs; left != 0; left &= left - 1) {
                const uint32_t port = lowest(left);
                uint64_t start = 0;
                if (m_recoveries.at({node, port}, start) != nullptr && now > start)
                    n.missed &= ~credits_of(port);
            }
        }
    }
    if (now % SlowTick != SlowTick - 1) return;
    for (uint32_t mbp = 2 * lane.first; mbp < 2 * lane.end; ++mbp) {
        Mbp& m = m_state.mbps[mbp];
        const End end = end_of_mbp(mbp);
        const bool away = m.is_away(now);
        if (away && m.missed && !comes(tomorrow.mbp_back, mbp))
            note_late(end.node, credits_of(end.port), PortM0 + mbp % 2);
        uint64_t start = 0;
        m.missed = away && (m_recoveries.at(end, start) == nullptr || now <= start);
    }
}

void Resync::note_late(uint32_t node, uint32_t credit, uint32_t port) {
    if ((m_state.nodes[node].late & credit) != 0) return;
    Lane& lane = m_state.lane_of(node);
    lane.late.emplace_back(node, credit);
    Notes::set(m_state.notes.has_late);
    m_lines.request(lane, node, port);
}

void Resync::add_late(uint32_t node, uint32_t credit) {
    m_state.nodes[node].late |= credit;
    m_state.nodes[node].is_late = true;
    m_late.push_back(node);
}

// Credits that are late in this cycle.
void Resync::follow_late() {
    std::sort(m_late.begin(), m_late.end());
    m_late.erase(std::unique(m_late.begin(), m_late.end()), m_late.end());
    for (const uint32_t node : m_late) {
        Node& n = m_state.nodes[node];
        n.late_before = n.late;
        n.is_late = true;
    }
    for (Lane& lane : m_state.lanes) {
        for (const auto& [node, credit] : lane.late) m_state.nodes[node].late |= credit;
        lane.late.clear();
        const Day& today = lane.calendar.at(m_state.now);
        for (const uint32_t credit : today.back)
            m_state.nodes[node_of(credit)].late &= ~(1u << what_of(credit));
        for (const uint32_t mbp : today.mbp_back)
            m_state.nodes[mbp / 2].late &= ~credits_of(NumPorts + mbp % 2);
    }
    m_late.erase(std::remove_if(m_late.begin(), m_late.end(),
                                [this](uint32_t node) {
                                    Node& n = m_state.nodes[node];
                                    n.is_late = (n.late | n.late_before) != 0;
                                    return !n.is_late;
                                }),
                 m_late.end());
}

void Resync::start(uint32_t link, Sides overdue) {
    const uint64_t now = m_state.now;
    const uint32_t node = node_of(link);
    const bool both = overdue == BothSides;
    Recovery& r = m_recoveries.add(link);
    r.announce = now + (both ? 12 : 13);
    for (const Side side : {First, Second}) {
        const bool starts = (overdue >> side & 1) != 0;
        r.start[side] = starts ? now : now + 1;
        if (starts) start_end(r, link, side);
        if (!both || side == First) m_state.day(node, r.start[side] + 1).resync.push_back(link);
    }
    Line& line = m_state.nodes[node].line[what_of(link)];
    r.owner = line.owner;
    line.phase = Line::Down;
    line.owner = Second;
    m_state.nodes[node].planned |= uint8_t(1u << what_of(link));
    for (const uint64_t clock : {r.announce, r.end()})
        m_state.day(node, clock).resync.push_back(link);
    m_lines.plan(m_state.lane_of(node), link, r.end());
}

// Credits that were on their way to the other end are kept for later. (This includes credits
// returned in this cycle before the line was evaluated.)
void Resync::start_end(Recovery& r, uint32_t link, Side side) {
    const End end = m_state.end_of(link, side);
    CreditHistory& credit = m_returns.at(end);
    Node& n = m_state.nodes[end.node];
    n.down = uint16_t(n.down | 1u << end.port);
    const uint32_t shown = uint32_t(m_state.now) - credit.at;
    uint32_t vcs = std::exchange(credit.owed, uint8_t(0));
    if (shown <= 2) vcs |= 1u << (credit.vc - 1);
    r.kept[side] = r.freed[side] = uint8_t(vcs);
}

// At the beginning of a cycle.
void Resync::advance(uint32_t link) {
    Recovery* const found = m_recoveries.find(link);
    if (found == nullptr) return;
    const uint64_t now = m_state.now;
    Recovery& r = *found;
    for (const Side side : {First, Second}) {
        const End end = m_state.end_of(link, side);
        Node& n = m_state.nodes[end.node];
        CreditHistory& credit = m_returns.at(end);
        if (now == r.start[side]) start_end(r, link, side);
        if (now == r.start[side] + 1) {
            r.had[side] = uint8_t(credits_in_hand(end) | credits_coming(end, r, side));
            drop_credits(end);
        }
        if (now == r.announce) {
            const uint32_t vcs = end.is_chip() ? (1u << vcs_of(end.port)) - 1 : 1;
            const uint32_t full = end.is_chip() ? n.have >> FirstSlot[end.port] & vcs : 0;
            r.kept[side] = uint8_t(r.kept[side] | full);
            credit.owed = uint8_t(vcs & ~r.kept[side]);
            m_state.day(end.node, now + 1).owed.push_back(name_of(end.node, end.port));
        }
        if (now == r.end()) {
            n.down = uint16_t(n.down & ~(1u << end.port));
            credit.owed = uint8_t(credit.owed | r.freed[side]);
            m_state.day(end.node, now).owed.push_back(name_of(end.node, end.port));
        }
    }
    if (now == r.end()) m_recoveries.erase(link);
}

uint32_t Resync::credits_in_hand(const End& end) const {
    if (end.is_chip()) return m_state.nodes[end.node].credit >> 3 * end.port & 7;
    return m_state.mbps[end.mbp()].credit ? 1 : 0;
}

// The called end has seen at most half of them.
uint32_t Resync::credits_coming(const End& end, const Recovery& r, Side side) const {
    if (r.start[side] > r.start[other_side(side)]) return 0;
    const Day& today = m_state.lane_of(end.node).calendar.at(m_state.now);
    uint32_t vcs = 0;
    if (end.is_chip()) {
        for (const uint32_t credit : today.back)
            if (node_of(credit) == end.node && what_of(credit) / 3 == end.port)
                vcs |= 1u << what_of(credit) % 3;
        return vcs;
    }
    for (const uint32_t mbp : today.mbp_back) vcs |= mbp == end.mbp() ? 1u : 0;
    return vcs;
}

void Resync::drop_credits(const End& end) {
    Node& n = m_state.nodes[end.node];
    n.late &= ~credits_of(end.port);
    if (!end.is_chip()) {
        Mbp& m = m_state.mbps[end.mbp()];
        m.credit = false;
        m.missed = false;
        m.used_at = uint32_t(m_state.now);
        m_state.mark_mbp(end.mbp());
        return;
    }
    n.missed &= ~credits_of(end.port);
    for (uint32_t left = n.credit & credits_of(end.port); left != 0; left &= left - 1)
        m_inputs.take_credit(m_state.lane_of(end.node), end.node, lowest(left));
}

}  // namespace rdt::machine::events
