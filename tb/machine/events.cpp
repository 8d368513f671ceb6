// SPDX-License-Identifier: MIT
// The event engine is the fast engine: every pin of every router and MBP matches in every cycle, so
// every packet makes every hop in the same cycle; results and packet logs match too. Machines are
// large, packets of all lengths and loads beyond what they carry, since small machines do not reach
// all rules.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/event_bench.h"
#include "machine/whole_run.h"

namespace rdt::tb {
namespace {

struct Outcome {
    std::string difference;
    uint64_t delivered = 0;
    uint64_t acks = 0;
    uint64_t retries = 0;
    uint64_t calls = 0;
    uint64_t open = 0;
};

Outcome compare(const Case& c, const Case& other) {
    Subject fast(c.config, By::Cycles, c.traffic);
    Subject events(other.config, By::Events, other.traffic);
    Outcome out;
    if (fast.machine->now() != events.machine->now()) out.difference = "up at different cycles";
    for (uint64_t n = 0; n < c.clocks + c.drain && out.difference.empty(); ++n) {
        if (n == c.clocks)
            for (Subject* s : {&fast, &events}) s->workload->stop();
        if (n > c.clocks && fast.transport->open() == 0 && events.machine->idle()) break;
        fast.clock();
        events.clock();
        if (fast.happened != events.happened)
            out.difference = fmt::format("cycle {}:{} but{}", fast.machine->now(), fast.happened,
                                         events.happened);
        else out.difference = difference(*fast.machine, *events.machine, out.calls);
    }
    out.delivered = fast.delivered;
    out.acks = fast.acks;
    out.retries = fast.retries;
    out.open = events.transport->open();
    return out;
}

Outcome expect_same(const Case& c) {
    const Outcome out = compare(c, c);
    EXPECT_EQ(out.difference, "") << to_string(c);
    EXPECT_GT(out.delivered, 5u) << to_string(c);
    return out;
}

TEST(events, unicasts_of_all_loads_and_sizes) {
    const uint64_t seed = seed_or(1);
    for (const int side : {4, 8, 16, 32})
        for (const double load : {0.05, 0.3, 1.0}) {
            Case c = case_of(side, load, side == 32 ? 300 : 800);
            c.traffic.seed = seed;
            expect_same(c);
        }
}

TEST(events, all_patterns) {
    const uint64_t seed = seed_or(2);
    for (const auto& pattern : Traffic::patterns()) {
        Case c = case_of(16, 0.5, 300);
        c.traffic.pattern = pattern.name;
        c.traffic.seed = seed;
        expect_same(c);
    }
}

TEST(events, multicasts_in_several_passes) {
    const uint64_t seed = seed_or(3);
    for (const double share : {0.1, 1.0}) {
        Case c = case_of(16, 0.3, 500);
        c.traffic.multicasts = share;
        c.traffic.density = 0.3;
        c.traffic.seed = seed;
        expect_same(c);
    }
}

TEST(events, large_machines_with_acks_and_overload) {
    const uint64_t seed = seed_or(10);
    Case acks = with_acks(case_of(32, 0.2, cycles_or(250)), 0.05, 0.2);
    acks.traffic.seed = seed;
    EXPECT_GT(expect_same(acks).acks, 10u);
    Case overload = with_acks(case_of(16, 1.2, cycles_or(600)), 0.1, 0.4);
    overload.traffic.queue = 8;
    overload.traffic.seed = seed;
    EXPECT_GT(expect_same(overload).acks, 10u);
}

TEST(events, multicasts_with_acks_up_to_full_tables) {
    const uint64_t seed = seed_or(4);
    Case c = with_acks(case_of(8, 0.3, 2000), 0.5, 0.5);
    c.traffic.seed = seed;
    c.drain = 50000;
    const Outcome full = expect_same(c);
    EXPECT_GT(full.retries, 100u);
    EXPECT_EQ(full.open, 0u);
    Case large = with_acks(case_of(16, 0.2, 800), 0.05, 0.2);
    large.traffic.seed = seed;
    large.drain = 50000;
    const Outcome out = expect_same(large);
    EXPECT_GT(out.acks, 50u);
    EXPECT_EQ(out.open, 0u);
}

// An entry that waits for too long is answered by a time-out, and its tag is not used for a while.
TEST(events, acks_that_come_too_late) {
    const uint64_t seed = seed_or(5);
    Case c = with_acks(case_of(8, 0.6, 1500), 0.1, 0.5);
    c.config.t_ent = 20;
    c.config.t_ack = 40;
    c.traffic.seed = seed;
    expect_same(c);
}

// Where packets wait for thousands of cycles, links re-synchronize without any fault.
TEST(events, pins_match_during_link_recovery_in_overload) {
    const uint64_t seed = seed_or(6);
    Case c = case_of(8, 0.5, 4500);
    c.traffic.pattern = "hotspot";
    c.traffic.seed = seed;
    EXPECT_GT(expect_same(c).calls, 100u);
    Case large = case_of(16, 1.0, 3500);
    large.traffic.seed = seed;
    EXPECT_GT(expect_same(large).calls, 100u);
}

TEST(events, closed_loops_and_plain_tori) {
    const uint64_t seed = seed_or(7);
    Case c = case_of(8, 0, 1500);
    c.traffic.outstanding = 3;
    c.traffic.seed = seed;
    expect_same(c);
    Case torus = case_of(16, 0.4, 500);
    torus.config.upper_rank = false;
    torus.traffic.seed = seed;
    expect_same(torus);
}

TEST(events, random_configurations) {
    const uint64_t seed = seed_or(8);
    Dice dice(seed);
    const auto patterns = Traffic::patterns();
    for (uint64_t n = 0; n < cycles_or(12); ++n) {
        const int side = dice.chance(30) ? 16 : 8;
        Case c = case_of(side, 0.01 * dice.between(2, 120), side == 8 ? 1500 : 500);
        c.traffic.pattern = patterns[dice.below(uint32_t(patterns.size()))].name;
        c.traffic.flits_min = dice.between(machine::MinFlits, machine::MaxFlits);
        c.traffic.flits_max = dice.between(c.traffic.flits_min, machine::MaxFlits);
        c.traffic.queue = dice.chance(50) ? dice.between(1, 8) : 0;
        c.traffic.seed = seed + n;
        if (dice.chance(60)) c.traffic.multicasts = 0.01 * dice.between(1, 60);
        c.traffic.density = 0.05 * dice.between(1, 20);
        if (c.traffic.multicasts > 0 && dice.chance(70)) {
            c.traffic.acks = true;
            c.config.t_ent = dice.between(10, 400);
            c.config.t_ack = dice.between(100, 5000);
        }
        c.drain = dice.chance(30) ? 50000 : 0;
        expect_same(c);
    }
}

// The comparison detects differences.
TEST(events, a_tick_one_cycle_later_is_detected) {
    Case c = with_acks(case_of(8, 0.3, 3000), 0.5, 0.5);
    Case other = c;
    ++other.config.t_ent;
    EXPECT_NE(compare(c, other).difference, "");
}

// Every hop of every packet, in small and in large machines.
TEST(events, results_and_packet_logs_are_the_same) {
    const uint64_t seed = seed_or(9);
    struct Row {
        int side;
        double load;
        double multicasts;
        bool memory;
        uint64_t clocks;
    };
    for (const Row& row : {Row{8, 0.4, 0.05, false, 1500}, Row{8, 0, 0, true, 1000000},
                           Row{16, 0.8, 0, false, 600}, Row{16, 0.2, 0.05, false, 600},
                           Row{16, 0, 0, true, 1000000}, Row{32, 0.3, 0.02, false, 200}}) {
        Case c = with_acks(case_of(row.side, row.load, 0), row.multicasts, 0.3);
        c.traffic.acks = row.multicasts > 0;
        c.traffic.seed = seed;
        machine::RunOptions how;
        how.warmup = row.memory ? 0 : row.clocks / 2;
        how.cycles = row.clocks;
        how.drain = row.load < 0.5 ? 50000 : 0;
        c.config.event_driven = false;
        const auto fast = run(c.config, how, c.traffic, row.memory);
        c.config.event_driven = true;
        const auto events = run(c.config, how, c.traffic, row.memory);
        EXPECT_EQ(fast.first, events.first) << "side " << row.side << " seed=" << seed;
        EXPECT_TRUE(fast.second == events.second)
            << "packet logs differ, side " << row.side << " seed=" << seed;
        EXPECT_GT(fast.second.size(), 10000u);
    }
}

}  // namespace
}  // namespace rdt::tb
