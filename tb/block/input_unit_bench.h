// SPDX-License-Identifier: MIT
// An input unit and its twin, and the other side of its three interfaces.
#pragma once

#include "Vrdt_input_unit_0.h"
#include "Vrdt_input_unit_6.h"
#include "Vrdt_input_unit_8.h"
#include "common/block_bench.h"
#include "common/mc_packet.h"
#include "common/stimulus.h"
#include <rdt/input_unit.h>

namespace rdt::tb {

template <typename Rtl>
struct InputUnitBench : BlockBench<Rtl, rdt::input_unit> {
    using Base = BlockBench<Rtl, rdt::input_unit>;
    using Base::has_clock, Base::in, Base::out, Base::out_while, Base::rtl, Base::model, Base::tick,
        Base::settle;

    InputUnitBench(const TestRun& run, uint32_t num_vc, uint32_t port)
        : Base(run, "input_unit", num_vc, port) {
        tick(2);
        rst_n = up = running = 1;
        ranks = 0xF;
    }
    ~InputUnitBench() {}

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    RankInput rank{in("rank_i", 5, rtl().rank_i, model().rank_i)};
    Input xfer = in("xfer_i", 4, rtl().xfer_i, model().xfer_i);
    Input dateline = in("dateline_i", 8, rtl().dateline_i, model().dateline_i);
    Input mask = in("mask_i", 8, rtl().mask_i, model().mask_i);
    Input ranks = in("ranks_i", 4, rtl().ranks_i, model().ranks_i);
    Input rx_valid = in("rx_valid_i", 1, rtl().rx_valid_i, model().rx_valid_i);
    Input rx_first = in("rx_first_i", 1, rtl().rx_first_i, model().rx_first_i);
    Input rx_last = in("rx_last_i", 1, rtl().rx_last_i, model().rx_last_i);
    Input rx_vc = in("rx_vc_i", 2, rtl().rx_vc_i, model().rx_vc_i);
    Input rx_d = in("rx_d_i", 18, rtl().rx_d_i, model().rx_d_i);
    Input credit = in("credit_i", 31, rtl().credit_i, model().credit_i);
    Input gnt = in("gnt_i", 11, rtl().gnt_i, model().gnt_i);
    Input tick_in = in("tick_i", 1, rtl().tick_i, model().tick_i);
    Input to_ack = in("to_ack_i", 1, rtl().to_ack_i, model().to_ack_i);
    Input ack_take = in("ack_take_i", 1, rtl().ack_take_i, model().ack_take_i);
    Input ent_gnt = in("ent_gnt_i", 1, rtl().ent_gnt_i, model().ent_gnt_i);
    Input ent_new = in("ent_new_i", 3, rtl().ent_new_i, model().ent_new_i);
    Input slow = in("slow_i", 1, rtl().slow_i, model().slow_i);
    Input tick_ent = in("tick_ent_i", 1, rtl().tick_ent_i, model().tick_ent_i);
    Input retry_ack = in("retry_ack_i", 1, rtl().retry_ack_i, model().retry_ack_i);
    Input halt = in("halt_i", 1, rtl().halt_i, model().halt_i);
    Input raw = in("raw_i", 1, rtl().raw_i, model().raw_i);
    Input keep = in("keep_i", 1, rtl().keep_i, model().keep_i);
    Input running = in("run_i", 1, rtl().run_i, model().run_i);
    Input drop = in("drop_i", 1, rtl().drop_i, model().drop_i);
    Input look = in("look_i", 3, rtl().look_i, model().look_i);
    Input up = in("up_i", 1, rtl().up_i, model().up_i);
    Input free = in("free_i", 1, rtl().free_i, model().free_i);
    Input dump = in("dump_i", 1, rtl().dump_i, model().dump_i);
    Input put_we = in("put_we_i", 1, rtl().put_we_i, model().put_we_i);
    Input put_set = in("put_set_i", 1, rtl().put_set_i, model().put_set_i);
    Input put_addr = in("put_addr_i", 4, rtl().put_addr_i, model().put_addr_i);
    Input put_d = in("put_d_i", 18, rtl().put_d_i, model().put_d_i);
    Input put_ctx = in("put_ctx_i", 20, rtl().put_ctx_i, model().put_ctx_i);
    Output want = out("want_o", 11, rtl().want_o, model().want_o);
    Output cand = out("cand_o", 11, rtl().cand_o, model().cand_o);
    Output rd_x = out("rd_x_o", 20, rtl().rd_x_o, model().rd_x_o);
    Output rd_err = out("rd_err_o", 4, rtl().rd_err_o, model().rd_err_o);
    Output rd_vc = out("rd_vc_o", 2, rtl().rd_vc_o, model().rd_vc_o);
    Output cred_ret = out("cred_ret_o", 1, rtl().cred_ret_o, model().cred_ret_o);
    Output cred_vc = out("cred_vc_o", 2, rtl().cred_vc_o, model().cred_vc_o);
    Output cred_add = out("cred_add_o", 3, rtl().cred_add_o, model().cred_add_o);
    Output to_pend = out("to_pend_o", 1, rtl().to_pend_o, model().to_pend_o);
    Output to_vc = out("to_vc_o", 2, rtl().to_vc_o, model().to_vc_o);
    Output ev_body = out("ev_body_o", 1, rtl().ev_body_o, model().ev_body_o);
    Output ev_frame = out("ev_frame_o", 1, rtl().ev_frame_o, model().ev_frame_o);
    Output ev_over = out("ev_over_o", 1, rtl().ev_over_o, model().ev_over_o);
    Output bad = out("bad_o", 1, rtl().bad_o, model().bad_o);
    Output held = out("held_o", 7, rtl().held_o, model().held_o);
    Output ack_v = out("ack_v_o", 1, rtl().ack_v_o, model().ack_v_o);
    Output ack_tag = out_while(ack_v, "ack_tag_o", 3, rtl().ack_tag_o, model().ack_tag_o);
    Output ack_st = out_while(ack_v, "ack_st_o", 6, rtl().ack_st_o, model().ack_st_o);
    Output ack_gen = out_while(ack_v, "ack_gen_o", 4, rtl().ack_gen_o, model().ack_gen_o);
    Output ent_req = out("ent_req_o", 1, rtl().ent_req_o, model().ent_req_o);
    Output ent_set = out("ent_set_o", 10, rtl().ent_set_o, model().ent_set_o);
    Output ent_tag = out("ent_tag_o", 3, rtl().ent_tag_o, model().ent_tag_o);
    Output ent_vct = out("ent_vct_o", 1, rtl().ent_vct_o, model().ent_vct_o);
    Output ent_old = out("ent_old_o", 1, rtl().ent_old_o, model().ent_old_o);
    Output retry = out("retry_o", 1, rtl().retry_o, model().retry_o);
    Output room = out("room_o", 3, rtl().room_o, model().room_o);
    Output pkt = out("pkt_o", 1, rtl().pkt_o, model().pkt_o);
    // For a buffer without a packet only that is compared; 0 where none is selected.
    Output ctx = out_while([this] { return look() == 0 || (rtl().ctx_o >> 20 & 1) != 0; }, "ctx_o",
                           21, rtl().ctx_o, model().ctx_o);
    Output clash = out("clash_o", 1, rtl().clash_o, model().clash_o);
    Output vacant = out("vacant_o", 1, rtl().vacant_o, model().vacant_o);

    // Candidate in the last cycle of flit(), and events since this was cleared.
    struct Seen {
        uint32_t cand = 0;
        uint32_t body = 0;
        uint32_t frame = 0;
        uint32_t over = 0;
        uint32_t bad = 0;
    } seen;

    // One cycle with a flit in the receiving registers.
    void flit(uint32_t d, bool first, bool last, uint32_t vc) {
        rx_valid = 1;
        rx_first = first;
        rx_last = last;
        rx_vc = vc;
        rx_d = d;
        settle();
        count();
        tick();
        rx_valid = rx_first = rx_last = 0;
        settle();
    }
    void arrive(const Flits& flits, uint32_t vc) {
        for (uint32_t k = 0; k < flits.size(); ++k)
            flit(flits[k], k == 0, k + 1 == flits.size(), vc);
    }
    void count() {
        seen.cand = cand();
        seen.body += ev_body();
        seen.frame += ev_frame();
        seen.over += ev_over();
        seen.bad += bad();
    }

    // Grants the current requests; returns the VC whose credit is returned.
    uint32_t grant() {
        EXPECT_NE(want(), 0u);
        gnt = want();
        settle();
        EXPECT_EQ(cred_ret(), 1u);
        const uint32_t vc = cred_vc();
        tick();
        gnt = 0;
        settle();
        return vc;
    }
    // Grants some of the requested outputs and leaves others for a later pass.
    void grant_part(uint32_t outputs) {
        EXPECT_EQ(want() & outputs, outputs);
        gnt = outputs;
        settle();
        EXPECT_EQ(cred_ret(), 0u) << "the packet is still needed";
        tick();
        gnt = 0;
        settle();
    }
    // The packet of this VC leaves for MBP 0 as it is; its context and its flits.
    std::pair<uint32_t, Flits> dump_of(uint32_t vc, uint32_t flits) {
        look = 1u << vc;
        dump = 1;
        settle();
        const uint32_t context = ctx();
        EXPECT_EQ(context >> 20, 1u);
        while (want() == 0) tick();
        EXPECT_EQ(want(), 1u << PortM0);
        EXPECT_EQ(cred_vc(), vc);
        gnt = 1u << PortM0;
        tick();
        gnt = dump = 0;
        settle();
        return {context, read(flits, 0)};
    }
    // And comes back.
    void put_back(uint32_t vc, uint32_t context, const Flits& flits) {
        look = 1u << vc;
        put_ctx = context & 0xFFFFF;
        put_we = 1;
        for (uint32_t k = 0; k < flits.size(); ++k) {
            put_addr = k;
            put_d = flits[k];
            put_set = k + 1 == flits.size();
            tick();
        }
        put_we = put_set = 0;
        settle();
    }
    // An ack table entry for the packet that requests one.
    void enter(uint32_t tag) {
        EXPECT_EQ(ent_req(), 1u);
        ent_gnt = 1;
        ent_new = tag;
        tick();
        ent_gnt = 0;
        settle();
    }

    // The pass of n flits that begins in this cycle, for output VC `vc`.
    Flits read(uint32_t n, uint32_t vc) {
        Flits flits;
        for (uint32_t k = 0; k < n; ++k) {
            EXPECT_EQ(rd_x() >> 18, stream_code_of(k, n, vc)) << "flit " << k << " of " << n;
            flits.push_back(rd_x() & 0x3FFFF);
            tick();
        }
        settle();
        return flits;
    }
};

// Compiled once for all tests (input_unit_bench.cpp).
extern template class BlockBench<Vrdt_input_unit_0, rdt::input_unit>;
extern template class BlockBench<Vrdt_input_unit_6, rdt::input_unit>;
extern template class BlockBench<Vrdt_input_unit_8, rdt::input_unit>;
extern template struct InputUnitBench<Vrdt_input_unit_0>;
extern template struct InputUnitBench<Vrdt_input_unit_6>;
extern template struct InputUnitBench<Vrdt_input_unit_8>;

struct FromE0 : InputUnitBench<Vrdt_input_unit_0> {
    explicit FromE0(const TestRun& run = TestRun{}) : InputUnitBench(run, 3, 0) {}
};
struct FromN1 : InputUnitBench<Vrdt_input_unit_6> {
    explicit FromN1(const TestRun& run = TestRun{}) : InputUnitBench(run, 2, 6) {}
};
struct FromM0 : InputUnitBench<Vrdt_input_unit_8> {
    explicit FromM0(const TestRun& run = TestRun{}) : InputUnitBench(run, 1, 8) {}
};

}  // namespace rdt::tb
