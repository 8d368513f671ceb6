// SPDX-License-Identifier: MIT
// A CRED pin is inverted once: one credit gets lost, or one is made up. It must not matter for
// long.
#include <gtest/gtest.h>

#include "common/engines.h"
#include "common/run_options.h"
#include "common/watched_load.h"

namespace rdt::tb {
namespace {

// A missing credit makes its link resynchronize after one to two slow ticks; the backlog then has
// to drain at a load of a third of the saturation rate.
constexpr uint64_t Recovery = 2 * SlowTick + 100 + 800;
constexpr uint64_t Warm = 2000;

struct Case {
    Models models;
    uint64_t slices_after;  // windows of 500 cycles
};

class LostCredit : public ::testing::TestWithParam<Case> {
protected:
    // One CRED pin of node 34, E0, in the cycle in which a credit for VC 0 is on it.
    static void lose_a_credit(machine::Machine& machine, WatchedLoad& load) {
        for (uint64_t n = 0; n < 2000; ++n) {
            if (machine.far_pins(34, PortE0).cred == 1) {
                core::LinkPinsIn bits;
                bits.cred = 1;
                machine.flip({34, PortE0, bits});
                load.disturb(34, PortE0, false, 0);
                load.clocks(1);
                return;
            }
            load.clocks(1);
        }
        ADD_FAILURE() << "no credit was seen";
    }
};
INSTANTIATE_TEST_SUITE_P(engines, LostCredit,
                         ::testing::Values(Case{Models::Fast, 40}, Case{Models::Checked, 3}),
                         [](const auto& p) { return to_string(p.param.models); });

TEST_P(LostCredit, one_lost_credit_does_not_stop_the_machine) {
    constexpr uint64_t Slice = WatchedLoad::Slice;
    machine::Config config;
    use(GetParam().models, config);
    config.timeout = 2000;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    LoadOptions options;
    options.seed = seed_or(1);
    WatchedLoad load(*machine, options);
    load.clocks(Warm);
    const uint64_t before = machine->now();
    load.clocks(9 * Slice);
    lose_a_credit(*machine, load);
    load.clocks(Recovery);
    const uint64_t after = machine->now();
    load.clocks((GetParam().slices_after + 1) * Slice);
    const auto flits = [&](uint64_t from, uint64_t slices) {
        uint64_t sum = 0;
        for (uint64_t s = 0; s < slices; ++s) sum += load.received(from / Slice + 1 + s);
        return double(sum) / double(slices);
    };
    const double was = flits(before, 8);
    const double is = flits(after, GetParam().slices_after - 1);
    // Over two slices the flits received vary by more than that, whatever happens.
    if (GetParam().models == Models::Fast) {
        EXPECT_GE(is, 0.99 * was) << "flits received in 500 cycles: " << was << " before, " << is
                                  << " after the credit was lost";
    }
    EXPECT_GE(load.share(after + Slice, after + GetParam().slices_after * Slice), 0.99);
    EXPECT_TRUE(load.drain(20000)) << "packets are stuck";
    load.close();
    EXPECT_EQ(load.wrong(), "");
    EXPECT_EQ(load.lost(), 0u) << "a lost credit costs no packet";
    EXPECT_EQ(load.reports(34, ErrLinkSync), 1u) << "the end that missed it reports";
    for (uint32_t n = 0; n < WatchedLoad::Nodes; ++n) {
        const core::Config& registers = machine->state(n)->local().q().cfg;
        EXPECT_EQ(registers.sync_cnt, n == 34 ? 1u : 0u) << "node " << n;
    }
    RecordProperty("before", std::to_string(was));
    RecordProperty("after", std::to_string(is));
}

}  // namespace
}  // namespace rdt::tb
