// SPDX-License-Identifier: MIT
// A chip of SystemC blocks in which any of them are the RTL is the RTL of the whole chip, on every
// pin in every cycle, whatever comes.
//
// RDT_CYCLES is the length of each run, RDT_SEED the seed of the first.
#include <rdt/cosim/rtl_blocks.h>

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include "Vrdt_router.h"
#include "common/run_options.h"
#include "fuzz/lone_chip.h"
#include "fuzz/volumes.h"
#include <rdt/cosim/chip.h>
#include <rdt/cosim/rtl_signals.h>
#include <rdt/router.h>

namespace rdt::tb::fuzz {
namespace {

using Kinds = std::set<std::string>;

// A seed may have little traffic. `totals` adds up over the seeds of a test, so that a test without
// activity is detected.
void expect_equal(const Kinds& kinds, uint64_t seed, Totals& totals) {
    const uint64_t cycles = cycles_or(LoneCycles);
    const machine::Kernel kernel;
    VerilatedContext context;
    context.fatalOnError(false);
    machine::RtlChip<Vrdt_router> rtl(&context, "rtl");
    sc_core::sc_signal<bool> clk("clk");
    const auto rtl_blocks = machine::RtlBlocks::make(kinds);
    machine::ModuleChip<router> mixed("mixed", clk, rtl_blocks->in({}));
    machine::SignalView of_rtl = machine::pins_signal_view("rtl", rtl);
    machine::SignalView of_mixed = machine::pins_signal_view("mixed", mixed);
    totals.clocks += cycles;
    LoneChip around(seed, totals);
    for (; around.now() < cycles; around.next()) {
        const uint64_t now = around.now();
        const core::PinsIn& in = around.drive(rtl.pins());
        const bool rst_n = around.rst_n();
        rtl.drive(in, rst_n);
        mixed.drive(in, rst_n);
        clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        rtl.edge();
        clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        of_rtl.read();
        of_mixed.read();
        const auto found = machine::first_difference(of_rtl, of_mixed);
        ASSERT_FALSE(found) << machine::chip_signals()[*found].name << " in cycle " << now
                            << " seed=" << seed
                            << ", these are the RTL: " << fmt::format("{}", fmt::join(kinds, " "));
        ASSERT_FALSE(context.gotError())
            << "an assertion of the RTL failed in cycle " << now << " seed=" << seed;
    }
}

void expect_traffic(const Totals& totals) { EXPECT_GT(totals.received, totals.clocks / 30); }

class RtlBlocks : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(blocks, RtlBlocks, ::testing::ValuesIn(machine::block_kinds()),
                         [](const auto& p) { return p.param; });

TEST_P(RtlBlocks, one_kind_changes_nothing) {
    Totals totals;
    expect_equal({GetParam()}, seed_or(1), totals);
    expect_traffic(totals);
}

TEST(rtl_blocks, none_and_all_at_once_change_nothing) {
    Totals totals;
    expect_equal({}, seed_or(1), totals);
    const auto& all = machine::block_kinds();
    expect_equal({all.begin(), all.end()}, seed_or(1) + 1, totals);
    expect_traffic(totals);
}

TEST(rtl_blocks, ten_random_subsets_change_nothing) {
    Dice random(seed_or(1) ^ 0xB10C);
    Totals totals;
    for (uint64_t n = 0; n < 10 && !::testing::Test::HasFailure(); ++n) {
        Kinds kinds;
        for (const std::string& kind : machine::block_kinds())
            if (random.chance(50)) kinds.insert(kind);
        expect_equal(kinds, seed_or(1) + 10 + n, totals);
    }
    expect_traffic(totals);
}

TEST(rtl_blocks, unknown_block_is_refused) {
    EXPECT_THROW(machine::RtlBlocks::make({"arbitre"}), std::invalid_argument);
}

}  // namespace
}  // namespace rdt::tb::fuzz
