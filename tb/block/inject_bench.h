// SPDX-License-Identifier: MIT
// The injector and its twin, and the ack table, LOCAL and the lines around it.
#pragma once

#include "Vrdt_inject.h"
#include "common/block_bench.h"
#include "common/stimulus.h"
#include <rdt/inject.h>

namespace rdt::tb {

// Compiled once for all tests (inject_bench.cpp).
extern template class BlockBench<Vrdt_inject, rdt::inject>;

struct InjectBench : BlockBench<Vrdt_inject, rdt::inject> {
    explicit InjectBench(const TestRun& run = TestRun{});
    ~InjectBench();
    void restart() {
        rst_n = 0;
        snd_v = retry = ent_gnt = loc_want = gnt = 0;
        tick(2);
        rst_n = 1;
        settle();
    }

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input snd_v = in("snd_v_i", 1, rtl().snd_v_i, model().snd_v_i);
    Input snd_port = in("snd_port_i", 4, rtl().snd_port_i, model().snd_port_i);
    Input snd_tag = in("snd_tag_i", 3, rtl().snd_tag_i, model().snd_tag_i);
    Input snd_st = in("snd_st_i", 6, rtl().snd_st_i, model().snd_st_i);
    Input retry = in_word("retry_i", 1, rtl().retry_i, model().retry_i);
    Input ent_gnt = in_word("ent_gnt_i", 1, rtl().ent_gnt_i, model().ent_gnt_i);
    std::vector<Input> ent_tag = in("ent_tag_i", 3, rtl().ent_tag_i, model().ent_tag_i);
    Input loc_want = in("loc_want_i", 2, rtl().loc_want_i, model().loc_want_i);
    Input loc_x = in("loc_x_i", 20, rtl().loc_x_i, model().loc_x_i);
    Input gnt = in_word("gnt_i", 1, rtl().gnt_i, model().gnt_i);
    Output snd_take = out("snd_take_o", 1, rtl().snd_take_o, model().snd_take_o);
    Output retry_ack = out_word("retry_ack_o", 1, rtl().retry_ack_o, model().retry_ack_o);
    Output busy = out("busy_o", 10, rtl().busy_o, model().busy_o);
    Output ev_lost = out("ev_lost_o", 1, rtl().ev_lost_o, model().ev_lost_o);
    Output want = out_word("want_o", 1, rtl().want_o, model().want_o);
    Output x = out("x_o", 20, rtl().x_o, model().x_o);
    Output loc_gnt = out("loc_gnt_o", 2, rtl().loc_gnt_o, model().loc_gnt_o);

    // As rdt_ack offers it: for a port that is not busy.
    void offer(uint32_t port, uint32_t tag, uint32_t status) {
        snd_v = 1;
        snd_port = port;
        snd_tag = tag;
        snd_st = status;
        settle();
    }
    // One cycle; whether the ack was taken in it.
    bool taken() {
        settle();
        const bool take = snd_take() != 0;
        tick();
        settle();
        return take;
    }
    // An ack that is taken and granted at once; returns in its first cycle on the line.
    void send(uint32_t port) {
        offer(port, 1, 0);
        EXPECT_TRUE(taken());
        snd_v = 0;
        EXPECT_EQ(want(), 1u << port);
        grant(1u << port);
    }
    // Cycles until the port may have the next ack.
    uint32_t until_free(uint32_t port) {
        uint32_t clocks = 0;
        for (; (busy() >> port & 1) != 0 && clocks < 100; ++clocks) tick(), settle();
        return clocks;
    }
    void grant(uint32_t outputs) {
        gnt = outputs;
        tick();
        gnt = 0;
        settle();
    }
};

inline Flits ack_packet(uint32_t tag, uint32_t status) {
    return good_flits({TypeAck << 14 | 2u << 10 | tag << 7 | status, 0, 0});
}

}  // namespace rdt::tb
