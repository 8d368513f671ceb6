// SPDX-License-Identifier: MIT
// One end of a line and its twin.
#pragma once

#include "Vrdt_link_io_1.h"
#include "Vrdt_link_io_2.h"
#include "Vrdt_link_io_3.h"
#include "Vrdt_link_io_3w.h"
#include "common/block_bench.h"
#include <rdt/link_io.h>

namespace rdt::tb {

template <typename Rtl>
struct LinkIoBench : BlockBench<Rtl, rdt::link_io> {
    using Base = BlockBench<Rtl, rdt::link_io>;
    using Base::has_clock, Base::in, Base::out, Base::out_while, Base::rtl, Base::model, Base::tick,
        Base::settle, Base::edge;

    LinkIoBench(const TestRun& run, const char* name, uint32_t num_vc, bool prio, bool always_on)
        : Base(run, name, num_vc, prio, always_on) {}

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input link_en = in("link_en_i", 1, rtl().link_en_i, model().link_en_i);
    Input d = in("d_i", 18, rtl().d_i, model().d_i);
    Input req = in("req_i", 2, rtl().req_i, model().req_i);
    Input cred_in = in("cred_i", 2, rtl().cred_i, model().cred_i);
    Input own_req = in("own_req_i", 2, rtl().own_req_i, model().own_req_i);
    Input own_oe = in("own_oe_i", 1, rtl().own_oe_i, model().own_oe_i);
    Input tx = in("tx_i", 1, rtl().tx_i, model().tx_i);
    Input late = in("late_i", 1, rtl().late_i, model().late_i);
    Input bad = in("bad_i", 1, rtl().bad_i, model().bad_i);
    Input slow = in("slow_i", 1, rtl().slow_i, model().slow_i);
    Input cred_ret = in("cred_ret_i", 1, rtl().cred_ret_i, model().cred_ret_i);
    Input cred_vc = in("cred_vc_i", 2, rtl().cred_vc_i, model().cred_vc_i);
    Input cred_add = in("cred_add_i", 3, rtl().cred_add_i, model().cred_add_i);
    Input room = in("room_i", 3, rtl().room_i, model().room_i);
    Output line_gnt = out("line_gnt_o", 1, rtl().line_gnt_o, model().line_gnt_o);
    Output line_void = out("line_void_o", 1, rtl().line_void_o, model().line_void_o);
    Output hush = out("hush_o", 1, rtl().hush_o, model().hush_o);
    Output ask = out("ask_o", 1, rtl().ask_o, model().ask_o);
    Output call = out("call_o", 1, rtl().call_o, model().call_o);
    Output down = out("down_o", 1, rtl().down_o, model().down_o);
    Output up = out("up_o", 1, rtl().up_o, model().up_o);
    Output ann = out("ann_o", 1, rtl().ann_o, model().ann_o);
    Output ev_sync = out("ev_sync_o", 1, rtl().ev_sync_o, model().ev_sync_o);
    Output rx_valid = out("rx_valid_o", 1, rtl().rx_valid_o, model().rx_valid_o);
    Output rx_first = out("rx_first_o", 1, rtl().rx_first_o, model().rx_first_o);
    Output rx_last = out("rx_last_o", 1, rtl().rx_last_o, model().rx_last_o);
    Output rx_vc = out("rx_vc_o", 2, rtl().rx_vc_o, model().rx_vc_o);
    Output rx_d = out_while(rx_valid, "rx_d_o", 18, rtl().rx_d_o, model().rx_d_o);
    Output cred = out("cred_o", 2, rtl().cred_o, model().cred_o);

    // One cycle with these REQ values; returns whether the line was granted to this end.
    bool clock_with(uint32_t own, uint32_t peer) {
        own_req = own;
        req = peer;
        settle();
        const bool given = line_gnt() != 0;
        tick();
        return given;
    }
    // Cycles in which the other end shows the same on REQ and CRED: 3 calls, 0 is silent.
    void clock_down(uint32_t code, unsigned clocks = 1) {
        req = cred_in = code;
        tick(clocks);
        settle();
    }
    bool goes_to_sync() {
        settle();
        return call() != 0;
    }
    void reset() {
        for (Input* pin : {&link_en, &d, &req, &cred_in, &own_req, &own_oe, &tx, &late, &bad, &slow,
                           &cred_ret, &cred_add})
            *pin = 0;
        room = 7;
        rst_n = 0;
        settle();
        edge();  // before it registers are anything, and not compared
        tick();
        rst_n = 1;
        settle();
    }
    // From Sync until the link is up, the other end being as quick as this one.
    void resynchronize() {
        own_req = 3;
        for (int clocks = 0; goes_to_sync(); ++clocks) {
            ASSERT_LT(clocks, 10) << "stays in Sync";
            clock_down(3);
        }
        own_req = 0;
        tick();
        enter_ann();
        for (int clocks = 0; !up(); ++clocks) {
            ASSERT_LT(clocks, 12) << "stays in Ann";
            clock_down(0);
        }
    }
    // From Zero. In the first cycle of Ann each end shows that it is there.
    void enter_ann() {
        clock_down(0, 2);
        EXPECT_EQ(cred(), 3u);
        cred_in = 3;
        tick();
        cred_in = 0;
        settle();
        EXPECT_EQ(ann(), 1u);
    }
    void switch_on() {
        reset();
        link_en = 1;
        resynchronize();
    }
};

// Ports E and W: 3 VCs, switched on by a register, priority in the East. Port N has two VCs. An
// MBP's end: 1 VC, no priority.
struct EastEnd : LinkIoBench<Vrdt_link_io_3> {
    explicit EastEnd(const TestRun& run) : LinkIoBench(run, "east", 3, true, false) {}
};
struct WestEnd : LinkIoBench<Vrdt_link_io_3w> {
    explicit WestEnd(const TestRun& run) : LinkIoBench(run, "west", 3, false, false) {}
};
struct NorthEnd : LinkIoBench<Vrdt_link_io_2> {
    explicit NorthEnd(const TestRun& run) : LinkIoBench(run, "north", 2, true, false) {}
};
struct MbpEnd : LinkIoBench<Vrdt_link_io_1> {
    explicit MbpEnd(const TestRun& run) : LinkIoBench(run, "mbp", 1, false, true) {}
};

// The states of a line that is up, as seen from the East end.
enum class At { Idle, OwnGnt, OwnStart, OwnXfer, OwnLast, PeerGnt, PeerStart, PeerXfer, PeerLast };

template <typename Bench>
void bring(Bench& b, At at) {
    b.switch_on();
    if (at == At::Idle) return;
    const bool own = at < At::PeerGnt;
    const auto clock = [&](uint32_t owner) {
        own ? b.clock_with(owner, 0) : b.clock_with(0, owner);
    };
    int clocks = own ? int(at) - int(At::OwnGnt) : int(at) - int(At::PeerGnt);
    clock(1);
    while (clocks-- != 0) clock(clocks == 0 && int(at) % 4 == 0 ? 0 : 1);
    b.own_req = b.req = 0;
    b.settle();
}

}  // namespace rdt::tb
