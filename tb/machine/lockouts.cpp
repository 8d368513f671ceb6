// SPDX-License-Identifier: MIT
// Nothing that stands in a register, and no packet that waits, stops a machine for good: MBP 0
// takes its own packet back and gets a SETUP packet answered; multicasts that wrong routing
// registers send astray are refused and reported, or dropped when they time out.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <memory>
#include <vector>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/random_registers.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {
namespace {

using tb::cycles_or;
using tb::Dice;
using tb::seed_or;

constexpr uint64_t AnswerWithin = 2'048;  // cycles

Flits read_register(uint32_t address) {
    Flits flits = flits_of(make_header({}, 0, TypeSetup, 3, 0, MaxHops));
    flits.push_back(make_flit(address));
    return flits;
}

// Packets of this type that MBP 0 of a node has received.
struct Heard {
    uint32_t answers = 0;
    uint32_t bad_maps = 0;
    void attach(Endpoint& mbp) {
        mbp.on_receive = [this](const Endpoint::Received& r) {
            const auto h0 = uint32_t(r.flits[0]);
            answers += get(h0, H0Type) == int(TypeSetup);
            bad_maps += get(h0, H0Type) == int(TypeErr) && (h0 & 15) == ErrBadMap;
        };
    }
};

// MBP 0 of node 0 has a packet for a link that is cut.
std::unique_ptr<Machine> stuck_machine(Endpoint*& mbp) {
    Config config;
    config.faults = true;
    std::unique_ptr<Machine> machine = machine_up(config);
    machine->cut(0, PortE0);
    const Geometry& g = machine->geometry();
    uint32_t destination = 1;
    while (g.walk(0, destination).hops[0].port != PortE0) ++destination;
    mbp = &machine->mbp(0, 0);
    for (int n = 0; n < 3; ++n) mbp->send(0, packet(g.make_header(0, destination), 0));
    run(*machine, 5'000);
    return machine;
}

TEST(lockouts, mbp_0_gets_a_setup_answered_after_a_recall) {
    Endpoint* mbp = nullptr;
    const std::unique_ptr<Machine> machine = stuck_machine(mbp);
    Heard heard;
    heard.attach(*mbp);
    mbp->send_first(read_register(RegId));
    run(*machine, 20'000);
    EXPECT_EQ(heard.answers, 0u) << "without a recall its packet waits for ever";
    mbp->recall();
    run(*machine, AnswerWithin);
    EXPECT_EQ(heard.answers, 1u);
}

TEST(lockouts, recall_without_a_packet_does_nothing) {
    Config config;
    const std::unique_ptr<Machine> machine = machine_up(config);
    Endpoint& mbp = machine->mbp(3, 0);
    Heard heard;
    heard.attach(mbp);
    for (int n = 0; n < 5; ++n) {
        mbp.recall();
        run(*machine, 100);
    }
    mbp.send(0, read_register(RegId));
    run(*machine, 200);
    EXPECT_EQ(heard.answers, 1u);
    EXPECT_TRUE(drains(*machine, 1'000));
}

TEST(lockouts, recall_in_any_cycle_keeps_credits_and_other_traffic) {
    Config config;
    config.event_driven = false;
    const std::unique_ptr<Machine> machine = machine_up(config);
    const Geometry& g = machine->geometry();
    Dice dice(seed_or(1));
    for (int n = 0; n < 3'000; ++n) {
        const uint32_t node = dice.below(machine->nodes());
        const uint32_t m = dice.bits(1);
        Endpoint& mbp = machine->mbp(node, m);
        if (dice.chance(30)) {
            mbp.recall();
        } else if (dice.chance(20)) {
            const Maps maps = map_byte(0, 1 + dice.below(255)) | map_byte(1, dice.bits(8));
            mbp.send(0, packet(multicast_header(maps, int(m), TypeMcSm, 5), 3));
        } else {
            mbp.send(
                0, packet(g.make_header(node, dice.below(machine->nodes()), int(m), TypeUni, 2 + 5),
                          5));
        }
        run(*machine, dice.below(8));
    }
    EXPECT_TRUE(drains(*machine, 10'000));
    for (uint32_t node = 0; node < machine->nodes(); ++node)
        for (uint32_t m = 0; m < 2; ++m) EXPECT_TRUE(machine->mbp(node, m).has_all_credits());
}

TEST(lockouts, multicasts_drain_with_one_wrong_bit_of_xfer) {
    Config config;
    config.side = 16;
    const std::unique_ptr<Machine> machine = machine_up(config);
    const Geometry& g = machine->geometry();
    const auto broadcasts = [&] {
        for (uint32_t node = 0; node < machine->nodes(); ++node)
            machine->mbp(node, 1).send(
                0, packet(multicast_header(full_maps(g), 1, TypeMcSm, 2 + 13), 13));
    };
    for (uint32_t bit = 0; bit < 4; ++bit) {
        const uint32_t node = 17 + bit;
        const uint32_t xfer = g.config(node).xfer;
        machine->mbp(node, 0).send(0, setup_packet({{RegXfer, xfer ^ 1u << bit}}));
        run(*machine, 100);
        broadcasts();
        EXPECT_TRUE(drains(*machine, 100'000)) << bit;
        machine->mbp(node, 0).send(0, setup_packet({{RegXfer, xfer}}));
        run(*machine, 100);
        broadcasts();
        EXPECT_TRUE(drains(*machine, 100'000)) << "put right again " << bit;
    }
}

TEST(lockouts, multicast_is_refused_and_reported_where_ranks_is_not_written) {
    Config config;
    const std::unique_ptr<Machine> machine = machine_up(config);
    Heard heard;
    heard.attach(machine->mbp(9, 0));
    machine->mbp(9, 0).send(0, setup_packet({{RegRanks, 0}}));  // as at reset
    machine->mbp(9, 0).send(
        0, packet(multicast_header(full_maps(machine->geometry()), 0, TypeMcSm, 2), 0));
    run(*machine, 200);
    EXPECT_EQ(heard.bad_maps, 1u);
    EXPECT_TRUE(drains(*machine, 1'000));
}

// A walk of transfer hops for a rank along a row, through the router's own step: whether it comes
// back to where it began, in the direction in which it began.
bool goes_round(const std::vector<RouteConfig>& row, uint32_t level) {
    const Header header = multicast_header(map_byte(level, 1), 0, TypeMcSm, 2);
    const auto side = uint32_t(row.size());
    uint32_t at = 0;
    uint32_t port = PortM0;
    for (uint32_t hop = 0; hop < 2 * side; ++hop) {
        const Bitmap map = bitmap(header, port, port == PortM0 ? 0 : VcVcT - 1, row[at]);
        if (map.bad || map.expl) return false;
        port = map.set == 1u << PortW0 ? PortE0 : PortW0;
        at = (at + (port == PortE0 ? side - 1 : 1)) % side;
    }
    return true;
}

// The one kind of registers with which a multicast without an ack makes hops without end.
TEST(lockouts, a_multicast_goes_round_a_row_only_if_no_rank_and_all_xfer_registers_let_it) {
    Dice dice(seed_or(1));
    uint32_t rounds = 0;
    for (int n = 0; n < 200'000; ++n) {
        std::vector<RouteConfig> row(dice.pick({4, 8}));
        const uint32_t level = dice.between(1, 4);
        const uint32_t xfer = dice.bits(4);
        const uint32_t rank = dice.bits(3);
        const bool is_wrong_once = dice.bits(1) != 0;
        for (RouteConfig& c : row) {
            const bool any = dice.chance(is_wrong_once ? 10 : 50);
            c = {any ? dice.bits(3) : rank, any ? dice.bits(4) : xfer, 0, 0,
                 dice.chance(98) ? 15 : dice.bits(4)};
        }
        bool can = true;
        for (const RouteConfig& c : row)
            can = can && c.rank != level && (c.ranks >> (level - 1) & 1) != 0 &&
                  (c.xfer >> (level - 1) & 1) == (row[0].xfer >> (level - 1) & 1);
        ASSERT_EQ(goes_round(row, level), can) << n;
        rounds += can ? 1 : 0;
    }
    EXPECT_GT(rounds, 1'000u);
}

TEST(lockouts, a_multicast_that_goes_round_a_row_ends_where_one_node_refuses_it) {
    Config config;
    const std::unique_ptr<Machine> machine = machine_up(config);
    constexpr uint32_t Rank2 = 2;  // bit of Ranks; no node of 8 x 8 is on rank 2
    for (uint32_t node = 0; node < 8; ++node)
        machine->mbp(node, 0).send(
            0,
            setup_packet({{RegRanks, multicast_config(machine->geometry(), node).ranks | Rank2}}));
    run(*machine, 100);
    Heard heard;
    heard.attach(machine->mbp(5, 0));
    machine->mbp(0, 1).send(0, packet(multicast_header(map_byte(2, 1), 0, TypeMcSm, 5), 3));
    EXPECT_FALSE(drains(*machine, 20'000));
    machine->mbp(5, 0).send(0, setup_packet({{RegRanks, 1}}));
    EXPECT_TRUE(drains(*machine, 200));
    EXPECT_EQ(heard.bad_maps, 1u);
}

TEST(lockouts, everything_drains_with_random_routing_registers) {
    drain_with_random_registers({}, cycles_or(20), seed_or(1));
}

TEST(lockouts, everything_drains_with_many_random_routing_registers) {
    drain_with_random_registers({}, cycles_or(1'000), seed_or(2));
}

}  // namespace
}  // namespace rdt::machine
