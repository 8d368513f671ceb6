// SPDX-License-Identifier: MIT
// The chip under everything that can come in at its pins: RTL, SystemC module and fast core are
// equal on every pin in every cycle, whether that makes sense or not.
//
// RDT_SEED is the first seed and RDT_CYCLES the length of the whole run; a long one is cut into
// seeds of 100,000 cycles, so that a difference never takes longer to run again. RDT_KINDS leaves
// out kinds of trouble (see epoch.h).
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "fuzz/models.h"
#include "fuzz/seed_run.h"
#include "fuzz/volumes.h"
#include <rdt/support/status_line.h>

namespace rdt::tb::fuzz {
namespace {

void print(const Totals& t) {
    fmt::print(
        "{} cycles of four chips, {} seeds: RTL, SystemC and fast core match on every pin\n"
        "  packets       {} sent, {} of them corrupted, {} received; {} acks\n"
        "  pins flipped  {}; peers stopped {}\n"
        "  resets        {}\n"
        "  shoot-downs   {}; restored {}, {} of them corrupted\n"
        "  packets consumed {}\n"
        "  writes        {} registers\n",
        t.clocks, t.seeds, t.sent, t.spoilt, t.received, t.acks, t.flips, t.stops, t.resets,
        t.shoot_downs, t.put_backs, t.spoilt_put_backs, t.sunk, t.writes);
}

TEST(chip, models_are_equal_whatever_comes) {
    constexpr uint64_t Longest = 100000;
    const uint64_t all = cycles_or(0);
    const uint64_t cycles = all != 0 ? all : ChipSeeds * ChipOfSeed;
    const uint64_t of_seed = all != 0 ? std::min(Longest, all) : ChipOfSeed;
    const auto kinds = uint32_t(from_environment("RDT_KINDS", ~0u));
    Totals totals;
    StatusLine status;
    for (uint64_t seed = seed_or(1); totals.clocks < cycles; ++seed) {
        SeedRun<Models> run(seed, kinds, totals, seed);
        while (run.now() < of_seed && totals.clocks < cycles) {
            const std::string found = run.clock();
            if (run.now() % 1000 == 0)
                status.show(fmt::format("seed {}: {} of {} cycles", seed, totals.clocks, cycles));
            if (found.empty()) continue;
            status.clear();
            std::string rerun = rerun_line("fuzz_chip", "chip.*", seed, run.now());
            if (kinds != ~0u) rerun = fmt::format("RDT_KINDS={:#x} {}", kinds, rerun);
            FAIL() << found << "\nin cycle " << run.now() - 1 << " of seed " << seed
                   << "\nrerun: " << rerun;
        }
    }
    status.clear();
    print(totals);
    RecordProperty("cycles", std::to_string(totals.clocks));
    RecordProperty("seeds", std::to_string(totals.seeds));
    if (kinds != ~0u || cycles < 100000) return;
    EXPECT_GT(totals.received, cycles / 5);
    EXPECT_GT(totals.flips, cycles / 100);
    EXPECT_GT(totals.resets, cycles / 1000);
    EXPECT_GT(totals.shoot_downs, cycles / 1000);
    EXPECT_GT(totals.put_backs, cycles / 1000);
    EXPECT_GT(totals.writes, cycles / 100);
    EXPECT_GT(totals.sunk, cycles / 1000);
}

}  // namespace
}  // namespace rdt::tb::fuzz
