// SPDX-License-Identifier: MIT
#include "Vrdt_crossbar.h"
#include "common/block_bench.h"
#include "common/dice.h"
#include <rdt/crossbar.h>

namespace rdt::tb {

struct CrossbarBench : BlockBench<Vrdt_crossbar, rdt::crossbar> {
    explicit CrossbarBench(const TestRun& run) : BlockBench(run, "crossbar") {}

    std::vector<Input> x_in = in("x_i", 20, rtl().x_i, model().x_i);
    std::vector<Input> sel = in("sel_i", 10, rtl().sel_i, model().sel_i);
    std::vector<Output> x_out = out("x_o", 20, rtl().x_o, model().x_o);
};

using crossbar = BlockTest;

TEST_F(crossbar, every_input_reaches_every_output) {
    CrossbarBench b{TestRun{}};
    for (uint32_t i = 0; i < 10; ++i) b.x_in[i] = 0xC0F00 | i << 4 | i;
    for (uint32_t i = 0; i < 10; ++i) {
        for (uint32_t o = 0; o < 11; ++o) {
            for (uint32_t other = 0; other < 11; ++other) b.sel[other] = other == o ? 1u << i : 0;
            b.settle();
            for (uint32_t other = 0; other < 11; ++other)
                EXPECT_EQ(b.x_out[other](), other == o ? b.x_in[i]() : 0) << i << " to " << o;
            b.tick();
        }
    }
}

TEST_F(crossbar, output_that_selects_nothing_is_zero) {
    CrossbarBench b{TestRun{}};
    for (uint32_t i = 0; i < 10; ++i) b.x_in[i] = 0xFFFFF;
    b.settle();
    for (uint32_t o = 0; o < 11; ++o) EXPECT_EQ(b.x_out[o](), 0u);
    b.tick();
}

TEST_F(crossbar, one_input_feeds_several_outputs_at_once) {
    CrossbarBench b{TestRun{}};
    b.x_in[3] = 0x54321;
    for (uint32_t o = 0; o < 11; o += 2) b.sel[o] = 1u << 3;
    b.settle();
    for (uint32_t o = 0; o < 11; ++o) EXPECT_EQ(b.x_out[o](), o % 2 == 0 ? 0x54321u : 0u);
    b.tick();
}

TEST_F(crossbar, random_lockstep) {
    const TestRun run(100000);
    CrossbarBench b(run);
    Dice rng(run.seed);
    uint32_t passed = 0;
    while (b.clock() < run.cycles) {
        for (auto& x : b.x_in)
            if (rng.chance(50)) x = rng.bits(20);
        for (auto& s : b.sel)
            if (rng.chance(20)) s = rng.chance(80) ? 1u << rng.below(10) : rng.bits(10);
        b.tick();
        for (auto& x : b.x_out) passed += x() != 0;
    }
    EXPECT_GT(passed, run.cycles);
}

}  // namespace rdt::tb
