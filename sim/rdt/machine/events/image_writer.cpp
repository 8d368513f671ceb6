// SPDX-License-Identifier: MIT
#include <rdt/machine/events/image_writer.h>

#include <algorithm>

namespace rdt::machine::events {

namespace {

fast::LinkIo::Regs line_that_rests(bool mine) {
    fast::LinkIo::Regs q;
    q.st = LineIdle;
    q.mine = mine;
    return q;
}

}  // namespace

fast::LinkIo::Regs ImageWriter::link(const End& end) const {
    const auto now = uint32_t(m_now);
    const uint32_t link = m_state.link_of(end);
    const Side side = m_state.side_of(link, end);
    const End far = m_state.end_of(link, other_side(side));
    fast::LinkIo::Regs q =
        line_that_rests(m_state.nodes[node_of(link)].line[what_of(link)].owner == side);
    for (const End& e : {end, far}) {
        const PinHistory& pins = m_parts.sent.at(e);
        const uint32_t since = now - pins.last.granted;
        const uint32_t voided = now - pins.void_at;
        if (voided == 1 || (pins.last.flits != 0 && since == 1)) q.st = LineGnt;
        if (voided == 2 || (pins.last.flits != 0 && since == 2)) q.st = LineStart;
        if (since < 3 || since > pins.last.flits) continue;
        q.st = LineXfer;
        q.cnt = uint8_t(since - 3);
    }
    for (const Sent* s : {&m_parts.sent.at(far).last, &m_parts.sent.at(far).before}) {
        if (s->flits == 0) continue;
        const uint32_t k = now - (s->granted + 3);
        q.tail = q.tail || k + 2 == s->flits;
        if (k >= s->flits) continue;
        q.rx_valid = true;
        q.rx_first = k == 0;
        q.rx_second = k == 1;
        q.rx_last = k + 1 == s->flits;
        q.rx_d = m_parts.pins.stored_flit(far, *s, k);
    }
    if (const Sent* s = m_parts.pins.sent_before(far, 3)) q.rx_vc = uint8_t(s->out_vc());
    const CreditHistory& credit = m_parts.returns.at(end);
    const uint32_t shown = now - credit.at;
    q.cred = shown == 1 || shown == 2 ? credit.vc : 0;
    q.rep = shown == 1;
    q.pend = credit.owed;
    if (const Recovery* r = m_parts.recoveries.find(link)) recovering(end, *r, side, q);
    return q;
}

// A link that resynchronizes (recoveries.h has the cycles).
void ImageWriter::recovering(const End& end, const Recovery& r, Side side,
                             fast::LinkIo::Regs& q) const {
    const uint64_t sync = r.start[side] + 1;
    const uint64_t zero = sync + 9;
    if (m_now < sync) {
        q.mine = m_now > r.start[First] || m_now > r.start[Second] ? r.owner == side : q.mine;
        return;
    }
    if (m_now >= r.end()) {
        q.pend = uint8_t(q.pend | r.freed[side]);
        return;
    }
    const bool is_chip = end.is_chip();
    const uint32_t vcs = is_chip ? (1u << vcs_of(end.port)) - 1 : 1;
    const uint32_t full = is_chip ? m_state.nodes[end.node].have >> FirstSlot[end.port] & vcs : 0;
    // The packet whose header was complete in the cycle of the start counts in the next one.
    const Sent& coming = m_parts.sent.at(m_state.far_end(end)).last;
    const bool is_fresh = m_now == sync && coming.flits != 0 && !coming.is_ack &&
                          coming.granted + 6 == uint32_t(m_now);
    q.keep = uint8_t(r.kept[side] | (full & ~(is_fresh ? 1u << coming.out_vc() : 0)));
    const bool is_ann = m_now >= r.announce;
    const uint64_t since = is_ann ? r.announce : m_now >= zero ? zero : sync;
    q.st = is_ann ? LineAnn : m_now >= zero ? LineZero : LineSync;
    q.cnt = uint8_t(m_now - since);
    if (is_ann) {
        q.p = m_now > r.announce ? 1 : 0;
    } else if (m_now >= zero) {
        q.p = m_now + 1 == r.announce ? 1 : 0;
    } else {
        const uint64_t called = std::max(sync, r.start[other_side(side)] + 1);
        q.p = uint8_t(m_now < called ? 0 : std::min(m_now - called, uint64_t(3)));
    }
    q.tick = m_parts.timers.had_slow(end, r.start[side], m_now);
    if (m_now > r.announce) return;
    q.cred = m_now == r.announce || m_now < zero ? 3 : 0;
    q.rep = false;
    q.pend = uint8_t(m_now == r.announce ? vcs & ~q.keep : 0);
}

void ImageWriter::recovering(const End& end, const Recovery& r, Side side, uint32_t credit,
                             fast::OutputRegs& q) const {
    const uint64_t sync = r.start[side] + 1;
    if (m_now < sync) return;
    const uint32_t had =
        m_now == sync ? credit | m_parts.resync.credits_coming(end, r, side) : r.had[side];
    // The called end also sees CRED before it starts recovery.
    if (m_now == sync && r.start[other_side(side)] < r.start[side]) {
        const uint32_t vcs = end.port < NumPorts ? vcs_of(end.port) : 1;
        const End far = m_state.far_end(end);
        const uint32_t shown = uint32_t(m_now) - m_parts.returns.at(far).at;
        const bool begins = shown != 3 && shown != 4;
        q.in = begins && vcs == 3 ? 3 : 0;
        q.gap = !(begins && vcs == 3);
    }
    for (uint32_t v = 0; v < q.owed.size(); ++v) {
        if (m_now > r.announce && (credit >> v & 1) != 0) continue;
        q.owed[v] = uint8_t((had >> v & 1) != 0 || m_now >= r.end() ? 1 : 3);
    }
    if (m_now > sync && m_now <= r.announce + 1) {
        q.in = 0;
        q.gap = false;
    }
}

// `credit`: VCs whose credit is in hand.
fast::OutputRegs ImageWriter::output(const End& end, uint32_t credit) const {
    const auto now = uint32_t(m_now);
    const Node& n = m_state.nodes[end.node];
    const bool is_chip = end.is_chip();
    const core::LinkPinsOut pins = m_parts.pins.of(end);
    fast::OutputRegs r;
    r.req = uint8_t(pins.req);
    r.oe = pins.oe;
    r.d = pins.d;
    const Sent& last = m_parts.sent.at(end).last;
    const uint32_t since = now - last.granted;
    if (since >= 1 && since <= last.flits) {
        r.tx = true;
        r.txloc = last.is_ack && is_chip;
        r.hidx = uint8_t(std::min(since - 1, HeaderFlits));
        const auto h0 = uint32_t(last.is_ack ? last.packet : m_state.packets[last.packet].h[0]);
        if (since >= 2) {
            r.vc = uint8_t(last.out_vc());
            r.rw = is_rewritten(h0);
            r.mc = is_multicast(h0);
            r.tag = uint8_t(get(h0, H0Tag));
        }
    }
    const End far = m_state.far_end(end);
    const CreditHistory& seen = m_parts.returns.at(far);
    if (now - seen.at == 2) r.in = seen.vc;
    r.gap = now - seen.at == 3;
    const uint32_t vcs = is_chip ? vcs_of(end.port) : 1;
    const auto& noted = m_state.lane_of(end.node).late;
    for (uint32_t v = 0; v < vcs; ++v) {
        if ((credit >> v & 1) != 0) continue;
        const uint32_t bit = is_chip ? 1u << (3 * end.port + v) : credits_of(end.port);
        const bool missed = is_chip ? (n.missed & bit) != 0 : m_state.mbps[end.mbp()].missed;
        const bool late = (n.late & bit) != 0 ||
                          std::find(noted.begin(), noted.end(),
                                    std::pair<uint32_t, uint32_t>(end.node, bit)) != noted.end();
        r.owed[v] = uint8_t(late ? 3 : missed ? 2 : 1);
    }
    const uint32_t link = m_state.link_of(end);
    if (const Recovery* found = m_parts.recoveries.find(link))
        recovering(end, *found, m_state.side_of(link, end), credit, r);
    return r;
}

// State of a packet for LOCAL.
uint32_t ImageWriter::error_of(uint32_t node, uint32_t slot, const Record& r) const {
    const uint32_t input = InputOf[slot];
    const RouteConfig cfg = m_state.nodes[node].route_config();
    const Header h{r.h[0], r.h[1], r.h[2]};
    const bool bad = is_multicast(r.h[0]) && bitmap(h, input, slot - FirstSlot[input], cfg).bad;
    const Route found = route(h, input, slot - FirstSlot[input], cfg, bad);
    return found.err != ErrNone ? found.err : found.ovc;
}

fast::Slot ImageWriter::slot(uint32_t node, uint32_t slot) const {
    const Node& n = m_state.nodes[node];
    if ((n.multicasts >> slot & 1) != 0) return m_parts.controls[node].plan[slot];
    fast::Slot s;
    const uint32_t credit = n.want[slot];
    const Record& r = packet(node, slot);
    s.pkt = true;
    s.pend = uint16_t(1u << credit / 3);
    s.aux = uint8_t(credit % 3);
    s.tag = uint8_t(get(r.h[0], H0Tag));
    if (s.pend == 1u << PortLocal) s.aux = uint8_t(error_of(node, slot, r));
    return s;
}

// The flit read from a buffer, and its outputs.
void ImageWriter::read_pass(uint32_t node, uint32_t input, fast::ChipImage::Input& in) const {
    const Node& n = m_state.nodes[node];
    const Sent* sent = nullptr;
    for (uint32_t o = 0; o < NumPorts; ++o) {
        const Sent& last = m_parts.sent.at(node, o).last;
        const uint32_t since = uint32_t(m_now) - last.granted;
        if (last.is_ack || since < 1 || since > last.flits || n.turn[o] != input + 1) continue;
        sent = &last;
        in.pass = uint16_t(in.pass | 1u << o);
    }
    if (sent == nullptr) return;
    const uint32_t vc = sent->from_vc();
    const uint32_t slot = FirstSlot[input] + vc;
    const Record& copy = m_state.packets[sent->packet];
    const bool multicast = is_multicast(copy.h[0]);
    const bool waits = (n.have >> slot & 1) != 0;
    fast::InputUnit::Regs& q = in.q;
    q.rd_busy = true;
    q.rd_vc = uint8_t(vc);
    q.rd_idx = uint8_t(uint32_t(m_now) - sent->granted - 1);
    q.rd_len = uint8_t(sent->flits - 1);
    // The type of the stored header; LPRA and LARP copies leave as SM. Behind the header it does
    // not count.
    const Record& own = multicast && q.rd_idx < HeaderFlits ? packet(node, slot) : copy;
    q.rd_ty = uint8_t(get(own.h[0], H0Type));
    q.rd_up = (in.pass & fast::UpperPorts) != 0;
    q.rd_fin = !waits || packet(node, slot).body != copy.body;
    // The header is read before another can come to this buffer.
    if (q.rd_idx < HeaderFlits) {
        for (uint32_t k = 0; k < HeaderFlits; ++k) in.ram[vc][k] = own.h[k];
        if (!waits && multicast) q.slot[vc] = m_parts.controls[node].plan[slot];
        if (!waits && !multicast) {
            q.slot[vc].pend = in.pass;
            q.slot[vc].aux = uint8_t(sent->out_vc());
        }
        q.slot[vc].pkt = waits;
    }
    for (uint32_t k = HeaderFlits; k < sent->flits; ++k)
        in.ram[vc][k] = m_state.client.flit(copy.body, k);
}

fast::ChipImage::Input ImageWriter::input(uint32_t node, uint32_t input) const {
    const Node& n = m_state.nodes[node];
    fast::ChipImage::Input in;
    fast::InputUnit::Regs& q = in.q;
    q.want = uint16_t(m_parts.inputs.requested_by(node, input));
    q.sel = uint8_t(n.sel(input));
    for (uint32_t v = 0; v < vcs_of(input); ++v)
        if ((n.have >> (FirstSlot[input] + v) & 1) != 0)
            q.slot[v] = this->slot(node, FirstSlot[input] + v);
    read_pass(node, input, in);

    const End far = m_state.far_end({node, input});
    const Sent* coming = m_parts.pins.sent_before(far, 4);
    uint32_t arrived = 0;
    if (coming != nullptr) {
        arrived = std::min(uint32_t(m_now) - (coming->granted + 3), uint32_t(coming->flits));
        in.rx_vc = uint8_t(coming->out_vc());
        q.wr_idx = uint8_t(arrived);
        q.ackp = coming->is_ack;
        if (arrived < coming->flits) q.hdr0 = m_parts.pins.stored_flit(far, *coming, 0);
        const fast::Slot& slot = q.slot[in.rx_vc];
        q.cur_err =
            arrived < coming->flits && slot.pkt && slot.pend == 1u << PortLocal && slot.aux != 0;
    }
    for (uint32_t v = 0; v < vcs_of(input); ++v) {
        const uint32_t slot = FirstSlot[input] + v;
        const bool comes =
            coming != nullptr && !coming->is_ack && in.rx_vc == v && arrived < coming->flits;
        if ((n.have >> slot & 1) != 0) {
            const Record& r = packet(node, slot);
            const uint32_t flits = comes ? arrived : flits_of(n.packet[slot]);
            for (uint32_t k = 0; k < flits; ++k)
                in.ram[v][k] = k < HeaderFlits ? flit_t(r.h[k]) : m_state.client.flit(r.body, k);
        } else if (comes && arrived < HeaderFlits) {
            for (uint32_t k = 0; k < arrived; ++k)
                in.ram[v][k] = m_parts.pins.stored_flit(far, *coming, k);
        }
    }
    if (m_parts.controls.find(node) == nullptr) return in;
    const Control& c = m_parts.controls[node];
    q.ewait = c.ewait[input];
    q.evc = c.evc[input];
    q.wvc = c.wvc[input];
    q.ack_v = (c.landed >> input & 1) != 0;
    if (q.ack_v)
        q.ack = {input, uint32_t(get(c.ack[input], H0Tag)), uint32_t(get(c.ack[input], H0Status)),
                 is_mbp(input) ? uint32_t(get(c.ack[input], H0Gen)) : 0};
    return in;
}

void ImageWriter::write(const OfChip& of_chip, const OfMbp& of_mbp) const {
    std::vector<uint32_t> credits;
    for (const Node& n : m_state.nodes) credits.push_back(n.credit);
    for (const Lane& lane : m_state.lanes) {
        const Day& today = lane.calendar.at(m_now);
        for (const uint32_t c : today.used) credits[node_of(c)] &= ~(1u << what_of(c));
        for (const uint32_t c : today.back)
            if (!m_parts.recoveries.loses_credit({node_of(c), what_of(c) / 3}))
                credits[node_of(c)] |= 1u << what_of(c);
    }
    for (uint32_t node = 0; node < m_state.nodes.size(); ++node)
        of_chip(node, chip(node, credits[node]));
    std::vector<bool> in_hand;
    for (const Mbp& m : m_state.mbps) in_hand.push_back(!m.is_away(m_now));
    for (const Lane& lane : m_state.lanes)
        for (const uint32_t mbp : lane.calendar.at(m_now).mbp_back)
            if (!m_parts.recoveries.loses_credit(end_of_mbp(mbp))) in_hand[mbp] = true;
    for (uint32_t mbp = 0; mbp < m_state.mbps.size(); ++mbp)
        of_mbp(mbp, this->mbp(mbp, in_hand[mbp] ? 1 : 0));
}

fast::ChipImage ImageWriter::chip(uint32_t node, uint32_t credits) const {
    const Node& n = m_state.nodes[node];
    fast::ChipImage image;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        image.link[p] = link({node, p});
        image.out[p] = output({node, p}, credits >> 3 * p & 7);
        image.in[p] = this->input(node, p);
        if (n.turn[p] == 0) continue;
        image.arbiter.mask[p] = uint16_t(AllInputs >> n.turn[p] << n.turn[p]);
        image.arbiter.xsel[p] = uint16_t(1u << (n.turn[p] - 1));
    }
    for (uint32_t k = 0; k < 2; ++k) {
        const bool waits = (n.have >> (FirstSlot[PortM0] + k) & 1) != 0;
        const uint32_t waited = waits ? uint32_t(m_now) - n.since[k] : 0;
        image.arbiter.age[k] = uint8_t(std::min(n.age[k] + waited, uint32_t(AgedAt)));
    }
    if (const Control* control = m_parts.controls.find(node)) {
        image.ack = control->table;
        image.inject = control->injector_at(m_now);
    }
    return image;
}

MbpImage ImageWriter::mbp(uint32_t mbp, uint32_t credit) const {
    const End end = end_of_mbp(mbp);
    const Mbp& m = m_state.mbps[mbp];
    MbpImage image;
    image.link = link(end);
    image.out = output(end, credit);
    image.ack_from = m.ack_from;
    for (uint32_t at = m.acks.first; at != NoPacket; at = m_state.packets[at].next)
        image.acks.push_back(m_state.packets[at].h[0]);
    for (uint32_t at = m.packets.first; at != NoPacket; at = m_state.packets[at].next)
        image.packets.push_back({m_state.packets[at].h, m_state.packets[at].body});
    const Sent& last = m_parts.sent.at(end).last;
    const uint32_t since = uint32_t(m_now) - last.granted;
    if (since >= 1 && since <= last.flits) {
        for (uint32_t k = 0; k < last.flits; ++k)
            image.sending.push_back(m_parts.pins.stored_flit(end, last, k));
        image.sent = since - 1;
    }
    const End chip{end.node, PortM0 + mbp % 2};
    const Sent* coming = m_parts.pins.sent_before(chip, 4);
    if (coming == nullptr) return image;
    const uint32_t arrived = uint32_t(m_now) - (coming->granted + 3);
    if (arrived >= coming->flits) return image;
    image.head = m_now - arrived - 1;
    for (uint32_t k = 0; k < arrived; ++k)
        image.received.push_back(m_parts.pins.stored_flit(chip, *coming, k));
    return image;
}

}  // namespace rdt::machine::events
