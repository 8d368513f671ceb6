// SPDX-License-Identifier: MIT
// The chip: twin of rtl/rdt_router.sv. One clock() is one clock of all blocks,
// evaluated from what arrives to what leaves; ports where nothing happens cost nothing.
#pragma once

#include <array>
#include <cstddef>
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

    // The same pins, ten ports in a word; clock() takes anything that has these members.
    struct PackedPins {
        explicit PackedPins(const PinsIn& in) : shoot(in.shoot), slice(in.slice), m_in(in) {
            for (uint32_t p = 0; p < NumPorts; ++p) {
                req.set(p, in.link[p].req);
                cred.set(p, in.link[p].cred);
            }
        }
        TwoBits req;
        TwoBits cred;
        bool shoot;
        bool slice;
        flit_t d(uint32_t p) const { return m_in.link[p].d; }

    private:
        const PinsIn& m_in;
    };

    // One chip, or with TwoLanes a node of two slices as one unit.
    explicit Router(flit_t lanes = OneLane) : Router(lanes, std::make_index_sequence<NumPorts>{}) {}

    void reset() {
        m_lines.reset();
        for (auto& i : m_in) i.reset();
        for (auto& o : m_out) o.reset();
        m_arbiter.reset();
        m_local.reset();
        m_ack.reset();
        m_inject.reset();
        m_busy_in = m_busy_out = m_oe = 0;
        m_req = {};
        m_credit = 0;
    }

    // Pins as registered by the last clock().
    LinkPinsOut pins(uint32_t p) const {
        const auto& o = m_out[p].q();
        return {o.d, o.oe, o.req, m_lines.q().cred.of(p)};
    }
    // The same of all ports at once.
    const TwoBits& req() const { return m_req; }
    const TwoBits& cred() const { return m_lines.q().cred; }
    Ports oe() const { return m_oe; }
    flit_t d(uint32_t p) const { return m_out[p].q().d; }
    bool err() const { return m_local.err(); }
    bool slice() const { return m_arbiter.slice(); }

    LinkIo::Regs link(uint32_t p) const { return LinkIo::regs_of(m_lines.q(), p); }
    const InputUnit& input(uint32_t p) const { return m_in[p]; }
    const OutputUnit& output(uint32_t p) const { return m_out[p]; }
    const Arbiter& arbiter() const { return m_arbiter; }
    const Local& local() const { return m_local; }
    const AckTable& ack() const { return m_ack; }
    const Inject& inject() const { return m_inject; }

    void clock(const PinsIn& pins) { clock(PackedPins(pins)); }

    template <typename Pins>
    void clock(const Pins& pins) {
        const Config& cfg = m_local.config();
        const bool halted = m_local.halt();
        const bool tick = m_local.tick();
        Local::In local_in;
        local_in.shoot = pins.shoot;
        local_in.own_slice = slice();
        local_in.slice = pins.slice;
        if (m_local.receives()) read_for_local(local_in);
        if (halted || m_local.receives()) look(local_in);
        const uint32_t put = halted ? steer(local_in) : 0;

        // What the outputs and LOCAL can take.
        const uint32_t link_en = cfg.link | 3u << PortM0;
        uint32_t credit = m_credit & enabled(link_en);
        const uint32_t mbp_credit = (credit >> 3 * PortM0 & 1) | (credit >> 3 * PortM1 & 1) << 1;
        if (m_local.ready() && !m_local.only8()) credit |= InputUnit::LocalCredit;

        // What the inputs ask for.
        const Lines::Regs& lines = m_lines.q();
        const Ports busy_in = m_busy_in | lines.rx_valid | put;
        const uint32_t only8 = m_local.only8() ? InputUnit::LocalCredit : 0;
        uint32_t cand_any = 0;
        Arbiter::Wants wants{};
        AckTable::In ack_in;
        Inject::In inject;
        for (Ports left = busy_in; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            wants[i] = m_in[i].want();
            cand_any |= m_in[i].present(rx_of(i), cfg.route, credit | (i == PortM0 ? only8 : 0),
                                        shot_of(i, halted));
            if (m_in[i].timed_out() != InputUnit::MaxVc) local_in.to_pend |= 1u << i;
            collect(i, halted, ack_in, inject);
        }

        // Acks: what has landed, who gets an entry, what is to be sent.
        const AckTable::Out ack = combine(ack_in, inject, local_in);
        const uint32_t retry_ack = m_inject.retry_ack(inject.snd_v, inject.retry);
        local_in.ev_table = local_in.ev_table || retry_ack != 0;
        for (Ports left = lines.rx_valid; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            const InputUnit::Events e = m_in[i].events(ack.ack_take >> i & 1);
            local_in.ev_body |= uint32_t(e.body) << i;
            local_in.ev_frame |= uint32_t(e.frame) << i;
            local_in.ev_over |= uint32_t(e.over) << i;
        }

        // Lines and crossbar, in the same clock.
        const Ports line_gnt = m_lines.line_gnt(m_req, pins.req);
        const Ports line_void = m_lines.line_void();
        inject.loc_want = m_local.loc_want(mbp_credit);
        inject.loc_x = m_local.loc_x(local_in.ctx);
        const uint32_t loc_want = m_inject.want(inject);
        inject.gnt = OutputUnit::loc_gnt(line_gnt, loc_want);
        uint32_t xb_gnt = OutputUnit::xb_gnt(line_gnt, loc_want);
        if (m_local.x_gnt(local_in.to_pend)) xb_gnt |= 1u << PortLocal;
        const Arbiter::Grants g = m_arbiter.grant(wants, xb_gnt);
        local_in.loc_gnt = m_inject.loc_gnt(inject);

        InputUnit::In in;
        for (Ports left = lines.rx_valid; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            m_rx[i] = rx_of(i);  // before the lines go on
        }
        const Ports receiving = lines.rx_valid;
        clock_lines(pins, link_en, g, retry_ack, halted, local_in);
        clock_outputs(pins, {link_en, tick, cand_any, line_gnt, line_void, loc_want}, g,
                      m_inject.x(inject.loc_x), local_in);
        in.tick = tick;
        in.tick_ent = m_local.tick_ent();
        in.ent_new = ack.ent_new;
        const uint32_t to_ack = m_local.to_ack(local_in.to_pend);
        m_inject.clock(inject);
        clock_local(local_in, g);
        m_arbiter.clock(wants, g);
        for (Ports left = busy_in; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            if (receiving >> i & 1) in.rx = m_rx[i];
            else in.rx.valid = false;
            in.gnt = g.outs[i];
            in.to_ack = to_ack >> i & 1;
            in.ack_take = ack.ack_take >> i & 1;
            in.ent_gnt = ack.ent_gnt >> i & 1;
            in.retry_ack = retry_ack >> i & 1;
            m_in[i].clock(in, shot_of(i, halted));
            m_busy_in = (m_busy_in & ~(1u << i)) | uint32_t(!m_in[i].quiet(false)) << i;
        }
    }

private:
    struct Shared {
        uint32_t link_en;
        bool tick;
        uint32_t cand_any;
        uint32_t line_gnt;
        uint32_t line_void;
        uint32_t loc_want;
    };

    template <size_t... P>
    Router(flit_t lanes, std::index_sequence<P...>)
        : m_lines({{ports_with(0), ports_with(1), ports_with(2)},
                   ((uint32_t(has_priority(P)) << P) | ...),
                   ((uint32_t(!is_network(P)) << P) | ...)}),
          m_in{InputUnit(vcs_of(P), P, lanes)...},
          m_out{OutputUnit(P, vcs_of(P), lanes)...},
          m_local(lanes),
          m_inject(lanes) {}

    // Ports that have this VC.
    static constexpr Ports ports_with(uint32_t vc) {
        Ports ports = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) ports |= uint32_t(vcs_of(p) > vc) << p;
        return ports;
    }

    // Credits that count: of links that are on.
    uint32_t enabled(Ports link_en) {
        if (link_en != m_enabled_for) {
            m_enabled_for = link_en;
            m_enabled = 0;
            for (uint32_t p = 0; p < NumPorts; ++p) m_enabled |= (link_en >> p & 1) * 7u << 3 * p;
        }
        return m_enabled;
    }

    InputUnit::Rx rx_of(uint32_t i) const {
        const Lines::Regs& q = m_lines.q();
        return {(q.rx_valid >> i & 1) != 0, (q.rx_first >> i & 1) != 0, (q.rx_last >> i & 1) != 0,
                q.rx_vc[i], q.rx_d[i]};
    }

    // The flit on LOCAL's column of the crossbar and who sends it.
    void read_for_local(Local::In& in) const {
        in.sel_port = uint32_t(__builtin_ctz(m_arbiter.q().xsel[PortLocal]));
        in.x = crossbar(PortLocal);
        in.rd_err = m_in[in.sel_port].rd_err();
        in.rd_vc = m_in[in.sel_port].q().rd_vc;
    }

    // What LOCAL looks at: a buffer, an entry of the ack table.
    void look(Local::In& in) const {
        const SlotName slot = m_local.look();
        if (slot.exists()) in.ctx = m_in[slot.port].context(slot.vc);
        in.ent = m_ack.look(m_local.ent_tag());
    }

    // What LOCAL does to the buffers; returns the port that is written to, as a bit.
    uint32_t steer(Local::In& in) {
        for (InputUnit::Shot& s : m_shot) {
            s = {};
            s.halt = true;
        }
        m_shot[PortM0].raw = m_local.raw();
        m_shot[PortM0].keep = m_local.keep();
        const SlotName slot = m_local.look();
        if (!slot.exists()) return 0;
        InputUnit::Shot& s = m_shot[slot.port];
        s.look = 1u << slot.vc;
        s.dump = m_local.dump();
        if (m_local.q().st != Local::PutRx) return 0;
        s.put_we = m_local.put_we(in.rd_err);
        in.clash = InputUnit::clash(s, (m_lines.q().rx_valid >> slot.port & 1) != 0);
        s.put_set = m_local.put_set(in.x, in.clash);
        s.put_addr = m_local.q().ridx;
        s.put_d = stream_flit(in.x);
        s.put_ctx = m_local.put_ctx();
        return 1u << slot.port;
    }
    const InputUnit::Shot& shot_of(uint32_t port, bool halted) const {
        static const InputUnit::Shot run;
        return halted ? m_shot[port] : run;
    }

    // What one input tells the ack table.
    void collect(uint32_t i, bool halted, AckTable::In& in, Inject::In& inject) const {
        const InputUnit::Regs& q = m_in[i].q();
        if (q.ack_v) {
            in.ack_v |= 1u << i;
            in.note[i] = q.ack;
        }
        const uint32_t v = halted ? InputUnit::MaxVc : m_in[i].without_entry();
        if (v == InputUnit::MaxVc) return;
        in.ent_req |= 1u << i;
        in.ent_set[i] = q.slot[v].pend;
        in.ent_tag[i] = q.slot[v].tag;
        if (m_in[i].retry()) inject.retry |= 1u << i;
    }

    AckTable::Out combine(AckTable::In& in, Inject::In& inject, Local::In& local_in) {
        in.put = m_local.ent_put(local_in.x);
        if (!in.put && m_ack.quiet(in.ack_v, in.ent_req)) return {};
        in.tick = m_local.tick_ack();
        in.stray_ok = m_local.stray_ok();
        in.look = m_local.ent_look(local_in.x);
        in.look_tag = m_local.ent_tag();
        in.put_h1 = m_local.ent_h1();
        in.put_h2 = Local::ent_h2(local_in.x);
        const AckTable::Out out = m_ack.comb(in);
        inject.snd_v = out.snd_v;
        inject.snd = out.snd;
        inject.retry &= ~out.ent_gnt;
        if (inject.retry != 0) inject.ent_tag = in.ent_tag[uint32_t(__builtin_ctz(inject.retry))];
        in.snd_take = m_inject.snd_take(out.snd_v);
        local_in.ev_table = m_ack.ev_table(in);
        local_in.stray = out.stray;
        local_in.stray_port = out.stray_port;
        local_in.stray_tag = out.stray_tag;
        m_ack.clock(in, out);
        return out;
    }

    template <typename Pins>
    void clock_lines(const Pins& pins, Ports link_en, const Arbiter::Grants& g, uint32_t retry_ack,
                     bool halted, Local::In& local_in) {
        const Ports give = m_local.give(local_in.x, local_in.clash) ? 1u << PortM0 : 0;
        Lines::In in;
        for (Ports left = g.in; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            if (!m_in[i].cred_ret(g.outs[i], shot_of(i, halted))) continue;
            in.cred_ret |= 1u << i;
            in.cred_vc.set(i, m_in[i].cred_vc());
        }
        if ((in.cred_ret | give | retry_ack) == 0 && m_lines.quiet(m_req, pins.req, link_en))
            return;
        in.cred_add[0] = give;
        for (Ports left = retry_ack; left != 0; left &= left - 1) {
            const uint32_t i = uint32_t(__builtin_ctz(left));
            in.cred_add[m_in[i].without_entry()] |= 1u << i;
        }
        if ((link_en & ~m_lines.q().ann) != 0) tell_room(in);
        in.link_en = link_en;
        in.req = pins.req;
        in.own_req = m_req;
        local_in.ev_frame |= m_lines.ev_line(pins.req, m_oe);
        m_lines.clock(in, [&pins](uint32_t p) { return pins.d(p); });
    }

    void tell_room(Lines::In& in) const {
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (uint32_t v = 0; v < Lines::MaxVc; ++v)
                in.room[v] |= (m_in[p].room() >> v & 1) << p;
    }

    template <typename Pins>
    void clock_outputs(const Pins& pins, const Shared& s, const Arbiter::Grants& g, stream_t loc_x,
                       Local::In& local_in) {
        const Ports asked_for = s.cand_any | s.loc_want | g.out | s.line_gnt;
        const Ports active =
            s.tick ? (1u << NumPorts) - 1
                   : (asked_for & ((1u << NumPorts) - 1)) | m_busy_out | pins.cred.any();
        for (Ports left = active; left != 0; left &= left - 1) {
            const uint32_t o = uint32_t(__builtin_ctz(left));
            OutputUnit& out = m_out[o];
            const uint32_t cred = pins.cred.of(o);
            local_in.ev_cred |= uint32_t(out.ev_cred(cred)) << o;
            OutputUnit::In in;
            in.link_en = s.link_en >> o & 1;
            in.raw = o == PortM0 && m_local.dumping();
            in.tick = s.tick;
            in.rank = rank();
            in.x = out.q().tx && !out.q().txloc ? crossbar(o) : 0;
            in.gnt = g.out >> o & 1;
            in.cand_any = s.cand_any >> o & 1;
            in.line_gnt = s.line_gnt >> o & 1;
            in.line_void = s.line_void >> o & 1;
            in.cred = cred;
            in.loc_want = s.loc_want >> o & 1;
            in.loc_x = loc_x;
            local_in.ev_owed |= uint32_t(out.ev_owed(in)) << o;
            out.clock(in);
            note(o);
        }
    }

    // What the other blocks and the pins show of an output.
    void note(uint32_t o) {
        const OutputUnit::Regs& q = m_out[o].q();
        const Ports bit = 1u << o;
        m_req.set(o, q.req);
        m_oe = (m_oe & ~bit) | uint32_t(q.oe) << o;
        m_busy_out = (m_busy_out & ~bit) | uint32_t(q.tx || q.oe || q.req != 0) << o;
        m_credit = (m_credit & ~(7u << 3 * o)) | q.credit << 3 * o;
    }

    void clock_local(Local::In& in, const Arbiter::Grants& g) {
        in.gnt = g.out >> PortLocal & 1;
        in.gnt8 = g.out >> PortM0 & 1;
        if (in.to_pend != 0) in.to_vc = m_in[uint32_t(__builtin_ctz(in.to_pend))].timed_out();
        m_local.clock(in);
    }

    uint32_t rank() const { return m_local.config().route.rank; }

    // One column of the crossbar: the stream of the input that was granted.
    stream_t crossbar(uint32_t o) const {
        return crossbar_column(m_arbiter.q().xsel[o],
                               [this](uint32_t i) { return m_in[i].stream(rank()); });
    }

    Lines m_lines;
    std::array<InputUnit, NumPorts> m_in;
    std::array<OutputUnit, NumPorts> m_out;
    Arbiter m_arbiter;
    Local m_local;
    AckTable m_ack;
    Inject m_inject;
    // The outputs' registers, all ports in a word, and where something is under way.
    TwoBits m_req;
    Ports m_oe = 0;
    uint32_t m_credit = 0;  // bit 3 * port + VC
    Ports m_busy_in = 0;
    Ports m_busy_out = 0;
    Ports m_enabled_for = 0;
    uint32_t m_enabled = 0;
    // Of this clock.
    std::array<InputUnit::Rx, NumPorts> m_rx;
    std::array<InputUnit::Shot, NumPorts> m_shot;  // while halted
};

}  // namespace rdt::core
