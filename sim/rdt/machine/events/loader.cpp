// SPDX-License-Identifier: MIT
#include <rdt/machine/events/loader.h>

namespace rdt::machine::events {

namespace {

bool is_ack(uint32_t h0) { return get(h0, H0Type) == int(TypeAck); }
// Not one by which an MBP takes its packet back.
bool is_answer(uint32_t h0) { return is_ack(h0) && get(h0, H0Tag) != 0; }
bool is_packet(uint32_t h0) { return get(h0, H0Type) == int(TypeUni) || is_multicast(h0); }

// What rewrite() has made, back.
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
        is_chip(to) ? input(to).q.wr_idx : uint32_t(m_all.mbps[mbp_of(to)].received.size());
    const uint32_t k = q.rx_first ? 0 : before;
    require(q.rx_first || before != 0);
    hop.since = k + 3;
    hop.h0 = slice0(k == 0 ? q.rx_d : is_chip(to) ? input(to).q.hdr0 : stored(to, 0, 0));
    hop.is_ack = is_ack(hop.h0);
    hop.flits = flits_by(hop.h0);
    require(is_good_head(hop.h0) && (is_answer(hop.h0) || is_packet(hop.h0)));
    require(hop.flits >= HeaderFlits && k < hop.flits && q.rx_last == (k + 1 == hop.flits));
    require(!is_chip(to) || k == 0 || hop.is_ack || !input(to).q.drop);
    return hop;
}

// Nothing of it has come yet.
Loader::Hop Loader::starting(const End& from, const End& to) const {
    const fast::LinkIo::Regs& q = line(from);
    Hop hop{from, to, 0, 0, 0, 0, false};
    if (!q.mine || !out(from).tx || (q.st != LineGnt && q.st != LineStart)) return hop;
    hop.since = q.st == LineGnt ? 1 : 2;
    if (!is_chip(from)) {
        const MbpImage& m = m_all.mbps[mbp_of(from)];
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
    return is_chip(to) ? input(to).ram[vc][k] : m_all.mbps[mbp_of(to)].received[k];
}

// As it is stored behind the link, of all that has come so far; bodies also before.
flit_t Loader::flit(const Hop& hop, uint32_t k) const {
    if (k + 3 < hop.since) return stored(hop.to, hop.vc, k);
    if (k + 3 == hop.since) return line(hop.to).rx_d;
    if (k + 2 == hop.since) {
        const bool shows_vc = (hop.vc == 1 && k == 2) || (hop.vc == 2 && k == 1);
        return shows_vc ? out(hop.from).d ^ ParityBit : out(hop.from).d;
    }
    if (!is_chip(hop.from)) {
        const std::vector<flit_t>& sending = m_all.mbps[mbp_of(hop.from)].sending;
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
    const Hop hop = coming(m_net.far_end(at), at);
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
                                             m_net.m_nodes[node].config[0])
                            : slice0(flit(hop, k));
        return h;
    }
    if (!is_chip(hop.from)) {
        for (uint32_t k = 0; k < HeaderFlits; ++k)
            h[k] = slice0(m_all.mbps[mbp_of(hop.from)].sending[k]);
        return h;
    }
    const fast::ChipImage::Input& in = input({node, reader(hop.from)});
    const fast::Slot& slot = in.q.slot[in.q.rd_vc];
    for (uint32_t k = 0; k < HeaderFlits; ++k) h[k] = slice0(in.ram[in.q.rd_vc][k]);
    return slot.mc ? m_net.copy_header(node, slot, h, hop.from.port, in.q.rd_up) : h;
}

// Of a packet, all of whose flits are good.
uint32_t Loader::body(const Words& header, uint32_t flits, const FlitOf& flit_of) const {
    require(is_packet(header[0]) && flits == flits_by(header[0]) && is_good_head(header[0]));
    std::vector<flit_t> all(header.begin(), header.end());
    for (uint32_t k = HeaderFlits; k < flits; ++k) all.push_back(flit_of(k));
    for (uint32_t k = 1; k < flits; ++k) require(is_good_flit(all[k]));
    return m_adopt(std::move(all));
}

}  // namespace rdt::machine::events
