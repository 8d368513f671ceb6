// SPDX-License-Identifier: MIT
#include <rdt/machine/events/pins.h>

#include <algorithm>

namespace rdt::machine::events {

core::LinkPinsOut Pins::of(const End& end) const {
    const auto now = uint32_t(m_state.now);
    const Node& n = m_state.nodes[end.node];
    const PinHistory& history = m_sent.at(end);
    const Sent& last = history.last;
    core::LinkPinsOut out{};
    for (const Sent* sent : {&last, &history.before}) {
        const uint32_t k = now - (sent->granted + 2);
        if (k >= sent->flits) continue;
        out.oe = true;
        out.d = driven_flit(end, *sent, k);
    }
    const CreditHistory& credit = m_returns.at(end);
    const uint32_t shown = now - credit.at;
    out.cred = shown == 1 || shown == 2 ? credit.vc : 0;
    uint64_t start = 0;
    const Recovery* r = m_recoveries.at(end, start);
    if (r != nullptr && m_state.now > start && m_state.now < r->end()) {
        const bool calls = m_state.now < start + 10;
        out.req = calls ? ReqCall : ReqIdle;
        if (m_state.now <= r->announce) out.cred = calls || m_state.now == r->announce ? 3 : 0;
        return out;
    }
    bool asks = n.asks[end.port] != 0;
    if ((n.late & credits_of(end.port)) != 0) asks = is_far_end_sending(end, now - 1);
    const uint32_t since = now - last.granted;
    if (last.flits != 0 && since == 1) out.req = last.asks ? ReqWant : ReqIdle;
    else if (last.flits != 0 && since == 2) out.req = last.out_vc() + 1;
    else if (since > 2 && since < last.flits) out.req = ReqMore;
    else if (now - history.void_at == 2) out.req = ReqIdle;
    else out.req = asks ? ReqWant : ReqIdle;
    return out;
}

bool Pins::is_far_end_sending(const End& end, uint32_t clock) const {
    const PinHistory& far = m_sent.at(m_state.far_end(end));
    const auto is_under_way = [clock](const Sent& sent) {
        const uint32_t since = clock - sent.granted;
        return since >= 2 && since <= sent.flits;
    };
    return is_under_way(far.last) || is_under_way(far.before);
}

// A unicast's header is rewritten when it is complete at the next node.
flit_t Pins::driven_flit(const End& from, const Sent& sent, uint32_t k) const {
    if (sent.is_ack) return k == 0 ? sent.packet : make_flit(0);
    const Record& r = m_state.packets[sent.packet];
    if (k >= HeaderFlits) return m_state.client.flit(r.body, k);
    flit_t flit = r.h[k];
    if (from.port < PortM0 && is_rewritten(r.h[0]))
        flit = rewrite(flit, k, from.port, m_state.nodes[from.node].config[0]);
    return shows_vc(sent, k) ? flit ^ ParityBit : flit;
}

const Sent* Pins::sent_before(const End& end, uint32_t cycles) const {
    const PinHistory& history = m_sent.at(end);
    for (const Sent* s : {&history.last, &history.before})
        if (s->flits != 0 && int32_t(uint32_t(m_state.now) - s->granted) >= int32_t(cycles))
            return s;
    return nullptr;
}

uint64_t Pins::flits_sent(const End& end) const {
    const PinHistory& history = m_sent.at(end);
    uint64_t flits = history.flits;
    for (const Sent* sent : {&history.last, &history.before}) {
        // The first to come is on the pins two cycles after the grant, that of `now` counts.
        const uint32_t gone = uint32_t(m_state.now) + 1 - (sent->granted + 2);
        if (int32_t(gone) < int32_t(sent->flits))
            flits -= sent->flits - uint32_t(std::max<int32_t>(int32_t(gone), 0));
    }
    return flits;
}

}  // namespace rdt::machine::events
