// SPDX-License-Identifier: MIT
// LOCAL and its twin, with packets going in and out.
#pragma once

#include "Vrdt_local.h"
#include "common/block_bench.h"
#include "common/stimulus.h"
#include "local.h"

namespace rdt::tb {

// By section 4.8: {Err, len, tag 0, mbp 0, 0, 0, code}, {port, vc, tag, 0}, {0, x, y}, offending
// header.
inline Flits err_packet(uint32_t code, uint32_t port, uint32_t vc, uint32_t xy, const Flits& header,
                        uint32_t tag = 0) {
    Flits flits{with_parity(7u << 14 | (header.empty() ? 2u : 5u) << 10 | code),
                with_parity(port << 13 | vc << 11 | tag << 8), with_parity(xy)};
    for (uint32_t k = 0; k < 3 && k < header.size(); ++k)
        flits.push_back(with_parity(header[k] & 0x1FFFF));
    return flits;
}

struct LocalBench : BlockBench<Vrdt_local, rdt::local> {
    explicit LocalBench(const TestRun& run = TestRun{}) : BlockBench(run, "local") {
        tick(2);
        rst_n = 1;
        m_credit = 3;
    }

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input shoot = in("shoot_i", 1, rtl().shoot_i, model().shoot_i);
    Input own_slice = in("slice_o_i", 1, rtl().slice_o_i, model().slice_o_i);
    Input slice = in("slice_i", 1, rtl().slice_i, model().slice_i);
    Input x = in("x_i", 20, rtl().x_i, model().x_i);
    Input gnt = in("gnt_i", 1, rtl().gnt_i, model().gnt_i);
    Input sel = in("sel_i", 10, rtl().sel_i, model().sel_i);
    std::vector<Input> rd_err = in("rd_err_i", 4, rtl().rd_err_i, model().rd_err_i);
    Input rd_vc = in("rd_vc_i", 20, rtl().rd_vc_i, model().rd_vc_i);
    Input to_pend = in("to_pend_i", 10, rtl().to_pend_i, model().to_pend_i);
    Input to_vc = in("to_vc_i", 20, rtl().to_vc_i, model().to_vc_i);
    Input m_credit = in("m_credit_i", 2, rtl().m_credit_i, model().m_credit_i);
    Input loc_gnt = in("loc_gnt_i", 2, rtl().loc_gnt_i, model().loc_gnt_i);
    Input ev_body = in("ev_body_i", 10, rtl().ev_body_i, model().ev_body_i);
    Input ev_frame = in("ev_frame_i", 10, rtl().ev_frame_i, model().ev_frame_i);
    Input ev_over = in("ev_over_i", 10, rtl().ev_over_i, model().ev_over_i);
    Input ev_cred = in("ev_cred_i", 10, rtl().ev_cred_i, model().ev_cred_i);
    Input ev_table = in("ev_table_i", 1, rtl().ev_table_i, model().ev_table_i);
    Input bad_ack = in("bad_ack_i", 1, rtl().bad_ack_i, model().bad_ack_i);
    Input bad_port = in("bad_port_i", 4, rtl().bad_port_i, model().bad_port_i);
    Input bad_tag = in("bad_tag_i", 3, rtl().bad_tag_i, model().bad_tag_i);
    Output x_gnt = out("x_gnt_o", 1, rtl().x_gnt_o, model().x_gnt_o);
    Output ready = out("ready_o", 1, rtl().ready_o, model().ready_o);
    Output to_ack = out("to_ack_o", 10, rtl().to_ack_o, model().to_ack_o);
    Output tick_out = out("tick_o", 1, rtl().tick_o, model().tick_o);
    Output tick_ent = out("tick_ent_o", 1, rtl().tick_ent_o, model().tick_ent_o);
    Output tick_ack = out("tick_ack_o", 1, rtl().tick_ack_o, model().tick_ack_o);
    Output bad_take = out("bad_take_o", 1, rtl().bad_take_o, model().bad_take_o);
    Output loc_want = out("loc_want_o", 2, rtl().loc_want_o, model().loc_want_o);
    Output loc_x = out("loc_x_o", 20, rtl().loc_x_o, model().loc_x_o);
    Output rank = out("rank_o", 3, rtl().rank_o, model().rank_o);
    Output xfer = out("xfer_o", 4, rtl().xfer_o, model().xfer_o);
    Output dateline = out("dateline_o", 8, rtl().dateline_o, model().dateline_o);
    Output link = out("link_o", 8, rtl().link_o, model().link_o);
    Output mask = out("mask_o", 8, rtl().mask_o, model().mask_o);
    Output quiesce = out("quiesce_o", 1, rtl().quiesce_o, model().quiesce_o);
    Output err = out("err_o", 1, rtl().err_o, model().err_o);

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

    // The packet LOCAL wants to send to MBP m, or nothing if it wants to send none.
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
