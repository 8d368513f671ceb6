// SPDX-License-Identifier: MIT
// All registers of chips and MBPs, for a clocked engine to continue from. The cycle of its grant
// determines the progress of a packet, so most registers follow by counting from there. The others
// determine grants and are stored in Node and Control.
//
// Registers are those that a cycle sees, before the events of it: credits that come or go with the
// next cycle have done so in the registers.
#include <rdt/machine/events/network.h>

#include <algorithm>

namespace rdt::machine::events {

namespace {

constexpr uint32_t HeaderFlits = 3;

fast::LinkIo::Regs line_that_rests(bool mine) {
    fast::LinkIo::Regs q;
    q.st = LineIdle;
    q.mine = mine;
    return q;
}

}  // namespace

// The last that an end has sent, of those granted so many cycles ago at least; or nothing.
const Sent* Network::sent_before(const End& end, uint32_t clocks) const {
    const PinHistory& pins = m_pins[end.node][end.port];
    for (const Sent* s : {&pins.last, &pins.before})
        if (s->flits != 0 && int32_t(uint32_t(m_now) - s->granted) >= int32_t(clocks)) return s;
    return nullptr;
}

// As it is stored behind the link: without what the VC does to the parity.
flit_t Network::stored_flit(const End& from, const Sent& sent, uint32_t k) const {
    const flit_t flit = flit_of(from.node, from.port, sent, k);
    return shows_vc(sent, k) ? flit ^ ParityBit : flit;
}

Network::End Network::far_end(const End& end) const {
    const uint32_t link = link_of(end.node, end.port);
    const End first = end_of(link, First);
    return first.node == end.node && first.port == end.port ? end_of(link, Second) : first;
}

fast::LinkIo::Regs Network::link_image(const End& end) const {
    const auto now = uint32_t(m_now);
    const uint32_t link = link_of(end.node, end.port);
    const End first = end_of(link, First);
    const Side side = first.node == end.node && first.port == end.port ? First : Second;
    const End far = end_of(link, side == First ? Second : First);
    fast::LinkIo::Regs q =
        line_that_rests(m_nodes[node_of(link)].line[what_of(link)].owner == side);
    for (const End& e : {end, far}) {
        const PinHistory& pins = m_pins[e.node][e.port];
        const uint32_t since = now - pins.last.granted;
        const uint32_t voided = now - pins.void_at;
        if (voided == 1 || (pins.last.flits != 0 && since == 1)) q.st = LineGnt;
        if (voided == 2 || (pins.last.flits != 0 && since == 2)) q.st = LineStart;
        if (since < 3 || since > pins.last.flits) continue;
        q.st = LineXfer;
        q.cnt = uint8_t(since - 3);
    }
    for (const Sent* s : {&m_pins[far.node][far.port].last, &m_pins[far.node][far.port].before}) {
        if (s->flits == 0) continue;
        const uint32_t k = now - (s->granted + 3);
        q.tail = q.tail || k + 2 == s->flits;
        if (k >= s->flits) continue;
        q.rx_valid = true;
        q.rx_first = k == 0;
        q.rx_second = k == 1;
        q.rx_last = k + 1 == s->flits;
        q.rx_d = stored_flit(far, *s, k);
    }
    if (const Sent* s = sent_before(far, 3)) q.rx_vc = uint8_t(s->out_vc());
    const CreditHistory& credit = m_credits[end.node][end.port];
    const uint32_t shown = now - credit.at;
    q.cred = shown == 1 || shown == 2 ? credit.vc : 0;
    q.rep = shown == 1;
    q.pend = credit.owed;
    if (const auto down = m_down.find(link); down != m_down.end())
        down_image(end, down->second, side, q);
    return q;
}

// A link that resynchronizes (network_acks.cpp has the cycles).
void Network::down_image(const End& end, const Down& d, Side side, fast::LinkIo::Regs& q) const {
    const uint64_t sync = d.fall[side] + 1;
    const uint64_t zero = sync + 9;
    if (m_now < sync) {
        q.mine = m_now > d.fall[First] || m_now > d.fall[Second] ? d.owner == side : q.mine;
        return;
    }
    if (m_now >= d.ann + AnnClocks) {
        q.pend = uint8_t(q.pend | d.freed[side]);
        return;
    }
    const bool is_chip = end.port < NumPorts;
    const uint32_t vcs = is_chip ? (1u << vcs_of(end.port)) - 1 : 1;
    const uint32_t full = is_chip ? m_nodes[end.node].have >> FirstSlot[end.port] & vcs : 0;
    // The packet whose header was complete in the cycle of the fall counts in the next one.
    const Sent& coming = m_pins[far_end(end).node][far_end(end).port].last;
    const bool is_fresh = m_now == sync && coming.flits != 0 && !coming.is_ack &&
                          coming.granted + 6 == uint32_t(m_now);
    q.keep = uint8_t(d.kept[side] | (full & ~(is_fresh ? 1u << coming.out_vc() : 0)));
    const bool is_ann = m_now >= d.ann;
    const uint64_t since = is_ann ? d.ann : m_now >= zero ? zero : sync;
    q.st = is_ann ? LineAnn : m_now >= zero ? LineZero : LineSync;
    q.cnt = uint8_t(m_now - since);
    if (is_ann) {
        q.p = m_now > d.ann ? 1 : 0;
    } else if (m_now >= zero) {
        q.p = m_now + 1 == d.ann ? 1 : 0;
    } else {
        const uint64_t called = std::max(sync, d.fall[side == First ? Second : First] + 1);
        q.p = uint8_t(m_now < called ? 0 : std::min(m_now - called, uint64_t(3)));
    }
    q.tick = ticked(end, d.fall[side]);
    if (m_now > d.ann) return;
    q.cred = m_now == d.ann || m_now < zero ? 3 : 0;
    q.rep = false;
    q.pend = uint8_t(m_now == d.ann ? vcs & ~q.keep : 0);
}

// Whether there was a slow tick from that cycle on.
bool Network::ticked(const End& end, uint64_t from) const {
    const uint64_t first = end.port < NumPorts ? ticking_of(end.node).at.slow : SlowTick - 1;
    const uint64_t before = (m_now - 1 - first) / SlowTick;  // ticks up to the cycle before this
    return m_now > first && first + before * SlowTick >= from;
}

void Network::down_image(const End& end, const Down& d, Side side, uint32_t credit,
                         fast::OutputRegs& r) const {
    const uint64_t sync = d.fall[side] + 1;
    if (m_now < sync) return;
    const uint32_t had = m_now == sync ? credit | credits_coming(end, d, side) : d.had[side];
    // The called end also sees CRED before it starts recovery.
    if (m_now == sync && d.fall[side == First ? Second : First] < d.fall[side]) {
        const uint32_t vcs = end.port < NumPorts ? vcs_of(end.port) : 1;
        const End far = far_end(end);
        const uint32_t shown = uint32_t(m_now) - m_credits[far.node][far.port].at;
        const bool begins = shown != 3 && shown != 4;
        r.in = begins && vcs == 3 ? 3 : 0;
        r.gap = !(begins && vcs == 3);
    }
    for (uint32_t v = 0; v < r.owed.size(); ++v) {
        if (m_now > d.ann && (credit >> v & 1) != 0) continue;
        r.owed[v] = uint8_t((had >> v & 1) != 0 || m_now >= d.ann + AnnClocks ? 1 : 3);
    }
    if (m_now > sync && m_now <= d.ann + 1) {
        r.in = 0;
        r.gap = false;
    }
}

// `credit`: VCs whose credit is in hand.
fast::OutputRegs Network::output_image(const End& end, uint32_t credit) const {
    const auto now = uint32_t(m_now);
    const Node& n = m_nodes[end.node];
    const bool is_chip = end.port < NumPorts;
    const core::LinkPinsOut pins =
        is_chip ? this->pins(end.node, end.port) : mbp_pins(2 * end.node + end.port - NumPorts);
    fast::OutputRegs r;
    r.req = uint8_t(pins.req);
    r.oe = pins.oe;
    r.d = pins.d;
    const Sent& last = m_pins[end.node][end.port].last;
    const uint32_t since = now - last.granted;
    if (since >= 1 && since <= last.flits) {
        r.tx = true;
        r.txloc = last.is_ack && is_chip;
        r.hidx = uint8_t(std::min(since - 1, HeaderFlits));
        const auto h0 = uint32_t(last.is_ack ? last.packet : m_packets[last.packet].h[0]);
        if (since >= 2) {
            r.vc = uint8_t(last.out_vc());
            r.rw = is_rewritten(h0);
            r.mc = is_multicast(h0);
            r.tag = uint8_t(get(h0, H0Tag));
        }
    }
    const End far = far_end(end);
    const CreditHistory& seen = m_credits[far.node][far.port];
    if (now - seen.at == 2) r.in = seen.vc;
    r.gap = now - seen.at == 3;
    const uint32_t vcs = is_chip ? vcs_of(end.port) : 1;
    const auto& noted = m_lanes[lane_number(end.node)].late;
    for (uint32_t v = 0; v < vcs; ++v) {
        if ((credit >> v & 1) != 0) continue;
        const uint32_t bit = is_chip ? 1u << (3 * end.port + v) : credits_of(end.port);
        const bool missed =
            is_chip ? (n.missed & bit) != 0 : m_mbps[2 * end.node + end.port - NumPorts].missed;
        const bool late = (n.late & bit) != 0 ||
                          std::find(noted.begin(), noted.end(),
                                    std::pair<uint32_t, uint32_t>(end.node, bit)) != noted.end();
        r.owed[v] = uint8_t(late ? 3 : missed ? 2 : 1);
    }
    const uint32_t link = link_of(end.node, end.port);
    if (const auto down = m_down.find(link); down != m_down.end()) {
        const End first = end_of(link, First);
        const bool is_first = first.node == end.node && first.port == end.port;
        down_image(end, down->second, is_first ? First : Second, credit, r);
    }
    return r;
}

// State of a packet for LOCAL.
uint32_t Network::error_of(uint32_t node, uint32_t slot, const Record& r) const {
    const uint32_t input = InputOf[slot];
    const RouteConfig cfg = m_nodes[node].route_config();
    const Header h{r.h[0], r.h[1], r.h[2]};
    const bool bad = is_multicast(r.h[0]) && bitmap(h, input, slot - FirstSlot[input], cfg).bad;
    const Route found = route(h, input, slot - FirstSlot[input], cfg, bad);
    return found.err != ErrNone ? found.err : found.ovc;
}

fast::Slot Network::slot_image(uint32_t node, uint32_t slot) const {
    const Node& n = m_nodes[node];
    if ((n.multicasts >> slot & 1) != 0) return m_control[node]->plan[slot];
    fast::Slot s;
    const uint32_t credit = n.want[slot];
    const Record& r = m_packets[record_of(n.packet[slot])];
    s.pkt = true;
    s.pend = uint16_t(1u << credit / 3);
    s.aux = uint8_t(credit % 3);
    s.tag = uint8_t(get(r.h[0], H0Tag));
    if (s.pend == 1u << PortLocal) s.aux = uint8_t(error_of(node, slot, r));
    return s;
}

// The flit read from a buffer, and its outputs.
void Network::read_image(uint32_t node, uint32_t input, fast::ChipImage::Input& in) const {
    const Node& n = m_nodes[node];
    const Sent* sent = nullptr;
    for (uint32_t o = 0; o < NumPorts; ++o) {
        const Sent& last = m_pins[node][o].last;
        const uint32_t since = uint32_t(m_now) - last.granted;
        if (last.is_ack || since < 1 || since > last.flits || n.turn[o] != input + 1) continue;
        sent = &last;
        in.pass = uint16_t(in.pass | 1u << o);
    }
    if (sent == nullptr) return;
    const uint32_t vc = sent->from_vc();
    const uint32_t slot = FirstSlot[input] + vc;
    const Record& copy = m_packets[sent->packet];
    const bool multicast = is_multicast(copy.h[0]);
    const bool waits = (n.have >> slot & 1) != 0;
    fast::InputUnit::Regs& q = in.q;
    q.rd_busy = true;
    q.rd_vc = uint8_t(vc);
    q.rd_idx = uint8_t(uint32_t(m_now) - sent->granted - 1);
    q.rd_len = uint8_t(sent->flits - 1);
    // The type of the stored header; LPRA and LARP copies leave as SM. Behind the header it does
    // not count.
    const Record& own =
        multicast && q.rd_idx < HeaderFlits ? m_packets[record_of(n.packet[slot])] : copy;
    q.rd_ty = uint8_t(get(own.h[0], H0Type));
    q.rd_up = (in.pass & fast::UpperPorts) != 0;
    q.rd_fin = !waits || m_packets[record_of(n.packet[slot])].body != copy.body;
    // The header is read before another can come to this buffer.
    if (q.rd_idx < HeaderFlits) {
        for (uint32_t k = 0; k < HeaderFlits; ++k) in.ram[vc][k] = own.h[k];
        if (!waits && multicast) q.slot[vc] = m_control[node]->plan[slot];
        if (!waits && !multicast) {
            q.slot[vc].pend = in.pass;
            q.slot[vc].aux = uint8_t(sent->out_vc());
        }
        q.slot[vc].pkt = waits;
    }
    for (uint32_t k = HeaderFlits; k < sent->flits; ++k)
        in.ram[vc][k] = m_client.flit(copy.body, k);
}

fast::ChipImage::Input Network::input_image(uint32_t node, uint32_t input) const {
    const Node& n = m_nodes[node];
    fast::ChipImage::Input in;
    fast::InputUnit::Regs& q = in.q;
    q.want = uint16_t(asked_by(node, input));
    q.sel = uint8_t(n.sel(input));
    for (uint32_t v = 0; v < vcs_of(input); ++v)
        if ((n.have >> (FirstSlot[input] + v) & 1) != 0)
            q.slot[v] = slot_image(node, FirstSlot[input] + v);
    read_image(node, input, in);

    const End far = far_end({node, input});
    const Sent* coming = sent_before(far, 4);
    uint32_t arrived = 0;
    if (coming != nullptr) {
        arrived = std::min(uint32_t(m_now) - (coming->granted + 3), uint32_t(coming->flits));
        in.rx_vc = uint8_t(coming->out_vc());
        q.wr_idx = uint8_t(arrived);
        q.ackp = coming->is_ack;
        if (arrived < coming->flits) q.hdr0 = stored_flit(far, *coming, 0);
        const fast::Slot& slot = q.slot[in.rx_vc];
        q.cur_err =
            arrived < coming->flits && slot.pkt && slot.pend == 1u << PortLocal && slot.aux != 0;
    }
    for (uint32_t v = 0; v < vcs_of(input); ++v) {
        const uint32_t slot = FirstSlot[input] + v;
        const bool comes =
            coming != nullptr && !coming->is_ack && in.rx_vc == v && arrived < coming->flits;
        if ((n.have >> slot & 1) != 0) {
            const Record& r = m_packets[record_of(n.packet[slot])];
            const uint32_t flits = comes ? arrived : flits_of(n.packet[slot]);
            for (uint32_t k = 0; k < flits; ++k)
                in.ram[v][k] = k < HeaderFlits ? flit_t(r.h[k]) : m_client.flit(r.body, k);
        } else if (comes && arrived < HeaderFlits) {
            for (uint32_t k = 0; k < arrived; ++k) in.ram[v][k] = stored_flit(far, *coming, k);
        }
    }
    if (!m_control[node]) return in;
    const Control& c = *m_control[node];
    q.ewait = c.ewait[input];
    q.evc = c.evc[input];
    q.wvc = c.wvc[input];
    q.ack_v = (c.landed >> input & 1) != 0;
    if (q.ack_v)
        q.ack = {input, uint32_t(get(c.ack[input], H0Tag)), uint32_t(get(c.ack[input], H0Status)),
                 is_mbp(input) ? uint32_t(get(c.ack[input], H0Gen)) : 0};
    return in;
}

void Network::images(const OfChip& of_chip, const OfMbp& of_mbp) const {
    std::vector<uint32_t> credits;
    for (const Node& n : m_nodes) credits.push_back(n.credit);
    for (const Lane& lane : m_lanes) {
        const Day& today = lane.calendar.at(m_now);
        for (const uint32_t c : today.used) credits[node_of(c)] &= ~(1u << what_of(c));
        for (const uint32_t c : today.back)
            if (!is_forgotten(node_of(c), what_of(c) / 3)) credits[node_of(c)] |= 1u << what_of(c);
    }
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
        of_chip(node, chip_image(node, credits[node]));
    std::vector<bool> in_hand;
    for (const Mbp& m : m_mbps) in_hand.push_back(!m.is_away(m_now));
    for (const Lane& lane : m_lanes)
        for (const uint32_t mbp : lane.calendar.at(m_now).mbp_back)
            if (!is_forgotten(mbp / 2, NumPorts + mbp % 2)) in_hand[mbp] = true;
    for (uint32_t mbp = 0; mbp < m_mbps.size(); ++mbp)
        of_mbp(mbp, mbp_image(mbp, in_hand[mbp] ? 1 : 0));
}

fast::ChipImage Network::chip_image(uint32_t node, uint32_t credits) const {
    const Node& n = m_nodes[node];
    fast::ChipImage image;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        image.link[p] = link_image({node, p});
        image.out[p] = output_image({node, p}, credits >> 3 * p & 7);
        image.in[p] = input_image(node, p);
        if (n.turn[p] == 0) continue;
        image.arbiter.mask[p] = uint16_t(AllInputs >> n.turn[p] << n.turn[p]);
        image.arbiter.xsel[p] = uint16_t(1u << (n.turn[p] - 1));
    }
    for (uint32_t k = 0; k < 2; ++k) {
        const bool waits = (n.have >> (FirstSlot[PortM0] + k) & 1) != 0;
        const uint32_t waited = waits ? uint32_t(m_now) - n.since[k] : 0;
        image.arbiter.age[k] = uint8_t(std::min(n.age[k] + waited, uint32_t(AgedAt)));
    }
    if (m_control[node]) {
        image.ack = m_control[node]->table;
        image.inject = m_control[node]->inject;
        image.inject.skip(m_now - m_control[node]->counted);
    }
    return image;
}

MbpImage Network::mbp_image(uint32_t mbp, uint32_t credit) const {
    const End end{mbp / 2, NumPorts + mbp % 2};
    const Mbp& m = m_mbps[mbp];
    MbpImage image;
    image.link = link_image(end);
    image.out = output_image(end, credit);
    image.ack_from = m.ack_from;
    for (uint32_t at = m.acks.first; at != NoPacket; at = m_packets[at].next)
        image.acks.push_back(m_packets[at].h[0]);
    for (uint32_t at = m.packets.first; at != NoPacket; at = m_packets[at].next)
        image.packets.push_back({m_packets[at].h, m_packets[at].body});
    const Sent& last = m_pins[end.node][end.port].last;
    const uint32_t since = uint32_t(m_now) - last.granted;
    if (since >= 1 && since <= last.flits) {
        for (uint32_t k = 0; k < last.flits; ++k)
            image.sending.push_back(stored_flit(end, last, k));
        image.sent = since - 1;
    }
    const End chip{end.node, PortM0 + mbp % 2};
    const Sent* coming = sent_before(chip, 4);
    if (coming == nullptr) return image;
    const uint32_t arrived = uint32_t(m_now) - (coming->granted + 3);
    if (arrived >= coming->flits) return image;
    image.head = m_now - arrived - 1;
    for (uint32_t k = 0; k < arrived; ++k) image.received.push_back(stored_flit(chip, *coming, k));
    return image;
}

}  // namespace rdt::machine::events
