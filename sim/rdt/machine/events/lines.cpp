// SPDX-License-Identifier: MIT
#include <rdt/machine/events/lines.h>

namespace rdt::machine::events {

void Lines::decide(Lane& lane, uint32_t link) {
    const uint32_t first = node_of(link);
    const uint32_t port = port_of_link(what_of(link));
    Node& n = m_state.nodes[first];
    Line& line = n.line[what_of(link)];
    const bool to_mbp = port >= PortM0;
    const uint32_t second = to_mbp ? first : n.next[port];
    const uint32_t far = to_mbp ? NumPorts + port - PortM0 : opposite(port);
    Node& o = m_state.nodes[second];
    std::array<bool, 2> asks{n.asks[port] != 0,
                             to_mbp ? (n.mbps_ask >> (port - PortM0) & 1) != 0 : o.asks[far] != 0};
    Overdue overdue{};
    if (n.is_late || o.is_late) {
        // An end that needs to resynchronize requests only the end of the other end's packet.
        const auto listen = [&line](const Node& at, uint32_t end, Side side, bool& is_asking) {
            if ((at.late_before & credits_of(end)) != 0)
                is_asking = line.phase == Line::Sends && line.owner != side;
            return (at.late & credits_of(end)) != 0;
        };
        overdue = {listen(n, port, First, asks[First]), listen(o, far, Second, asks[Second])};
    }
    const Side other = other_side(line.owner);
    const Line::Phase phase = line.phase;
    line.phase = Line::Idle;
    switch (phase) {
    case Line::Sends:
        if (asks[line.owner] && !asks[other]) break;
        // Not its sender, whose last flit is on its way to the pins.
        overdue[line.owner] = false;
        release(lane, link, overdue);
        return;
    case Line::Voided:
        if (!asks[other]) {
            release(lane, link, overdue);
            return;
        }
        line.owner = other;
        break;
    default:
        if (!asks[line.owner] && !asks[other]) {
            line.owner = Second;
            n.planned = uint8_t(n.planned & ~(1u << what_of(link)));
            if (overdue[First] || overdue[Second]) release(lane, link, overdue);
            return;
        }
        if (asks[other]) line.owner = other;
    }
    const Grant grant{line.owner == First ? first : second, link,
                      uint8_t(line.owner == First ? port : far), overdue[line.owner]};
    if (lane.has(grant.node)) take(lane, grant);
    else lane.grants[m_state.lane_number(grant.node)].push_back(grant);
}

void Lines::take(Lane& lane, const Grant& grant) {
    Line& line = m_state.nodes[node_of(grant.link)].line[what_of(grant.link)];
    if (grant.is_overdue) void_grant(lane, grant.node, grant.end, grant.link, line);
    else if (grant.end < NumPorts) grant_output(lane, grant.node, grant.end, grant.link, line);
    else grant_mbp(lane, 2 * grant.node + grant.end - NumPorts, grant.link);
}

// The line is free in the next cycle, unless an end starts link recovery.
void Lines::release(Lane& lane, uint32_t link, const Overdue& overdue) {
    if (overdue[First] || overdue[Second])
        lane.recoveries.push_back({link, overdue});
    else plan(lane, link, m_state.now + 1);
}

// The line was given to an end that does not use it.
void Lines::void_grant(Lane& lane, uint32_t node, uint32_t end, uint32_t link, Line& line) {
    line.phase = Line::Voided;
    m_sent.at(node, end).void_at = uint32_t(m_state.now);
    plan(lane, link, m_state.now + 2);
}

// The injector comes first; else round-robin, with traffic in transit before injection by an MBP,
// unless that has waited long enough.
void Lines::grant_output(Lane& lane, uint32_t node, uint32_t output, uint32_t link, Line& line) {
    Node& n = m_state.nodes[node];
    line.phase = Line::Sends;
    if ((n.injects >> output & 1) != 0) {
        plan(lane, link, m_state.now + AckFlits);
        n.inject_granted = uint16_t(1u << output);
        return;
    }
    const uint32_t all = n.asks[output] & AllInputs;
    if (all == 0) {
        void_grant(lane, node, output, link, line);
        return;
    }
    uint32_t old = all & ((1u << PortM0) - 1);
    for (uint32_t k = 0; k < 2; ++k)
        if ((all >> (PortM0 + k) & 1) != 0 && n.is_aged(k, uint32_t(m_state.now)))
            old |= 1u << (PortM0 + k);
    const uint32_t asks = old != 0 ? old : all;
    const uint32_t later = asks >> n.turn[output] << n.turn[output];
    const uint32_t input = lowest(later != 0 ? later : asks);
    n.turn[output] = uint8_t(input + 1);
    lane.won.push_back({node, link, uint8_t(input), uint8_t(output)});
    if (!m_state.is_large()) return;
    m_state.fetch_inputs(node);
    __builtin_prefetch(&n.packet[FirstSlot[input]]);
    __builtin_prefetch(&m_sent.at(node, output));
    m_returns.fetch(node, input);
}

void Lines::grant_mbp(Lane& lane, uint32_t mbp, uint32_t link) {
    const uint64_t now = m_state.now;
    const uint32_t node = mbp / 2;
    Mbp& m = m_state.mbps[mbp];
    m_state.nodes[node].line[what_of(link)].phase = Line::Sends;
    const uint32_t port = PortM0 + mbp % 2;
    Sent sent{uint32_t(now), 0, AckFlits, 0, true};
    if (!m.acks.empty() && now >= m.ack_from) {
        const uint32_t at = m.acks.pop(m_state.packets);
        sent.packet = m_state.packets[at].h[0];
        m_state.packets.drop(lane.pool, at);
        m.ack_from = now + AckGap;
        lane.calendar.at(now + 3).land.push_back({name_of(node, port), sent.packet});
    } else {
        const uint32_t at = m.packets.pop(m_state.packets);
        const uint32_t packet = with_length(at, m_state.packets[at].h[0]);
        sent = {uint32_t(now), at, uint8_t(flits_of(packet)), 0, false};
        m.credit = false;
        m.used_at = uint32_t(now + 2);
        lane.calendar.at(now + 5).fresh.push_back({name_of(node, FirstSlot[port]), packet});
        m_state.client.started(mbp, m_state.packets[at].body, now + 2);
    }
    plan(lane, link, now + sent.flits);
    m_sent.add(node, NumPorts + mbp % 2, sent);
    m_state.mark_mbp(mbp);
}

}  // namespace rdt::machine::events
