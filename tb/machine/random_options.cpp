// SPDX-License-Identifier: MIT
// The event engine and the cycle-by-cycle engine give the same results for any options: every
// packet in the same cycle, the same packet log, timeline and JSON. RDT_CYCLES=10000: so many
// option sets; RDT_SEED=N: from the Nth on.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "common/run_options.h"
#include "machine/option_run.h"

namespace rdt::tb {
namespace {

// Each set follows from its number alone, so that one that differs is run again by itself.
OptionSet set_of(uint64_t number) {
    Dice dice(number);
    return draw_options(dice, number);
}

TEST(random_options, event_engine_and_cycle_engine_give_the_same_results) {
    const uint64_t first = seed_or(1);
    const uint64_t sets = cycles_or(100);
    uint64_t delivered = 0, changes = 0, skipped = 0, different = 0;
    constexpr uint64_t MostDifferent = 10;
    for (uint64_t n = first; n < first + sets && different < MostDifferent; ++n) {
        const OptionSet o = set_of(n);
        const Results fast = run_options(o, By::Cycles, false);
        const Results events = run_options(o, By::Events, o.faults.empty());
        const std::string found = difference(fast, events);
        EXPECT_EQ(found, "") << rerun_line("machine_random_options", "*same_results", n, 1) << "\n"
                             << to_string(o);
        different += found.empty() ? 0 : 1;
        delivered += fast.delivered;
        changes += events.changes;
        skipped += events.skipped;
    }
    print_count(sets, "option sets");
    fmt::print("{} packets delivered, {} changes of the engine, {} cycles left out\n", delivered,
               changes, skipped);
    if (sets < 100) return;
    EXPECT_GT(delivered, 50 * sets);
    EXPECT_GT(changes, sets / 10);
    EXPECT_GT(skipped, 10 * sets);
}

// A run that is cut off while packets are in flight, and no fault has made the engine change.
TEST(random_options, event_engine_names_what_a_run_waits_for) {
    OptionSet o;
    o.traffic.load = 0.6;
    o.run.warmup = 0;
    o.run.cycles = 300;
    o.run.drain = 10;
    const Results fast = run_options(o, By::Cycles, false);
    EXPECT_EQ(difference(fast, run_options(o, By::Events, true)), "");
    EXPECT_NE(fast.json.find("is full"), std::string::npos);
}

// The comparison detects a register that differs by one, and one flipped pin.
TEST(random_options, small_differences_are_detected) {
    OptionSet o;
    o.traffic.load = 0.3;
    o.traffic.multicasts = 0.5;
    o.traffic.acks = true;
    o.config.t_ent = 20;
    o.config.t_ack = 60;
    o.run.warmup = 0;
    o.run.cycles = 500;
    o.logs_packets = true;
    o.interval = 50;
    const Results same = run_options(o, By::Cycles, false);
    EXPECT_EQ(difference(same, run_options(o, By::Events, true)), "");
    EXPECT_GT(same.delivered, 500u);
    OptionSet entry = o;
    ++entry.config.t_ack;
    EXPECT_NE(difference(same, run_options(entry, By::Events, true)), "");
    OptionSet pin = o;
    pin.faults.push_back({LinkFault::Kind::Flip, 300, 9, PortE0, {0, ReqWant, 0}, false});
    EXPECT_NE(difference(same, run_options(pin, By::Events, true)), "");
    for (auto part : {&Results::json, &Results::timeline, &Results::packet_log}) {
        Results other = same;
        (other.*part).at((other.*part).size() / 2) ^= 1;
        EXPECT_NE(difference(same, other), "");
    }
}

}  // namespace
}  // namespace rdt::tb
