// SPDX-License-Identifier: MIT
// Many nodes send an acknowledged broadcast in the same cycle: all of them are answered, without a
// RETRY, and in the same cycle by every engine. TEnt is 0 unless a test sets it, so only the rule
// for ack entries resolves the contention.
#include <gtest/gtest.h>

#include "machine/broadcast_burst.h"

namespace rdt::machine {
namespace {

TEST(broadcasts, one_takes_106_cycles_in_an_empty_machine) {
    Burst burst;
    burst.sources = 1;
    const Outcome out = run(burst);
    EXPECT_EQ(out, (Outcome{1, 0, 0, 106}));
}

TEST(broadcasts, up_to_64_at_once_are_all_answered_without_retry) {
    for (const uint32_t sources : {8u, 12u, 16u, 64u})
        for (const uint32_t t_ent : {0u, 2048u}) {
            Burst burst;
            burst.sources = sources;
            burst.t_ent = t_ent;
            const Outcome out = run(burst);
            EXPECT_EQ(out.ok, sources) << out;
            EXPECT_EQ(out.retries, 0u);
            EXPECT_LE(out.cycles, 1900u);
        }
}

TEST(broadcasts, cycle_by_cycle_and_event_driven_simulation_agree) {
    Burst burst;
    burst.event_driven = false;
    const Outcome by_cycles = run(burst);
    burst.event_driven = true;
    EXPECT_EQ(run(burst), by_cycles);
}

TEST(broadcasts, on_16_by_16_from_all_256_nodes_are_all_answered) {
    Burst burst;
    burst.side = 16;
    burst.sources = 256;
    const Outcome out = run(burst);
    EXPECT_EQ(out.ok, 256u) << out;
    EXPECT_LE(out.cycles, 11'500u);
}

TEST(broadcasts, on_32_by_32_from_64_nodes_are_all_answered) {
    Burst burst;
    burst.side = 32;
    const Outcome out = run(burst);
    EXPECT_EQ(out.ok, 64u) << out;
    EXPECT_LE(out.cycles, 3'000u);
}

}  // namespace
}  // namespace rdt::machine
