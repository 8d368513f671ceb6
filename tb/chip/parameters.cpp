// SPDX-License-Identifier: MIT
// The chip with other parameters: one ack entry, seven of them, 25 in banks, links with registered
// pins. Two nodes whose eight network links lead to each other, each of them as RTL, as the SystemC
// design of blocks and in the fast engine: equal on every pin in every cycle of traffic, of
// disturbed pins and resets.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "Vrdt_router_banks.h"
#include "Vrdt_router_far.h"
#include "Vrdt_router_few.h"
#include "chip/chip_pair.h"
#include "common/run_options.h"
#include "common/shot_keeper.h"

namespace rdt::tb {
namespace {

// The difference found in this many cycles of traffic, or empty.
template <typename Rtl>
std::string difference(const ChipOptions& options, uint64_t cycles) {
    Models<Rtl> models(options);
    Surroundings around(seed_or(1));
    for (uint64_t now = 0; now < cycles; ++now) {
        if (now == 2) around.configure();
        if (now > 150) around.offer();
        const std::string found = models.clock(around.clock(models.pins(), false), now >= 2);
        if (!found.empty()) return found;
    }
    return {};
}

TEST(parameters, models_with_other_parameters_than_the_rtl_are_detected) {
    EXPECT_NE((difference<Vrdt_router_few>({OneLane, 2}, 5000)), "");
    EXPECT_NE((difference<Vrdt_router_far>({OneLane, 6, true}, 20000)), "");
    EXPECT_NE((difference<Vrdt_router_far>({OneLane, 7, false}, 5000)), "");
    EXPECT_NE((difference<Vrdt_router_banks>({OneLane, 19}, 5000)), "");
}

// Traffic for `cycles` cycles; of the second half pins are disturbed, and there are resets.
template <typename Rtl>
void run(const ChipOptions& options, const char* filter) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(100000);
    SCOPED_TRACE(rerun_line("chip_parameters", filter, seed, cycles));
    Models<Rtl> models(options);
    Surroundings around(seed);
    uint64_t reset_until = 2;
    uint64_t calm_received = 0;
    for (uint64_t now = 0; now < cycles; ++now) {
        const bool noisy = now > cycles / 2;
        const bool rst_n = now >= reset_until;
        if (now == reset_until) around.configure();
        if (noisy && around.random()() % 20000 == 0) reset_until = now + 3;
        if (now > 150) around.offer();
        const std::string found = models.clock(around.clock(models.pins(), noisy), rst_n);
        ASSERT_EQ(found, "") << "cycle " << now << " seed=" << seed;
        if (!noisy) {
            ASSERT_EQ(around.both_drive(), 0u) << "cycle " << now << " seed=" << seed;
            calm_received = around.received();
        }
    }
    EXPECT_GT(calm_received, cycles / 100);
    EXPECT_GT(around.received(), calm_received + cycles / 200);
    EXPECT_GT(around.flits(), cycles / 5);  // RETRY comes after two ticks: one entry is slow
}

TEST(parameters, one_ack_entry_in_lockstep) {
    run<Vrdt_router_few>({OneLane, 1}, "*one_ack_entry*");
}

TEST(parameters, banks_of_ack_entries_in_lockstep) {
    run<Vrdt_router_banks>({OneLane, 25}, "*banks*");
}

// A chip is shot down under load, hands over what it has, and gets it back, its entries too: what
// still comes for them is then a stray ack.
TEST(parameters, banks_are_dumped_and_put_back_in_lockstep) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(100000);
    SCOPED_TRACE(rerun_line("chip_parameters", "*dumped_and_put_back*", seed, cycles));
    Models<Vrdt_router_banks> models({OneLane, MaxEntries});
    Surroundings around(seed);
    std::vector<std::unique_ptr<ShotKeeper>> keepers;
    uint64_t entries = 0, in_banks = 0, dumps = 0;
    for (uint32_t n = 0; n < Nodes; ++n) {
        Endpoint& mbp = around.end(n, 0);
        keepers.push_back(std::make_unique<ShotKeeper>(mbp));
        mbp.on_receive = [&, n, on_receive = mbp.on_receive](const Endpoint::Received& r) {
            const bool is_entry =
                (r.flits[0] >> 14 & 7) == TypeShot && (r.flits[0] & 3) == WhatEntry;
            entries += is_entry;
            in_banks += is_entry && get(uint32_t(r.flits[0]), H0Shotbank) != 0;
            if (!keepers[n]->take(r.flits)) on_receive(r);
        };
    }
    enum class Step { Runs, Dumps, PutsBack };
    std::array<Step, Nodes> step{};
    std::array<uint64_t, Nodes> next{3000, 4000};
    for (uint64_t now = 0; now < cycles; ++now) {
        if (now == 2) around.configure();
        if (now > 150) around.offer();
        std::array<core::PinsIn, Nodes> in = around.clock(models.pins(), false);
        for (uint32_t n = 0; n < Nodes; ++n) {
            in[n].shoot = now == next[n];
            if (in[n].shoot) {
                step[n] = Step::Dumps;
                ++dumps;
            } else if (step[n] == Step::Dumps && keepers[n]->began() && keepers[n]->ended()) {
                step[n] = Step::PutsBack;
                keepers[n]->put_back(true);
            } else if (step[n] == Step::PutsBack && keepers[n]->settled()) {
                step[n] = Step::Runs;
                keepers[n]->run();
                next[n] = now + 500 + around.random()() % 3000;
            }
        }
        const std::string found = models.clock(in, now >= 2);
        ASSERT_EQ(found, "") << "cycle " << now << " seed=" << seed;
    }
    fmt::print("{} dumps, {} entries, {} of further banks\n", dumps, entries, in_banks);
    EXPECT_GT(dumps, cycles / 10000);
    EXPECT_GT(in_banks, dumps);
}

TEST(parameters, seven_ack_entries_and_registered_links_in_lockstep) {
    run<Vrdt_router_far>({OneLane, 7, true}, "*seven_ack_entries*");
}

// Flits on the link between E0 of node 0 and W0 of node 1.
struct LinkLog {
    uint32_t last_owner = 2;
    uint64_t idle = 0;  // cycles since the last flit
    uint32_t left = 0;  // flits of the packet
    uint64_t flits = 0;
    uint64_t same = ~0ull, turn = ~0ull;  // fewest cycles between packets, of one end and of both

    void clock(const core::LinkPinsOut& a, const core::LinkPinsOut& b) {
        if (!a.oe && !b.oe) {
            ++idle;
            return;
        }
        const uint32_t owner = a.oe ? 0 : 1;
        if (left == 0) {
            const uint32_t h0 = uint32_t(a.oe ? a.d : b.d);
            left = uint32_t(get(h0, H0Len)) + 1;
            if (last_owner != 2) {
                uint64_t& least = owner == last_owner ? same : turn;
                least = std::min(least, idle);
            }
            last_owner = owner;
        }
        idle = 0;
        --left;
        ++flits;
    }
};

struct Cost {
    LinkLog one_way, both_ways;
    uint64_t one_rate = 0, both_rate = 0;  // flits in 1,000 cycles
    uint64_t clocks = 0;                   // from H0 in to H0 out
};

Cost cost_of(const ChipOptions& options) {
    Cost cost;
    constexpr uint64_t Clocks = 6000;
    for (const bool both : {false, true}) {
        std::array<fast::Router, Nodes> chip{fast::Router(options), fast::Router(options)};
        Surroundings around(1);
        around.configure();
        LinkLog& log = both ? cost.both_ways : cost.one_way;
        uint64_t at_start = 0;
        for (uint64_t now = 0; now < Clocks + 1000; ++now) {
            if (now > 200)
                for (uint32_t n = 0; n < (both ? 2u : 1u); ++n)
                    for (uint32_t m = 0; m < 2; ++m) {
                        PacketSpec packet = leaving_by(n == 0 ? PortE0 : PortW0);
                        packet.body.assign(13, 1);
                        packet.mbp = m;
                        if (around.end(n, m).queued() < 3) around.end(n, m).send(0, encode(packet));
                    }
            if (now == 1000) at_start = log.flits;
            const std::array<ChipPins, Nodes> pins{machine::pins_of(chip[0]),
                                                   machine::pins_of(chip[1])};
            log.clock(pins[0].link[PortE0], pins[1].link[PortW0]);
            const auto& in = around.clock(pins, false);
            for (uint32_t n = 0; n < Nodes; ++n) chip[n].clock(in[n]);
        }
        (both ? cost.both_rate : cost.one_rate) = (log.flits - at_start) * 1000 / Clocks;
    }
    // Twice East: from the link of node 0 through node 1.
    std::array<fast::Router, Nodes> chip{fast::Router(options), fast::Router(options)};
    Surroundings around(1);
    around.configure();
    uint64_t came = 0;
    for (uint64_t now = 0; now < 1000 && cost.clocks == 0; ++now) {
        if (now == 200) {
            PacketSpec packet;
            packet.v[0].x = 2;
            around.end(0, 0).send(0, encode(packet));
        }
        const std::array<ChipPins, Nodes> pins{machine::pins_of(chip[0]),
                                               machine::pins_of(chip[1])};
        if (now > 200 && came == 0 && pins[0].link[PortE0].oe) came = now;
        if (now > 200 && pins[1].link[PortE0].oe) cost.clocks = now - came;
        const auto& in = around.clock(pins, false);
        for (uint32_t n = 0; n < Nodes; ++n) chip[n].clock(in[n]);
    }
    return cost;
}

TEST(parameters, registered_links_cost_two_cycles_per_hop_and_one_between_packets) {
    const Cost near = cost_of({});
    const Cost far = cost_of({OneLane, NumEntries, true});
    for (const Cost* c : {&near, &far})
        fmt::print(
            "{}: {} cycles from H0 in to H0 out; packets of 16 flits: {}.{} % of the cycles "
            "one way, {}.{} % both ways\n",
            c == &near ? "plain" : "registered", c->clocks, c->one_rate / 10, c->one_rate % 10,
            c->both_rate / 10, c->both_rate % 10);
    EXPECT_EQ(near.clocks, 6u);
    EXPECT_EQ(far.clocks, 8u);
    EXPECT_EQ(near.one_way.same, 0u);
    EXPECT_EQ(far.one_way.same, 1u);
    EXPECT_EQ(near.both_ways.turn, 1u);
    EXPECT_EQ(far.both_ways.turn, 2u);
    EXPECT_GE(near.one_rate, 990u);
    EXPECT_GE(far.one_rate, 930u);  // 16 of 17 cycles
    EXPECT_GE(near.both_rate, 930u);
    EXPECT_GE(far.both_rate, 880u);  // 16 of 18
}

}  // namespace
}  // namespace rdt::tb
