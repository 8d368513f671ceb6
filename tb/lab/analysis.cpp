// SPDX-License-Identifier: MIT
// Distances, cuts and loads against the paper's tables and against slower ways to get them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/broadcast_steps.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace {

using rdt::Geometry;
using rdt::make_network;
using rdt::make_routing;
using rdt::Network;
using rdt::NodeId;

// A network that keeps what it knows beforehand to itself.
class Silent : public Network {
public:
    explicit Silent(const std::string& name) : m_network(make_network(name)) {}
    std::string name() const override { return m_network->name(); }
    uint32_t nodes() const override { return m_network->nodes(); }
    uint32_t ports() const override { return m_network->ports(); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return m_network->neighbor(node, port);
    }
    uint32_t port_back(NodeId node, uint32_t port) const override {
        return m_network->port_back(node, port);
    }
    std::vector<std::string> routings() const override { return m_network->routings(); }
    std::unique_ptr<rdt::Routing> routing(const std::string& name) const override {
        return m_network->routing(name);
    }

private:
    const std::unique_ptr<Network> m_network;
};

// Two rings of four that know nothing of each other.
class TwoRings : public Silent {
public:
    TwoRings() : Silent("torus:4x2") {}
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return port >= 2 ? std::nullopt : Silent::neighbor(node, port);
    }
};

// The RDT of 64 x 64 nodes as Table III has it: where rank 4 does not fit, rank 1 is taken.
class Rdt64WithRank1ForRank4 : public Silent {
public:
    Rdt64WithRank1ForRank4() : Silent("rdt:64"), m_geometry(64) {}
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        if (port < 4 || !has_rank_4(node)) return Silent::neighbor(node, port);
        const rdt::Axes axes = rdt::axes_of(1);
        const rdt::Vec along = (port & 2) != 0 ? axes.y : axes.x;
        return m_geometry.shifted(node, (port & 1) != 0 ? -1 * along : along);
    }

private:
    // The assignment is the same on every size that has the rank.
    bool has_rank_4(NodeId node) const {
        return m_larger.rank(m_larger.index(m_geometry.x_of(node), m_geometry.y_of(node))) == 4;
    }
    const Geometry m_geometry;
    const Geometry m_larger{128};
};

std::pair<uint32_t, uint64_t> slow_distances(const Network& network) {
    uint32_t diameter = 0;
    uint64_t sum = 0;
    for (NodeId src = 0; src < network.nodes(); ++src) {
        std::vector<int> distance(network.nodes(), -1);
        std::vector<NodeId> queue{src};
        distance[src] = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const int here = distance[queue[i]];
            sum += uint64_t(here);
            diameter = std::max(diameter, uint32_t(here));
            for (uint32_t port = 0; port < network.ports(); ++port) {
                const auto to = network.neighbor(queue[i], port);
                if (!to || distance[*to] >= 0) continue;
                distance[*to] = here + 1;
                queue.push_back(*to);
            }
        }
    }
    return {diameter, sum};
}

uint64_t slow_bisection(const Network& network) {
    uint64_t best = ~uint64_t(0);
    const uint32_t nodes = network.nodes();
    for (uint32_t set = 0; set < 1u << nodes; ++set) {
        if (uint32_t(__builtin_popcount(set)) != nodes / 2) continue;
        std::vector<bool> half(nodes);
        for (NodeId node = 0; node < nodes; ++node) half[node] = (set >> node & 1) != 0;
        best = std::min(best, rdt::cut(network, half));
    }
    return best;
}

std::vector<bool> straight_halves(uint32_t side) {
    std::vector<bool> half(side * side);
    for (NodeId node = 0; node < side * side; ++node) half[node] = node % side >= side / 2;
    return half;
}

TEST(analysis, mean_distances_are_those_of_table_v) {
    EXPECT_NEAR(rdt::distances(*make_network("torus:64x64")).mean_distinct(), 32.0078, 5e-5);
    EXPECT_NEAR(rdt::distances(*make_network("torus:16x16x16")).mean_distinct(), 12.0029, 5e-5);
    EXPECT_NEAR(rdt::distances(*make_network("torus:8x8x8x8")).mean_distinct(), 8.0020, 5e-5);
    EXPECT_NEAR(rdt::distances(*make_network("hypercube:12")).mean_distinct(), 6.0015, 5e-5);
}

TEST(analysis, diameters_of_the_perfect_rdt_are_those_of_table_i) {
    const std::pair<const char*, uint32_t> rows[] = {
        {"prdt:32", 5}, {"prdt:64", 6}, {"prdt:128", 8}, {"prdt:256", 10}};
    for (const auto& [name, diameter] : rows)
        EXPECT_EQ(rdt::distances(*make_network(name)).diameter, diameter) << name;
}

TEST(analysis, distances_of_the_rdt_are_those_confirmed_independently) {
    const std::tuple<const char*, uint32_t, double> rows[] = {
        {"rdt:8", 3, 2.2812},  {"rdt:16", 6, 3.6162},   {"rdt:32", 7, 4.6470},
        {"rdt:64", 8, 5.4554}, {"rdt:128", 10, 6.6113}, {"rdt:256", 12, 7.8076}};
    for (const auto& [name, diameter, mean] : rows) {
        const rdt::Distances d = rdt::distances(*make_network(name));
        EXPECT_EQ(d.diameter, diameter) << name;
        EXPECT_NEAR(d.mean(), mean, 6e-5) << name;
    }
}

// 512 and more nodes take the search by bits, more than 100 levels the one by queue.
TEST(analysis, both_kinds_of_search_find_what_a_plain_one_finds) {
    for (const char* name :
         {"mesh:25x31", "mesh:3x300", "debruijn:2,10", "debruijn:3,6", "kautz:2,9", "crossed:10",
          "ccc:7", "rdt:32", "torus:513", "mesh:7x5"}) {
        const auto n = make_network(name);
        const auto [diameter, sum] = slow_distances(*n);
        for (unsigned threads : {1u, 3u}) {
            rdt::WorkOptions options;
            options.threads = threads;
            const rdt::Distances d = rdt::distances(*n, options, false);
            EXPECT_EQ(d.diameter, diameter) << name;
            EXPECT_EQ(d.sum, sum) << name;
        }
    }
}

TEST(analysis, representatives_stand_for_all_nodes) {
    int claimed = 0;
    for (const char* name :
         {"torus:8x9x10", "torus:5x4", "torus:2x6", "mesh:5x4", "hypercube:10", "hypercube:5",
          "star:4", "star:6", "ccc:3", "ccc:4", "ccc:7", "midimew:5x5", "midimew:31x20",
          "crossed:6", "debruijn:2,7", "kautz:2,7", "rdt:16", "prdt:16"}) {
        const auto n = make_network(name);
        claimed += n->representatives().empty() ? 0 : 1;
        const rdt::Distances quick = rdt::distances(*n);
        const rdt::Distances all = rdt::distances(*n, {}, false);
        EXPECT_EQ(quick.diameter, all.diameter) << name;
        EXPECT_EQ(quick.sum, all.sum) << name;
    }
    EXPECT_GT(claimed, 8);
}

TEST(analysis, a_network_in_two_parts_has_no_distances) {
    EXPECT_THROW(rdt::distances(TwoRings()), std::runtime_error);
    EXPECT_EQ(rdt::bisection(TwoRings()).links, 0u);
}

TEST(analysis, bisections_are_those_of_table_iii) {
    const std::pair<const char*, uint64_t> rows[] = {{"torus:64x64", 128},
                                                     {"torus:16x16x16", 512},
                                                     {"torus:8x8x8x8", 1024},
                                                     {"hypercube:12", 2048}};
    for (const auto& [name, links] : rows) {
        const rdt::Bisection b = rdt::bisection(*make_network(name));
        EXPECT_EQ(b.links, links) << name;
        EXPECT_TRUE(b.exact);
        // And the search for good cuts finds it without a hint.
        const rdt::Bisection found = rdt::bisection(Silent(name));
        EXPECT_EQ(found.links, links) << name;
        EXPECT_FALSE(found.exact);
    }
    const std::pair<const char*, uint64_t> large[] = {
        {"torus:2048x2048", 4096}, {"torus:128x128x128", 32768}, {"hypercube:22", 1u << 21}};
    for (const auto& [name, links] : large)
        EXPECT_EQ(make_network(name)->known_bisection(), links) << name;
}

// The paper adds up the cuts of the tori straight across: 2 * 28 * N links, and 2 * 13 * N on 64 x
// 64 nodes, where nodes that would have rank 4 have rank 1. Slanting cuts are better where the
// top rank has half of the nodes.
TEST(analysis, straight_cut_of_the_rdt_is_that_of_table_iii) {
    EXPECT_EQ(rdt::cut(Rdt64WithRank1ForRank4(), straight_halves(64)), 1664u);
    EXPECT_EQ(rdt::cut(*make_network("rdt:128"), straight_halves(128)), 2u * 28 * 128);
    EXPECT_EQ(rdt::cut(*make_network("rdt:256"), straight_halves(256)), 2u * 28 * 256);
    EXPECT_EQ(rdt::cut(*make_network("rdt:64"), straight_halves(64)), 2u * 20 * 64);
    EXPECT_LE(rdt::bisection(*make_network("rdt:64")).links, 1792u);
    EXPECT_LE(rdt::bisection(*make_network("rdt:128")).links, 2u * 28 * 128);
    EXPECT_LE(rdt::bisection(Rdt64WithRank1ForRank4()).links, 1664u);
}

TEST(analysis, formulas_for_bisections_are_proven_on_small_networks) {
    int formulas = 0;
    for (const char* name :
         {"torus:4x4",  "torus:4x6", "torus:6x3",   "torus:2x4",   "torus:2x2",
          "torus:8x3",  "torus:6",   "torus:4x2x2", "torus:4x4x2", "torus:6x5",
          "mesh:4x4",   "mesh:6x3",  "mesh:4x3",    "mesh:2x2",    "mesh:6x5",
          "mesh:4x3x2", "mesh:8",    "hypercube:1", "hypercube:4", "hypercube:5"}) {
        const rdt::Bisection proven = rdt::bisection(Silent(name));
        EXPECT_TRUE(proven.exact) << name;
        const auto known = make_network(name)->known_bisection();
        formulas += known ? 1 : 0;
        EXPECT_EQ(known.value_or(proven.links), proven.links) << name;
    }
    EXPECT_GE(formulas, 19);
}

TEST(analysis, proven_bisections_are_what_trying_all_halves_gives) {
    for (const char* name : {"torus:4x4", "torus:5x3", "mesh:3x5", "mesh:7", "debruijn:2,4",
                             "kautz:2,3", "star:3", "crossed:4", "midimew:3x5", "hypercube:4"}) {
        const rdt::Bisection b = rdt::bisection(Silent(name));
        EXPECT_TRUE(b.exact) << name;
        EXPECT_EQ(b.links, slow_bisection(Silent(name))) << name;
    }
}

TEST(analysis, link_loads_of_symmetric_networks_are_even) {
    const auto cube = make_network("hypercube:6");
    const rdt::LinkLoads loads = rdt::link_loads(*cube, *make_routing(*cube, ""));
    for (uint64_t packets : loads.packets) EXPECT_EQ(packets, 32u);
    EXPECT_DOUBLE_EQ(loads.saturation(64), 2);

    // Both ways around are used alike although many packets could take either.
    const auto torus = make_network("torus:8x8");
    const rdt::LinkLoads ring = rdt::link_loads(*torus, *make_routing(*torus, "dor"));
    for (uint64_t packets : ring.packets) EXPECT_EQ(packets, 64u);
    EXPECT_EQ(ring.hops, 64u * 64 * 4);
}

TEST(analysis, link_loads_add_up_to_all_hops) {
    for (const char* name : {"mesh:5x4", "star:4", "rdt:8", "debruijn:2,5"}) {
        const auto n = make_network(name);
        const rdt::LinkLoads loads = rdt::link_loads(*n, *make_routing(*n, ""));
        EXPECT_EQ(loads.hops, std::accumulate(loads.packets.begin(), loads.packets.end(), 0ull));
        EXPECT_GE(loads.hops, rdt::distances(*n).sum) << name;
        EXPECT_EQ(loads.max, *std::max_element(loads.packets.begin(), loads.packets.end()));
    }
    // The middle link of a row of four: 2 * 2 packets.
    const auto row = make_network("mesh:4");
    EXPECT_EQ(rdt::link_loads(*row, *make_routing(*row, "")).max, 4u);
}

// Table VI prints 10, 11, 12, 13 for the RDT, its text 3R + 2 = 11, 11, 14, 14 as a bound for tori
// that have no more than eight nodes at the top.
TEST(analysis, broadcast_reaches_every_node_in_the_steps_of_table_vi_up_to_4096_nodes) {
    const std::pair<int, uint32_t> rows[] = {{32, 10}, {64, 11}, {128, 14}, {256, 16}};
    for (const auto& [side, steps] : rows) {
        const rdt::BroadcastSteps b = rdt::broadcast_steps(Geometry(side));
        EXPECT_EQ(b.steps, steps) << side;
        EXPECT_EQ(b.reached, Geometry(side).nodes()) << side;
        EXPECT_GE(b.messages, b.reached - 1) << side;
    }
    const uint32_t tree[] = {8, 10, 12, 14};
    for (uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(rdt::tree_broadcast_steps(1024u << 2 * i, 4), tree[i]);
    const uint32_t cube[] = {10, 12, 14, 16};
    for (uint32_t d : cube)
        EXPECT_EQ(rdt::distances(*make_network("hypercube:" + std::to_string(d))).diameter, d);
}

}  // namespace
