// SPDX-License-Identifier: MIT
// Parts of the shared memory alone: directory maps, messages, the checker.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/mc_territory.h"
#include "common/dice.h"
#include <rdt/dsm/checker.h>
#include <rdt/dsm/directory.h>
#include <rdt/dsm/message.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

using dsm::Checker;
using dsm::Kind;

Territory::Node place_of(const Geometry& g, uint32_t node) { return {g.x_of(node), g.y_of(node)}; }

McSpec spec_of(Maps maps) {
    McSpec mc;
    for (uint32_t level = 0; level < 5; ++level) mc.map[level] = map_of(maps, level);
    return mc;
}

TEST(dsm_parts, the_maps_of_one_receiver_name_it_alone) {
    for (const int side : {8, 16, 32}) {
        const Geometry g(side);
        const MapTable table(g);
        const Territory territory(side, int(g.top_rank()), top_map_mask(g));
        for (uint32_t source = 0; source < g.nodes(); source += side == 32 ? 67 : 3)
            for (uint32_t level = 0; level <= g.top_rank(); ++level) {
                uint32_t reached = 0;
                for (uint32_t receiver = 0; receiver < g.nodes(); ++receiver) {
                    const Maps maps = table.maps(source, receiver, level);
                    if (maps == 0) continue;
                    ++reached;
                    const std::map<Territory::Node, int> alone{{place_of(g, receiver), 1}};
                    ASSERT_EQ(territory.receivers(place_of(g, source), spec_of(maps)), alone)
                        << source << " to " << receiver << " on " << side;
                }
                EXPECT_EQ(reached, level == g.top_rank() ? g.nodes() : 8u << 3 * level);
            }
    }
}

TEST(dsm_parts, a_directory_names_all_sharers_once_and_stays_near_them) {
    for (const int side : {8, 16, 32}) {
        const Geometry g(side);
        const MapTable table(g);
        const Territory territory(side, int(g.top_rank()), top_map_mask(g));
        Dice random(1);
        for (int round = 0; round < 200; ++round) {
            const uint32_t home = random.below(g.nodes());
            const bool is_near = random.chance(50);
            dsm::Directory directory;
            EXPECT_EQ(directory.maps(), 0u);
            std::set<Territory::Node> sharers;
            for (uint32_t n = random.between(1, 12); n > 0; --n) {
                const uint32_t sharer =
                    is_near ? g.neighbour(home, random.below(4)) : random.below(g.nodes());
                directory.add(table, home, sharer);
                sharers.insert(place_of(g, sharer));
            }
            const auto reached = territory.receivers(place_of(g, home), spec_of(directory.maps()));
            for (const auto& [node, times] : reached) EXPECT_EQ(times, 1);
            for (const Territory::Node& sharer : sharers) EXPECT_EQ(reached.count(sharer), 1u);
            if (is_near) {
                EXPECT_EQ(reached.size(), sharers.size()) << "the four neighbours are level 0";
            }
        }
    }
}

// What a packet of each scheme reaches, followed through the chip's bit maps.
TEST(dsm_parts, a_directory_of_every_scheme_is_the_entry_of_its_sharers) {
    const Geometry g(16);
    const MapTable table(g);
    Dice random(2);
    for (const Type scheme : {TypeMcSm, TypeMcLpra, TypeMcLarp})
        for (int round = 0; round < 100; ++round) {
            const uint32_t home = random.below(g.nodes());
            dsm::Directory directory;
            std::vector<uint32_t> sharers;
            for (uint32_t n = random.between(1, 6); n > 0; --n) {
                sharers.push_back(random.below(g.nodes()));
                directory.add(table, home, sharers.back(), scheme);
            }
            const DirectoryEntry entry = entry_of(table, scheme, home, sharers);
            EXPECT_EQ(directory.maps(), entry.maps);
            const MulticastReach reach = follow(g, home, entry);
            for (const uint32_t sharer : sharers) EXPECT_EQ(reach.receipts[sharer], 1u);
            const auto reached =
                g.nodes() - uint32_t(std::count(reach.receipts.begin(), reach.receipts.end(), 0));
            EXPECT_EQ(machine::receivers_of(g, scheme, entry.maps), reached);
        }
}

TEST(dsm_parts, a_machine_that_needs_two_roots_has_no_maps) {
    const Geometry g(256);
    EXPECT_THROW(MapTable{g}, std::invalid_argument);
}

TEST(dsm_parts, messages_come_out_as_they_went_in) {
    const dsm::Message m{Kind::WriteBack,  dsm::MaxNodes - 1, dsm::MaxLines - 1,
                         (1ull << 34) - 2, (1ull << 34) - 1,  0xFEDCBA9876543210};
    const dsm::Message back = dsm::decode(dsm::encode(m));
    EXPECT_EQ(back.kind, m.kind);
    EXPECT_EQ(back.node, m.node);
    EXPECT_EQ(back.line, m.line);
    EXPECT_EQ(back.number, m.number);
    EXPECT_EQ(back.version, m.version);
    EXPECT_EQ(back.value, m.value);
    EXPECT_LE(dsm::encode(m).size(), 11u) << "more than a packet takes";
    std::vector<uint32_t> words = dsm::encode(m);
    words.push_back(0);
    EXPECT_THROW(dsm::decode(words), std::invalid_argument);
    words.resize(words.size() - 2);
    EXPECT_THROW(dsm::decode(words), std::invalid_argument);
    EXPECT_THROW(dsm::decode({15, 0}), std::invalid_argument);
    EXPECT_THROW(dsm::decode({}), std::invalid_argument);
}

// Two nodes and a line; node 0 has written version 1 with value 7.
class AfterAWrite : public ::testing::Test {
protected:
    void SetUp() override {
        checker.write_begins(0, 0, 7);
        checker.write_ends(0, 0, 1, 7);
        ASSERT_EQ(checker.violations(), 0u);
    }
    void read(uint32_t node, uint64_t version, uint64_t value) {
        checker.read_begins(node, 0);
        checker.read_ends(node, 0, version, value);
    }
    Checker checker{2, 1};
};

TEST_F(AfterAWrite, the_new_value_is_right) {
    read(1, 1, 7);
    checker.memory_is(0, 1, 7);
    checker.copy_is(1, 0, 1, 7);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}
TEST_F(AfterAWrite, the_old_value_is_wrong) {
    read(1, 0, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, another_value_is_wrong) {
    read(1, 1, 8);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_value_nobody_wrote_is_wrong) {
    read(1, 2, 8);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_read_beside_a_write_may_return_either) {
    checker.write_begins(0, 0, 9);
    read(1, 1, 7);
    read(1, 2, 9);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
    checker.write_ends(0, 0, 2, 9);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}
TEST_F(AfterAWrite, going_back_in_time_is_wrong) {
    checker.write_begins(0, 0, 9);
    read(1, 2, 9);
    read(1, 1, 7);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_second_write_of_the_same_version_is_wrong) {
    checker.write_begins(1, 0, 9);
    checker.write_ends(1, 0, 1, 9);
    EXPECT_GT(checker.violations(), 0u);
}
TEST_F(AfterAWrite, a_read_that_began_before_the_write_ended_may_be_old) {
    checker.read_begins(1, 0);
    checker.write_begins(0, 0, 9);
    checker.write_ends(0, 0, 2, 9);
    checker.read_ends(1, 0, 1, 7);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}
TEST_F(AfterAWrite, a_copy_beside_an_owner_is_wrong) {
    checker.owner_comes(0, 0);
    checker.copy_comes(1, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, two_owners_are_wrong) {
    checker.owner_comes(0, 0);
    checker.owner_comes(1, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, an_old_copy_at_the_end_is_wrong) {
    checker.memory_is(0, 1, 7);
    checker.copy_is(1, 0, 0, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_memory_without_the_write_is_wrong) {
    checker.memory_is(0, 0, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_failed_write_may_or_may_not_be_there) {
    checker.write_begins(0, 0, 9);
    checker.fails();
    read(1, 1, 7);
    checker.memory_is(0, 2, 9);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}

}  // namespace
}  // namespace rdt::tb
