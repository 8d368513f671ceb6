// SPDX-License-Identifier: MIT
// The event engine has the registers of the clocked one, and hands them over at any cycle: what
// comes after is the same on every pin and in every register as without a change.
#include <gtest/gtest.h>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/mbp_load.h"

namespace rdt::tb {
namespace {

std::vector<Case> cases(uint64_t seed) {
    std::vector<Case> all{case_of(8, 0.3, 300),
                          case_of(8, 1.0, 300),
                          with_acks(case_of(8, 0.3, 300), 0.5, 0.5),
                          case_of(16, 0.6, 60),
                          with_acks(case_of(16, 0.3, 60), 0.1, 0.3),
                          with_acks(case_of(8, 0.6, 600), 0.1, 0.5)};
    all.back().config.t_ent = 20;
    all.back().config.t_ack = 40;
    for (const Type scheme : {TypeMcLpra, TypeMcLarp}) {
        all.push_back(with_acks(case_of(8, 0.4, 300), 0.5, 0.5));
        all.back().traffic.scheme = scheme;
    }
    for (Case& c : all) c.traffic.seed = seed++;
    return all;
}

TEST(events_switch, registers_match_in_every_cycle) {
    for (const Case& c : cases(seed_or(1))) {
        Subject fast(c.config, By::Cycles, c.traffic);
        Subject events(c.config, By::Events, c.traffic);
        EXPECT_EQ(run_together(fast, events, cycles_or(c.clocks), 1), "") << to_string(c);
    }
}

// Links that resynchronize have registers of their own.
TEST(events_switch, registers_match_during_link_recovery) {
    Case c = case_of(8, 0.5, 0);
    c.traffic.pattern = "hotspot";
    c.traffic.seed = seed_or(6);
    Subject fast(c.config, By::Cycles, c.traffic);
    Subject events(c.config, By::Events, c.traffic);
    uint64_t down = 0;
    for (uint64_t n = 0; n < 4500; ++n) {
        fast.clock();
        events.clock();
        const bool finds_back = events.machine->links_down() != 0;
        down += finds_back ? 1 : 0;
        if (!finds_back || down > cycles_or(150)) continue;
        ASSERT_EQ(register_difference(*fast.machine, *events.machine), "") << "after " << n;
    }
    EXPECT_GT(down, 50u);
}

// Every thing at a random cycle, to both machines; then they continue.
template <typename Kind>
void disturb_and_compare(Kind& fast, Kind& events, Irregular what, Dice& dice) {
    const uint64_t at = 1 + dice.below(500);
    for (uint64_t k = 0; k < at; ++k) {
        fast.clock();
        events.clock();
    }
    ASSERT_EQ(fast.happened, events.happened);
    const Dice place = dice;
    dice.bits(32);
    disturb(*fast.machine, what, place);
    disturb(*events.machine, what, place);
    EXPECT_EQ(run_together(fast, events, 1, 1), "") << "thing " << int(what) << " after " << at;
    // Packets from an MBP may still wait there.
    EXPECT_TRUE(events.machine->state(0) != nullptr || what >= Irregular::BadPacket) << int(what);
    EXPECT_EQ(run_together(fast, events, 120, 40), "") << "thing " << int(what) << " after " << at;
}

TEST(events_switch, machine_continues_by_cycles_at_any_cycle) {
    const uint64_t seed = seed_or(2);
    Dice dice(seed);
    for (uint64_t n = 0; n < cycles_or(8); ++n) {
        const Case c = cases(seed + n)[n % 3];
        Subject fast(c.config, By::Cycles, c.traffic);
        Subject events(c.config, By::Events, c.traffic);
        disturb_and_compare(fast, events, Irregular(n % uint32_t(Irregular::Setup)), dice);
        ASSERT_FALSE(HasFailure()) << "seed=" << seed << " " << to_string(c);
    }
}

// LPRA and LARP headers become SM headers as their copies leave, so a pass reads another type from
// the buffer than it sends.
TEST(events_switch, multicasts_of_every_scheme_are_handed_over_at_any_cycle) {
    const uint64_t seed = seed_or(4);
    Dice dice(seed);
    for (const Type scheme : {TypeMcSm, TypeMcLpra, TypeMcLarp})
        for (uint64_t n = 0; n < cycles_or(4); ++n) {
            Case c = case_of(8, 0.5, 0);
            c.traffic.multicasts = 1;
            c.traffic.density = 0.5;
            c.traffic.scheme = scheme;
            c.traffic.seed = seed + n;
            Subject fast(c.config, By::Cycles, c.traffic);
            Subject events(c.config, By::Events, c.traffic);
            disturb_and_compare(fast, events, Irregular::Flip, dice);
            ASSERT_FALSE(HasFailure()) << "scheme " << scheme << " " << to_string(c);
            EXPECT_GT(fast.delivered, 20u) << to_string(c);
        }
}

TEST(events_switch, mbps_continue_by_cycles_at_any_cycle) {
    const uint64_t seed = seed_or(3);
    Dice dice(seed);
    Config config;
    config.t_ent = 60;
    config.t_ack = 2000;
    for (uint64_t n = 0; n < cycles_or(16); ++n) {
        Mbps fast(config, By::Cycles, seed + n);
        Mbps events(config, By::Events, seed + n);
        disturb_and_compare(fast, events, Irregular(n % NumIrregular), dice);
        ASSERT_FALSE(HasFailure()) << "seed=" << seed << " of " << n;
    }
}

// The comparison detects differences.
TEST(events_switch, a_register_that_differs_is_found) {
    const Case c = with_acks(case_of(8, 0.5, 0), 0.3, 0.5);
    Subject events(c.config, By::Events, c.traffic);
    for (int n = 0; n < 300; ++n) events.clock();
    uint32_t tried = 0;
    dynamic_cast<const machine::EventMachine&>(*events.machine)
        .images([&](uint32_t, const fast::ChipImage& image) {
            for (uint32_t p = 0; p < NumPorts; ++p) {
                fast::ChipImage line = image;
                line.link[p].st ^= 1;
                fast::ChipImage output = image;
                output.out[p].owed[0] ^= 1;
                fast::ChipImage input = image;
                input.in[p].q.sel ^= 1;
                for (const fast::ChipImage* other : {&line, &output, &input}) {
                    EXPECT_NE(ChipValues(image).difference(ChipValues(*other)), "");
                    ++tried;
                }
            }
        });
    EXPECT_EQ(tried, 64u * NumPorts * 3);
}

}  // namespace
}  // namespace rdt::tb
