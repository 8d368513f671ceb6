// SPDX-License-Identifier: MIT
// Larger machines: whatever the pattern and the load, everything that was sent arrives once the
// nodes stop sending, and the engines agree on when.
#include <gtest/gtest.h>

#include "common/run_options.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {
namespace {

struct Case {
    int side;
    bool event_driven;
    std::string pattern;
    double load;
    uint64_t clocks;
};

machine::RunResult drained(const Case& c, uint64_t seed) {
    machine::Config config;
    config.side = c.side;
    config.event_driven = c.event_driven;
    config.t_ent = 400;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::SyntheticOptions traffic;
    traffic.pattern = c.pattern;
    traffic.load = c.load;
    traffic.flits_min = machine::MinFlits;
    traffic.multicasts = 0.01;
    traffic.density = 0.2;
    traffic.acks = true;
    traffic.seed = seed;
    machine::Synthetic workload(*machine, traffic);
    machine::RunOptions options;
    options.warmup = 0;
    options.cycles = c.clocks;
    options.drain = 50000;
    return machine::run(*machine, workload, options);
}

void expect_all_arrived(const Case& c, const machine::RunResult& r, uint64_t seed) {
    const std::string what = c.pattern + " at " + std::to_string(c.load) + " on " +
                             std::to_string(c.side) + ", seed=" + std::to_string(seed);
    EXPECT_TRUE(r.drained) << r.open << " packets left of " << what;
    EXPECT_GT(r.sent, 10u) << what;
    EXPECT_EQ(r.damaged, 0u) << what;
    EXPECT_EQ(r.strays, 0u) << what;
}

class Side : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(sizes, Side, ::testing::Values(4, 16, 32),
                         [](const auto& p) { return std::to_string(p.param); });

// Groups of hot nodes need at least 32 nodes, or sides that are a multiple of 8.
bool fits(int side, const std::string& pattern) {
    return side % 8 == 0 || pattern.rfind("hot", 0) != 0 || pattern.rfind("hotspot", 0) == 0;
}

// Half of what uniform traffic saturates with, and more than that; some patterns saturate earlier.
TEST_P(Side, fast_machine_drains_all_patterns_at_all_loads) {
    const uint64_t seed = seed_or(1);
    for (const auto& pattern : Traffic::patterns())
        for (double load : {0.15, 0.5}) {
            if (!fits(GetParam(), pattern.name)) continue;
            const Case c{GetParam(), true, pattern.name, load, GetParam() == 16 ? 300u : 150u};
            expect_all_arrived(c, drained(c, seed), seed);
        }
}

TEST_P(Side, fast_machine_drains_in_the_same_cycle_with_and_without_events) {
    const uint64_t seed = seed_or(2);
    uint32_t number = 0;
    for (const auto& pattern : Traffic::patterns()) {
        if (GetParam() == 32 && number++ % 3 != 0) continue;  // every third of them
        if (!fits(GetParam(), pattern.name)) continue;
        Case c{GetParam(), false, pattern.name, 0.5, GetParam() == 16 ? 100u : 30u};
        const machine::RunResult cycles = drained(c, seed);
        expect_all_arrived(c, cycles, seed);
        c.event_driven = true;
        const machine::RunResult events = drained(c, seed);
        EXPECT_EQ(cycles.simulated, events.simulated) << "last packet of " << pattern.name;
        EXPECT_EQ(cycles.delivered, events.delivered) << pattern.name;
    }
}

TEST(sizes, fast_machine_of_4096_nodes_carries_unicasts_and_multicasts) {
    const uint64_t seed = seed_or(3);
    const Case c{64, true, "uniform", 0.1, 200};
    expect_all_arrived(c, drained(c, seed), seed);
}

TEST(sizes, plain_torus_of_the_same_chips_drains) {
    const uint64_t seed = seed_or(4);
    for (int side : {8, 16}) {
        machine::Config config;
        config.side = side;
        config.upper_rank = false;
        const auto machine = machine::make_machine(config);
        machine->bring_up();
        machine::SyntheticOptions traffic;
        traffic.load = 0.5;
        traffic.seed = seed;
        machine::Synthetic workload(*machine, traffic);
        machine::RunOptions options;
        options.warmup = 0;
        options.cycles = 1000;
        options.drain = 50000;
        const machine::RunResult r = machine::run(*machine, workload, options);
        EXPECT_TRUE(r.drained) << r.open << " packets left, seed=" << seed;
        EXPECT_GT(r.delivered, 500u);
        EXPECT_EQ(r.use_upper, 0);
        EXPECT_EQ(r.strays, 0u);
    }
}

}  // namespace
}  // namespace rdt::tb
