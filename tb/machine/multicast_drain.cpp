// SPDX-License-Identifier: MIT
// Acknowledged multicasts of all schemes and densities beside unicasts in overload, with TEnt = 0:
// no RETRY ends a wait, and everything is delivered and answered all the same. Goodput stays at its
// peak beyond saturation.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/drain_run.h"
#include "machine/goodput.h"

namespace rdt::machine {
namespace {

using tb::cycles_or;
using tb::Dice;
using tb::seed_or;

void drain_random(bool event_driven, uint64_t at_least, uint64_t seed) {
    Dice dice(seed);
    uint64_t multicasts = 0;
    for (uint32_t run = 0; multicasts < at_least; ++run) {
        Config config;
        config.side = run % 4 == 3 ? 16 : 8;
        config.event_driven = event_driven;
        const SyntheticOptions traffic = random_overload(dice);
        const Drained out = drain(config, traffic, 3'000);
        ASSERT_EQ(out.open, 0u) << fmt::format("seed {} run {} multicasts {} density {} scheme {}",
                                               seed, run, traffic.multicasts, traffic.density,
                                               uint32_t(traffic.scheme));
        ASSERT_EQ(out.bad_answers, 0u);
        multicasts += out.multicasts;
    }
    tb::print_count(multicasts, event_driven ? "multicasts (events)" : "multicasts (cycles)");
}

TEST(multicast_drain, everything_drains_without_t_ent) { drain_random(true, 5'000, seed_or(1)); }

TEST(multicast_drain, everything_drains_without_t_ent_cycle_by_cycle) {
    drain_random(false, 1'000, seed_or(2));
}

TEST(multicast_drain, many_multicasts_drain_without_t_ent) {
    drain_random(true, cycles_or(150'000), seed_or(3));
    drain_random(false, cycles_or(20'000), seed_or(4));
}

// `share` is that of the run without acks which is reached at twice the saturating load.
void expect_goodput_holds(const Saturation& s, double share, uint64_t cycles) {
    MulticastLoad load{s.side, s.density, s.load};
    load.seed = seed_or(1);
    const double peak = goodput(load, cycles);
    load.load *= 2;
    const double beyond = goodput(load, cycles);
    EXPECT_GE(beyond, 0.9 * peak) << s.side << " " << s.density;
    load.acks = false;
    EXPECT_GE(beyond, share * goodput(load, cycles)) << s.side << " " << s.density;
}

TEST(multicast_drain, goodput_holds_beyond_saturation) {
    expect_goodput_holds({8, 1, 0.012}, 0.9, cycles_or(12'000));
}

TEST(multicast_drain, goodput_holds_beyond_saturation_for_all_densities) {
    constexpr double Shares[] = {0.75, 0.85, 0.9, 0.35, 0.5, 0.6};
    for (size_t n = 0; n < std::size(Saturations); ++n)
        expect_goodput_holds(Saturations[n], Shares[n],
                             cycles_or(Saturations[n].side == 16 ? 60'000 : 20'000));
}

}  // namespace
}  // namespace rdt::machine
