// SPDX-License-Identifier: MIT
#include <rdt/machine/events/loader.h>

namespace rdt::machine::events {

namespace {

bool is_ack(uint32_t h0) { return get(h0, H0Type) == int(TypeAck); }
// Not one by which an MBP takes its packet back.
bool is_answer(uint32_t h0) { return is_ack(h0) && get(h0, H0Tag) != 0; }
bool is_packet(uint32_t h0) { return get(h0, H0Type) == int(TypeUni) || is_multicast(h0); }

// Inverse of rewrite().
uint32_t before_rewrite(flit_t flit, unsigned k, uint32_t out, uint32_t rank) {
    const flit_t moved = rewrite(flit, k, opposite(out), rank);
    if (k != 2) return slice0(moved);
    const uint32_t hops = with(slice0(moved), H2Hop, get(slice0(moved), H2Hop) + 2);
    return slice0(carry_parity(moved, hops, OneLane));
}

}  // namespace

// A flit of it has just come.
Loader::Hop Loader::coming(const End& from, const End& to) const {
    const fast::LinkIo::Regs& q = line(to);
    Hop hop{from, to, 0, 0, q.rx_vc, 0, false};
    if (!q.rx_valid) return hop;
    const uint32_t before =
        to.is_chip() ? input(to).q.wr_idx : uint32_t(m_all.mbps[to.mbp()].received.size());
    const uint32_t k = q.rx_first ? 0 : before;
    require(q.rx_first || before != 0);
    hop.since = k + 3;
    hop.h0 = slice0(k == 0 ? q.rx_d : to.is_chip() ? input(to).q.hdr0 : stored(to, 0, 0));
    hop.is_ack = is_ack(hop.h0);
    hop.flits = flits_by(hop.h0);
    require(is_good_head(hop.h0) && (is_answer(hop.h0) || is_packet(hop.h0)));
    require(hop.flits >= HeaderFlits && k < hop.flits && q.rx_last == (k + 1 == hop.flits));
    require(!to.is_chip() || k == 0 || hop.is_ack || !input(to).q.drop);
    return hop;
}

// Nothing of it has come yet.
Loader::Hop Loader::starting(const End& from, const End& to) const {
    const fast::LinkIo::Regs& q = line(from);
    Hop hop{from, to, 0, 0, 0, 0, false};
    if (!q.mine || !out(from).tx || (q.st != LineGnt && q.st != LineStart)) return hop;
    hop.since = q.st == LineGnt ? 1 : 2;
    if (!from.is_chip()) {
        const MbpImage& m = m_all.mbps[from.mbp()];
        require(!m.sending.empty() && m.sent + 1 == hop.since);
        hop.h0 = slice0(m.sending[0]);
        hop.flits = uint32_t(m.sending.size());
    } else if (out(from).txloc) {
        const fast::Inject::Regs& inject = m_all.chips[from.node].inject.q();
        require(inject.st == fast::Inject::Ack && inject.ack.port == from.port &&
                inject.idx + 1 == hop.since);
        hop.h0 = core::head_of(inject.ack);
        hop.flits = AckFlits;
    } else {
        const fast::ChipImage::Input& in = input({from.node, reader(from)});
        require(in.q.rd_idx + 1u == hop.since);
        const fast::Slot& slot = in.q.slot[in.q.rd_vc];
        hop.h0 = slice0(in.ram[in.q.rd_vc][0]);
        hop.flits = flits_by(hop.h0);
        hop.vc = lowest(slot.credit_needed(from.port)) - 3 * from.port;
    }
    hop.is_ack = is_ack(hop.h0);
    require(is_answer(hop.h0) || is_packet(hop.h0));
    require(hop.flits == flits_by(hop.h0));
    return hop;
}

// The input that is read for an output.
uint32_t Loader::reader(const End& from) const {
    const uint32_t selected = m_all.chips[from.node].arbiter.xsel[from.port];
    require(selected != 0 && !out(from).txloc);
    const fast::ChipImage::Input& in = input({from.node, lowest(selected)});
    require(in.q.rd_busy && (in.pass >> from.port & 1) != 0);
    return lowest(selected);
}

flit_t Loader::stored(const End& to, uint32_t vc, uint32_t k) const {
    return to.is_chip() ? input(to).ram[vc][k] : m_all.mbps[to.mbp()].received[k];
}

// As it is stored behind the link, of all that has come so far; bodies also before.
flit_t Loader::flit(const Hop& hop, uint32_t k) const {
    if (k + 3 < hop.since) return stored(hop.to, hop.vc, k);
    if (k + 3 == hop.since) return line(hop.to).rx_d;
    if (k + 2 == hop.since) {
        const bool shows_vc = (hop.vc == 1 && k == 2) || (hop.vc == 2 && k == 1);
        return shows_vc ? out(hop.from).d ^ ParityBit : out(hop.from).d;
    }
    if (!hop.from.is_chip()) {
        const std::vector<flit_t>& sending = m_all.mbps[hop.from.mbp()].sending;
        require(sending.size() == hop.flits);
        return sending[k];
    }
    const End at{hop.from.node, reader(hop.from)};
    return flit_in_buffer(at, input(at).q.rd_vc, true, k);
}

// `is_read`: of the packet that is read, else of the one that waits. A packet that comes to the
// same buffer while another is read is behind that.
flit_t Loader::flit_in_buffer(const End& at, uint32_t vc, bool is_read, uint32_t k) const {
    const fast::InputUnit::Regs& q = input(at).q;
    const Hop hop = coming(m_state.far_end(at), at);
    const bool comes = hop.since >= 3 && !hop.is_ack && hop.vc == vc &&
                       (is_read ? hop.since - 3 > q.rd_idx : hop.since > 5);
    return comes && k + 3 >= hop.since ? flit(hop, k) : input(at).ram[vc][k];
}

// As it stands in a record: as it leaves, but for rewrite().
Loader::Words Loader::header(const Hop& hop) const {
    Words h{};
    const uint32_t node = hop.from.node;
    if (hop.since > HeaderFlits) {
        const bool rewrites = hop.from.port < PortM0 && is_rewritten(hop.h0);
        for (uint32_t k = 0; k < HeaderFlits; ++k)
            h[k] = rewrites ? before_rewrite(flit(hop, k), k, hop.from.port,
                                             m_state.nodes[node].config[0])
                            : slice0(flit(hop, k));
        return h;
    }
    if (!hop.from.is_chip()) {
        for (uint32_t k = 0; k < HeaderFlits; ++k)
            h[k] = slice0(m_all.mbps[hop.from.mbp()].sending[k]);
        return h;
    }
    const fast::ChipImage::Input& in = input({node, reader(hop.from)});
    const fast::Slot& slot = in.q.slot[in.q.rd_vc];
    for (uint32_t k = 0; k < HeaderFlits; ++k) h[k] = slice0(in.ram[in.q.rd_vc][k]);
    return slot.mc ? m_parts.passes.copy_header(node, slot, h, hop.from.port, in.q.rd_up) : h;
}

// For a packet without malformed flits.
uint32_t Loader::body(const Words& header, uint32_t flits, const FlitOf& flit_of) const {
    require(is_packet(header[0]) && flits == flits_by(header[0]) && is_good_head(header[0]));
    std::vector<flit_t> all(header.begin(), header.end());
    for (uint32_t k = HeaderFlits; k < flits; ++k) all.push_back(flit_of(k));
    for (uint32_t k = 1; k < flits; ++k) require(is_good_flit(all[k]));
    return m_adopt(std::move(all));
}

// Links that resynchronize (recoveries.h has the cycles).
// When both ends started, and when they are up again.
Recovery Loader::find_start(const End& first, const End& second) const {
    const std::array<End, 2> ends{first, second};
    Recovery d;
    for (uint32_t side = 0; side < 2; ++side) {
        const fast::LinkIo::Regs& q = line(ends[side]);
        // An end that is still up is called in this cycle.
        d.start[side] = q.up() ? m_now : m_now - q.cnt - (q.st == LineSync ? 1 : 10);
    }
    const uint64_t earliest = std::min(d.start[First], d.start[Second]);
    const bool together = d.start[First] == d.start[Second];
    d.announce = earliest + (together ? 12 : 13);
    if (line(first).st != LineAnn) {
        require(d.start[First] + d.start[Second] - 2 * earliest <= 1);
        return d;
    }
    // Registers no longer show which end started first, except by a slow tick.
    require(line(second).st == LineAnn && line(second).cnt == line(first).cnt);
    d.announce = m_now - line(first).cnt;
    for (const auto& [a, b] : {std::pair{12, 12}, std::pair{13, 12}, std::pair{12, 13}}) {
        d.start = {d.announce - uint64_t(a), d.announce - uint64_t(b)};
        if (m_parts.timers.had_slow(first, d.start[First], m_now) == line(first).tick &&
            m_parts.timers.had_slow(second, d.start[Second], m_now) == line(second).tick)
            return d;
    }
    throw Irregular{};
}

void Loader::load_recovery(uint32_t link, const End& first, const End& second) {
    Recovery d = find_start(first, second);
    Node& n = m_state.nodes[first.node];
    Line& l = n.line[what_of(link)];
    l.phase = Line::Down;
    l.owner = Second;
    for (const Side side : {First, Second}) {
        const End& from = side == First ? first : second;
        const End& to = side == First ? second : first;
        const Hop hop = coming(from, to);
        require(hop.since == 0 || hop.since > hop.flits);
        if (hop.since != 0) load_hop(hop);
        for (const uint64_t clock : {d.start[side] + 1, d.announce, d.end()}) {
            std::vector<uint32_t>& resync = day(first.node, clock).resync;
            if (clock >= m_now && (resync.empty() || resync.back() != link)) resync.push_back(link);
        }
        const fast::LinkIo::Regs& q = line(from);
        if (q.up()) {
            d.owner = q.mine ? side : side == First ? Second : First;
            continue;
        }
        Node& own = m_state.nodes[from.node];
        own.down = uint16_t(own.down | 1u << from.port);
        const uint32_t full = from.is_chip() ? own.have >> FirstSlot[from.port] : 0;
        d.kept[side] = q.keep;
        d.freed[side] = uint8_t(q.keep & ~full);
        for (uint32_t v = 0; v < 3; ++v)
            d.had[side] = uint8_t(d.had[side] | uint32_t(out(from).owed[v] == 1) << v);
    }
    m_parts.recoveries.add(link, d);
    n.planned |= uint8_t(1u << what_of(link));
    day(first.node, d.end()).decide.push_back(link);
}

// Credits of an end that is down, and those that it shows.
bool Loader::is_in_hand(const End& end, uint32_t vc) const {
    const fast::LinkIo::Regs& q = line(end);
    const uint32_t owed = out(end).owed[vc];
    // In the first cycle it is not visible yet.
    if (q.st == LineSync && q.cnt == 0) return owed == 1;
    return (q.up() || q.ann()) && owed == 0;
}

}  // namespace rdt::machine::events
