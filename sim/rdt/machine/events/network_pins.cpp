// SPDX-License-Identifier: MIT
// What the pins show follows from the last grants and from what is asked for.
#include <rdt/machine/events/network.h>

#include <algorithm>

namespace rdt::machine::events {

core::LinkPinsOut Network::pins(uint32_t node, uint32_t port) const {
    return pins_of(node, port, m_nodes[node].asks[port] != 0);
}

core::LinkPinsOut Network::mbp_pins(uint32_t mbp) const {
    return pins_of(mbp / 2, NumPorts + mbp % 2, (m_nodes[mbp / 2].mbps_ask >> mbp % 2 & 1) != 0);
}

core::LinkPinsOut Network::pins_of(uint32_t node, uint32_t sender, bool asks) const {
    const auto now = uint32_t(m_now);
    const Pins& p = m_pins[node];
    const Sent& last = p[sender].last;
    core::LinkPinsOut out{};
    for (const Sent* sent : {&last, &p[sender].before}) {
        const uint32_t k = now - (sent->granted + 2);
        if (k >= sent->flits) continue;
        out.oe = true;
        out.d = flit_of(node, sender, *sent, k);
    }
    const CreditHistory& credit = m_credits[node][sender];
    const uint32_t shown = now - credit.at;
    out.cred = shown == 1 || shown == 2 ? credit.vc : 0;
    uint64_t fall = 0;
    const Down* down = down_at(node, sender, fall);
    if (down != nullptr && m_now > fall && m_now < down->ann + 12) {
        const bool calls = m_now < fall + 10;
        out.req = calls ? ReqCall : ReqIdle;
        if (m_now <= down->ann) out.cred = calls || m_now == down->ann ? 3 : 0;
        return out;
    }
    if ((m_nodes[node].late & credits_of(sender)) != 0) asks = is_sending(node, sender, now - 1);
    const uint32_t since = now - last.granted;
    if (last.flits != 0 && since == 1) out.req = last.asks ? ReqWant : ReqIdle;
    else if (last.flits != 0 && since == 2) out.req = last.out_vc() + 1;
    else if (since > 2 && since < last.flits) out.req = ReqMore;
    else if (now - p[sender].void_at == 2) out.req = ReqIdle;
    else out.req = asks ? ReqWant : ReqIdle;
    return out;
}

// Whether the other end of a link is.
bool Network::is_sending(uint32_t node, uint32_t sender, uint32_t clock) const {
    const uint32_t link = link_of(node, sender);
    const End first = end_of(link, First);
    const bool is_first = first.node == node && first.port == sender;
    const End far = end_of(link, is_first ? Second : First);
    const PinHistory& pins = m_pins[far.node][far.port];
    const auto is_under_way = [clock](const Sent& sent) {
        const uint32_t since = clock - sent.granted;
        return since >= 2 && since <= sent.flits;
    };
    return is_under_way(pins.last) || is_under_way(pins.before);
}

// A unicast's header is rewritten when it is complete at the next node.
flit_t Network::flit_of(uint32_t node, uint32_t sender, const Sent& sent, uint32_t k) const {
    if (sent.is_ack) return k == 0 ? sent.packet : make_flit(0);
    const Record& r = m_packets[sent.packet];
    if (k >= 3) return m_client.flit(r.body, k);
    flit_t flit = r.h[k];
    if (sender < PortM0 && is_rewritten(r.h[0]))
        flit = rewrite(flit, k, sender, m_nodes[node].config[0]);
    return shows_vc(sent, k) ? flit ^ ParityBit : flit;
}

uint64_t Network::flits_sent(uint32_t node, uint32_t sender) const {
    const Pins& p = m_pins[node];
    uint64_t flits = p[sender].flits;
    for (const Sent* sent : {&p[sender].last, &p[sender].before}) {
        // The first to come is on the pins two clocks after the grant, that of m_now counts.
        const uint32_t gone = uint32_t(m_now) + 1 - (sent->granted + 2);
        if (int32_t(gone) < int32_t(sent->flits))
            flits -= sent->flits - uint32_t(std::max<int32_t>(int32_t(gone), 0));
    }
    return flits;
}

bool Network::has_mail(const Lane& lane) {
    return std::any_of(lane.mail.begin(), lane.mail.end(),
                       [](const auto& mail) { return !(mail[0].empty() && mail[1].empty()); });
}

bool Network::idle() const {
    for (const Lane& lane : m_lanes)
        if (lane.calendar.brings_packets() || has_mail(lane)) return false;
    for (uint32_t mbp = 0; mbp < m_mbps.size(); ++mbp) {
        const core::LinkPinsOut out = mbp_pins(mbp);
        if (!m_mbps[mbp].packets.empty() || !m_mbps[mbp].acks.empty() || out.oe) return false;
    }
    for (uint32_t n = 0; n < m_nodes.size(); ++n) {
        if (m_nodes[n].have != 0) return false;
        if (m_control[n] && (!m_control[n]->table.quiet(m_control[n]->landed, 0) ||
                             !m_control[n]->inject.is_idle()))
            return false;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut out = pins(n, p);
            const bool calls = out.req == ReqCall && (out.cred == 0 || out.cred == 3);
            if (out.oe || (!calls && (out.req != ReqIdle || out.cred != 0))) return false;
        }
    }
    return true;
}

size_t Network::bytes() const {
    size_t controls = 0;
    for (const Lane& lane : m_lanes) controls += lane.with_control.size();
    return m_nodes.size() * (sizeof(Node) + 2 * sizeof(Mbp) + sizeof(Pins) + sizeof(Credits) +
                             sizeof(Control*)) +
           controls * sizeof(Control) + m_packets.bytes();
}

}  // namespace rdt::machine::events
