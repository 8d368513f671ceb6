// SPDX-License-Identifier: MIT
// LOCAL and its twin, with packets going in and out.
#pragma once

#include "Vrdt_local.h"
#include "common/block_bench.h"
#include "common/stimulus.h"
#include <rdt/local.h>

namespace rdt::tb {

// By section 4.8: {Err, len, tag 0, mbp 0, 0, 0, code}, {port, vc, tag, 0}, {0, x, y}, offending
// header.
inline Flits err_packet(uint32_t code, uint32_t port, uint32_t vc, uint32_t xy, const Flits& header,
                        uint32_t tag = 0) {
    Flits flits = good_flits(
        {7u << 14 | (header.empty() ? 2u : 5u) << 10 | code, port << 13 | vc << 11 | tag << 8, xy});
    for (uint32_t k = 0; k < 3 && k < header.size(); ++k)
        flits.push_back(with_parity(header[k] & 0x1FFFF));
    return flits;
}

// Compiled once for all tests (local_bench.cpp).
extern template class BlockBench<Vrdt_local, rdt::local>;

struct LocalBench : BlockBench<Vrdt_local, rdt::local> {
    explicit LocalBench(const TestRun& run = TestRun{});
    ~LocalBench();

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input shoot = in("shoot_i", 1, rtl().shoot_i, model().shoot_i);
    Input own_slice = in("slice_o_i", 1, rtl().slice_o_i, model().slice_o_i);
    Input slice = in("slice_i", 1, rtl().slice_i, model().slice_i);
    Input x = in("x_i", 20, rtl().x_i, model().x_i);
    Input gnt = in("gnt_i", 1, rtl().gnt_i, model().gnt_i);
    Input gnt_mbp0 = in("gnt_mbp0_i", 1, rtl().gnt_mbp0_i, model().gnt_mbp0_i);
    Input sel = in("sel_i", 10, rtl().sel_i, model().sel_i);
    std::vector<Input> rd_err = in("rd_err_i", 4, rtl().rd_err_i, model().rd_err_i);
    Input rd_vc = in_word("rd_vc_i", 2, rtl().rd_vc_i, model().rd_vc_i);
    Input to_pend = in_word("to_pend_i", 1, rtl().to_pend_i, model().to_pend_i);
    Input to_vc = in_word("to_vc_i", 2, rtl().to_vc_i, model().to_vc_i);
    Input m_credit = in("m_credit_i", 2, rtl().m_credit_i, model().m_credit_i);
    Input loc_gnt = in("loc_gnt_i", 2, rtl().loc_gnt_i, model().loc_gnt_i);
    Input ev_body = in_word("ev_body_i", 1, rtl().ev_body_i, model().ev_body_i);
    Input ev_frame = in_word("ev_frame_i", 1, rtl().ev_frame_i, model().ev_frame_i);
    Input ev_over = in_word("ev_over_i", 1, rtl().ev_over_i, model().ev_over_i);
    Input ev_cred = in_word("ev_cred_i", 1, rtl().ev_cred_i, model().ev_cred_i);
    Input ev_owed = in_word("ev_owed_i", 1, rtl().ev_owed_i, model().ev_owed_i);
    Input ev_sync = in_word("ev_sync_i", 1, rtl().ev_sync_i, model().ev_sync_i);
    Input ev_sunk = in_word("ev_sunk_i", 1, rtl().ev_sunk_i, model().ev_sunk_i);
    Input up = in_word("up_i", 1, rtl().up_i, model().up_i);
    Input ev_lost = in("ev_lost_i", 1, rtl().ev_lost_i, model().ev_lost_i);
    Input ev_table = in("ev_table_i", 1, rtl().ev_table_i, model().ev_table_i);
    Input stray = in("stray_i", 1, rtl().stray_i, model().stray_i);
    Input stray_port = in("stray_port_i", 4, rtl().stray_port_i, model().stray_port_i);
    Input stray_tag = in("stray_tag_i", 3, rtl().stray_tag_i, model().stray_tag_i);
    Input ctx = in("ctx_i", 21, rtl().ctx_i, model().ctx_i);
    Input clash = in("clash_i", 1, rtl().clash_i, model().clash_i);
    Input vacant = in("vacant_i", 1, rtl().vacant_i, model().vacant_i);
    Input ent_used = in("ent_used_i", 1, rtl().ent_used_i, model().ent_used_i);
    Input ent_h1_in = in("ent_h1_i", 17, rtl().ent_h1_i, model().ent_h1_i);
    Input ent_h2_in = in("ent_h2_i", 11, rtl().ent_h2_i, model().ent_h2_i);
    Output x_gnt = out("x_gnt_o", 1, rtl().x_gnt_o, model().x_gnt_o);
    Output ready = out("ready_o", 1, rtl().ready_o, model().ready_o);
    Output only_mbp0 = out("only_mbp0_o", 1, rtl().only_mbp0_o, model().only_mbp0_o);
    Output to_ack = out_word("to_ack_o", 1, rtl().to_ack_o, model().to_ack_o);
    Output tick_out = out("tick_o", 1, rtl().tick_o, model().tick_o);
    Output tick_ent = out("tick_ent_o", 1, rtl().tick_ent_o, model().tick_ent_o);
    Output tick_ack = out("tick_ack_o", 1, rtl().tick_ack_o, model().tick_ack_o);
    Output slow = out("slow_o", 1, rtl().slow_o, model().slow_o);
    Output sink = out("sink_o", 1, rtl().sink_o, model().sink_o);
    Output end_lane = out("end_o", 1, rtl().end_o, model().end_o);
    Output drop = out("drop_o", 1, rtl().drop_o, model().drop_o);
    Output running = out("run_o", 1, rtl().run_o, model().run_o);
    Output loc_want = out("loc_want_o", 2, rtl().loc_want_o, model().loc_want_o);
    Output loc_x = out("loc_x_o", 20, rtl().loc_x_o, model().loc_x_o);
    Output rank = out("rank_o", 5, rtl().rank_o, model().rank_o);
    Output xfer = out("xfer_o", 4, rtl().xfer_o, model().xfer_o);
    Output dateline = out("dateline_o", 8, rtl().dateline_o, model().dateline_o);
    Output link = out("link_o", 8, rtl().link_o, model().link_o);
    Output mask = out("mask_o", 8, rtl().mask_o, model().mask_o);
    Output ranks = out("ranks_o", 4, rtl().ranks_o, model().ranks_o);
    Output err = out("err_o", 1, rtl().err_o, model().err_o);
    Output halt = out("halt_o", 1, rtl().halt_o, model().halt_o);
    Output raw = out("raw_o", 1, rtl().raw_o, model().raw_o);
    Output keep = out("keep_o", 1, rtl().keep_o, model().keep_o);
    Output give = out("give_o", 1, rtl().give_o, model().give_o);
    Output dump = out("dump_o", 1, rtl().dump_o, model().dump_o);
    Output dumping = out("dumping_o", 1, rtl().dumping_o, model().dumping_o);
    Output put_we = out("put_we_o", 1, rtl().put_we_o, model().put_we_o);
    Output put_set = out("put_set_o", 1, rtl().put_set_o, model().put_set_o);
    Output look = out("look_o", 30, rtl().look_o, model().look_o);
    Output put_addr = out_while(put_we, "put_addr_o", 4, rtl().put_addr_o, model().put_addr_o);
    Output put_d = out_while(put_we, "put_d_o", 18, rtl().put_d_o, model().put_d_o);
    Output put_ctx = out_while(put_set, "put_ctx_o", 20, rtl().put_ctx_o, model().put_ctx_o);
    Output ent_look = out("ent_look_o", 1, rtl().ent_look_o, model().ent_look_o);
    Output ent_tag = out_while(ent_look, "ent_tag_o", 3, rtl().ent_tag_o, model().ent_tag_o);
    Output ent_put = out("ent_put_o", 1, rtl().ent_put_o, model().ent_put_o);
    Output ent_h1 = out_while(ent_put, "ent_h1_o", 17, rtl().ent_h1_o, model().ent_h1_o);
    Output ent_h2 = out_while(ent_put, "ent_h2_o", 11, rtl().ent_h2_o, model().ent_h2_o);

    // A packet from input `port`; with an error code its header only, as the input unit reads it.
    void receive(Flits flits, uint32_t port, uint32_t vc, uint32_t code = 0) {
        if (code != 0) flits.resize(3);
        settle();
        EXPECT_EQ(x_gnt(), 1u);
        gnt = 1;
        tick();
        gnt = 0;
        sel = 1u << port;
        rd_err[port] = code;
        rd_vc = vc << 2 * port;
        for (uint32_t k = 0; k < flits.size(); ++k) {
            x = stream_of(flits, k, 0);
            tick();
        }
        rd_err[port] = x = 0;
        settle();
    }

    // The packet LOCAL requests to send to MBP m, or nothing.
    Flits answer(uint32_t m) {
        Flits flits;
        settle();
        if (loc_want() == 0) return flits;
        EXPECT_EQ(loc_want(), 1u << m);
        loc_gnt = 1u << m;
        tick();
        loc_gnt = 0;
        Flits streams;
        for (settle(); loc_x() != 0 && streams.size() < 17; settle()) {
            streams.push_back(loc_x());
            tick();
        }
        for (uint32_t k = 0; k < streams.size(); ++k) {
            flits.push_back(streams[k] & 0x3FFFF);
            EXPECT_EQ(streams[k] >> 18, stream_code_of(k, uint32_t(streams.size()), 0));
        }
        EXPECT_EQ(ready(), 1u);
        return flits;
    }

    Flits setup(const std::vector<uint32_t>& body, uint32_t mbp = 0) {
        PacketSpec p;
        p.type = TypeSetup;
        p.tag = 5;
        p.mbp = mbp;
        p.body = body;
        return encode(p);
    }
    // Status bits seen so far; cleared by this.
    uint32_t take_status() {
        const uint32_t status = read(RegStatus);
        write(RegStatus, 0xFFFF);
        return status;
    }
    static uint32_t write_command(uint32_t addr) { return 0x8000 | addr; }

    void write(uint32_t addr, uint32_t value) {
        receive(setup({write_command(addr), value}), 8, 0);
        EXPECT_EQ(loc_want(), 0u) << "a write that was carried out is not answered";
    }
    uint32_t read(uint32_t addr, uint32_t mbp = 0) {
        receive(setup({addr}, mbp), 8, 0);
        const Flits flits = answer(mbp);
        EXPECT_EQ(flits.size(), 5u);
        return flits.size() == 5 ? flits[4] & 0xFFFF : ~0u;
    }
};

}  // namespace rdt::tb
