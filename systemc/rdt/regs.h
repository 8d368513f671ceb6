// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_regs.sv: the registers that SETUP packets read and write, the counters of errors
// and the ticks. Setting a Status or LinkErr bit wins over clearing it, a write to a counter wins
// over counting. Specification 4.8.
#pragma once

#include <rdt/core/format.h>
#include <rdt/ports.h>
#include <rdt/tick.h>

namespace rdt {

class regs : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // register access
    in<1> we_i{"we_i"};
    in<5> addr_i{"addr_i"};
    in<16> wdata_i{"wdata_i"};
    out<16> rdata_o{"rdata_o"};
    // events
    in<1> set_header_i{"set_header_i"};
    in<1> set_timeout_i{"set_timeout_i"};
    in<1> set_setup_i{"set_setup_i"};
    in<1> set_ack_i{"set_ack_i"};
    in<1> set_table_i{"set_table_i"};
    in<1> set_lost_i{"set_lost_i"};
    in<1> err_sent_i{"err_sent_i"};
    in<1> slice_differs_i{"slice_differs_i"};
    ins<1> ev_body_i{"ev_body_i", NumPorts};
    ins<1> ev_frame_i{"ev_frame_i", NumPorts};
    ins<1> ev_over_i{"ev_over_i", NumPorts};
    ins<1> ev_cred_i{"ev_cred_i", NumPorts};
    ins<1> ev_owed_i{"ev_owed_i", NumPorts};
    ins<1> ev_sync_i{"ev_sync_i", NumPorts};
    ins<1> ev_sunk_i{"ev_sunk_i", NumPorts};
    ins<1> up_i{"up_i", NumPorts};
    // shoot-down
    in<2> shot_i{"shot_i"};
    in<1> halt_i{"halt_i"};
    out<1> shoot_o{"shoot_o"};          // by a write to Ctrl
    out<1> on_late_o{"on_late_o"};      // when a buffer times out
    out<1> slice_bad_o{"slice_bad_o"};  // the slices are compared and have differed
    // configuration
    out<1> guard_o{"guard_o"};  // only MBP 0 may write
    out<1> sink_o{"sink_o"};
    out<16> xy_o{"xy_o"};
    out<5> rank_o{"rank_o"};  // bit r: the node is on rank r
    out<4> xfer_o{"xfer_o"};
    out<8> dateline_o{"dateline_o"};
    out<8> link_o{"link_o"};
    out<8> mask_o{"mask_o"};
    out<4> ranks_o{"ranks_o"};
    out<1> tick_o{"tick_o"};
    out<1> tick_ent_o{"tick_ent_o"};
    out<1> tick_ack_o{"tick_ack_o"};
    out<1> slow_o{"slow_o"};
    out<1> end_o{"end_o"};  // by a write to Ctrl
    out<1> drop_o{"drop_o"};
    out<1> err_o{"err_o"};

    tick<16> u_tick{"u_tick"};
    tick<16> u_tick_ent{"u_tick_ent"};
    tick<16> u_tick_ack{"u_tick_ack"};
    tick<10> u_slow{"u_slow"};

    explicit regs(sc_core::sc_module_name name) : block(name) {
        connect(u_tick, timeout, load_timeout, wdata_i, tick_o);
        connect(u_tick_ent, tent, load_tent, wdata_i, tick_ent_o);
        connect(u_tick_ack, tack, load_tack, wdata_i, tick_ack_o);
        connect(u_slow, slow_period, never, slow_period, slow_o);
        RDT_METHOD(show);
        sensitive << m_clocked << halt_i;
        RDT_METHOD(access);
        sensitive << m_clocked << we_i << addr_i << wdata_i << shot_i;
        for (int i = 0; i < NumPorts; ++i) sensitive << up_i[i];
        RDT_METHOD(gather);
        sensitive << set_header_i << set_timeout_i << set_setup_i << set_ack_i << set_table_i
                  << set_lost_i;
        for (int i = 0; i < NumPorts; ++i)
            sensitive << ev_body_i[i] << ev_frame_i[i] << ev_over_i[i] << ev_cred_i[i]
                      << ev_owed_i[i] << ev_sync_i[i] << ev_sunk_i[i];
    }

    // At the edge; LOCAL calls it.
    void clock() {
        for (tick<16>* u : {&u_tick, &u_tick_ent, &u_tick_ack}) u->clock();
        u_slow.clock();
        const Regs before = q;
        if (!rst_ni.read()) {
            q = Regs{};
        } else {
            uint32_t happened = stat_set.read();
            if ((q.ctrl & Compare) != 0 && slice_differs_i.read()) happened |= 1u << StatusSlice;
            const auto count = [](uint32_t& cnt, bool up) {
                if (up && cnt != 255) ++cnt;
            };
            count(q.err_cnt, err_sent_i.read());
            count(q.body_cnt, (happened >> StatusBody & 1) != 0);
            count(q.sync_cnt, (happened >> StatusSync & 1) != 0);
            count(q.lost_cnt, (happened >> StatusLost & 1) != 0);
            count(q.stray_cnt, (happened >> StatusAck & 1) != 0);
            count(q.sunk_cnt, (happened >> StatusSunk & 1) != 0);
            if (we_i.read()) write(addr_i.read(), wdata_i.read());
            q.status |= happened;
            q.linkerr |= uint32_t(link_set.read());
        }
        if (changed(before, q)) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("x_q", 8, q.x);
        visit("y_q", 8, q.y);
        visit("rank_q", 3, q.rank);
        visit("xfer_q", 4, q.xfer);
        visit("dateline_q", 8, q.dateline);
        visit("link_q", 8, q.link);
        visit("timeout_q", 16, q.timeout);
        // bits 6, 4, 3, 1, 0
        visit("ctrl_q", 5, (q.ctrl >> 2 & 0x10) | (q.ctrl >> 1 & 0xC) | (q.ctrl & 3));
        visit("status_q", 13, q.status);
        visit("linkerr_q", 10, q.linkerr);
        visit("mask_q", 8, q.mask);
        visit("tent_q", 16, q.tent);
        visit("tack_q", 16, q.tack);
        visit("ranks_q", 4, q.ranks);
        visit("cnt_q", 48,
              uint64_t(q.sunk_cnt) << 40 | uint64_t(q.stray_cnt) << 32 |
                  uint64_t(q.lost_cnt) << 24 | q.sync_cnt << 16 | q.body_cnt << 8 | q.err_cnt);
    }

private:
    // Bits of Ctrl.
    static constexpr uint32_t Compare = 1;    // the slices
    static constexpr uint32_t OnTimeout = 2;  // shoot down
    static constexpr uint32_t Shoot = 4;      // now; not kept
    static constexpr uint32_t Guard = 8;
    static constexpr uint32_t Sink = 16;
    static constexpr uint32_t EndLane = 32;  // the wait of its entry; not kept
    static constexpr uint32_t Drop = 64;     // what times out

    struct Regs {
        uint32_t x = 0;
        uint32_t y = 0;
        uint32_t rank = 0;
        uint32_t xfer = 0;
        uint32_t dateline = 0;
        uint32_t link = 0;
        uint32_t timeout = 0;
        uint32_t ctrl = 0;
        uint32_t status = 0;
        uint32_t linkerr = 0;
        uint32_t mask = 0;
        uint32_t tent = 0;
        uint32_t tack = 0;
        uint32_t ranks = 0;
        // Cycles in which something happens; they stop at 255.
        uint32_t err_cnt = 0;
        uint32_t body_cnt = 0;
        uint32_t sync_cnt = 0;
        uint32_t lost_cnt = 0;
        uint32_t stray_cnt = 0;
        uint32_t sunk_cnt = 0;
    };

    template <unsigned Width, typename Next>
    void connect(tick<Width>& u, net<Width>& period, net<1>& load, Next& next, out<1>& tick_out) {
        u.clk_i(clk_i);
        u.rst_ni(rst_ni);
        u.halt_i(halt_i);
        u.period_i(period);
        u.load_i(load);
        u.next_i(next);
        u.tick_o(tick_out);
    }

    // Bits of Status and LinkErr that events set.
    void gather() {
        const uint32_t body = word_of(ev_body_i), frame = word_of(ev_frame_i);
        const uint32_t over = word_of(ev_over_i), cred = word_of(ev_cred_i);
        const uint32_t owed = word_of(ev_owed_i), sync = word_of(ev_sync_i);
        const uint32_t sunk = word_of(ev_sunk_i);
        uint32_t set = 0;
        const auto happens = [&set](Status bit, bool event) { set |= uint32_t(event) << bit; };
        happens(StatusHeader, set_header_i.read());
        happens(StatusBody, body != 0);
        happens(StatusFrame, frame != 0);
        happens(StatusOverrun, over != 0);
        happens(StatusCredit, (cred | owed) != 0);
        happens(StatusTimeout, set_timeout_i.read());
        happens(StatusSetup, set_setup_i.read());
        happens(StatusAck, set_ack_i.read());
        happens(StatusTable, set_table_i.read());
        happens(StatusSync, sync != 0);
        happens(StatusLost, set_lost_i.read());
        happens(StatusSunk, sunk != 0);
        stat_set.write(set);
        link_set.write(body | frame | over | cred | owed | sync | sunk);
    }

    void show() {
        xy_o.write(q.x << 8 | q.y);
        rank_o.write(rank_wires(q.rank));
        xfer_o.write(q.xfer);
        dateline_o.write(q.dateline);
        link_o.write(q.link);
        mask_o.write(q.mask);
        ranks_o.write(q.ranks);
        guard_o.write((q.ctrl & Guard) != 0);
        sink_o.write((q.ctrl & Sink) != 0 && !halt_i.read());
        drop_o.write((q.ctrl & Drop) != 0 && !halt_i.read());
        err_o.write(q.status != 0);
        on_late_o.write((q.ctrl & OnTimeout) != 0);
        slice_bad_o.write((q.ctrl & Compare) != 0 && (q.status >> StatusSlice & 1) != 0);
        timeout.write(q.timeout);
        tent.write(q.tent);
        tack.write(q.tack);
        slow_period.write(SlowTick - 1);
    }

    void access() {
        const uint32_t addr = addr_i.read();
        rdata_o.write(read(addr));
        load_timeout.write(we_i.read() && addr == RegTimeout);
        load_tent.write(we_i.read() && addr == RegTEnt);
        load_tack.write(we_i.read() && addr == RegTAck);
        const uint32_t ctrl = we_i.read() && addr == RegCtrl ? uint32_t(wdata_i.read()) : 0;
        shoot_o.write((ctrl & Shoot) != 0);
        end_o.write((ctrl & EndLane) != 0);
    }

    uint32_t read(uint32_t addr) const {
        switch (addr) {
        case RegId: return IdValue;
        case RegX: return q.x;
        case RegY: return q.y;
        case RegRank: return q.rank;
        case RegXfer: return q.xfer;
        case RegDateline: return q.dateline;
        case RegLink: return q.link;
        case RegTimeout: return q.timeout;
        case RegCtrl: return q.ctrl;
        case RegStatus: return q.status;
        case RegLinkErr: return q.linkerr;
        case RegErrCnt: return q.err_cnt;
        case RegBodyCnt: return q.body_cnt;
        case RegMask: return q.mask;
        case RegTEnt: return q.tent;
        case RegTAck: return q.tack;
        case RegShot: return shot_i.read();
        case RegRanks: return q.ranks;
        case RegSyncCnt: return q.sync_cnt;
        case RegDown: return ~word_of(up_i) & ((1u << NumPorts) - 1);
        case RegLostCnt: return q.lost_cnt;
        case RegStrayCnt: return q.stray_cnt;
        case RegSunkCnt: return q.sunk_cnt;
        default: return 0;
        }
    }

    void write(uint32_t addr, uint32_t d) {
        switch (addr) {
        case RegX: q.x = d & 0xFF; break;
        case RegY: q.y = d & 0xFF; break;
        case RegRank: q.rank = d & 7; break;
        case RegXfer: q.xfer = d & 0xF; break;
        case RegDateline: q.dateline = d & 0xFF; break;
        case RegLink: q.link = d & 0xFF; break;
        case RegTimeout: q.timeout = d; break;
        case RegCtrl: q.ctrl = d & (Compare | OnTimeout | Guard | Sink | Drop); break;
        case RegStatus: q.status &= ~d; break;
        case RegLinkErr: q.linkerr &= ~d; break;
        case RegErrCnt: q.err_cnt = d & 0xFF; break;
        case RegBodyCnt: q.body_cnt = d & 0xFF; break;
        case RegMask: q.mask = d & 0xFF; break;
        case RegTEnt: q.tent = d; break;
        case RegTAck: q.tack = d; break;
        case RegRanks: q.ranks = d & 0xF; break;
        case RegSyncCnt: q.sync_cnt = d & 0xFF; break;
        case RegLostCnt: q.lost_cnt = d & 0xFF; break;
        case RegStrayCnt: q.stray_cnt = d & 0xFF; break;
        case RegSunkCnt: q.sunk_cnt = d & 0xFF; break;
        default: break;
        }
    }

    net<16> timeout{"timeout"}, tent{"tent"}, tack{"tack"};
    net<10> slow_period{"slow_period"};
    net<1> load_timeout{"load_timeout"}, load_tent{"load_tent"}, load_tack{"load_tack"};
    net<1> never{"never"};
    net<13> stat_set{"stat_set"};
    net<10> link_set{"link_set"};

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
