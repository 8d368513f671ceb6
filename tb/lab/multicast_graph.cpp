// SPDX-License-Identifier: MIT
// Deadlock freedom of unicasts and multicasts together, from the chip's own functions.
#include <gtest/gtest.h>

#include <algorithm>

#include <rdt/net/rdt/multicast.h>

namespace rdt {
namespace {

DependencyGraph::Order together(int side, bool without_vct = false) {
    const Geometry geometry(side);
    DependencyGraph graph(geometry);
    UnicastOptions options;
    options.without_vct = without_vct;
    add_all_unicasts(graph, geometry, options);
    add_all_multicasts(graph, geometry, without_vct);
    return graph.order();
}

TEST(multicast_graph, unicasts_and_multicasts_together_are_acyclic_on_8_to_128) {
    for (int side : {4, 8, 16, 32, 64, 128}) EXPECT_TRUE(together(side).acyclic) << side;
}

TEST(multicast_graph, cyclic_without_the_transfer_channel) {
    for (int side : {16, 32}) EXPECT_FALSE(together(side, true).acyclic) << side;
}

TEST(multicast_graph, a_relay_on_vc0_would_close_a_cycle) {
    // Step 2 of a level in the same channel as step 1: injected, must be found.
    const Geometry geometry(8);
    DependencyGraph graph(geometry);
    add_all_multicasts(graph, geometry);
    for (uint32_t node = 0; node < geometry.nodes(); ++node)
        for (uint32_t port = PortE1; port <= PortS1; ++port)
            graph.add(node, port * DependencyGraph::VcsPerPort,
                      (port ^ 1) * DependencyGraph::VcsPerPort);
    EXPECT_FALSE(graph.order().acyclic);
}

TEST(multicast_graph, top_map_is_masked_where_the_top_torus_is_small) {
    const std::pair<int, int> receivers[] = {{8, 8}, {16, 4}, {32, 2}, {64, 8}, {128, 4}, {256, 8}};
    for (const auto& [side, count] : receivers)
        EXPECT_EQ(8 - __builtin_popcount(top_map_mask(Geometry(side))), count) << side;
}

TEST(multicast_graph, full_maps_from_every_node_reach_all_nodes_once_on_8_to_64) {
    for (int side : {4, 8, 16, 32, 64}) {
        const Geometry geometry(side);
        for (uint32_t source = 0; source < geometry.nodes(); ++source) {
            const std::vector<uint32_t> count = receipts(geometry, source, full_maps(geometry));
            ASSERT_EQ(std::count(count.begin(), count.end(), 1u), geometry.nodes())
                << side << " from node " << source;
        }
    }
}

TEST(multicast_graph, roots_of_a_broadcast_reach_all_nodes_once_and_fewer_do_not) {
    for (int side : Geometry::sides) {
        const Geometry geometry(side);
        const std::vector<uint32_t> roots = broadcast_roots(geometry, geometry.index(3, 5));
        EXPECT_EQ(roots.size(), side == 256 ? 2u : 1u) << side;
        std::vector<uint32_t> total(geometry.nodes(), 0);
        for (uint32_t root : roots) {
            EXPECT_FALSE(
                std::all_of(total.begin(), total.end(), [](uint32_t n) { return n == 1; }));
            const std::vector<uint32_t> count = receipts(geometry, root, full_maps(geometry));
            for (uint32_t node = 0; node < geometry.nodes(); ++node) total[node] += count[node];
        }
        EXPECT_EQ(std::count(total.begin(), total.end(), 1u), geometry.nodes()) << side;
    }
}

}  // namespace
}  // namespace rdt
