// SPDX-License-Identifier: MIT
// An output unit and its twin, and streams for them to send.
#pragma once

#include "Vrdt_output_unit_0.h"
#include "Vrdt_output_unit_1.h"
#include "Vrdt_output_unit_2.h"
#include "Vrdt_output_unit_3.h"
#include "Vrdt_output_unit_4.h"
#include "Vrdt_output_unit_6.h"
#include "Vrdt_output_unit_7.h"
#include "Vrdt_output_unit_8.h"
#include "common/block_bench.h"
#include "common/mc_packet.h"
#include "common/stimulus.h"
#include "output_unit.h"

namespace rdt::tb {

template <typename Rtl>
struct OutputBench : BlockBench<Rtl, rdt::output_unit> {
    using Base = BlockBench<Rtl, rdt::output_unit>;
    using Base::has_clock, Base::in, Base::out, Base::rtl, Base::model, Base::tick, Base::settle;

    OutputBench(const TestRun& run, uint32_t port, uint32_t num_vc)
        : Base(run, "output_unit", port, num_vc), m_port(port) {
        tick(2);
        rst_n = 1;
        link_en = 1;
    }

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input link_en = in("link_en_i", 1, rtl().link_en_i, model().link_en_i);
    Input raw = in("raw_i", 1, rtl().raw_i, model().raw_i);
    Input tick_in = in("tick_i", 1, rtl().tick_i, model().tick_i);
    Input rank = in("rank_i", 3, rtl().rank_i, model().rank_i);
    Input x = in("x_i", 20, rtl().x_i, model().x_i);
    Input gnt = in("gnt_i", 1, rtl().gnt_i, model().gnt_i);
    Input cand_any = in("cand_any_i", 1, rtl().cand_any_i, model().cand_any_i);
    Input line_gnt = in("line_gnt_i", 1, rtl().line_gnt_i, model().line_gnt_i);
    Input line_void = in("line_void_i", 1, rtl().line_void_i, model().line_void_i);
    Input cred = in("cred_i", 2, rtl().cred_i, model().cred_i);
    Input loc_want = in("loc_want_i", 1, rtl().loc_want_i, model().loc_want_i);
    Input loc_x = in("loc_x_i", 20, rtl().loc_x_i, model().loc_x_i);
    Output d = out("d_o", 18, rtl().d_o, model().d_o);
    Output d_oe = out("d_oe_o", 1, rtl().d_oe_o, model().d_oe_o);
    Output req = out("req_o", 2, rtl().req_o, model().req_o);
    Output credit = out("credit_o", 3, rtl().credit_o, model().credit_o);
    Output xb_gnt = out("xb_gnt_o", 1, rtl().xb_gnt_o, model().xb_gnt_o);
    Output loc_gnt = out("loc_gnt_o", 1, rtl().loc_gnt_o, model().loc_gnt_o);
    Output ev_cred = out("ev_cred_o", 1, rtl().ev_cred_o, model().ev_cred_o);
    Output ev_owed = out("ev_owed_o", 1, rtl().ev_owed_o, model().ev_owed_o);

    // Grants the crossbar's stream and takes it to its last flit; what was on the pins.
    Flits send(const Flits& flits, uint32_t vc) {
        line_gnt = gnt = 1;
        tick();
        line_gnt = gnt = 0;
        line_void = 1;
        return take(flits, vc, x);
    }
    Flits send_local(const Flits& flits) {
        loc_want = line_gnt = 1;
        tick();
        loc_want = line_gnt = 0;
        line_void = 1;
        return take(flits, 0, loc_x);
    }
    bool credit_event(uint32_t code) {
        cred = code;
        settle();
        const bool event = ev_cred() != 0;
        tick();
        cred = 0;
        return event;
    }

private:
    // An MBP has one VC, whatever the other copies of a pass are sent on.
    uint32_t first_code(uint32_t vc) const { return m_port >= PortM0 ? 1 : vc + 1; }

    Flits take(const Flits& flits, uint32_t vc, Input& from) {
        Flits pins;
        for (uint32_t k = 0; k < flits.size(); ++k) {
            from = stream_of(flits, k, vc);
            tick();
            line_void = 0;
            EXPECT_EQ(d_oe(), 1u) << "flit " << k;
            const bool more = k != 0 && k + 2 < flits.size();
            EXPECT_EQ(req(), k == 0 ? first_code(vc) : more ? 2 : cand_any()) << "flit " << k;
            pins.push_back(d());
        }
        from = 0;
        tick();
        EXPECT_EQ(d_oe(), 0u);
        return pins;
    }

    uint32_t m_port;
};

struct E0 : OutputBench<Vrdt_output_unit_0> {
    explicit E0(const TestRun& run = TestRun{}) : OutputBench(run, 0, 3) {}
};
struct M0 : OutputBench<Vrdt_output_unit_8> {
    explicit M0(const TestRun& run = TestRun{}) : OutputBench(run, 8, 1) {}
};

}  // namespace rdt::tb
