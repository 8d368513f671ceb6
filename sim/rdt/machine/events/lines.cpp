// SPDX-License-Identifier: MIT
#include <rdt/machine/events/lines.h>

namespace rdt::machine::events {

// An end that needs to resynchronize requests only the end of the other end's packet.
Sides Lines::listen(const Node& at, uint32_t end, Side side, const Line& line, Sides& asks) const {
    const Sides own = 1u << side;
    if ((at.late_before & credits_of(end)) != 0)
        asks = (asks & ~own) | (line.phase == Line::Sends && line.owner != side ? own : 0);
    return (at.late & credits_of(end)) != 0 ? own : 0;
}

void Lines::decide(Lane& lane, uint32_t link) {
    const uint32_t first = node_of(link);
    const uint32_t port = port_of_link(what_of(link));
    Node& n = m_state.nodes[first];
    Line& line = n.line[what_of(link)];
    const bool to_mbp = port >= PortM0;
    const uint32_t second = to_mbp ? first : n.next[port];
    const uint32_t far = to_mbp ? NumPorts + port - PortM0 : opposite(port);
    const Node& o = m_state.nodes[second];
    Sides asks = uint32_t(n.asks[port] != 0) << First | uint32_t(o.asks[far] != 0) << Second;
    Sides overdue = 0;
    if (n.is_late || o.is_late)
        overdue = listen(n, port, First, line, asks) | listen(o, far, Second, line, asks);
    Side owner = line.owner;
    const Side other = other_side(owner);
    const Line::Phase phase = line.phase;
    line.phase = Line::Idle;
    switch (phase) {
    case Line::Sends:
        if (asks == 1u << owner) break;
        if (asks == 0 && !n.is_late && !o.is_late) {
            // A request from the next cycle on has it decided.
            n.planned = uint8_t(n.planned & ~(1u << what_of(link)));
            lane.resting.push_back(link);
            return;
        }
        // Not its sender, whose last flit is on its way to the pins.
        release(lane, link, overdue & ~(1u << owner));
        return;
    case Line::Voided:
        if ((asks >> other & 1) == 0) {
            release(lane, link, overdue);
            return;
        }
        owner = other;
        break;
    default:
        if (asks == 0) {
            line.owner = Second;
            n.planned = uint8_t(n.planned & ~(1u << what_of(link)));
            if (overdue != 0) release(lane, link, overdue);
            return;
        }
        if ((asks >> other & 1) != 0) owner = other;
    }
    line.owner = owner;
    line.phase = Line::Sends;
    const Grant grant{owner == First ? first : second, link, uint8_t(owner == First ? port : far),
                      (overdue >> owner & 1) != 0};
    if (lane.has(grant.node)) take(lane, grant);
    else m_state.outbox(lane.number, m_state.lane_number(grant.node)).grants.items.push_back(grant);
}

// The line is free in the next cycle, unless an end starts link recovery.
void Lines::release(Lane& lane, uint32_t link, Sides overdue) {
    if (overdue != 0) {
        lane.recoveries.push_back({link, overdue});
        Notes::set(m_state.notes.has_recoveries);
    } else lane.calendar.at(m_state.now + 1).decide.push_back(link);
}

// The line was given to an end that does not use it.
void Lines::void_grant(Lane& lane, uint32_t node, uint32_t end, uint32_t link) {
    m_state.nodes[node_of(link)].line[what_of(link)].phase = Line::Voided;
    m_sent.at(node, end).void_at = uint32_t(m_state.now);
    plan(lane, link, m_state.now + 2);
}

// The injector comes first; else round-robin, with traffic in transit before injection by an MBP,
// unless that has waited long enough.
void Lines::grant_output(Lane& lane, uint32_t node, uint32_t output, uint32_t link) {
    Node& n = m_state.nodes[node];
    if ((n.injects >> output & 1) != 0) {
        plan(lane, link, m_state.now + AckFlits);
        n.inject_granted = uint16_t(1u << output);
        return;
    }
    const uint32_t all = n.asks[output] & AllInputs;
    if (all == 0) {
        void_grant(lane, node, output, link);
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
