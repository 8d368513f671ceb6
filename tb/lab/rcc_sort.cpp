// SPDX-License-Identifier: MIT
// RCC-FULL SORT: the paper's figure, its steps, all inputs of zeros and ones of 16 nodes.
#include <algorithm>

#include "rcc_sort_bench.h"

namespace {

using rdt::Random;
using rdt::Rcc;
using rdt::algo::Keys;
using rdt::algo::PortModel;
using rdt::algo::random_order;
using rdt::algo::RccSorter;
using rdt::algo::Record;
using rdt::algo::schedule_of;
using rdt::algo::sorted_by_movements;
using rdt::algo::StepMachine;

TEST(rcc_sort, figure_9_is_reproduced_but_for_two_misprints) {
    std::vector<Keys> after;
    const Keys first{10, 9, 14, 2, 4, 15, 11, 12, 6, 1, 5, 13, 8, 3, 7, 0};
    sorted_by_movements(Rcc(4, 1), first, nullptr,
                        [&](int, const Keys& keys) { after.push_back(keys); });
    ASSERT_EQ(after.size(), 12u);  // ten steps, the ninth in three rounds
    EXPECT_EQ(after[0],
              (Keys{4, 1, 5, 0, 6, 3, 7, 2, 8, 9, 11, 12, 10, 15, 14, 13}));  // printed 4 2 5 0
    EXPECT_EQ(after[1], (Keys{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 11, 12, 10, 13, 14, 15}));
    EXPECT_EQ(after[2], (Keys{0, 1, 4, 5, 6, 7, 2, 3, 8, 9, 11, 12, 14, 15, 10, 13}));
    EXPECT_EQ(after[3], (Keys{0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 12, 14, 15, 11, 13}));
    EXPECT_EQ(after[5], (Keys{0, 1, 2, 3, 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14}));
    EXPECT_EQ(after[7],
              (Keys{0, 1, 2, 3, 7, 4, 5, 6, 10, 11, 8, 9, 13, 14, 15, 12}));  // printed ... 13
    EXPECT_EQ(after[10], (Keys{0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12}));
    EXPECT_EQ(after[11], (Keys{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST(rcc_sort, takes_fifteen_sorts_of_rows_and_fourteen_transposes) {
    Random random(1);
    const uint64_t expected[] = {1, 29, 449, 6749};
    for (const auto& [atom, level] : std::vector<std::pair<uint32_t, uint32_t>>{{4, 0},
                                                                                {7, 0},
                                                                                {2, 1},
                                                                                {3, 1},
                                                                                {4, 1},
                                                                                {5, 1},
                                                                                {6, 1},
                                                                                {7, 1},
                                                                                {8, 1},
                                                                                {9, 1},
                                                                                {16, 1},
                                                                                {25, 1},
                                                                                {2, 2},
                                                                                {3, 2},
                                                                                {4, 2},
                                                                                {5, 2},
                                                                                {2, 3}}) {
        const Rcc network(atom, level);
        uint64_t steps = 0;
        const Keys result =
            sorted_by_movements(network, random_order<uint64_t>(network.nodes(), random), &steps);
        EXPECT_TRUE(std::is_sorted(result.begin(), result.end())) << network.name();
        EXPECT_EQ(steps, expected[level]) << network.name();
        EXPECT_EQ((rdt::RccFormulas{atom, level}.sort_steps()), expected[level]);
    }
    EXPECT_THROW(sorted_by_movements(Rcc(256, 1), {}), rdt::NetworkError);
}

TEST(rcc_sort, every_input_of_zeros_and_ones_of_16_nodes_is_sorted_by_real_movements) {
    const Rcc network(4, 1);
    StepMachine machine(network, PortModel::AllPort);
    RccSorter sorter(machine, network);
    for (uint32_t input = 0; input < 65536; ++input) {
        std::vector<Record> records(16);
        for (uint32_t i = 0; i < 16; ++i) records[i] = {input >> i & 1, 0};
        sorter.sort(records);
        uint32_t result = 0;
        for (uint32_t i = 0; i < 16; ++i) result |= uint32_t(records[i].key) << i;
        const auto ones = uint32_t(__builtin_popcount(input));
        ASSERT_EQ(result, 0xFFFF & ~(0xFFFFu >> ones)) << input;
    }
    EXPECT_EQ(machine.steps(), 65536u * 29);
}

// A row is dirty while it holds zeros and ones; three rounds of step 9 clean eight of them.
TEST(rcc_sort, few_rows_are_dirty_after_step_8) {
    Random random(5);
    for (const Rcc& network : {Rcc(16, 1), Rcc(25, 1)})
        for (int trial = 0; trial < 200; ++trial) {
            const uint32_t ones = random.below(network.nodes() + 1);
            Keys keys = random_order<uint64_t>(network.nodes(), random);
            for (uint64_t& k : keys) k = k < ones ? 1 : 0;
            uint32_t dirty = 0;
            const Keys result =
                sorted_by_movements(network, keys, nullptr, [&](int step, const Keys& now) {
                    if (step != 8) return;
                    for (size_t i = 0; i < now.size(); i += network.side()) {
                        const auto row = now.begin() + long(i);
                        const auto sum = std::count(row, row + network.side(), 1u);
                        dirty += sum != 0 && sum != network.side() ? 1 : 0;
                    }
                });
            EXPECT_LE(dirty, 8u) << network.name();
            EXPECT_TRUE(std::is_sorted(result.begin(), result.end())) << network.name();
        }
}

// 64 inputs of zeros and ones at once, one a bit.
Keys sorted_bits(const RccSorter::Schedule& s, Keys places) {
    for (size_t i = 0; i < s.sorts.size(); i += s.group)
        for (uint32_t a = 0; a < s.group; ++a)
            for (uint32_t b = a + 1; b < s.group; ++b) {
                uint64_t& x = places[s.sorts[i + a]];
                uint64_t& y = places[s.sorts[i + b]];
                const uint64_t both = x & y;
                y |= x;
                x = both;
            }
    Keys result;
    for (uint32_t place : s.result) result.push_back(places[place]);
    return result;
}

// Inputs number 64 n to 64 n + 63 of 16 nodes; whether all are sorted.
bool sorts_bits(const RccSorter::Schedule& s, uint32_t n) {
    Keys places(16);
    for (uint32_t k = 0; k < 64; ++k)
        for (uint32_t i = 0; i < 16; ++i) places[i] |= uint64_t((64 * n + k) >> i & 1) << k;
    const Keys result = sorted_bits(s, places);
    for (size_t i = 1; i < result.size(); ++i)
        if ((result[i - 1] & ~result[i]) != 0) return false;
    return true;
}

TEST(rcc_sort, every_input_of_zeros_and_ones_of_16_nodes_is_sorted_on_two_levels_too) {
    const RccSorter::Schedule s = schedule_of(Rcc(2, 2), Keys(16));
    for (uint32_t n = 0; n < 1024; ++n) ASSERT_TRUE(sorts_bits(s, n)) << n;
}

TEST(rcc_sort, a_schedule_with_a_mistake_in_it_is_caught) {
    const RccSorter::Schedule right = schedule_of(Rcc(4, 1), Keys(16));
    const auto fails = [](const RccSorter::Schedule& s) {
        for (uint32_t n = 0; n < 1024; ++n)
            if (!sorts_bits(s, n)) return true;
        return false;
    };
    EXPECT_FALSE(fails(right));
    RccSorter::Schedule wrong = right;
    std::swap(wrong.sorts[wrong.sorts.size() - 2], wrong.sorts[wrong.sorts.size() - 1]);
    EXPECT_TRUE(fails(wrong));
    wrong = right;
    std::swap(wrong.result[4], wrong.result[11]);
    EXPECT_TRUE(fails(wrong));
    wrong = right;  // without the last two sorts of rows and all between them
    wrong.sorts.resize(wrong.sorts.size() - 3 * 16);
    EXPECT_TRUE(fails(wrong));
}

TEST(rcc_sort, the_schedule_is_the_same_for_all_inputs) {
    Random random(2);
    for (const Rcc& network : {Rcc(4, 1), Rcc(2, 2), Rcc(4, 2)}) {
        const RccSorter::Schedule one =
            schedule_of(network, random_order<uint64_t>(network.nodes(), random));
        const RccSorter::Schedule other = schedule_of(network, Keys(network.nodes(), 5));
        EXPECT_EQ(one.sorts, other.sorts);
        EXPECT_EQ(one.result, other.result);
    }
}

}  // namespace
