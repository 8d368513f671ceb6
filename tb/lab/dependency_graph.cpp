// SPDX-License-Identifier: MIT
// Freedom from deadlock, and that the check would notice its absence.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <rdt/net/rdt/dependency_graph.h>

namespace {

using rdt::Channel;
using rdt::DependencyGraph;
using rdt::Geometry;
using rdt::RouteConfig;

constexpr uint32_t lane(uint32_t port, uint32_t vc) { return port * 3 + vc; }

bool is_closed_chain(const DependencyGraph& graph, const std::vector<Channel>& cycle) {
    for (size_t i = 0; i < cycle.size(); ++i)
        if (!graph.depends(cycle[i], cycle[(i + 1) % cycle.size()])) return false;
    return !cycle.empty();
}

void expect_acyclic(int side) {
    const Geometry g(side);
    DependencyGraph graph(g);
    const rdt::UnicastStats stats = rdt::add_all_unicasts(graph, g);
    const uint64_t n = g.nodes();
    EXPECT_EQ(stats.pairs, n * n);
    EXPECT_EQ(graph.channels(), 18 * n);
    EXPECT_GT(graph.dependencies(), 2 * n);
    EXPECT_TRUE(graph.order().acyclic) << "side " << side;
    EXPECT_TRUE(graph.order().cycle.empty());
    EXPECT_LE(stats.max_hops, rdt::MaxHops);
}

void expect_cyclic(const Geometry& g, const rdt::UnicastOptions& options) {
    DependencyGraph graph(g);
    rdt::add_all_unicasts(graph, g, options);
    const DependencyGraph::Order order = graph.order();
    EXPECT_FALSE(order.acyclic) << "side " << g.side();
    EXPECT_TRUE(is_closed_chain(graph, order.cycle)) << "side " << g.side();
}

TEST(dependency_graph, acyclic_on_8_16_32) {
    for (int side : {4, 8, 16, 32}) expect_acyclic(side);
}

TEST(dependency_graph, acyclic_on_64) { expect_acyclic(64); }

TEST(dependency_graph, acyclic_on_128) { expect_acyclic(128); }

TEST(dependency_graph, cyclic_without_transfer_channel_from_16_on) {
    rdt::UnicastOptions options;
    options.without_vct = true;
    for (int side : {16, 32, 64}) expect_cyclic(Geometry(side), options);
}

TEST(dependency_graph, the_64_node_machine_has_one_rank_and_needs_no_transfer_channel) {
    const Geometry g(8);
    DependencyGraph graph(g);
    rdt::UnicastOptions options;
    options.without_vct = true;
    rdt::add_all_unicasts(graph, g, options);
    EXPECT_TRUE(graph.order().acyclic);
}

TEST(dependency_graph, cyclic_without_datelines) {
    for (int side : {4, 8, 16, 32}) {
        const Geometry g(side);
        std::vector<RouteConfig> configs = g.configs();
        for (RouteConfig& c : configs) c.dateline = 0;
        rdt::UnicastOptions options;
        options.configs = &configs;
        expect_cyclic(g, options);
    }
}

TEST(dependency_graph, one_missing_dateline_is_enough_for_a_cycle) {
    const Geometry g(16);
    std::vector<RouteConfig> configs = g.configs();
    configs[g.index(15, 5)].dateline &= ~(1u << rdt::PortE0);
    rdt::UnicastOptions options;
    options.configs = &configs;
    expect_cyclic(g, options);
}

// Each pair followed on its own, without the tables that make the large sizes possible.
TEST(dependency_graph, has_exactly_the_dependencies_of_all_walks) {
    const Geometry g(16);
    DependencyGraph graph(g);
    const rdt::UnicastStats stats = rdt::add_all_unicasts(graph, g);
    std::set<std::pair<std::vector<uint32_t>, std::vector<uint32_t>>> pairs;
    uint64_t hops = 0;
    for (uint32_t src = 0; src < g.nodes(); ++src)
        for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
            const std::vector<rdt::Hop> way = g.walk(src, dst).hops;
            hops += way.size();
            for (size_t i = 1; i < way.size(); ++i) {
                const rdt::Hop &a = way[i - 1], &b = way[i];
                EXPECT_TRUE(graph.depends({a.node, a.port, a.vc}, {b.node, b.port, b.vc}));
                pairs.insert({{a.node, a.port, a.vc}, {b.node, b.port, b.vc}});
            }
        }
    EXPECT_EQ(graph.dependencies(), pairs.size());
    EXPECT_EQ(stats.hops, hops);
}

TEST(dependency_graph, does_not_depend_on_the_number_of_threads) {
    const Geometry g(16);
    DependencyGraph alone(g), many(g);
    rdt::UnicastOptions options;
    options.threads = 1;
    const uint64_t hops = rdt::add_all_unicasts(alone, g, options).hops;
    options.threads = 5;
    EXPECT_EQ(rdt::add_all_unicasts(many, g, options).hops, hops);
    EXPECT_EQ(many.dependencies(), alone.dependencies());
    many.add_all(alone);
    EXPECT_EQ(many.dependencies(), alone.dependencies());
}

TEST(dependency_graph, finds_an_injected_cycle_and_the_length_of_a_chain) {
    const Geometry g(8);
    DependencyGraph graph(g);
    // Three channels East along row 2, then back: one after the other in VC 0.
    for (int x : {1, 2}) graph.add(g.index(x, 2), lane(rdt::PortW0, 0), lane(rdt::PortE0, 0));
    graph.add(g.index(3, 2), lane(rdt::PortW0, 0), DependencyGraph::Mbp);
    EXPECT_EQ(graph.dependencies(), 2u);
    EXPECT_EQ(graph.used(), 3u);
    EXPECT_TRUE(graph.order().acyclic);
    EXPECT_EQ(graph.order().longest_chain, 3);

    for (int x : {3, 4, 5, 6, 7, 0})
        graph.add(g.index(x, 2), lane(rdt::PortW0, 0), lane(rdt::PortE0, 0));
    // A side branch behind the cycle must not be taken for a part of it.
    graph.add(g.index(4, 2), lane(rdt::PortW0, 0), lane(rdt::PortN0, 1));
    graph.add(g.index(4, 3), lane(rdt::PortS0, 1), lane(rdt::PortN0, 1));
    const DependencyGraph::Order order = graph.order();
    EXPECT_FALSE(order.acyclic);
    EXPECT_EQ(order.cycle.size(), 8u);
    EXPECT_TRUE(is_closed_chain(graph, order.cycle));

    std::vector<Channel> broken = order.cycle;
    broken[3].vc = 1;
    EXPECT_FALSE(is_closed_chain(graph, broken));
    broken = order.cycle;
    broken.pop_back();
    EXPECT_FALSE(is_closed_chain(graph, broken));
    EXPECT_FALSE(is_closed_chain(graph, {}));
}

TEST(dependency_graph, a_routing_mistake_is_reported_with_its_pair) {
    const Geometry g(16);
    std::vector<RouteConfig> configs = g.configs();
    // This node now returns to its Western neighbor what that one sends East to rank 1.
    configs[g.index(15, 0)].xfer |= 1;
    rdt::UnicastOptions options;
    options.configs = &configs;
    DependencyGraph graph(g);
    try {
        rdt::add_all_unicasts(graph, g, options);
        FAIL() << "not noticed";
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("HopLimit"), std::string::npos) << e.what();
    }
}

TEST(dependency_graph, names_a_channel_by_place_port_and_vc) {
    const Geometry g(8);
    EXPECT_EQ(rdt::to_string(Channel{g.index(3, 4), rdt::PortW0, 2}, g), "3,4 W0 VC-T");
    EXPECT_EQ(rdt::to_string(Channel{g.index(0, 7), rdt::PortN1, 1}, g), "0,7 N1 VC1");
}

}  // namespace
