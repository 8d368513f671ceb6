// SPDX-License-Identifier: MIT
// Acknowledged multicasts and unicasts together cannot deadlock: the wait graph of buffers and ack
// entries has no cycle. It is made by the router's own functions for routes, bit maps, header
// changes and entry classes. Rules with an injected bug have a cycle.
#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <rdt/net/rdt/entry_graph.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt {
namespace {

constexpr Type Schemes[] = {TypeMcSm, TypeMcLpra, TypeMcLarp};

// A choice of bytes for every level, in all combinations.
std::vector<Maps> combinations(const Geometry& geometry, const std::vector<uint32_t>& bytes) {
    std::vector<Maps> all{0};
    for (uint32_t level = 0; level <= geometry.top_rank(); ++level) {
        std::vector<Maps> more;
        for (const Maps maps : all)
            for (const uint32_t byte : bytes) more.push_back(maps | map_byte(level, byte));
        all = std::move(more);
    }
    return all;
}

// No receiver, each receiver alone, both halves, all.
const std::vector<uint32_t> Sparse{0,    0xFF, 0x01, 0x02, 0x04, 0x08,
                                   0x10, 0x20, 0x40, 0x80, 0xF0, 0x0F};

void add_multicasts(EntryGraph& graph, const std::vector<Maps>& all) {
    for (const Maps maps : all)
        for (const Type type : Schemes) graph.add_multicast(maps, type);
}

void add_unicasts(EntryGraph& graph, const Geometry& geometry) {
    DependencyGraph unicasts(geometry);
    add_all_unicasts(unicasts, geometry);
    graph.add_all(unicasts);
}

void expect_acyclic(int side, const std::vector<Maps>& maps) {
    const Geometry geometry(side);
    EntryGraph graph(geometry);
    add_multicasts(graph, maps);
    add_unicasts(graph, geometry);
    const EntryGraph::Order order = graph.order();
    EXPECT_TRUE(order.acyclic) << side << ": " << fmt::format("{}", fmt::join(order.cycle, " -> "));
}

bool has_cycle(int side, const EntryRule& rule) {
    const Geometry geometry(side);
    EntryGraph graph(geometry, rule);
    add_multicasts(graph, combinations(geometry, Sparse));
    return !graph.order().acyclic;
}

EntryRule one_pool_of(EntryClass first, EntryClass second) {
    EntryRule rule;
    rule.shares[uint32_t(second)] = uint32_t(first);
    return rule;
}

TEST(entry_graph, has_no_cycle_with_sparse_maps_of_all_schemes_on_8_and_16) {
    for (const int side : {8, 16}) expect_acyclic(side, combinations(Geometry(side), Sparse));
}

TEST(entry_graph, has_no_cycle_with_every_pair_of_maps_on_8) {
    std::vector<uint32_t> bytes(256);
    for (uint32_t b = 0; b < bytes.size(); ++b) bytes[b] = b;
    expect_acyclic(8, combinations(Geometry(8), bytes));
}

TEST(entry_graph, has_no_cycle_with_sparse_maps_on_32_to_128) {
    for (const int side : {32, 64, 128}) expect_acyclic(side, combinations(Geometry(side), Sparse));
}

TEST(entry_graph, kinds_of_node_have_the_same_registers) {
    for (const int side : Geometry::sides) {
        const Geometry geometry(side);
        for (uint32_t node = 0; node < geometry.nodes(); ++node) {
            const Vec at = example_of(geometry.kind(node));
            const RouteConfig own = multicast_config(geometry, node);
            const RouteConfig of_kind = multicast_config(geometry, geometry.index(at.x, at.y));
            ASSERT_EQ(own.rank, of_kind.rank) << side << " " << node;
            ASSERT_EQ(own.xfer, of_kind.xfer) << side << " " << node;
            ASSERT_EQ(own.mask, of_kind.mask) << side << " " << node;
            ASSERT_EQ(own.ranks, of_kind.ranks) << side << " " << node;
            for (uint32_t port = 0; port < NumNetworkPorts; ++port) {
                const uint32_t next = geometry.neighbor(node, port);
                const uint32_t next_of_kind = geometry.neighbor(geometry.index(at.x, at.y), port);
                ASSERT_EQ(geometry.kind(next), geometry.kind(next_of_kind)) << side << " " << node;
            }
        }
    }
}

TEST(entry_graph, all_classes_occur_on_16) {
    const Geometry geometry(16);
    EntryGraph graph(geometry);
    add_multicasts(graph, combinations(geometry, Sparse));
    uint32_t all = 0;
    for (uint32_t kind = 0; kind < NumKinds; ++kind) all |= graph.classes(kind);
    EXPECT_EQ(all, (1u << NumEntryClasses) - 1);
}

TEST(entry_graph, has_a_cycle_when_all_classes_share_one_pool) {
    EntryRule rule;
    rule.shares.fill(0);
    EXPECT_TRUE(has_cycle(8, rule));
}

TEST(entry_graph, has_a_cycle_when_a_port_keeps_its_vc_until_it_is_answered) {
    EntryRule rule;
    rule.is_vc_sticky = true;
    EXPECT_TRUE(has_cycle(8, rule));
}

TEST(entry_graph, has_a_cycle_when_source_and_expand_share_entries) {
    EXPECT_TRUE(has_cycle(16, one_pool_of(EntryClass::Source, EntryClass::Expand)));
}

TEST(entry_graph, has_a_cycle_when_relay_and_descend_share_entries) {
    EXPECT_TRUE(has_cycle(8, one_pool_of(EntryClass::Relay, EntryClass::Descend)));
}

TEST(entry_graph, has_a_cycle_when_descend_and_base_relay_share_entries) {
    EXPECT_TRUE(has_cycle(8, one_pool_of(EntryClass::Descend, EntryClass::BaseRelay)));
}

TEST(entry_graph, has_a_cycle_when_base_relay_and_leaf_share_entries) {
    EXPECT_TRUE(has_cycle(8, one_pool_of(EntryClass::BaseRelay, EntryClass::Leaf)));
}

}  // namespace
}  // namespace rdt
