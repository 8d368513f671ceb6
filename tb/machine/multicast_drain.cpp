// SPDX-License-Identifier: MIT
// Acknowledged multicasts of all schemes and densities beside unicasts in overload, with TEnt = 0:
// no RETRY ends a wait, and everything is delivered and answered all the same. Goodput stays at its
// peak beyond saturation.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <memory>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/drain_run.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

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

// Good answers per 1,000 cycles; without acks, multicasts that all have received. One MBP per node
// sends.
double goodput(int side, double load, double density, uint32_t outstanding, bool acks,
               uint64_t cycles) {
    Config config;
    config.side = side;
    SyntheticOptions traffic;
    traffic.load = load;
    traffic.outstanding = outstanding;
    traffic.multicasts = 1;
    traffic.density = density;
    traffic.acks = acks;
    traffic.queue = 20;
    traffic.only_mbp0 = true;
    traffic.seed = seed_or(1);
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    Synthetic workload(*machine, traffic);
    Transport transport(*machine);
    uint64_t good = 0;
    const uint64_t warmup = cycles / 4;
    bool counts = false;
    transport.on_ack = [&](const Packet&, uint32_t status) {
        good += counts && (status & (1u << AckRetry | 1u << AckTimeout)) == 0;
    };
    transport.on_done = [&](const Packet& packet) {
        good += counts && !acks;
        workload.done(transport, packet);
    };
    for (uint64_t n = 0; n < warmup + cycles; ++n) {
        counts = n >= warmup;
        workload.clock(transport);
        transport.clock();
    }
    return 1000.0 * double(good) / double(cycles);
}

struct Saturation {
    int side;
    double density;
    double load;   // at which good answers are most
    double share;  // of the run without acks that is reached at twice that load
};

void expect_goodput_holds(const Saturation& s, uint64_t cycles) {
    const double peak = goodput(s.side, s.load, s.density, 0, true, cycles);
    const double beyond = goodput(s.side, 2 * s.load, s.density, 0, true, cycles);
    const double without = goodput(s.side, 2 * s.load, s.density, 0, false, cycles);
    EXPECT_GE(beyond, 0.9 * peak) << s.side << " " << s.density;
    EXPECT_GE(beyond, s.share * without) << s.side << " " << s.density;
}

TEST(multicast_drain, goodput_holds_beyond_saturation) {
    expect_goodput_holds({8, 1, 0.012, 0.9}, cycles_or(12'000));
}

TEST(multicast_drain, goodput_holds_beyond_saturation_for_all_densities) {
    for (const Saturation& s : {Saturation{8, 0.3, 0.08, 0.75}, Saturation{8, 0.6, 0.03, 0.85},
                                Saturation{8, 1, 0.012, 0.9}, Saturation{16, 0.3, 0.04, 0.35},
                                Saturation{16, 0.6, 0.006, 0.5}, Saturation{16, 1, 0.0025, 0.6}})
        expect_goodput_holds(s, cycles_or(s.side == 16 ? 60'000 : 20'000));
}

}  // namespace
}  // namespace rdt::machine
