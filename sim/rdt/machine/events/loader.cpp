// SPDX-License-Identifier: MIT
#include <rdt/machine/events/loader.h>

#include <algorithm>

namespace rdt::machine::events {

namespace {

constexpr uint32_t HeaderFlits = 3;
constexpr uint32_t AckFlits = 3;
constexpr uint32_t LeastFlits = 5;  // a packet is known at the next node before its line is free

uint32_t lowest(uint32_t bits) { return uint32_t(__builtin_ctz(bits)); }

uint32_t length_of(flit_t h0) { return uint32_t(get(uint32_t(h0), H0Len)) + 1; }
bool is_ack(flit_t h0) { return get(uint32_t(h0), H0Type) == int(TypeAck); }

bool is_plain(const fast::LinkIo::Regs& link, const fast::OutputRegs& out, uint32_t vcs) {
    for (uint32_t v = 0; v < vcs; ++v)
        if (out.owed[v] == 3) return false;
    return link.up() && !out.sunk && out.gone == 0;
}

}  // namespace

bool Loader::is_plain(const fast::ChipImage& chip) {
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const fast::InputUnit::Regs& q = chip.in[p].q;
        const bool comes = chip.link[p].rx_valid;
        if (!events::is_plain(chip.link[p], chip.out[p], vcs_of(p)) || q.rsv != 0 ||
            (comes && !q.ackp && (q.drop || q.cur_err)) ||
            (q.rd_busy && (q.rd_pois || q.rd_loc || q.rd_raw)))
            return false;
        // Of multicasts and acks nothing is under way, nor of packets that are too short.
        if ((chip.out[p].tx && (chip.out[p].mc || chip.out[p].txloc)) || q.ack_v ||
            (comes && q.ackp))
            return false;
        for (uint32_t v = 0; v < vcs_of(p); ++v) {
            const fast::Slot& s = q.slot[v];
            if (s.pkt && (s.mc || s.age != 0 || s.pois || (s.pend >> PortLocal & 1) != 0 ||
                          length_of(chip.in[p].ram[v][0]) < LeastFlits))
                return false;
            if (q.rd_busy && q.rd_vc == v && q.rd_idx < HeaderFlits && s.mc) return false;
        }
    }
    return chip.ack.quiet(0, 0) && chip.inject.is_idle();
}

bool Loader::is_plain(const MbpImage& mbp) {
    const auto is_good = [](flit_t h0) {
        return get(uint32_t(h0), H0Type) == int(TypeUni) && length_of(h0) >= LeastFlits;
    };
    return events::is_plain(mbp.link, mbp.out, 1) && mbp.acks.empty() &&
           (mbp.sending.empty() || is_good(mbp.sending[0])) &&
           (mbp.received.empty() || is_good(mbp.received[0]));
}

const fast::LinkIo::Regs& Loader::link(const End& e) const {
    return is_chip(e) ? m_chips[e.node].link[e.port] : mbp_of(e).link;
}
const fast::OutputRegs& Loader::out(const End& e) const {
    return is_chip(e) ? m_chips[e.node].out[e.port] : mbp_of(e).out;
}

// Flits that have been stored of the packet that comes, or came last.
uint32_t Loader::arrived(const End& to) const {
    return is_chip(to) ? in(to).q.wr_idx : uint32_t(mbp_of(to).received.size());
}

bool Loader::comes_to(const End& to, uint32_t vc) const {
    return link(to).rx_valid && !link(to).rx_first && link(to).rx_vc == vc && !in(to).q.ackp;
}

// Flit k of a packet on a line: it has arrived, is on its way, or still where it is sent from.
flit_t Loader::flit_of(const End& from, const Hop& hop, uint32_t k) const {
    const End to = m_net.far_end(from);
    if (k + 3 < hop.since)
        return is_chip(to) ? in(to).ram[link(to).rx_vc][k] : mbp_of(to).received[k];
    if (k + 3 == hop.since) return link(to).rx_d;
    if (k + 2 == hop.since) return out(from).d;
    if (!is_chip(from)) return mbp_of(from).sending[k];
    return stored_flit({from.node, hop.from}, hop.from_vc, k, hop.since - 1);
}

// Flit k in a buffer, or on its way there; `read` have been read already.
flit_t Loader::stored_flit(const End& at, uint32_t vc, uint32_t k, uint32_t read) const {
    if (!comes_to(at, vc) || in(at).q.wr_idx <= read) return in(at).ram[vc][k];
    Hop hop;
    const End from = m_net.far_end(at);
    if (!past(from, hop)) current(from, hop);
    return flit_of(from, hop, k);
}

// The packet that an end is given its line for.
bool Loader::current(const End& from, Hop& hop) const {
    if (!out(from).tx) return false;
    if (!is_chip(from)) {
        const MbpImage& m = mbp_of(from);
        hop.since = m.sent + 1;
        hop.flits = uint32_t(m.sending.size());
        hop.is_ack = is_ack(m.sending[0]);
        return true;
    }
    const fast::ChipImage& chip = m_chips[from.node];
    hop.is_ack = out(from).txloc;
    if (hop.is_ack) {
        hop.since = chip.inject.q().idx + 1;
        hop.flits = AckFlits;
        return true;
    }
    hop.from = lowest(chip.arbiter.xsel[from.port]);
    const fast::InputUnit::Regs& q = chip.in[hop.from].q;
    hop.from_vc = q.rd_vc;
    hop.since = q.rd_idx + 1u;
    hop.flits = q.rd_idx != 0 ? q.rd_len + 1u : length_of(chip.in[hop.from].ram[q.rd_vc][0]);
    if (hop.since > 1) hop.vc = out(from).vc;
    else if (!is_mbp(from.port))
        hop.vc = lowest(q.slot[q.rd_vc].credit_needed(from.port)) - 3 * from.port;
    return true;
}

// One whose last flit is on the pins, or has just come.
bool Loader::past(const End& from, Hop& hop) const {
    const End to = m_net.far_end(from);
    Hop now;
    const bool begins = current(from, now);
    if (link(to).rx_valid && link(to).rx_last) {
        hop.flits = arrived(to) + 1;
        hop.since = hop.flits + 2;
    } else if (out(from).oe && (!begins || now.since == 1)) {
        hop.flits = arrived(to) + 2;
        hop.since = hop.flits + 1;
    } else {
        return false;
    }
    hop.vc = link(to).rx_vc;
    hop.is_ack = is_chip(to) ? in(to).q.ackp : is_ack(mbp_of(to).received[0]);
    return true;
}

uint32_t Loader::make(const std::array<uint32_t, 3>& header, const End& from, const Hop& hop) {
    std::vector<flit_t> all(header.begin(), header.end());
    for (uint32_t k = HeaderFlits; k < hop.flits; ++k) all.push_back(flit_of(from, hop, k));
    return make(from.node, header, m_net.m_client.adopt(std::move(all)));
}
uint32_t Loader::make(uint32_t node, const std::array<uint32_t, 3>& header, uint32_t body) {
    return m_net.m_packets.make(m_net.lane_of(node).pool, header, body);
}

uint32_t Loader::record_of_hop(const End& from, const Hop& hop) {
    const End to = m_net.far_end(from);
    std::array<uint32_t, 3> header{};
    const auto take = [&](auto&& flit) {
        for (uint32_t k = 0; k < HeaderFlits; ++k) header[k] = slice0(flit(k));
    };
    if (hop.is_ack) {
        if (!is_chip(from)) return slice0(hop.ends() ? 0 : mbp_of(from).sending[0]);
        if (!hop.ends()) return core::head_of(m_chips[from.node].inject.q().ack);
        return slice0(is_chip(to) ? 0 : mbp_of(to).received[0]);
    }
    // As long as it is not known at the other end, its header is as in the buffer it is read from.
    const bool is_read = is_chip(from) && !hop.ends();
    if (hop.since > 5 || hop.ends()) {
        take([&](uint32_t k) { return flit_of(from, hop, k); });
    } else if (!is_read) {
        take([&](uint32_t k) { return mbp_of(from).sending[k]; });
    } else {
        const fast::ChipImage::Input& input = m_chips[from.node].in[hop.from];
        take([&](uint32_t k) { return input.ram[hop.from_vc][k]; });
        const fast::Slot& plan = input.q.slot[hop.from_vc];
        if (is_multicast(header[0]))
            header = m_net.copy_header(from.node, plan, header, from.port, input.q.rd_up);
    }
    if (!is_read || m_chips[from.node].in[hop.from].q.rd_fin) return make(header, from, hop);
    // The packet stays in its buffer.
    const uint32_t slot = FirstSlot[hop.from] + hop.from_vc;
    const uint32_t body =
        m_net.m_packets[events::record_of(m_net.m_nodes[from.node].packet[slot])].body;
    m_net.m_client.counted(body, 1);
    return make(from.node, header, body);
}

// What is still to come of a packet on a line.
void Loader::load_hop(const End& from, const Hop& hop) {
    const End to = m_net.far_end(from);
    const uint64_t granted = m_now - hop.since;
    const uint32_t packet = record_of_hop(from, hop);
    PinHistory& pins = m_net.m_pins[from.node][from.port];
    pins.before = pins.last;
    pins.last = {uint32_t(granted),  packet,
                 uint8_t(hop.flits), uint8_t(hop.vc | hop.from_vc << 2),
                 hop.is_ack,         hop.since != 1 || out(from).req != ReqIdle};
    pins.flits += hop.flits - std::min(hop.since - 1, hop.flits);
    const uint32_t mbp = is_chip(to) ? 0 : 2 * to.node + to.port - NumPorts;
    const uint64_t last = granted + hop.flits + 2;
    if (hop.is_ack) {
        if (!is_chip(to)) m_net.day(to.node, last).deliver.push_back({2 * mbp + 1, packet});
        else if (hop.since <= 3)
            m_net.day(to.node, granted + 3).land.push_back({name_of(to.node, to.port), packet});
        return;
    }
    if (is_chip(from) && hop.since == 1)
        m_net.day(from.node, m_now + 1).used.push_back(name_of(from.node, 3 * from.port + hop.vc));
    if (!is_chip(to)) m_net.day(to.node, last).deliver.push_back({2 * mbp, packet});
    else if (hop.since <= 5)
        m_net.day(to.node, granted + 5)
            .fresh.push_back({name_of(to.node, FirstSlot[to.port] + hop.vc),
                              with_length(packet, m_net.m_packets[packet].h[0])});
    else m_net.forget(from.node, packet);  // another record is in the buffer
}

void Loader::load_slot(uint32_t node, uint32_t input, uint32_t vc) {
    const End here{node, input};
    const fast::Slot& s = in(here).q.slot[vc];
    const uint32_t slot = FirstSlot[input] + vc;
    const auto& ram = in(here).ram[vc];
    const uint32_t flits = length_of(ram[0]);
    std::array<uint32_t, 3> header{slice0(ram[0]), slice0(ram[1]), slice0(ram[2])};
    std::vector<flit_t> all(header.begin(), header.end());
    for (uint32_t k = HeaderFlits; k < flits; ++k) all.push_back(stored_flit(here, vc, k, 0));
    const uint32_t made = make(node, header, m_net.m_client.adopt(std::move(all)));
    Node& n = m_net.m_nodes[node];
    n.have |= 1u << slot;
    n.packet[slot] = with_length(made, header[0]);
    if (!s.mc) {
        const uint32_t o = lowest(s.pend);
        n.want[slot] = uint8_t(lowest(s.credit_needed(o)));
        return;
    }
    Control& c = m_net.control_of(node);
    n.multicasts |= 1u << slot;
    c.plan[slot] = s;
    c.needs[slot] = s.credits_needed();
    if (s.ent) c.entryless |= 1u << slot;
}

void Loader::load_input(uint32_t node, uint32_t input) {
    Node& n = m_net.m_nodes[node];
    const fast::InputUnit::Regs& q = m_chips[node].in[input].q;
    n.cand[input] = q.want;
    n.sel[input] = q.sel;
    for (uint32_t v = 0; v < vcs_of(input); ++v)
        if (q.slot[v].pkt) load_slot(node, input, v);
    m_net.mark(node, input);
    if (!q.rd_busy) return;
    // A multicast in its last pass is known by its plan only.
    if (q.rd_fin && q.slot[q.rd_vc].mc && !q.slot[q.rd_vc].pkt)
        m_net.control_of(node).plan[FirstSlot[input] + q.rd_vc] = q.slot[q.rd_vc];
    const uint32_t flits =
        q.rd_idx != 0 ? q.rd_len + 1u : length_of(m_chips[node].in[input].ram[q.rd_vc][0]);
    const uint64_t opens = m_now - q.rd_idx - 1 + flits - 1;
    if (opens <= m_now) return;
    n.open = uint16_t(n.open & ~(1u << input));
    m_net.day(node, opens).open.push_back(name_of(node, input));
}

// What an end has sent and given back.
void Loader::load_end(const End& end) {
    Hop hop;
    if (past(end, hop)) load_hop(end, hop);
    hop = {};
    if (current(end, hop)) load_hop(end, hop);
    const fast::LinkIo::Regs& q = link(end);
    CreditHistory& credit = m_net.m_credits[end.node][end.port];
    if (q.cred != 0) {
        credit.at = uint32_t(m_now - (q.rep ? 1 : 2));
        credit.vc = q.cred;
        m_net.bring_back(end.node, end.port, q.cred - 1u, m_now - (q.rep ? 1 : 2) + 3);
    }
    credit.owed = q.pend;
    if (q.pend != 0) m_net.day(end.node, m_now).owed.push_back(name_of(end.node, end.port));
}

void Loader::plan(uint32_t link_name, uint64_t clock) {
    m_net.day(node_of(link_name), clock).decide.push_back(link_name);
}

void Loader::load_line(uint32_t link_name) {
    const End first = m_net.end_of(link_name, First);
    const fast::LinkIo::Regs& q = link(first);
    Line& line = m_net.m_nodes[node_of(link_name)].line[what_of(link_name)];
    line.owner = q.mine ? First : Second;
    line.planned = true;
    if (q.st == LineIdle) {
        plan(link_name, m_now);
        return;
    }
    const End owner = m_net.end_of(link_name, line.owner);
    Hop hop;
    if (current(owner, hop)) {
        line.phase = Line::Sends;
        plan(link_name, m_now - hop.since + hop.flits);
        return;
    }
    line.phase = Line::Voided;
    const uint32_t since = q.st == LineGnt ? 1 : 2;
    m_net.m_pins[owner.node][owner.port].void_at = uint32_t(m_now - since);
    plan(link_name, m_now - since + 2);
}

void Loader::load_control(uint32_t node) {
    const fast::ChipImage& chip = m_chips[node];
    bool has_acks = !chip.ack.quiet(0, 0) || !chip.inject.at_rest() || chip.ack.gens() != 0 ||
                    chip.inject.q().rty != NumPorts - 1 || m_net.m_control[node] != nullptr;
    for (const auto& input : chip.in)
        has_acks = has_acks || input.q.ack_v || input.q.evc != 0 || input.q.ewait != 0;
    if (!has_acks) return;
    Control& c = m_net.control_of(node);
    c.table = chip.ack;
    c.inject = chip.inject;
    c.counted = m_now;
    for (uint32_t i = 0; i < NumPorts; ++i) {
        const fast::InputUnit::Regs& q = chip.in[i].q;
        c.evc[i] = q.evc;
        c.ewait[i] = q.ewait;
        if (!q.ack_v) continue;
        c.landed = uint16_t(c.landed | 1u << i);
        c.ack[i] = core::head_of(q.ack);
    }
    if (c.inject.q().st == fast::Inject::Want)
        m_net.m_nodes[node].injects = uint16_t(1u << c.inject.q().ack.port);
    m_net.wake(node);
}

// Who asks for which output, as REQ shows it.
void Loader::load_asks(uint32_t node) {
    Node& n = m_net.m_nodes[node];
    const fast::ChipImage& chip = m_chips[node];
    for (uint32_t i = 0; i < NumPorts; ++i)
        for (uint32_t left = n.cand[i]; left != 0; left &= left - 1)
            n.asks[lowest(left)] = uint16_t(n.asks[lowest(left)] | 1u << i);
    const fast::Inject::Regs& inject = chip.inject.q();
    if (inject.st == fast::Inject::Want && inject.wait != 0)
        n.asks[inject.ack.port] |= AsksInjector;
    for (uint32_t o = 0; o < NumPorts; ++o) {
        if (n.asks[o] != 0 || chip.out[o].req != ReqWant) continue;
        n.asks[o] = AsksGhost;
        m_net.lane_of(node).ghosts.push_back(name_of(node, o));
    }
}

void Loader::load_mbp(uint32_t number) {
    const MbpImage& image = m_mbps[number];
    Mbp& m = m_net.m_mbps[number];
    const bool begins = !image.sending.empty() && image.sent == 0 && !is_ack(image.sending[0]);
    m.credit = image.out.owed[0] == 0 && !begins;
    m.missed = image.out.owed[0] == 2;
    m.used_at = begins ? m_now + 1 : m_now;
    m.ack_from = image.ack_from;
    m.asks = image.out.req == ReqWant;
    for (const uint32_t h0 : image.acks) m_net.send_ack(number, h0);
    for (const MbpImage::Waiting& w : image.packets) m_net.send(number, w.header, w.body);
    m_net.mark_mbp(number);
}

// The headers of packets of three or four flits are not seen complete before their line is free.
bool Loader::is_regular() const {
    for (uint32_t node = 0; node < m_chips.size(); ++node) {
        if (!is_plain(m_chips[node])) return false;
        for (uint32_t p = 0; p < NumPorts + 2; ++p) {
            const End end{node, p};
            Hop hop;
            if (p >= NumPorts && !is_plain(mbp_of(end))) return false;
            if (past(end, hop) && !hop.is_ack && hop.since <= 5 && is_chip(m_net.far_end(end)))
                return false;
        }
    }
    return true;
}

void Loader::load() {
    const auto nodes = uint32_t(m_chips.size());
    for (uint32_t node = 0; node < nodes; ++node) {
        Node& n = m_net.m_nodes[node];
        const fast::ChipImage& chip = m_chips[node];
        n.credit = fast::LocalCredit;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            for (uint32_t v = 0; v < vcs_of(p); ++v) {
                n.credit |= uint32_t(chip.out[p].owed[v] == 0) << (3 * p + v);
                n.missed |= uint32_t(chip.out[p].owed[v] == 2) << (3 * p + v);
            }
            load_input(node, p);
            if (chip.arbiter.xsel[p] != 0) n.turn[p] = uint8_t(lowest(chip.arbiter.xsel[p]) + 1);
        }
        n.age = chip.arbiter.age;
        n.since = {uint32_t(m_now), uint32_t(m_now)};
        load_control(node);
        load_asks(node);
    }
    for (uint32_t mbp = 0; mbp < m_mbps.size(); ++mbp) load_mbp(mbp);
    for (uint32_t node = 0; node < nodes; ++node) {
        for (uint32_t end = 0; end < NumPorts + 2; ++end) load_end({node, end});
        for (uint32_t link = 0; link < NumLinks; ++link) load_line(name_of(node, link));
    }
}

}  // namespace rdt::machine::events
