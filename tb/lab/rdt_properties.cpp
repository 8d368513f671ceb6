// SPDX-License-Identifier: MIT
// What the RDT can do, executed: the hypercube, broadcasts, faults in the simulator, territories.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/rdt_hypercube.h>
#include "common/mc_territory.h"
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/multicast.h>
#include <rdt/net/rdt/rdt_faults.h>

namespace {

using rdt::make_network;
using rdt::NodeId;
using rdt::RdtNetwork;
using rdt::algo::run_algorithm;

// Followed here hop by hop: links that exist, none twice in a step, every value at the neighbor
// across the dimension.
TEST(rdt_properties, a_hypercubes_exchange_has_no_conflict_and_keeps_the_papers_steps) {
    const std::pair<const char*, uint32_t> bounds[] = {
        {"rdt:16", 6}, {"rdt:32", 8}, {"prdt:16", 2}, {"prdt:64", 2}};
    for (const auto& [name, bound] : bounds) {
        const auto network = make_network(name);
        const rdt::algo::ExchangePlanner planner(*network);
        for (uint32_t d = 0; 1u << d < network->nodes(); ++d) {
            const rdt::algo::ExchangePlan plan = planner.plan(d);
            EXPECT_LE(plan.steps, bound) << name << " dimension " << d;
            std::set<std::tuple<uint32_t, NodeId, uint32_t>> used;
            for (NodeId node = 0; node < network->nodes(); ++node) {
                NodeId at = node;
                int last = -1;
                for (const rdt::algo::Hop& hop : plan.ways[node]) {
                    EXPECT_EQ(hop.from, at);
                    EXPECT_GT(int(hop.step), last);
                    EXPECT_LT(hop.step, plan.steps);
                    EXPECT_TRUE(used.insert({hop.step, at, hop.port}).second) << name;
                    last = int(hop.step);
                    at = *network->neighbor(at, hop.port);
                }
                ASSERT_EQ(at, node ^ 1u << d) << name << " dimension " << d;
            }
        }
    }
}

TEST(rdt_properties, a_sum_over_the_hypercube_is_right_at_every_node) {
    const auto o = run_algorithm("rdt:32", "hypercube", {"seed=7"});
    EXPECT_TRUE(o.correct);
    EXPECT_EQ(o.bound, 8u);
    EXPECT_LE(o.steps, 8u);
    EXPECT_THROW(run_algorithm("rdt:36,3,2,2", "hypercube"), rdt::NetworkError);
}

TEST(rdt_properties, a_broadcast_on_the_perfect_rdt_takes_two_steps_a_rank) {
    const std::tuple<const char*, uint64_t, uint64_t> known[] = {
        {"prdt:8", 4, 63},         {"prdt:16", 6, 255},         {"prdt:32", 8, 1023},
        {"prdt:64", 8, 4095},      {"prdt:128", 10, 16383},     {"prdt:256", 12, 65535},
        {"rdt:64,2,3,3", 8, 4095}, {"rdt:256,2,5,5", 12, 65535}};
    for (const auto& [name, steps, messages] : known) {
        const auto o = run_algorithm(name, "broadcast");
        EXPECT_TRUE(o.correct) << name;
        EXPECT_EQ(o.steps, steps) << name;
        // To every node but the source once.
        EXPECT_EQ(o.counts[0].second, messages) << name;
    }
    EXPECT_TRUE(run_algorithm("prdt:16", "broadcast", {"from=100"}).correct);
    EXPECT_THROW(run_algorithm("rdt:36,3,2,2", "broadcast"), rdt::NetworkError);
}

TEST(rdt_properties, table_6s_tree_and_hypercube_take_their_steps_when_executed) {
    for (uint32_t i = 0; i < 4; ++i) {
        EXPECT_EQ(run_algorithm("tree:4," + std::to_string(4 + i), "broadcast").steps, 8 + 2 * i);
        EXPECT_EQ(run_algorithm("hypercube:" + std::to_string(10 + 2 * i), "broadcast").steps,
                  10 + 2 * i);
    }
}

TEST(rdt_properties, closed_partitions_and_hypercube_ways_have_no_cycle_of_channels) {
    for (int side : {8, 16})
        for (const char* name : {"closed", "hypercube", "floating-negative-hop"}) {
            const RdtNetwork rdt(side);
            const auto routing = rdt.routing(name);
            EXPECT_TRUE(rdt::check_routing(rdt, *routing).deadlock_free) << side << " " << name;
        }
}

TEST(rdt_properties, closed_partitions_do_not_deadlock_under_a_load_that_they_cannot_carry) {
    const RdtNetwork rdt(16);
    rdt::lab::Options o;
    o.load = 0.6;
    o.cycles = 6000;
    const rdt::lab::SimulationResult r = rdt::lab::simulate(rdt, *rdt.routing("closed"), o);
    EXPECT_TRUE(r.deadlock.empty());
    EXPECT_TRUE(r.saturated);
    EXPECT_GT(r.accepted, 0.3);
}

TEST(rdt_properties, packets_bypass_faults_in_the_simulator_and_dead_nodes_are_left_alone) {
    const RdtNetwork rdt(16);
    const rdt::Faults faults = rdt::parse_faults(rdt, {"3,4", "5,5-6,5", "200"});
    EXPECT_EQ(faults.nodes, (std::set<NodeId>{3 + 16 * 4, 200}));
    for (const char* traffic : {"uniform", "hotspot:0.5", "transpose", "neighbor"}) {
        const auto routing = rdt::make_routing_around(rdt, "", faults);
        rdt::lab::Options o;
        o.traffic = traffic;
        o.load = 0.05;
        o.cycles = 2000;
        o.warmup = 100;
        o.drain = true;
        o.down.assign(faults.nodes.begin(), faults.nodes.end());
        std::vector<rdt::lab::Delivery> log;
        const rdt::lab::SimulationResult r = rdt::lab::simulate(rdt, *routing, o, &log);
        EXPECT_TRUE(r.drained && r.deadlock.empty()) << traffic;
        EXPECT_GT(log.size(), 500u) << traffic;
        for (const rdt::lab::Delivery& d : log) {
            EXPECT_EQ(faults.nodes.count(d.source) + faults.nodes.count(d.destination), 0u);
            for (NodeId node : rdt::path(rdt, *routing, d.source, d.destination))
                EXPECT_EQ(faults.nodes.count(node), 0u) << traffic;
        }
    }
}

// All single faults of the smallest one, where a link may be double.
TEST(rdt_properties, every_node_and_every_link_of_8x8_may_fail_alone) {
    const RdtNetwork rdt(8);
    for (NodeId node = 0; node < rdt.nodes(); ++node) {
        EXPECT_NO_THROW(
            rdt::make_routing_around(rdt, "", rdt::parse_faults(rdt, {std::to_string(node)}))
                ->vcs());
        for (uint32_t port = 0; port < rdt.ports(); ++port) {
            const std::string link = rdt.label(node) + "-" + rdt.label(*rdt.neighbor(node, port));
            EXPECT_NO_THROW(
                rdt::make_routing_around(rdt, "", rdt::parse_faults(rdt, {link}))->vcs())
                << link;
        }
    }
}

TEST(rdt_properties, unreachable_node_is_named_and_wrong_faults_are_refused) {
    const RdtNetwork rdt(8);
    std::vector<std::string> all_around;
    for (uint32_t port = 0; port < rdt.ports(); ++port)
        all_around.push_back("0,0-" + rdt.label(*rdt.neighbor(0, port)));
    const auto alone = rdt::make_routing_around(rdt, "", rdt::parse_faults(rdt, all_around));
    EXPECT_THROW(alone->vcs(), rdt::NetworkError);
    EXPECT_THROW(rdt::parse_faults(rdt, {"0,0-5,1"}), rdt::NetworkError);
    EXPECT_THROW(rdt::parse_faults(rdt, {"9,9"}), rdt::NetworkError);
    EXPECT_THROW(rdt::make_routing_around(rdt, "closed", {}), rdt::NetworkError);
}

// Figure 14, against receivers found by coordinates alone.
TEST(rdt_properties, a_territory_is_what_the_bit_maps_of_its_level_name) {
    const rdt::Geometry g(64);
    const rdt::tb::Territory territory(64, 3, rdt::top_map_mask(g));
    for (NodeId source : {g.index(32, 32), g.index(1, 0), g.index(63, 6)}) {
        size_t nodes = 8;
        for (uint32_t level = 0; level < 3; ++level, nodes *= 8) {
            rdt::tb::McSpec mc;
            mc.map = {};
            for (uint32_t l = 0; l <= level; ++l) mc.map[l] = 0xff;
            const auto expected = territory.receivers({g.x_of(source), g.y_of(source)}, mc);
            EXPECT_EQ(expected.size(), nodes);
            const auto count = rdt::receipts(g, source, rdt::maps_below(level + 1));
            for (NodeId node = 0; node < g.nodes(); ++node) {
                const auto it = expected.find({g.x_of(node), g.y_of(node)});
                ASSERT_EQ(int(count[node]), it == expected.end() ? 0 : it->second);
            }
        }
    }
}

}  // namespace
