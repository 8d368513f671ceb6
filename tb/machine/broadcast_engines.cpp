// SPDX-License-Identifier: MIT
// Acknowledged broadcasts from all nodes at once are answered in the same cycle by every engine.
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "machine/broadcast_burst.h"
#include "machine/drain_run.h"

namespace rdt::machine {
namespace {

class BroadcastEngines : public testing::TestWithParam<Engine> {};

TEST_P(BroadcastEngines, answers_64_at_once_in_the_same_cycle_as_the_fast_engine) {
    Burst burst;
    const Outcome fast = run(burst);
    EXPECT_EQ(fast.ok, 64u) << fast;
    burst.engine = GetParam();
    EXPECT_EQ(run(burst), fast);
}

TEST_P(BroadcastEngines, drains_multicasts_beside_unicasts_without_t_ent_as_the_fast_engine_does) {
    Config config;
    tb::Dice dice(tb::seed_or(1));
    SyntheticOptions traffic = random_overload(dice);
    traffic.multicasts = 0.2;
    const Drained fast = drain(config, traffic, 600);
    EXPECT_GT(fast.multicasts, 50u);
    EXPECT_EQ(fast.open + fast.bad_answers, 0u);
    config.engine = GetParam();
    const Drained other = drain(config, traffic, 600);
    EXPECT_TRUE(other == fast) << other.multicasts << " answers, " << other.cycles << " cycles";
    tb::print_count(other.multicasts, "multicasts");
}

INSTANTIATE_TEST_SUITE_P(all, BroadcastEngines, testing::Values(Engine::SystemC, Engine::Rtl),
                         [](const auto& info) { return EngineKind::of(info.param).name; });

}  // namespace
}  // namespace rdt::machine
