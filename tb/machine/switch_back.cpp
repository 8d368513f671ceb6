// SPDX-License-Identifier: MIT
// From events to clocks and back, at any clock.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/event_bench.h"

namespace rdt::tb {
namespace {

struct Count {
    uint64_t changes = 0;
    uint64_t refused = 0;
};

std::string change_and_compare(const Case& c, uint64_t seed, uint64_t changes, Count& count) {
    Dice dice(seed);
    Subject fast(c.config, Engine::Fast, c.traffic);
    Subject events(c.config, Engine::Events, c.traffic);
    auto& machine = dynamic_cast<machine::EventMachine&>(*events.machine);
    uint64_t calls = 0;
    uint64_t tries = 0;
    for (uint64_t done = 0; done < changes;) {
        const uint64_t clocks = dice.between(1, 40);
        for (uint64_t n = 0; n < clocks; ++n) {
            fast.clock();
            events.clock();
            if (fast.happened != events.happened)
                return fmt::format("clock {}:{} but{} ({} changes)", fast.machine->now(), fast.happened,
                                   events.happened, done);
            const std::string found = difference(*fast.machine, machine, calls);
            if (!found.empty()) return found + fmt::format(" ({} changes, by events {})", done, machine.is_by_events());
        }
        const bool by_events = machine.is_by_events();
        const bool ok = by_events ? machine.go_on_by_clocks() : machine.go_on_by_events();
        if (!ok) {
            ++count.refused;
            if (++tries > 20 * changes) return "never";
            continue;
        }
        ++done;
        const std::string found = register_difference(*fast.machine, machine);
        if (!found.empty()) return fmt::format("registers of {} by events {} change {}", found, machine.is_by_events(), done);
    }
    count.changes += changes;
    return "";
}

TEST(switch_back, smoke) {
    Count count;
    std::vector<Case> all{case_of(8, 0.1, 0), case_of(8, 0.3, 0), case_of(8, 1.0, 0)};
    Case m = case_of(8, 0.3, 0); m.traffic.multicasts = 0.3; m.traffic.density=0.3; all.push_back(m);
    all.push_back(with_acks(case_of(8, 0.3, 0), 0.1, 0.5));
    all.push_back(with_acks(case_of(8, 0.6, 0), 0.5, 0.5));
    Case h = case_of(8, 0.5, 0); h.traffic.pattern = "hotspot"; all.push_back(h);
    Case t = case_of(8, 0.5, 0); t.config.upper_rank = false; all.push_back(t);
    uint64_t seed = seed_or(1);
    for (const Case& c : all) {
        if (getenv("ONLY") && &c != &all[size_t(atoi(getenv("ONLY")))]) continue;
        Count one;
        EXPECT_EQ(change_and_compare(c, seed, cycles_or(50), one), "") << to_string(c);
        fmt::print("{} : {} changes {} refused\n", to_string(c), one.changes, one.refused);
    }
}

}  // namespace
}  // namespace rdt::tb
