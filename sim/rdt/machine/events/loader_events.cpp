// SPDX-License-Identifier: MIT
// What becomes of registers in the event engine.
#include <rdt/machine/events/loader.h>

namespace rdt::machine::events {

bool Loader::load() {
    try {
        load_all();
    } catch (const Irregular&) {
        return false;
    }
    return true;
}

void Loader::load_all() {
    for (uint32_t n = 0; n < m_state.nodes.size(); ++n) load_control(n);
    for (uint32_t n = 0; n < m_state.nodes.size(); ++n) load_node(n);
    for (uint32_t mbp = 0; mbp < m_state.mbps.size(); ++mbp) load_mbp(mbp);
    for (uint32_t n = 0; n < m_state.nodes.size(); ++n)
        for (uint32_t l = 0; l < NumLinks; ++l)
            if (has_link(port_of_link(l))) load_line(name_of(n, l));
    for (uint32_t n = 0; n < m_state.nodes.size(); ++n) load_stale_requests(n);
}

uint32_t Loader::make(uint32_t node, const Words& header, uint32_t body) {
    return m_state.packets.make(m_state.lane_of(node).pool, header, body);
}

void Loader::load_node(uint32_t node) {
    Node& n = m_state.nodes[node];
    const fast::Arbiter::Regs& arbiter = m_all.chips[node].arbiter;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        if (arbiter.xsel[p] != 0) n.turn[p] = uint8_t(lowest(arbiter.xsel[p]) + 1);
        load_input(node, p);
        if (has_link(p)) load_credits({node, p});
    }
    n.age = arbiter.age;
    n.since = {uint32_t(m_now), uint32_t(m_now)};
}

// Every input that may be active is evaluated.
void Loader::load_control(uint32_t node) {
    Node& n = m_state.nodes[node];
    Control& c = m_parts.controls.make(node);
    c.table = m_all.chips[node].ack;
    c.inject = m_all.chips[node].inject;
    c.note_table();
    c.retries = true;
    m_parts.controls.wake(node);
    const fast::Inject::Regs& inject = c.inject.q();
    require(inject.st != fast::Inject::Loc);
    if (inject.st != fast::Inject::Want) return;
    require(inject.ack.port < NumPorts);
    n.injects = uint16_t(1u << inject.ack.port);
    if (inject.wait != 0) n.asks[inject.ack.port] |= AsksInjector;
}

void Loader::load_input(uint32_t node, uint32_t port) {
    Node& n = m_state.nodes[node];
    Control& c = m_parts.controls[node];
    const fast::InputUnit::Regs& q = input({node, port}).q;
    require(q.rsv == 0 && (q.want & ~uint32_t(AllInputs)) == 0);
    n.set_sel(port, q.sel);
    c.evc[port] = q.evc;
    c.wvc[port] = q.wvc;
    c.ewait[port] = q.ewait;
    if (q.ack_v) {
        c.landed = uint16_t(c.landed | 1u << port);
        c.ack[port] = core::head_of(q.ack);
    }
    for (uint32_t v = 0; v < vcs_of(port); ++v)
        if (q.slot[v].pkt) load_slot({node, port}, v);
    if (q.rd_busy) load_pass({node, port});
    c.cand[port] = q.want;
    if (q.want != 0)
        n.cand[port] = (q.want & (q.want - 1)) != 0 ? SeveralOutputs : uint8_t(lowest(q.want));
    for (uint32_t left = q.want; left != 0; left &= left - 1)
        n.asks[lowest(left)] |= uint16_t(1u << port);
    m_state.mark(m_state.lane_of(node), node, port);
}

void Loader::load_slot(const End& at, uint32_t vc) {
    Node& n = m_state.nodes[at.node];
    Control& c = m_parts.controls[at.node];
    const fast::Slot& slot = input(at).q.slot[vc];
    const uint32_t own = FirstSlot[at.port] + vc;
    if ((n.have >> own & 1) != 0) return;
    require(!slot.pois && slot.age == 0 && slot.pend != 0 &&
            (slot.pend & ~uint32_t(AllInputs)) == 0);
    Words h{};
    for (uint32_t k = 0; k < HeaderFlits; ++k) h[k] = slice0(input(at).ram[vc][k]);
    const Hop hop = coming(m_state.far_end(at), at);
    uint32_t its_body = NoPacket;
    if (hop.since > 5 && hop.vc == vc && !hop.is_ack) its_body = shared_body(hop);
    if (its_body == NoPacket)
        its_body =
            body(h, flits_by(h[0]), [&](uint32_t k) { return flit_in_buffer(at, vc, false, k); });
    const uint32_t made = make(at.node, h, its_body);
    n.have |= 1u << own;
    n.packet[own] = with_length(made, h[0]);
    if (!slot.mc) {
        require((slot.pend & (slot.pend - 1)) == 0);
        n.wait_for(own, lowest(slot.credit_needed(lowest(slot.pend))));
        return;
    }
    n.multicasts |= 1u << own;
    c.plan[own] = slot;
    c.needs[own] = slot.credits_needed();
    if (slot.ent) c.entryless |= 1u << own;
}

// The input opens again; who reads knows the rest.
void Loader::load_pass(const End& at) {
    const fast::ChipImage::Input& in = input(at);
    const fast::InputUnit::Regs& q = in.q;
    require(!q.rd_loc && !q.rd_raw && !q.rd_pois && in.pass != 0);
    const flit_t h0 = in.ram[q.rd_vc][0];
    const uint32_t flits = q.rd_idx == 0 ? flits_by(slice0(h0)) : q.rd_len + 1u;
    const uint64_t opens = m_now - q.rd_idx - 1 + flits - 1;
    Node& n = m_state.nodes[at.node];
    if (opens >= m_now) {
        n.open = uint16_t(n.open & ~(1u << at.port));
        day(at.node, opens).open.push_back(name_of(at.node, at.port));
    }
    // The header of a multicast that leaves is still read.
    const fast::Slot& slot = q.slot[q.rd_vc];
    if (slot.pkt || !slot.mc || q.rd_idx >= HeaderFlits) return;
    Words h{};
    for (uint32_t k = 0; k < HeaderFlits; ++k) h[k] = slice0(in.ram[q.rd_vc][k]);
    const uint32_t made = make(at.node, h, m_adopt({h.begin(), h.end()}));
    const uint32_t own = FirstSlot[at.port] + q.rd_vc;
    n.packet[own] = with_length(made, h[0]);
    m_parts.controls[at.node].plan[own] = slot;
    m_state.drop_later(m_state.lane_of(at.node), made);
}

// In hand, away, and on their way to the other end.
void Loader::load_credits(const End& end) {
    const fast::LinkIo::Regs& q = line(end);
    const fast::OutputRegs& r = out(end);
    Node& n = m_state.nodes[end.node];
    require(!r.sunk && r.gone == 0);
    for (uint32_t v = 0; end.is_chip() && v < vcs_of(end.port); ++v) {
        const uint32_t bit = 1u << (3 * end.port + v);
        if (is_in_hand(end, v)) continue;
        n.credit &= ~bit;
        n.ready &= ~n.waiting_for(3 * end.port + v);
        if (q.up() && r.owed[v] > 1) n.missed |= bit;
        if (q.up() && r.owed[v] == 3) note_late(end, bit);
    }
    const End far = m_state.far_end(end);
    CreditHistory& history = m_parts.returns.at(end);
    if (out(far).gap) history.at = uint32_t(m_now - 3);
    if (!q.up() && !q.ann()) {
        // The first half of one was seen, before the call.
        if (out(far).in == 0 || !line(far).up()) return;
        history.at = uint32_t(m_now - 2);
        history.vc = out(far).in;
        return;
    }
    history.owed = q.pend;
    if (q.pend != 0) day(end.node, m_now).owed.push_back(name_of(end.node, end.port));
    if (q.cred == 0) return;
    const uint64_t shown = m_now - (q.rep ? 1 : 2);
    history.at = uint32_t(shown);
    history.vc = q.cred;
    Day& comes = day(far.node, shown + 3);
    if (far.is_chip()) comes.back.push_back(name_of(far.node, 3 * far.port + q.cred - 1));
    else comes.mbp_back.push_back(far.mbp());
}

// From the next cycle on, if it was found in the last one.
void Loader::note_late(const End& end, uint32_t credit) {
    const uint64_t slow = m_parts.timers.first_slow(end);
    if (m_now <= slow || (m_now - 1 - slow) % SlowTick != 0) {
        m_parts.resync.add_late(end.node, credit);
        return;
    }
    m_state.lane_of(end.node).late.emplace_back(end.node, credit);
    Notes::set(m_state.notes.has_late);
}

void Loader::load_mbp(uint32_t mbp) {
    const MbpImage& image = m_all.mbps[mbp];
    const End end = end_of_mbp(mbp);
    Mbp& m = m_state.mbps[mbp];
    for (const uint32_t h0 : image.acks) {
        require(get(h0, H0Tag) != 0);  // one that takes a packet back
        m_parts.mbps.send_ack(mbp, h0);
    }
    for (const MbpImage::Waiting& packet : image.packets)
        m_parts.mbps.send(mbp, packet.header, packet.body);
    m.ack_from = image.ack_from;
    m.credit = is_in_hand(end, 0);
    m.used_at = uint32_t(m_now);
    m.missed = image.link.up() && image.out.owed[0] > 1;
    if (m.missed && image.out.owed[0] == 3) note_late(end, credits_of(end.port));
    m_state.nodes[end.node].asks[end.port] = image.out.req == ReqWant;
    load_credits(end);
    m_state.mark_mbp(mbp);
}

void Loader::load_line(uint32_t link) {
    const End first = m_state.end_of(link, First);
    const End second = m_state.end_of(link, Second);
    const fast::LinkIo::Regs& q = line(first);
    if (!q.up() || !line(second).up()) {
        load_recovery(link, first, second);
        return;
    }
    require(q.st == line(second).st && q.mine != line(second).mine);
    Node& n = m_state.nodes[first.node];
    Line& l = n.line[what_of(link)];
    l.owner = q.mine ? First : Second;
    uint64_t decided = m_now;
    for (const Side side : {First, Second}) {
        const End& from = side == First ? first : second;
        const End& to = side == First ? second : first;
        for (const Hop& hop : {coming(from, to), starting(from, to)}) {
            if (hop.since == 0) continue;
            load_hop(hop);
            if (hop.since > hop.flits) continue;
            require(l.owner == side && l.phase == Line::Idle && q.st != LineIdle);
            l.phase = Line::Sends;
            decided = m_now - hop.since + hop.flits;
        }
    }
    if (q.st != LineIdle && l.phase == Line::Idle) {
        const End& owner = l.owner == First ? first : second;
        require(q.st != LineXfer);
        const uint64_t given = m_now - (q.st == LineGnt ? 1 : 2);
        l.phase = Line::Voided;
        m_parts.sent.at(owner.node, owner.port).void_at = uint32_t(given);
        decided = given + 2;
    }
    n.planned |= uint8_t(1u << what_of(link));
    day(first.node, decided).decide.push_back(link);
}

void Loader::load_hop(const Hop& hop) {
    const End& from = hop.from;
    const End& to = hop.to;
    const uint64_t granted = m_now - hop.since;
    const uint32_t mbp = to.is_chip() ? 0 : to.mbp();
    uint32_t vcs = hop.vc;
    if (from.is_chip() && !hop.is_ack && hop.since <= hop.flits)
        vcs |= uint32_t(input({from.node, reader(from)}).q.rd_vc) << 2;
    Sent sent{uint32_t(granted), hop.h0, uint8_t(hop.flits), uint8_t(vcs), hop.is_ack};
    if (hop.since == 1) sent.asks = out(from).req != ReqIdle;
    if (!hop.is_ack) {
        sent.packet = record_of_hop(hop);
        if (hop.since == 1 && from.is_chip())
            day(from.node, m_now + 1).used.push_back(name_of(from.node, 3 * from.port + hop.vc));
        if (hop.since == 1 && !from.is_chip()) {
            m_state.mbps[from.mbp()].credit = false;
            m_state.mbps[from.mbp()].used_at = uint32_t(m_now + 1);
        }
    } else if (!to.is_chip()) {
        day(to.node, granted + 5).deliver.push_back({2 * mbp + 1, hop.h0});
    } else if (hop.since <= 3) {
        day(to.node, granted + 3).land.push_back({name_of(to.node, to.port), hop.h0});
    }
    m_parts.sent.add(from.node, from.port, sent);
    PinHistory& pins = m_parts.sent.at(from.node, from.port);
    pins.flits -= std::min(hop.since - 1, hop.flits);
}

// Owner of a copy while another pass over the same multicast follows; otherwise none.
uint32_t Loader::shared_body(const Hop& hop) {
    if (!hop.from.is_chip() || hop.since > hop.flits) return NoPacket;
    const End at{hop.from.node, reader(hop.from)};
    const fast::InputUnit::Regs& q = input(at).q;
    if (q.rd_fin) return NoPacket;
    require(q.slot[q.rd_vc].pkt);
    load_slot(at, q.rd_vc);
    const uint32_t packet = m_state.nodes[at.node].packet[FirstSlot[at.port] + q.rd_vc];
    const uint32_t body = m_state.packets[record_of(packet)].body;
    m_state.client.counted(body, 1);
    return body;
}

// With its next event.
uint32_t Loader::record_of_hop(const Hop& hop) {
    const End& to = hop.to;
    const uint64_t granted = m_now - hop.since;
    const uint32_t slot = to.is_chip() ? FirstSlot[to.port] + hop.vc : 0;
    const bool is_known = hop.since > 5 && to.is_chip();
    if (is_known && (m_state.nodes[to.node].have >> slot & 1) != 0)
        return record_of(m_state.nodes[to.node].packet[slot]);
    // The header of a packet that has been forwarded is not read again.
    const Words h = is_known ? Words{hop.h0, make_flit(0), make_flit(0)} : header(hop);
    uint32_t its_body = shared_body(hop);
    if (its_body == NoPacket)
        its_body = body(h, hop.flits, [&](uint32_t k) { return flit(hop, k); });
    const uint32_t made = make(hop.from.node, h, its_body);
    if (is_known) {
        m_state.drop_later(m_state.lane_of(hop.from.node), made);
    } else if (to.is_chip()) {
        day(to.node, granted + 5)
            .fresh.push_back({name_of(to.node, slot), with_length(made, h[0])});
    } else {
        day(to.node, granted + hop.flits + 2).deliver.push_back({2 * to.mbp(), made});
    }
    return made;
}

// Outputs that a multicast still requested when others were granted.
void Loader::load_stale_requests(uint32_t node) {
    Node& n = m_state.nodes[node];
    for (uint32_t o = 0; o < NumPorts; ++o) {
        const Sent& last = m_parts.sent.at(node, o).last;
        const uint32_t since = uint32_t(m_now) - last.granted;
        const bool begins = last.flits != 0 && (since == 1 || since == 2);
        if (out({node, o}).req != ReqWant || n.asks[o] != 0 || begins) continue;
        if (!has_link(o) || (n.late & credits_of(o)) != 0) continue;
        n.asks[o] |= AsksStale;
        m_state.lane_of(node).stale_requests.push_back(name_of(node, o));
    }
}

}  // namespace rdt::machine::events
