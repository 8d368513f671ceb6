// SPDX-License-Identifier: MIT
// One end of a line and its twin.
#pragma once

#include "Vrdt_link_io_1.h"
#include "Vrdt_link_io_3.h"
#include "common/block_bench.h"
#include "link_io.h"

namespace rdt::tb {

template <typename Rtl>
struct LinkIoBench : BlockBench<Rtl, rdt::link_io> {
    using Base = BlockBench<Rtl, rdt::link_io>;
    using Base::has_clock, Base::in, Base::out, Base::rtl, Base::model, Base::tick, Base::settle;

    LinkIoBench(const TestRun& run, const char* name, uint32_t num_vc, bool prio, bool always_on)
        : Base(run, name, num_vc, prio, always_on) {}

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input link_en = in("link_en_i", 1, rtl().link_en_i, model().link_en_i);
    Input d = in("d_i", 18, rtl().d_i, model().d_i);
    Input req = in("req_i", 2, rtl().req_i, model().req_i);
    Input own_req = in("own_req_i", 2, rtl().own_req_i, model().own_req_i);
    Input own_oe = in("own_oe_i", 1, rtl().own_oe_i, model().own_oe_i);
    Input cred_ret = in("cred_ret_i", 1, rtl().cred_ret_i, model().cred_ret_i);
    Input cred_vc = in("cred_vc_i", 2, rtl().cred_vc_i, model().cred_vc_i);
    Input cred_add = in("cred_add_i", 3, rtl().cred_add_i, model().cred_add_i);
    Input room = in("room_i", 3, rtl().room_i, model().room_i);
    Output line_gnt = out("line_gnt_o", 1, rtl().line_gnt_o, model().line_gnt_o);
    Output line_void = out("line_void_o", 1, rtl().line_void_o, model().line_void_o);
    Output ev_line = out("ev_line_o", 1, rtl().ev_line_o, model().ev_line_o);
    Output rx_valid = out("rx_valid_o", 1, rtl().rx_valid_o, model().rx_valid_o);
    Output rx_first = out("rx_first_o", 1, rtl().rx_first_o, model().rx_first_o);
    Output rx_last = out("rx_last_o", 1, rtl().rx_last_o, model().rx_last_o);
    Output rx_vc = out("rx_vc_o", 2, rtl().rx_vc_o, model().rx_vc_o);
    Output rx_d = out("rx_d_o", 18, rtl().rx_d_o, model().rx_d_o);
    Output cred = out("cred_o", 2, rtl().cred_o, model().cred_o);

    // One clock with these REQ values; tells whether the line was given to this end in it.
    bool clock_with(uint32_t own, uint32_t peer) {
        own_req = own;
        req = peer;
        settle();
        const bool given = line_gnt() != 0;
        tick();
        return given;
    }
    void reset() {
        rst_n = 0;
        tick(2);
        rst_n = 1;
    }
    void switch_on() {
        reset();
        room = 7;
        link_en = 1;
        tick(6);
    }
};

// Ports E and W: 3 VCs, priority, switched on by a register. An MBP's end: 1 VC, no priority.
struct EastEnd : LinkIoBench<Vrdt_link_io_3> {
    explicit EastEnd(const TestRun& run) : LinkIoBench(run, "east", 3, true, false) {}
};
struct MbpEnd : LinkIoBench<Vrdt_link_io_1> {
    explicit MbpEnd(const TestRun& run) : LinkIoBench(run, "mbp", 1, false, true) {}
};

}  // namespace rdt::tb
