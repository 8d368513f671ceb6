// SPDX-License-Identifier: MIT
// Parts of the shared memory alone: directory maps, messages, the checker.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/mc_territory.h"
#include "common/dice.h"
#include <rdt/dsm/checker.h>
#include <rdt/dsm/directory.h>
#include <rdt/dsm/message.h>
#include <rdt/dsm/leases.h>
#include <rdt/machine/transport.h>
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
    for (const int side : {4, 8, 16, 32}) {
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
    for (const int side : {4, 8, 16, 32}) {
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
                    is_near ? g.neighbor(home, random.below(4)) : random.below(g.nodes());
                directory.add(table, home, sharer);
                sharers.insert(place_of(g, sharer));
            }
            const auto reached = territory.receivers(place_of(g, home), spec_of(directory.maps()));
            for (const auto& [node, times] : reached) EXPECT_EQ(times, 1);
            for (const Territory::Node& sharer : sharers) EXPECT_EQ(reached.count(sharer), 1u);
            if (is_near) {
                EXPECT_EQ(reached.size(), sharers.size()) << "the four neighbors are level 0";
            }
        }
    }
}

// The nodes that a packet of each scheme reaches, by the router's bit maps.
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

TEST(dsm_parts, messages_are_decoded_as_they_were_encoded) {
    for (uint32_t kind = 0; kind < dsm::NumKinds; ++kind) {
        dsm::Message m;
        m.kind = Kind(kind);
        m.op = dsm::Op::MaxUnsigned;
        m.word = 3;
        m.mask = 0xA5;
        m.node = dsm::MaxNodes - 1;
        m.line = dsm::MaxLines - 2;
        m.number = dsm::MaxNumber - 3;
        m.version = (1ull << 34) - 1;
        m.value = 0xFEDCBA9876543210;
        for (uint32_t i = 0; i < dsm::LineBytes; ++i) m.bytes[i] = uint8_t(7 * i + 200);
        machine::Words words = dsm::encode(m);
        ASSERT_LE(words.size(), machine::Words::Capacity) << "kind " << kind;
        for (const uint64_t word : words) EXPECT_LT(word, 1ull << machine::Words::Bits);
        const dsm::Message back = dsm::decode(words);
        EXPECT_EQ(back.kind, m.kind);
        EXPECT_EQ(back.node, m.node);
        EXPECT_EQ(back.line, m.line);
        EXPECT_EQ(back.number, m.number);
        EXPECT_TRUE(dsm::encode(back) == words) << "kind " << kind;
        words.pop_back();
        EXPECT_THROW(dsm::decode(words), std::invalid_argument);
        words = dsm::encode(m);
        words.push_back(0);
        EXPECT_THROW(dsm::decode(words), std::invalid_argument);
    }
    dsm::Message line;
    line.kind = Kind::Data;
    for (uint32_t i = 0; i < dsm::LineBytes; ++i) line.bytes[i] = uint8_t(7 * i + 200);
    EXPECT_EQ(dsm::decode(dsm::encode(line)).bytes, line.bytes);
    EXPECT_EQ(dsm::encode(line).size(), 11u) << "a line takes a packet of 16 flits";
    EXPECT_THROW(dsm::decode(machine::Words(2, 31)), std::invalid_argument);
    EXPECT_THROW(dsm::decode({}), std::invalid_argument);
}

// Requests of nodes 3, 4 and 5 for leases at line 7; node 3 has the first one.
class Leases : public ::testing::Test {
protected:
    static constexpr uint32_t Line = 7;

    Leases() {
        for (const uint32_t node : {3u, 4u, 5u}) leases.wait(request_of(node));
        EXPECT_EQ(begin(), 3u);
    }
    static dsm::Message request_of(uint32_t node) {
        dsm::Message m;
        m.kind = Kind::ReadForLease;
        m.node = node;
        m.number = 100 + node;
        m.line = Line;
        return m;
    }
    // The node whose lease begins; 0: none.
    uint32_t begin() {
        const auto request = leases.begin(Line);
        return request ? request->node : 0;
    }

    dsm::Leases leases;
};

TEST_F(Leases, one_begins_when_the_one_before_has_ended) {
    EXPECT_EQ(begin(), 0u);
    EXPECT_FALSE(leases.ended(Line, 3, true)) << "the request is not answered yet";
    leases.answer(Line, 3, 20);
    EXPECT_FALSE(leases.ended(Line, 4, false)) << "a store of another processor was refused";
    EXPECT_EQ(begin(), 0u);
    EXPECT_TRUE(leases.ended(Line, 3, true));
    EXPECT_EQ(begin(), 4u);
    leases.answer(Line, 4, 21);
    EXPECT_TRUE(leases.ended(Line, 9, true)) << "another write";
    EXPECT_EQ(begin(), 5u);
    leases.answer(Line, 5, 22);
    EXPECT_TRUE(leases.ended(Line, 5, false)) << "its store was refused";
    EXPECT_EQ(begin(), 0u);
    EXPECT_TRUE(leases.idle());
}

TEST_F(Leases, conditional_stores_of_others_on_the_same_version_are_refused) {
    EXPECT_FALSE(leases.refuses(Line, 4, 20));
    leases.answer(Line, 3, 20);
    EXPECT_TRUE(leases.refuses(Line, 4, 20));
    EXPECT_FALSE(leases.refuses(Line, 3, 20));
    EXPECT_FALSE(leases.refuses(Line, 4, 21));
    EXPECT_FALSE(leases.refuses(Line + 1, 4, 20));
}

TEST_F(Leases, none_is_refused_about_a_version_whose_lease_has_expired) {
    const uint64_t first = leases.answer(Line, 3, 20);
    EXPECT_TRUE(leases.expired(Line, first));
    EXPECT_FALSE(leases.expired(Line, first));
    EXPECT_EQ(begin(), 4u);
    leases.answer(Line, 4, 20);
    EXPECT_FALSE(leases.refuses(Line, 3, 20));
    EXPECT_TRUE(leases.ended(Line, 3, true));
    EXPECT_EQ(begin(), 5u);
    leases.answer(Line, 5, 21);
    EXPECT_TRUE(leases.refuses(Line, 3, 21));
    EXPECT_TRUE(leases.ended(Line, 5, true));
    EXPECT_EQ(begin(), 0u);
    EXPECT_TRUE(leases.idle());
}

TEST_F(Leases, a_request_that_comes_again_and_again_waits_no_longer) {
    EXPECT_FALSE(leases.repeated(request_of(3), 2)) << "it has its lease";
    EXPECT_FALSE(leases.repeated(request_of(4), 2));
    EXPECT_TRUE(leases.repeated(request_of(4), 2));
    EXPECT_EQ(leases.clear(Line), 1u) << "node 5";
    EXPECT_TRUE(leases.idle());
}

// Two processors and two lines; processor 0 has written 7 as version 1 of line 0.
class AfterAWrite : public ::testing::Test {
protected:
    using Access = dsm::Access;
    using Bytes = dsm::Bytes;
    using Op = dsm::Op;

    void SetUp() override {
        write_begins(0, 7);
        checker.orders(0, 1, 0, 1);
        checker.write_ends(0, 1, 0);
        ASSERT_EQ(checker.violations(), 0u);
    }
    static Bytes line_of(uint64_t value) {
        Bytes bytes{};
        dsm::store(bytes, 0, 0xFF, value);
        return bytes;
    }
    void begin(uint32_t processor, Op op, uint64_t value = 0, uint32_t line = 0) {
        Access a;
        a.address = line * dsm::LineBytes;
        a.op = op;
        a.value = value;
        checker.begins(processor, ++number[processor], a);
    }
    void write_begins(uint32_t processor, uint64_t value, uint32_t line = 0) {
        begin(processor, Op::Store, value, line);
    }
    void read(uint32_t processor, uint64_t version, uint64_t value, uint32_t line = 0) {
        begin(processor, Op::Load, 0, line);
        checker.read_ends(processor, version, line_of(value));
    }
    uint32_t number[3]{};
    Checker checker{3, 2};
};

TEST_F(AfterAWrite, the_new_value_is_right) {
    read(1, 1, 7);
    checker.reads(1, 0, 1, line_of(7));
    checker.memory_is(0, 1, line_of(7));
    checker.copy_is(1, 0, 1, line_of(7));
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}
TEST_F(AfterAWrite, the_old_value_is_wrong) {
    read(1, 0, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_hit_of_the_old_value_is_wrong) {
    checker.reads(1, 0, 0, line_of(0));
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, another_value_is_wrong) {
    read(1, 1, 8);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_version_without_a_write_is_wrong) {
    read(1, 2, 8);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_read_beside_a_write_may_return_either) {
    write_begins(0, 9);
    checker.orders(0, 2, 0, 2);
    read(1, 1, 7);
    read(1, 2, 9);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
    checker.write_ends(0, 2, 0);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}
TEST_F(AfterAWrite, a_version_that_another_processor_has_seen_is_not_taken_back) {
    write_begins(0, 9);
    checker.orders(0, 2, 0, 2);
    read(1, 2, 9);
    read(2, 1, 7);
    EXPECT_EQ(checker.violations(), 1u) << "the write is not complete, and one has read it";
}
TEST_F(AfterAWrite, a_write_that_is_done_twice_is_wrong) {
    write_begins(1, 9);
    checker.orders(1, 1, 0, 2);
    checker.orders(1, 1, 0, 3);
    EXPECT_GT(checker.violations(), 0u);
}
TEST_F(AfterAWrite, a_second_write_of_the_same_version_is_wrong) {
    write_begins(1, 9);
    checker.orders(1, 1, 0, 1);
    EXPECT_GT(checker.violations(), 0u);
}
TEST_F(AfterAWrite, a_write_that_ends_before_it_takes_effect_is_wrong) {
    write_begins(1, 9);
    checker.write_ends(1, 2, 0);
    EXPECT_GT(checker.violations(), 0u);
}
TEST_F(AfterAWrite, a_read_that_began_before_the_write_ended_may_be_old) {
    begin(1, Op::Load);
    write_begins(0, 9);
    checker.orders(0, 2, 0, 2);
    checker.write_ends(0, 2, 0);
    checker.read_ends(1, 1, line_of(7));
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}
TEST_F(AfterAWrite, an_atomic_operation_returns_the_value_before_it) {
    begin(1, Op::Add, 5);
    checker.orders(1, 1, 0, 2);
    checker.write_ends(1, 2, 7);
    read(2, 2, 12);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
    begin(1, Op::Add, 1);
    checker.orders(1, 2, 0, 3);
    checker.write_ends(1, 3, 7);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_conditional_store_after_another_write_is_wrong) {
    begin(1, Op::LoadReserved);
    checker.read_ends(1, 1, line_of(7));
    begin(1, Op::StoreConditional, 8);
    checker.orders(1, 2, 0, 2);
    checker.write_ends(1, 2, 0);
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
    begin(1, Op::LoadReserved);
    checker.read_ends(1, 2, line_of(8));
    write_begins(0, 9);
    checker.orders(0, 2, 0, 3);
    checker.write_ends(0, 3, 0);
    begin(1, Op::StoreConditional, 10);
    checker.orders(1, 4, 0, 4);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_copy_beside_an_owner_is_wrong) {
    checker.copy_comes(0);
    checker.copy_comes(0);
    checker.owner_comes(0, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, two_owners_are_wrong) {
    checker.copy_comes(0);
    checker.owner_comes(0, 0);
    checker.owner_comes(1, 0);
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, an_old_copy_at_the_end_is_wrong) {
    checker.memory_is(0, 1, line_of(7));
    checker.copy_is(1, 0, 0, line_of(0));
    EXPECT_EQ(checker.violations(), 1u);
}
TEST_F(AfterAWrite, a_memory_without_the_write_is_wrong) {
    checker.memory_is(0, 0, line_of(0));
    EXPECT_GT(checker.violations(), 0u);
}
TEST_F(AfterAWrite, a_failed_write_may_take_effect_later) {
    write_begins(0, 9);
    checker.fails(0);
    read(1, 1, 7);
    checker.orders(0, 2, 0, 2);
    read(1, 2, 9);
    checker.memory_is(0, 2, line_of(9));
    EXPECT_EQ(checker.violations(), 0u) << checker.first();
}

}  // namespace
}  // namespace rdt::tb
