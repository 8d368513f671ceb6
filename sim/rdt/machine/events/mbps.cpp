// SPDX-License-Identifier: MIT
#include <rdt/machine/events/mbps.h>

#include <algorithm>

namespace rdt::machine::events {

void Mbps::send(uint32_t mbp, const std::array<uint32_t, 3>& header, uint32_t body) {
    const uint32_t at = m_state.packets.make(m_state.lane_of(mbp / 2).pool, header, body);
    m_state.mbps[mbp].packets.push(m_state.packets, at);
    m_state.mark_mbp(mbp);
}

void Mbps::send_ack(uint32_t mbp, uint32_t h0) {
    const uint32_t at = m_state.packets.make(m_state.lane_of(mbp / 2).pool, {h0, 0, 0}, NoPacket);
    m_state.mbps[mbp].acks.push(m_state.packets, at);
    m_state.mark_mbp(mbp);
}

// Callbacks come in the order of MBPs.
void Mbps::deliver(Lane& lane) {
    const uint64_t now = m_state.now;
    Day& today = lane.calendar.at(now);
    std::sort(today.deliver.begin(), today.deliver.end(),
              [](const Coming& a, const Coming& b) { return a.where < b.where; });
    for (const Coming& c : today.deliver) {
        const uint32_t mbp = c.where / 2;
        if ((c.where & 1) != 0) {
            m_state.client.acked(mbp, c.packet);
            continue;
        }
        m_returns.give(lane, mbp / 2, NumPorts + mbp % 2, 0);
        const Record packet = m_state.packets[c.packet];  // the client may send
        m_state.client.delivered(mbp, packet, now - uint32_t(get(packet.h[0], H0Len)) - 1);
        m_state.packets.drop(lane.pool, c.packet);
    }
    for (const uint32_t mbp : today.mbp_back) {
        if (m_recoveries.loses_credit(end_of_mbp(mbp))) continue;
        m_state.mbps[mbp].credit = true;
        m_state.mbps[mbp].missed = false;
        m_state.mark_mbp(mbp);
    }
    for (const uint32_t mbp : today.mbp) m_state.mark_mbp(mbp);
}

void Mbps::request(Lane& lane, uint32_t mbp) {
    Mbp& m = m_state.mbps[mbp];
    m.marked = false;
    const bool has_ack = !m.acks.empty();
    const bool may_ack = has_ack && m_state.now >= m.ack_from;
    if (has_ack && !may_ack) lane.calendar.at(m.ack_from).mbp.push_back(mbp);
    const bool asks = may_ack || (m.credit && !m.packets.empty());
    m_state.nodes[mbp / 2].asks[NumPorts + mbp % 2] = asks;
    if (asks) m_lines.request(lane, mbp / 2, PortM0 + mbp % 2);
}

}  // namespace rdt::machine::events
