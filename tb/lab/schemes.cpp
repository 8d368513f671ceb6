// SPDX-License-Identifier: MIT
// SM, LPRA and LARP: the receivers, compared with the rule of each over branches.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include <rdt/net/rdt/multicast_schemes.h>
#include <rdt/support/random.h>

namespace {

using rdt::DirectoryEntry;
using rdt::Geometry;
using rdt::Maps;
using rdt::MapTable;

std::set<uint32_t> receivers(const rdt::MulticastReach& reach) {
    std::set<uint32_t> result;
    for (uint32_t node = 0; node < reach.receipts.size(); ++node)
        if (reach.receipts[node] > 0) result.insert(node);
    return result;
}

// The nodes an entry names, without a packet: the byte of each level has to hold the node's bit,
// except where the scheme sends to all nodes.
std::set<uint32_t> named(const Geometry& g, const MapTable& table, uint32_t source,
                         const DirectoryEntry& e) {
    std::set<uint32_t> result;
    for (uint32_t node = 0; node < g.nodes(); ++node) {
        const Maps maps = table.maps(source, node, e.level);
        if (maps == 0) continue;
        const auto byte = [](Maps m, uint32_t level) { return uint32_t(m >> 8 * level & 0xFF); };
        bool reached = (byte(maps, e.level) & byte(e.maps, e.level)) != 0;
        bool local = byte(maps, e.level) == 1;
        for (uint32_t level = e.level; reached && level-- > 0;) {
            const bool everybody = e.type == rdt::TypeMcLpra   ? !local
                                   : e.type == rdt::TypeMcLarp ? local
                                                               : false;
            if (!everybody) reached = (byte(maps, level) & byte(e.maps, level)) != 0;
            if (e.type == rdt::TypeMcLpra) local = local && byte(maps, level) == 1;
        }
        if (reached) result.insert(node);
    }
    return result;
}

TEST(schemes, maps_reach_exactly_the_nodes_of_their_rule_and_every_receiver_once) {
    for (const int side : {8, 16, 32}) {
        const Geometry g(side);
        const MapTable table(g);
        rdt::Random random{uint64_t(side)};
        for (const rdt::Type type : {rdt::TypeMcSm, rdt::TypeMcLpra, rdt::TypeMcLarp})
            for (int i = 0; i < 60; ++i) {
                const uint32_t source = random.below(g.nodes());
                std::set<uint32_t> wanted;
                for (uint32_t k = 0; k <= random.below(6); ++k)
                    wanted.insert(random.below(g.nodes()));
                const DirectoryEntry e =
                    rdt::entry_of(table, type, source, {wanted.begin(), wanted.end()});
                const rdt::MulticastReach reach = rdt::follow(g, source, e);
                EXPECT_EQ(receivers(reach), named(g, table, source, e)) << side << " " << int(type);
                EXPECT_LE(*std::max_element(reach.receipts.begin(), reach.receipts.end()), 1u);
                for (const uint32_t node : wanted) EXPECT_EQ(reach.receipts[node], 1u);
            }
    }
}

TEST(schemes, one_receiver_by_sm_is_reached_alone) {
    const Geometry g(32);
    const MapTable table(g);
    for (uint32_t node = 0; node < g.nodes(); node += 37)
        EXPECT_EQ(receivers(rdt::follow(g, 5, rdt::entry_of(table, rdt::TypeMcSm, 5, {node}))),
                  std::set<uint32_t>{node});
}

TEST(schemes, single_maps_are_what_the_directory_of_the_memory_has) {
    const Geometry g(16);
    const MapTable table(g);
    const DirectoryEntry e = rdt::entry_of(table, rdt::TypeMcSm, 3, {7, 99, 200});
    const rdt::MulticastTree tree = rdt::multicast_tree(g, 3, e.maps);
    EXPECT_EQ(tree.receipts, rdt::follow(g, 3, e).receipts);
    EXPECT_EQ(tree.hops.size(), rdt::follow(g, 3, e).hops);
}

TEST(schemes, an_entry_without_receivers_is_refused) {
    const Geometry g(8);
    const MapTable table(g);
    EXPECT_THROW(rdt::entry_of(table, rdt::TypeMcSm, 0, {}), std::invalid_argument);
    EXPECT_THROW(rdt::entry_of(table, rdt::TypeUni, 0, {1}), std::invalid_argument);
}

TEST(schemes, pruning_leaves_exactly_the_sharers_and_without_entries_changes_nothing) {
    for (const int side : {8, 16}) {
        const Geometry g(side);
        const MapTable table(g);
        rdt::Random random{uint64_t(side)};
        for (const rdt::Type type : {rdt::TypeMcSm, rdt::TypeMcLpra, rdt::TypeMcLarp}) {
            rdt::PruningCaches large(g.nodes(), 1000), none(g.nodes(), 0);
            for (uint64_t line = 0; line < 20; ++line) {
                const uint32_t home = random.below(g.nodes());
                std::set<uint32_t> sharers;
                while (sharers.size() < 4) sharers.insert(random.below(g.nodes()));
                std::vector<bool> is_sharer(g.nodes(), false);
                for (const uint32_t sharer : sharers) is_sharer[sharer] = true;
                const DirectoryEntry entry =
                    entry_of(table, type, home, {sharers.begin(), sharers.end()});
                const rdt::MulticastReach plain = follow(g, home, entry);
                const auto first = follow(g, home, entry, line, is_sharer, large);
                EXPECT_EQ(first.receipts, plain.receipts);
                EXPECT_EQ(first.hops, plain.hops);
                const auto second = follow(g, home, entry, line, is_sharer, large);
                EXPECT_EQ(receivers(second), sharers);
                EXPECT_LE(second.hops, plain.hops);
                for (int i = 0; i < 2; ++i)
                    EXPECT_EQ(follow(g, home, entry, line, is_sharer, none).receipts,
                              plain.receipts);
            }
        }
    }
}

}  // namespace
