// SPDX-License-Identifier: MIT
// Acknowledged broadcasts from all nodes at once are answered in the same cycle by every engine.
#include <gtest/gtest.h>

#include "machine/broadcast_burst.h"

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

INSTANTIATE_TEST_SUITE_P(all, BroadcastEngines, testing::Values(Engine::SystemC, Engine::Rtl),
                         [](const auto& info) { return EngineKind::of(info.param).name; });

}  // namespace
}  // namespace rdt::machine
