// SPDX-License-Identifier: MIT
// Barriers by the lane of the ack table: latency, order, recovery after faults, and the checker
// that notices a release before the last arrival.
#include <gtest/gtest.h>

#include <memory>

#include "common/run_options.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/barrier_traffic.h>

namespace rdt::machine {
namespace {

using tb::cycles_or;
using tb::seed_or;

struct Outcome {
    uint64_t barriers = 0;
    uint64_t recoveries = 0;
    Latency latency;
    std::string error;
    uint64_t acks = 0;  // acks of other multicasts
    uint64_t retries = 0;
};

struct Setting {
    Config config;
    SyntheticOptions traffic;
    uint64_t cycles = 20'000;
    double flips = 0;

    Setting() {
        traffic.pattern = BarrierTraffic::Name;
        traffic.load = 0;
        traffic.queue = 4;
        traffic.seed = seed_or(1);
    }
};

Outcome run(Setting s) {
    s.config.faults = s.flips > 0;
    set_ack_periods(s.config, s.traffic);
    const std::unique_ptr<Machine> machine = make_machine(s.config);
    machine->bring_up();
    BarrierTraffic workload(*machine, s.traffic);
    RunOptions options;
    options.warmup = 0;
    options.cycles = s.cycles;
    options.flips = s.flips;
    options.seed = s.traffic.seed;
    const RunResult result = machine::run(*machine, workload, options);
    return {workload.barriers(), workload.recoveries(), workload.latency(),
            result.error,        result.acks,           result.retries};
}

TEST(barriers, take_at_most_100_cycles_in_an_empty_machine) {
    const Outcome out = run({});
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.barriers, 50u);
    EXPECT_LE(out.latency.max, 100u);
    EXPECT_GT(out.latency.mean, 60) << "an answer and an arm across the machine";
    EXPECT_EQ(out.recoveries, 0u);
}

TEST(barriers, take_at_most_150_cycles_on_average_beside_unicasts_at_0_3) {
    Setting s;
    s.traffic.load = 0.3;
    s.cycles = 800'000;
    const Outcome out = run(s);
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.barriers, s.cycles / 600);
    EXPECT_LE(out.latency.mean, 150);
}

// With TEnt the next arm would be answered RETRY where it waits, so the root sends it later.
TEST(barriers, are_armed_after_the_answer_if_waits_for_entries_are_limited) {
    Setting s;
    const Outcome early = run(s);
    s.config.t_ent = 200;
    const Outcome late = run(s);
    EXPECT_EQ(late.error, "");
    EXPECT_EQ(late.recoveries, 0u);
    EXPECT_LE(late.latency.max, 100u);
    EXPECT_GT(late.latency.mean, early.latency.mean + 10);
}

TEST(barriers, are_the_same_cycle_by_cycle_and_event_driven) {
    for (const double load : {0.1, 0.3}) {
        Setting s;
        s.traffic.load = load;
        s.cycles = 6'000;
        const Outcome events = run(s);
        s.config.event_driven = false;
        const Outcome cycles = run(s);
        EXPECT_GT(events.barriers, 10u);
        EXPECT_EQ(events.barriers, cycles.barriers);
        EXPECT_EQ(events.latency.max, cycles.latency.max);
        EXPECT_EQ(events.latency.mean, cycles.latency.mean);
    }
}

TEST(barriers, barriers_of_256_nodes_join_four_territories) {
    Setting s;
    s.config.side = 16;
    const Outcome out = run(s);
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.barriers, 20u);
}

TEST(barriers, wait_for_the_last_process_however_late_it_is) {
    Setting s;
    s.traffic.jitter = 15'000;  // several periods of TAck
    s.cycles = 100'000;
    const Outcome out = run(s);
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.barriers, 3u);
    EXPECT_EQ(out.recoveries, 0u);
    EXPECT_LE(out.latency.max, 100u);
}

TEST(barriers, barriers_complete_beside_acknowledged_multicasts_in_overload) {
    Setting s;
    s.traffic.load = 0.1;
    s.traffic.multicasts = 0.3;
    s.traffic.density = 0.5;
    s.traffic.acks = true;
    s.cycles = cycles_or(30'000);
    const Outcome out = run(s);
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.barriers, s.cycles / 3'000);
    EXPECT_GT(out.acks, 100u);
    EXPECT_EQ(out.retries, 0u);
    EXPECT_EQ(out.recoveries, 0u);
}

TEST(barriers, barriers_continue_after_inverted_pins) {
    Setting s;
    s.flips = 0.005;
    s.cycles = cycles_or(400'000);
    const Outcome out = run(s);
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.recoveries, 0u);
    EXPECT_GT(out.barriers, 100u);
}

// Processes that answer before they have arrived: an injected bug.
class Impatient : public BarrierTraffic {
public:
    using BarrierTraffic::BarrierTraffic;
    void delivered(Transport& transport, const Packet& packet, const Delivery& d) override {
        BarrierTraffic::delivered(transport, packet, d);
        if (packet.is_multicast()) transport.answer(d, 0);
    }
};

TEST(barriers, released_before_the_last_arrival_are_reported) {
    Setting s;
    s.traffic.jitter = 1'000;
    set_ack_periods(s.config, s.traffic);
    const std::unique_ptr<Machine> machine = make_machine(s.config);
    machine->bring_up();
    Impatient workload(*machine, s.traffic);
    RunOptions options;
    options.warmup = 0;
    options.cycles = 20'000;
    EXPECT_NE(machine::run(*machine, workload, options).error, "");
}

TEST(barriers, are_refused_on_a_torus_without_the_upper_rank) {
    Config config;
    config.upper_rank = false;
    const std::unique_ptr<Machine> machine = make_machine(config);
    EXPECT_THROW(BarrierTraffic(*machine, {}), std::invalid_argument);
}

// 10,000 barriers with random arrivals beside acknowledged multicasts.
TEST(barriers, many_are_neither_early_nor_lost) {
    Setting s;
    s.traffic.load = 0.05;
    s.traffic.multicasts = 0.2;
    s.traffic.density = 0.4;
    s.traffic.acks = true;
    s.cycles = cycles_or(6'000'000);
    const Outcome out = run(s);
    EXPECT_EQ(out.error, "");
    EXPECT_GT(out.barriers, s.cycles / 600);
    EXPECT_EQ(out.recoveries, 0u);
    EXPECT_EQ(out.retries, 0u);
    tb::print_count(out.barriers, "barriers");
    tb::print_count(out.acks, "acks beside them");
}

}  // namespace
}  // namespace rdt::machine
