// SPDX-License-Identifier: MIT
// The chip: twin of rtl/rdt_router.sv. One clock() is one clock of all blocks,
// evaluated from what arrives to what leaves; ports where nothing happens cost
// only the look that finds that out.
#pragma once

#include <array>
#include <utility>

#include "core/arbiter.h"
#include "core/crossbar.h"
#include "core/inject.h"
#include "core/input_unit.h"
#include "core/link_io.h"
#include "core/local.h"
#include "core/output_unit.h"

namespace rdt::core {

struct LinkPinsIn {
    flit_t d = 0;
    uint32_t req = 0;
    uint32_t cred = 0;
};
struct LinkPinsOut {
    flit_t d = 0;
    bool oe = false;
    uint32_t req = 0;
    uint32_t cred = 0;
};

class Router {
public:
    struct PinsIn {
        std::array<LinkPinsIn, NumPorts> link{};
        bool shoot = false;
        bool slice = false;
    };

    Router() : Router(std::make_index_sequence<NumPorts>{}) {}

    void reset() {
        for (auto& l : m_link) l.reset();
        for (auto& i : m_in) i.reset();
        for (auto& o : m_out) o.reset();
        m_arbiter.reset();
        m_local.reset();
        m_ack.reset();
        m_inject.reset();
    }

    // Pins as registered by the last clock().
    LinkPinsOut pins(uint32_t p) const {
        const auto& o = m_out[p].q();
        return {o.d, o.oe, o.req, m_link[p].q().cred};
    }
    bool err() const { return m_local.err(); }
    bool slice() const { return m_arbiter.q().slice; }

    const LinkIo& link(uint32_t p) const { return m_link[p]; }
    const InputUnit& input(uint32_t p) const { return m_in[p]; }
    const OutputUnit& output(uint32_t p) const { return m_out[p]; }
    const Arbiter& arbiter() const { return m_arbiter; }
    const Local& local() const { return m_local; }
    const AckTable& ack() const { return m_ack; }
    const Inject& inject() const { return m_inject; }

    void clock(const PinsIn& pins) {
        const Local::Config& cfg = m_local.config();
        const uint32_t link_en = cfg.link | 3u << PortM0;
        const bool quiesce = m_local.q().quiesce;
        Local::In local_in;
        local_in.shoot = pins.shoot;
        local_in.own_slice = m_arbiter.q().slice;
        local_in.slice = pins.slice;

        // What the outputs and LOCAL can take.
        uint32_t credit = m_local.ready() ? InputUnit::LocalCredit : 0;
        for (uint32_t o = 0; o < NumPorts; ++o)
            credit |= m_out[o].credit(link_en >> o & 1) << 3 * o;
        const uint32_t m_credit = (credit >> 3 * PortM0 & 1) | (credit >> 3 * PortM1 & 1) << 1;

        // What the inputs ask for.
        uint32_t busy_in = 0;
        uint32_t cand_any = 0;
        Arbiter::Wants wants{};
        AckTable::In ack_in;
        for (uint32_t i = 0; i < NumPorts; ++i) {
            const LinkIo::Regs& l = m_link[i].q();
            if (m_in[i].quiet(l.rx_valid)) continue;
            busy_in |= 1u << i;
            wants[i] = m_in[i].want();
            m_rx[i] = {l.rx_valid, l.rx_first, l.rx_last, l.rx_vc, l.rx_d};
            cand_any |= m_in[i].present(m_rx[i], cfg.route, credit);
            if (m_in[i].timed_out() != InputUnit::MaxVc) local_in.to_pend |= 1u << i;
            collect(i, ack_in);
        }

        // Acks: what has landed, who gets an entry, what is to be sent.
        const AckTable::Out ack = combine(ack_in, local_in);
        for (uint32_t left = busy_in; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            const InputUnit::Events e = m_in[i].events(ack.ack_take >> i & 1);
            local_in.ev_body |= uint32_t(e.body) << i;
            local_in.ev_frame |= uint32_t(e.frame) << i;
            local_in.ev_over |= uint32_t(e.over) << i;
        }

        // Lines and crossbar, in the same clock.
        uint32_t line_gnt = 0;
        uint32_t line_void = 0;
        for (uint32_t o = 0; o < NumPorts; ++o) {
            line_gnt |= uint32_t(m_link[o].line_gnt(m_out[o].q().req, pins.link[o].req)) << o;
            line_void |= uint32_t(m_link[o].line_void()) << o;
        }
        Inject::In inject{ack.snd_v, ack.snd, m_local.loc_want(m_credit), m_local.loc_x(), 0};
        const uint32_t loc_want = m_inject.want(inject.snd_v, inject.loc_want);
        inject.gnt = OutputUnit::loc_gnt(line_gnt, loc_want, quiesce);
        uint32_t xb_gnt = OutputUnit::xb_gnt(line_gnt, loc_want, quiesce);
        if (m_local.x_gnt(local_in.to_pend, local_in.bad_ack)) xb_gnt |= 1u << PortLocal;
        const Arbiter::Grants g = m_arbiter.grant(wants, xb_gnt);
        local_in.loc_gnt = m_inject.loc_gnt(inject.snd_v, inject.loc_want, inject.gnt);

        clock_links(pins, link_en, g, ack.retry_ack);
        clock_outputs(pins, {link_en, quiesce, cand_any, line_gnt, line_void, loc_want}, g,
                      local_in);
        InputUnit::In in;
        in.tick = m_local.tick();
        in.tick_ent = m_local.tick_ent();
        in.ent_new = ack.ent_new;
        const uint32_t to_ack = m_local.to_ack(local_in.to_pend);
        m_inject.clock(inject);
        clock_local(local_in, g);
        m_arbiter.clock(wants, g);
        for (; busy_in != 0; busy_in &= busy_in - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(busy_in));
            in.rx = m_rx[i];
            in.gnt = g.outs[i];
            in.to_ack = to_ack >> i & 1;
            in.ack_take = ack.ack_take >> i & 1;
            in.ent_gnt = ack.ent_gnt >> i & 1;
            in.retry_ack = ack.retry_ack >> i & 1;
            m_in[i].clock(in);
        }
    }

private:
    struct Shared {
        uint32_t link_en;
        bool quiesce;
        uint32_t cand_any;
        uint32_t line_gnt;
        uint32_t line_void;
        uint32_t loc_want;
    };

    template <size_t... P>
    explicit Router(std::index_sequence<P...>)
        : m_link{LinkIo({vcs_of(P), has_priority(P), !is_network(P)})...},
          m_in{InputUnit(vcs_of(P), P)...},
          m_out{OutputUnit(P, vcs_of(P))...} {}

    // What one input tells the ack table.
    void collect(uint32_t i, AckTable::In& in) const {
        const InputUnit::Regs& q = m_in[i].q();
        if (q.ack_v) {
            in.ack_v |= 1u << i;
            in.note[i] = q.ack;
        }
        const uint32_t v = m_in[i].without_entry();
        if (v == InputUnit::MaxVc) return;
        in.ent_req |= 1u << i;
        in.ent_set[i] = q.slot[v].pend;
        in.ent_tag[i] = q.slot[v].tag;
        if (m_in[i].retry()) in.retry |= 1u << i;
    }

    AckTable::Out combine(AckTable::In& in, Local::In& local_in) {
        if (m_ack.quiet(in.ack_v, in.ent_req)) return {};
        in.tick = m_local.tick_ack();
        local_in.bad_ack = m_ack.q().bad;
        local_in.bad_port = m_ack.q().bad_port;
        local_in.bad_tag = m_ack.q().bad_tag;
        in.bad_take = m_local.bad_take(local_in.to_pend, local_in.bad_ack);
        in.snd_take = m_inject.snd_take(m_ack.comb(in).snd_v);
        const AckTable::Out out = m_ack.comb(in);
        local_in.ev_table = out.ev_table;
        m_ack.clock(in, out);
        return out;
    }

    void clock_links(const PinsIn& pins, uint32_t link_en, const Arbiter::Grants& g,
                     uint32_t retry_ack) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const auto& o = m_out[p].q();
            const bool en = link_en >> p & 1;
            const bool credit_back = m_in[p].cred_ret(g.outs[p]);
            const bool consumed = retry_ack >> p & 1;
            if (!credit_back && !consumed && m_link[p].quiet(o.req, pins.link[p].req, en)) continue;
            m_link[p].clock({en, pins.link[p].d, pins.link[p].req, o.req, o.oe, credit_back,
                             m_in[p].cred_vc(), consumed ? 1u << m_in[p].without_entry() : 0});
        }
    }

    void clock_outputs(const PinsIn& pins, const Shared& s, const Arbiter::Grants& g,
                       Local::In& local_in) {
        const stream_t loc_x = m_inject.x(m_local.loc_x());
        const uint32_t asked_for = s.cand_any | s.loc_want | g.out | s.line_gnt;
        for (uint32_t o = 0; o < NumPorts; ++o) {
            OutputUnit& out = m_out[o];
            const uint32_t cred = pins.link[o].cred;
            if (out.quiet(asked_for >> o & 1, cred)) continue;
            local_in.ev_cred |= uint32_t(out.ev_cred(cred)) << o;
            OutputUnit::In in;
            in.link_en = s.link_en >> o & 1;
            in.quiesce = s.quiesce;
            in.rank = rank();
            in.x = out.q().tx && !out.q().txloc ? crossbar(o) : 0;
            in.gnt = g.out >> o & 1;
            in.cand_any = s.cand_any >> o & 1;
            in.line_gnt = s.line_gnt >> o & 1;
            in.line_void = s.line_void >> o & 1;
            in.cred = cred;
            in.loc_want = s.loc_want >> o & 1;
            in.loc_x = loc_x;
            out.clock(in);
        }
    }

    void clock_local(Local::In& in, const Arbiter::Grants& g) {
        in.gnt = g.out >> PortLocal & 1;
        if (m_local.q().st == Local::Recv) {
            in.sel_port = uint32_t(__builtin_ctz(m_arbiter.q().xsel[PortLocal]));
            in.x = crossbar(PortLocal);
            in.rd_err = m_in[in.sel_port].rd_err();
            in.rd_vc = m_in[in.sel_port].q().rd_vc;
        }
        if (in.to_pend != 0) in.to_vc = m_in[uint32_t(__builtin_ctz(in.to_pend))].timed_out();
        m_local.clock(in);
    }

    uint32_t rank() const { return m_local.config().route.rank; }

    // One column of the crossbar: the stream of the input that was granted.
    stream_t crossbar(uint32_t o) const {
        return crossbar_column(m_arbiter.q().xsel[o],
                               [this](uint32_t i) { return m_in[i].stream(rank()); });
    }

    std::array<LinkIo, NumPorts> m_link;
    std::array<InputUnit, NumPorts> m_in;
    std::array<OutputUnit, NumPorts> m_out;
    Arbiter m_arbiter;
    Local m_local;
    AckTable m_ack;
    Inject m_inject;
    std::array<InputUnit::Rx, NumPorts> m_rx;  // of this clock
};

}  // namespace rdt::core
