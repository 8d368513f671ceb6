// SPDX-License-Identifier: MIT
#include "Vrdt_arbiter.h"
#include <rdt/arbiter.h>
#include "common/block_bench.h"
#include "common/dice.h"

namespace rdt::tb {

struct ArbiterBench : BlockBench<Vrdt_arbiter, rdt::arbiter> {
    explicit ArbiterBench(const TestRun& run) : BlockBench(run, "arbiter") {
        tick(2);
        rst_n = 1;
    }

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    std::vector<Input> want = in("want_i", 11, rtl().want_i, model().want_i);
    std::vector<Input> cand = in("cand_i", 11, rtl().cand_i, model().cand_i);
    Input line_gnt = in_word("line_gnt_i", 1, rtl().line_gnt_i, model().line_gnt_i);
    Input pkt = in_word("pkt_i", 1, rtl().pkt_i, model().pkt_i);
    std::vector<Output> gnt = out("gnt_o", 11, rtl().gnt_o, model().gnt_o);
    Output gnt_out = out_word("gnt_out_o", 1, rtl().gnt_out_o, model().gnt_out_o);
    Output cand_any = out_word("cand_any_o", 1, rtl().cand_any_o, model().cand_any_o);
    std::vector<Output> xsel = out("xsel_o", 10, rtl().xsel_o, model().xsel_o);
    Output slice = out("slice_o", 1, rtl().slice_o, model().slice_o);

    void all_want_nothing() {
        for (auto& w : want) w = 0;
    }
    uint32_t gnt_in() const {
        uint32_t inputs = 0;
        for (uint32_t i = 0; i < 10; ++i) inputs |= uint32_t(gnt[i]() != 0) << i;
        return inputs;
    }
    // One cycle; the inputs granted in it.
    uint32_t granted() {
        settle();
        const uint32_t inputs = gnt_in();
        tick();
        return inputs;
    }
};

using arbiter = BlockTest;

TEST_F(arbiter, every_requester_is_served_in_round_robin) {
    ArbiterBench b{TestRun{}};
    for (uint32_t o = 0; o < 11; ++o) {
        b.all_want_nothing();
        b.line_gnt = 1u << o;
        for (uint32_t i = 0; i < 8; ++i) b.want[i] = 1u << o;
        for (uint32_t turn = 0; turn < 24; ++turn) {
            EXPECT_EQ(b.granted(), 1u << turn % 8) << "output " << o << " turn " << turn;
            EXPECT_EQ(b.xsel[o](), 1u << turn % 8);
        }
    }
}

TEST_F(arbiter, round_robin_continues_after_the_last_winner) {
    ArbiterBench b{TestRun{}};
    b.line_gnt = 1u << 4;
    b.want[5] = 1u << 4;
    EXPECT_EQ(b.granted(), 1u << 5);
    b.want[2] = 1u << 4;
    b.want[7] = 1u << 4;
    EXPECT_EQ(b.granted(), 1u << 7);
    EXPECT_EQ(b.granted(), 1u << 2);
    EXPECT_EQ(b.granted(), 1u << 5);
}

TEST_F(arbiter, nothing_is_granted_without_the_line) {
    ArbiterBench b{TestRun{}};
    for (uint32_t i = 0; i < 8; ++i) b.want[i] = 1u << (i + 1);
    b.line_gnt = 1u << 0 | 1u << 9 | 1u << 10;
    EXPECT_EQ(b.granted(), 0u);
    b.line_gnt = 1u << 3;
    b.settle();
    EXPECT_EQ(b.gnt_out(), 1u << 3);
    EXPECT_EQ(b.granted(), 1u << 2);
}

TEST_F(arbiter, different_outputs_are_granted_in_the_same_cycle) {
    ArbiterBench b{TestRun{}};
    for (uint32_t i = 0; i < 10; ++i) b.want[i] = 1u << (10 - i);
    b.line_gnt = 0x7FF;
    b.settle();
    EXPECT_EQ(b.gnt_in(), 0x3FFu);
    EXPECT_EQ(b.gnt_out(), 0x7FEu);
    b.tick();
    for (uint32_t o = 1; o < 11; ++o) EXPECT_EQ(b.xsel[o](), 1u << (10 - o));
    EXPECT_EQ(b.xsel[0](), 0u);
}

TEST_F(arbiter, one_input_may_win_any_set_of_outputs_in_one_cycle) {
    ArbiterBench b{TestRun{}};
    b.line_gnt = 0x7FF;
    for (uint32_t outs : {0x7FFu, 0x0F0u, 0x30Fu, 0x501u}) {
        b.all_want_nothing();
        b.want[6] = outs;
        b.settle();
        EXPECT_EQ(b.gnt[6](), outs);
        EXPECT_EQ(b.gnt_out(), outs);
        b.tick();
        for (uint32_t o = 0; o < 11; ++o)
            EXPECT_TRUE((outs >> o & 1) == 0 || b.xsel[o]() == 1u << 6) << "output " << o;
    }
}

TEST_F(arbiter, input_gets_what_it_wins_of_several_outputs_without_waiting_for_the_rest) {
    ArbiterBench b{TestRun{}};
    b.want[2] = 1u << 4 | 1u << 5 | 1u << 7;
    b.want[1] = 1u << 5;
    b.line_gnt = 1u << 4 | 1u << 5;  // 5 is won by input 1, and 7 has no line
    b.settle();
    EXPECT_EQ(b.gnt[2](), 1u << 4);
    EXPECT_EQ(b.gnt[1](), 1u << 5);
    EXPECT_EQ(b.gnt_out(), 1u << 4 | 1u << 5);
    b.tick();
    b.want[1] = 0;
    b.want[2] = 1u << 5 | 1u << 7;
    b.line_gnt = 0x7FF;
    b.settle();
    EXPECT_EQ(b.gnt[2](), 1u << 5 | 1u << 7);
    b.tick();
}

TEST_F(arbiter, mbp_granted_one_of_several_outputs_is_young_again) {
    ArbiterBench b{TestRun{}};
    b.pkt = 1;
    b.want[8] = 1u << 0 | 1u << 1;
    b.want[2] = 1u << 0 | 1u << 1;
    b.tick(40);
    b.line_gnt = 1u << 0;
    EXPECT_EQ(b.granted(), 1u << 2);
    EXPECT_EQ(b.granted(), 1u << 8);
    b.line_gnt = 1u << 1;
    EXPECT_EQ(b.granted(), 1u << 2);
    EXPECT_EQ(b.granted(), 1u << 2);
}

TEST_F(arbiter, selection_stays_until_the_next_grant) {
    ArbiterBench b{TestRun{}};
    b.want[6] = 1u << 2;
    b.line_gnt = 1u << 2;
    b.tick();
    b.want[6] = 0;
    b.want[1] = 1u << 2;
    b.line_gnt = 0;
    for (int clocks = 0; clocks < 5; ++clocks) {
        b.tick();
        EXPECT_EQ(b.xsel[2](), 1u << 6);
    }
}

TEST_F(arbiter, traffic_in_transit_goes_before_a_young_mbp) {
    ArbiterBench b{TestRun{}};
    b.line_gnt = 1u << 0;
    b.pkt = 3;
    b.want[8] = 1u << 0;
    b.want[9] = 1u << 0;
    b.want[1] = 1u << 0;
    for (int clocks = 0; clocks < 20; ++clocks) EXPECT_EQ(b.granted(), 1u << 1);
    b.want[1] = 0;
    EXPECT_EQ(b.granted(), 1u << 8);
    EXPECT_EQ(b.granted(), 1u << 9);
}

// After 31 cycles of waiting, the MBP takes part in the round-robin.
void expect_ageing(uint32_t mbp) {
    ArbiterBench b{TestRun{}};
    b.line_gnt = 1u << 0;
    b.pkt = 1u << (mbp - 8);
    b.want[mbp] = 1u << 0;
    b.want[1] = 1u << 0;
    b.want[3] = 1u << 0;
    for (uint32_t clocks = 0; clocks < 31; ++clocks)
        EXPECT_EQ(b.granted(), clocks % 2 == 0 ? 1u << 1 : 1u << 3) << clocks;
    EXPECT_EQ(b.granted(), 1u << 3);
    EXPECT_EQ(b.granted(), 1u << mbp);
    for (uint32_t clocks = 0; clocks < 31; ++clocks) EXPECT_LT(b.granted(), 1u << 8) << clocks;
    uint32_t others = 0;
    while (others < 3 && b.granted() != 1u << mbp) ++others;
    EXPECT_LE(others, 2u);
}

TEST_F(arbiter, mbp_0_injection_is_served_after_aging) { expect_ageing(8); }
TEST_F(arbiter, mbp_1_injection_is_served_after_aging) { expect_ageing(9); }

TEST_F(arbiter, aged_mbp_waits_for_its_own_line_only) {
    ArbiterBench b{TestRun{}};
    b.pkt = 2;
    b.want[9] = 1u << 10;
    b.want[0] = 1u << 10;
    b.tick(40);
    b.line_gnt = 1u << 10;
    EXPECT_EQ(b.granted(), 1u << 0);  // both in the first class: lowest first after reset
    EXPECT_EQ(b.granted(), 1u << 9);
    EXPECT_EQ(b.granted(), 1u << 0);  // young again
}

TEST_F(arbiter, mbp_packet_without_a_credit_grows_old_too) {
    ArbiterBench b{TestRun{}};
    for (uint32_t k : {0u, 1u}) {
        b.all_want_nothing();
        b.rst_n = 0;
        b.tick();
        b.rst_n = 1;
        b.pkt = 1u << k;
        b.tick(31);  // held, without a request
        b.line_gnt = b.want[3] = b.want[8 + k] = 1u << 5;
        EXPECT_EQ(b.granted(), 1u << 3);
        EXPECT_EQ(b.granted(), 1u << (8 + k)) << "round-robin order";
        EXPECT_EQ(b.granted(), 1u << 3) << "young again";
        EXPECT_EQ(b.granted(), 1u << 3);
    }
}

TEST_F(arbiter, mbp_packet_of_one_cycle_less_is_still_young) {
    ArbiterBench b{TestRun{}};
    b.pkt = 1;
    b.tick(30);
    b.line_gnt = b.want[3] = b.want[8] = 1u << 5;
    EXPECT_EQ(b.granted(), 1u << 3);
    EXPECT_EQ(b.granted(), 1u << 8);
}

TEST_F(arbiter, packets_of_the_two_mbps_grow_old_apart) {
    ArbiterBench b{TestRun{}};
    b.pkt = 2;
    b.tick(40);
    b.pkt = 3;
    b.line_gnt = b.want[8] = b.want[9] = b.want[3] = 1u << 5;
    EXPECT_EQ(b.granted(), 1u << 3);
    EXPECT_EQ(b.granted(), 1u << 9);
    EXPECT_EQ(b.granted(), 1u << 3);
    EXPECT_EQ(b.granted(), 1u << 3);
}

TEST_F(arbiter, cand_any_names_the_outputs_that_may_be_requested) {
    ArbiterBench b{TestRun{}};
    b.cand[0] = 1u << 3;
    b.cand[4] = 1u << 3;
    b.cand[7] = 1u << 10;
    b.cand[9] = 1u << 9;
    b.settle();
    EXPECT_EQ(b.cand_any(), 1u << 3 | 1u << 9);
    b.tick();
}

TEST_F(arbiter, routers_that_grant_differently_show_it_within_four_cycles) {
    ArbiterBench b{TestRun{}};
    for (uint32_t output = 0; output < 11; ++output) {
        b.rst_n = 0;
        b.tick();
        b.rst_n = 1;
        b.want[3] = 1u << output;
        b.line_gnt = 1u << output;
        b.tick();
        b.line_gnt = 0;
        uint32_t shown = 0;
        for (int clock = 0; clock < 4; ++clock) {
            b.settle();
            shown |= b.slice();
            b.tick();
        }
        EXPECT_EQ(shown, 1u) << "an idle chip shows 0 for ever";
    }
}

// Requests that stay until they are granted, as from input units, and requests that do not.
TEST_F(arbiter, random_lockstep) {
    const TestRun run(100000);
    ArbiterBench b(run);
    Dice rng(run.seed);
    std::vector<uint64_t> grants(10);
    uint32_t busy = 50;
    uint32_t lines = 30;
    uint32_t many = 20;  // percent that request several outputs
    uint64_t several = 0;
    uint32_t granted = 0;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) {
            busy = rng.pick({5, 30, 90, 100});
            lines = rng.pick({2, 10, 50, 100});
            many = rng.pick({0, 20, 100});
        }
        b.rst_n = !rng.chance(rng.chance(1) ? 5 : 0);
        const uint32_t hot = rng.below(11);
        for (uint32_t i = 0; i < 10; ++i) {
            b.cand[i] = rng.chance(30) ? rng.bits(11) : 0;
            const bool served = (granted >> i & 1) != 0;
            if (b.want[i]() != 0 && !served && !rng.chance(3)) continue;
            b.want[i] = rng.chance(busy) ? 1u << (rng.chance(30) ? hot : rng.below(11)) : 0;
            if (rng.chance(many)) b.want[i] = b.want[i]() | (rng.bits(11) & rng.bits(11));
        }
        for (uint32_t k : {0u, 1u}) {
            const bool held = b.want[8 + k]() != 0 || rng.chance(20);
            b.pkt = (b.pkt() & ~(1u << k)) | uint32_t(held) << k;
        }
        uint32_t offered = 0;
        for (uint32_t o = 0; o < 11; ++o) offered |= uint32_t(rng.chance(lines)) << o;
        b.line_gnt = offered;
        b.settle();
        for (uint32_t i = 0; i < 10; ++i) several += (b.gnt[i]() & (b.gnt[i]() - 1)) != 0;
        granted = b.granted();
        for (uint32_t i = 0; i < 10; ++i) grants[i] += granted >> i & 1;
    }
    for (uint32_t i = 0; i < 10; ++i) EXPECT_GT(grants[i], run.cycles / 100) << "input " << i;
    EXPECT_GT(several, run.cycles / 100);
}

}  // namespace rdt::tb
