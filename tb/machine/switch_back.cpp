// SPDX-License-Identifier: MIT
// From events to cycles and back at any cycle: every pin and every register that counts, and so
// every hop of every packet, is as in a machine that never changes. (RDT_CYCLES: so many changes.)
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "machine/mbp_load.h"
#include "machine/whole_run.h"

namespace rdt::tb {
namespace {

machine::EventMachine& event_machine(Machine& machine) {
    return dynamic_cast<machine::EventMachine&>(machine);
}

// Returns whether it did.
bool change(machine::EventMachine& machine) {
    return machine.is_by_events() ? machine.go_on_by_clocks() : machine.go_on_by_events();
}

// Both machines, the second of which changes at random cycles; registers are compared after every
// third change, and so after those to events and after those to cycles.
template <typename Kind>
std::string change_and_compare(Kind& fast, Kind& events, uint64_t changes, Dice& dice,
                               uint64_t most_refusals = 0) {
    machine::EventMachine& machine = event_machine(*events.machine);
    uint64_t refusals = 0;
    for (uint64_t done = 0; done < changes;) {
        const std::string found =
            run_together(fast, events, 1 + dice.below(30), ~uint64_t(0), done % 3 == 0 ? 1 : 0);
        if (!found.empty())
            return fmt::format("{}, by {} after {} changes", found,
                               machine.is_by_events() ? "events" : "cycles", done);
        if (change(machine)) ++done;
        else if (++refusals > most_refusals)
            return fmt::format("no events in cycle {}", machine.now());
    }
    return "";
}

constexpr uint32_t LateAck = 40;

std::vector<Case> cases() {
    Case multicasts = case_of(8, 0.3, 0);
    multicasts.traffic.multicasts = 0.3;
    multicasts.traffic.density = 0.3;
    Case lpra = with_acks(multicasts, 0.5, 0.5);
    lpra.traffic.scheme = TypeMcLpra;
    Case larp = lpra;
    larp.traffic.scheme = TypeMcLarp;
    Case late = with_acks(case_of(8, 0.6, 0), 0.1, 0.5);
    late.config.t_ent = 20;
    late.config.t_ack = LateAck;
    Case hotspot = case_of(8, 0.5, 0);
    hotspot.traffic.pattern = "hotspot";
    Case transpose = case_of(8, 0.4, 0);
    transpose.traffic.pattern = "transpose";
    Case torus = case_of(8, 0.5, 0);
    torus.config.upper_rank = false;
    Case closed = case_of(8, 0, 0);
    closed.traffic.outstanding = 3;
    Case threads = with_acks(case_of(8, 0.3, 0), 0.1, 0.3);
    threads.config.threads = 2;
    return {case_of(8, 0.1, 0),
            case_of(8, 0.4, 0),
            case_of(8, 1.2, 0),
            multicasts,
            lpra,
            larp,
            with_acks(case_of(8, 0.3, 0), 0.1, 0.5),
            with_acks(case_of(8, 0.6, 0), 0.5, 0.5),
            late,
            hotspot,
            transpose,
            torus,
            closed,
            threads};
}

TEST(switch_back, traffic_of_all_kinds) {
    const uint64_t seed = seed_or(1);
    Dice dice(seed);
    for (Case& c : cases()) {
        c.traffic.seed = seed;
        Subject fast(c.config, By::Cycles, c.traffic);
        Subject events(c.config, By::Events, c.traffic);
        const uint64_t changes = cycles_or(2400) / cases().size();
        // LOCAL reports an ack that comes after its time, and most acks are late with this TAck.
        const uint64_t refusals = c.config.t_ack == LateAck ? changes : 0;
        EXPECT_EQ(change_and_compare(fast, events, changes, dice, refusals), "") << to_string(c);
        EXPECT_GT(fast.delivered, 50u) << to_string(c);
    }
}

// Links that resynchronize change at all cycles of that.
TEST(switch_back, events_resume_during_link_recovery) {
    const uint64_t seed = seed_or(2);
    Dice dice(seed);
    Case c = case_of(8, 0.5, 0);
    c.traffic.pattern = "hotspot";
    c.traffic.seed = seed;
    Subject fast(c.config, By::Cycles, c.traffic);
    Subject events(c.config, By::Events, c.traffic);
    machine::EventMachine& machine = event_machine(*events.machine);
    uint64_t changes = 0;
    for (uint64_t n = 0; n < 20000 && changes < 150; ++n) {
        fast.clock();
        events.clock();
        if (machine.links_down() == 0) continue;
        ASSERT_EQ(run_together(fast, events, 1 + dice.below(3), ~uint64_t(0), 1), "");
        ASSERT_TRUE(change(machine)) << machine.now();
        ++changes;
    }
    EXPECT_GT(changes, 50u);
}

// Packets of all lengths, from MBPs without Transport.
TEST(switch_back, mbps) {
    const uint64_t seed = seed_or(3);
    Dice dice(seed);
    Config config;
    config.t_ent = 60;
    config.t_ack = 2000;
    Mbps fast(config, By::Cycles, seed, 15);
    Mbps events(config, By::Events, seed, 15);
    EXPECT_EQ(change_and_compare(fast, events, cycles_or(200), dice), "");
}

// Results and packet logs of runs that change at random cycles, of a shared memory too.
TEST(switch_back, results_and_packet_logs_are_the_same) {
    const uint64_t seed = seed_or(4);
    for (const bool memory : {false, true}) {
        Case c = with_acks(case_of(8, memory ? 0 : 0.4, 0), memory ? 0 : 0.05, 0.3);
        c.traffic.acks = !memory;
        c.traffic.seed = seed;
        machine::RunOptions how;
        how.warmup = memory ? 0 : 500;
        how.cycles = memory ? 1000000 : 1500;
        how.drain = 50000;
        c.config.event_driven = false;
        const auto fast = run(c.config, how, c.traffic, memory);
        c.config.event_driven = true;
        Dice dice(seed);
        uint64_t changes = 0;
        const auto events = run(c.config, how, c.traffic, memory, [&](Machine& machine) {
            if (!dice.chance(5)) return;
            EXPECT_TRUE(change(event_machine(machine))) << machine.now();
            ++changes;
        });
        EXPECT_EQ(fast.first, events.first) << "seed=" << seed;
        EXPECT_TRUE(fast.second == events.second) << "packet logs differ, seed=" << seed;
        EXPECT_GT(fast.second.size(), 10000u);
        EXPECT_GT(changes, 50u);
    }
}

// The condition without events ends, and events take over again.
class Passes : public ::testing::TestWithParam<Irregular> {};

TEST_P(Passes, events_resume_after_the_condition) {
    const uint64_t seed = seed_or(5);
    Dice dice(seed);
    Config config;
    config.t_ent = 60;
    config.t_ack = 500;
    Mbps fast(config, By::Cycles, seed, 10);
    Mbps events(config, By::Events, seed, 10);
    for (uint64_t n = 0; n < 3 + cycles_or(0) / 1000; ++n) {
        ASSERT_EQ(run_together(fast, events, 1 + dice.below(200), 50), "") << "before " << n;
        const Dice place = dice;
        const uint32_t node = dice.below(fast.machine->nodes());
        for (Mbps* m : {&fast, &events}) {
            if (GetParam() == Irregular::Shoot) m->shoot(node);
            else disturb(*m->machine, GetParam(), place);
        }
        ASSERT_EQ(run_together(fast, events, 150, 50), "") << "after " << n;
        const machine::EventMachine& machine = event_machine(*events.machine);
        for (uint64_t k = 0; k < 100 && (events.is_shot() || !machine.is_by_events()); ++k)
            ASSERT_EQ(run_together(fast, events, 100, 50), "") << "after " << n;
        EXPECT_TRUE(machine.is_by_events()) << "cycle " << machine.now();
    }
}

INSTANTIATE_TEST_SUITE_P(switch_back, Passes,
                         ::testing::Values(Irregular::Flip, Irregular::Setup, Irregular::Shoot,
                                           Irregular::BadPacket, Irregular::StrayAck));

// ... but not where it lasts.
TEST(switch_back, lasting_condition_stays_with_cycles) {
    for (const Irregular what : {Irregular::Watched, Irregular::Cut, Irregular::Stuck}) {
        Mbps events({}, By::Events, 1);
        for (int n = 0; n < 100; ++n) events.clock();
        disturb(*events.machine, what, Dice(1));
        for (int n = 0; n < 300; ++n) events.clock();
        EXPECT_FALSE(event_machine(*events.machine).go_on_by_events()) << int(what);
    }
}

}  // namespace
}  // namespace rdt::tb
