// SPDX-License-Identifier: MIT
// The 64-node machine, RTL and SystemC in lockstep at all nodes.
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "machine/measure/run.h"
#include "machine/traffic/synthetic.h"

namespace rdt::tb {
namespace {

// Unicasts of all lengths and multicasts with acks, at 60 % of what the machine carries.
machine::SyntheticOptions mixed(uint64_t seed) {
    machine::SyntheticOptions o;
    o.load = 0.3;
    o.flits_min = machine::MinFlits;
    o.flits_max = machine::MaxFlits;
    o.multicasts = 0.05;
    o.density = 0.3;
    o.acks = true;
    o.seed = seed;
    return o;
}

TEST(lockstep64, mixed_traffic_at_60_percent_of_saturation_shows_no_difference) {
    const uint64_t seed = seed_or(1);
    const uint64_t clocks = cycles_or(100000);
    machine::Config config;
    config.engine = machine::Engine::Lockstep;
    config.t_ent = 400;
    config.seed = seed;
    config.rerun = rerun_line("machine_lockstep", "lockstep64.mixed*", seed, clocks);
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::Synthetic workload(*machine, mixed(seed));
    machine::RunOptions options;
    options.warmup = 0;
    options.cycles = clocks;
    options.drain = 20000;
    const machine::RunResult r = machine::run(*machine, workload, options);
    EXPECT_EQ(r.error, "") << config.rerun;
    EXPECT_TRUE(r.drained) << r.open << " packets are missing; " << config.rerun;
    EXPECT_EQ(r.damaged, 0u);
    EXPECT_EQ(r.strays, 0u);
    EXPECT_GT(r.compared_signals, 64u * 100);
    EXPECT_NEAR(r.offered, 0.3, 0.02);
    EXPECT_GT(r.multicasts, clocks / 20);
    EXPECT_GT(r.acks, clocks / 20);
}

}  // namespace
}  // namespace rdt::tb
