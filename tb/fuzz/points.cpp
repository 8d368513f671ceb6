// SPDX-License-Identifier: MIT
// The traffic of the fuzz is worth its time: that of the default run hits the cover points of
// tb/cov, all but few. Bins that it misses are listed by RDT_COVERAGE_DIR (see tb/cov/counts.h);
// make cov also counts what other tests hit.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include RDT_COUNTING_HEADER
#include "common/run_options.h"
#include "cov/counts.h"
#include "fuzz/seed_run.h"
#include <rdt/cosim/rtl_chip.h>

namespace rdt::tb::fuzz {
namespace {

// Vrdt_router_points, or, for make cov, the chip that counts everything.
using CountingChip = RDT_COUNTING_CLASS;

// Four chips that count. The fast engine's beside them show what is inside.
class CountingChips {
public:
    static constexpr uint32_t Together = 4;
    using PinsIn = std::array<const core::PinsIn*, Together>;

    CountingChips() {
        for (uint32_t c = 0; c < Together; ++c)
            m_rtl.push_back(std::make_unique<machine::RtlChip<CountingChip>>(
                &m_context, "n" + std::to_string(c)));
    }
    void clock(const PinsIn& in, bool rst_n) {
        for (uint32_t c = 0; c < Together; ++c) {
            m_rtl[c]->drive(*in[c], rst_n);
            m_rtl[c]->edge();
            m_pins[c] = m_rtl[c]->pins();
            if (rst_n) m_fast[c].clock(*in[c]);
            else m_fast[c].reset();
        }
    }
    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const fast::Router& state(uint32_t chip) const { return m_fast[chip]; }
    // fuzz_chip compares.
    static std::string difference() { return {}; }

private:
    VerilatedContext m_context;
    std::vector<std::unique_ptr<machine::RtlChip<CountingChip>>> m_rtl;
    std::array<fast::Router, Together> m_fast;
    std::array<machine::ChipPins, Together> m_pins;
};

TEST(points, default_traffic_hits_all_but_few) {
    constexpr uint64_t OfSeed = 30000;  // as in chip.cpp
    constexpr double Floor = 94;        // percent of the bins
    const uint64_t cycles = cycles_or(3 * OfSeed);
    Totals totals;
    for (uint64_t seed = seed_or(1); totals.clocks < cycles; ++seed) {
        SeedRun<CountingChips> run(seed, ~0u, totals);
        while (run.now() < OfSeed && totals.clocks < cycles) run.clock();
    }
    const cov::Counts::Hits hits = cov::counts_of(RDT_COUNTING_NAME).hits("v_user");
    const double percent = 100.0 * double(hits.hit) / double(hits.points);
    fmt::print("{} of {} bins hit ({:.1f} %) in {} cycles of four chips\n", hits.hit, hits.points,
               percent, totals.clocks);
    RecordProperty("bins", std::to_string(hits.points));
    RecordProperty("hit", std::to_string(hits.hit));
    ASSERT_GT(hits.points, 3000u);
    if (cycles < 3 * OfSeed) return;
    EXPECT_GT(percent, Floor);
}

}  // namespace
}  // namespace rdt::tb::fuzz
