// SPDX-License-Identifier: MIT
// RCC-FULL SORT: the paper's figure, all small inputs, many large ones.
//
// Small networks are sorted by real movements. What is compared with what does not depend on the
// data, so a run takes it down as a schedule; many inputs then go through the schedule, several at
// a time. For 65,536 nodes a sort of 16 is not taken apart further but done by the shortest means:
// that RCC-FULL(4, 1) sorts every input is shown by all zeros and ones, and the result of a sort is
// the same by whatever means. A run with real movements has to agree after every step.
#include "algo/rcc_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <utility>

#include "lab/random.h"
#include "net/parallel.h"

namespace {

using rdt::NodeId;
using rdt::Rcc;
using rdt::algo::PortModel;
using rdt::algo::rcc_sort_steps;
using rdt::algo::RccSorter;
using rdt::algo::Record;
using rdt::algo::StepMachine;
using rdt::lab::Random;
using Keys = std::vector<uint64_t>;

std::vector<Record> records_of(const Keys& keys) {
    std::vector<Record> records;
    for (uint64_t k : keys) records.push_back({k, ~k});
    return records;
}

// The keys after sorting; counts the steps and checks that values go with their keys.
Keys sorted_by_movements(const Rcc& network, const Keys& keys, uint64_t* steps = nullptr,
                         const RccSorter::OnStep& on_step = {}) {
    StepMachine machine(network, PortModel::AllPort);
    RccSorter sorter(machine, network);
    std::vector<Record> records = records_of(keys);
    sorter.sort(records, on_step);
    if (steps != nullptr) *steps = machine.steps();
    Keys result;
    for (const Record& r : records) {
        EXPECT_EQ(r.value, ~r.key);
        result.push_back(r.key);
    }
    return result;
}

RccSorter::Schedule schedule_of(const Rcc& network, Keys keys) {
    StepMachine machine(network, PortModel::AllPort);
    RccSorter sorter(machine, network);
    std::vector<Record> records = records_of(keys);
    return sorter.sort_and_record(records);
}

Keys random_order(uint32_t count, Random& random) {
    Keys keys(count);
    std::iota(keys.begin(), keys.end(), 0);
    for (uint32_t i = count; i > 1; --i) std::swap(keys[i - 1], keys[random.below(i)]);
    return keys;
}

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
            sorted_by_movements(network, random_order(network.nodes(), random), &steps);
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
        const RccSorter::Schedule one = schedule_of(network, random_order(network.nodes(), random));
        const RccSorter::Schedule other = schedule_of(network, Keys(network.nodes(), 5));
        EXPECT_EQ(one.sorts, other.sorts);
        EXPECT_EQ(one.result, other.result);
    }
}

// Many inputs, a lane each.
constexpr uint32_t LaneCount = 32;
struct alignas(64) Lanes {
    uint16_t key[LaneCount];
};

// Fills the lanes with inputs number 32 n and up.
void fill(std::vector<Lanes>& keys, uint32_t n) {
    const auto count = uint32_t(keys.size());
    std::vector<uint16_t> order(count);
    for (uint32_t lane = 0; lane < LaneCount; ++lane) {
        Random random(1000 + n * LaneCount + lane);
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        for (uint32_t v = 0; v < count; ++v) keys[v].key[lane] = order[v];
    }
}

template <class At>
bool all_sorted(uint32_t count, At&& at) {
    for (uint32_t v = 0; v < count; ++v)
        for (uint16_t k : at(v).key)
            if (k != v) return false;
    return true;
}

constexpr uint32_t Inputs = 10000;
constexpr uint32_t Batches = (Inputs + LaneCount - 1) / LaneCount;

inline void sort4(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
    for (uint32_t i = 0; i < LaneCount; ++i) {
        const uint16_t ab = std::min(a.key[i], b.key[i]), ba = std::max(a.key[i], b.key[i]);
        const uint16_t cd = std::min(c.key[i], d.key[i]), dc = std::max(c.key[i], d.key[i]);
        const uint16_t low = std::max(ab, cd), high = std::min(ba, dc);
        a.key[i] = std::min(ab, cd);
        b.key[i] = std::min(low, high);
        c.key[i] = std::max(low, high);
        d.key[i] = std::max(ba, dc);
    }
}

TEST(rcc_sort, ten_thousand_inputs_of_256_nodes_are_sorted) {
    const RccSorter::Schedule s = schedule_of(Rcc(4, 2), Keys(256));
    ASSERT_EQ(s.group, 4u);
    std::vector<Lanes> keys(256);
    for (uint32_t n = 0; n < Batches; ++n) {
        fill(keys, n);
        for (size_t i = 0; i < s.sorts.size(); i += 4)
            sort4(keys[s.sorts[i]], keys[s.sorts[i + 1]], keys[s.sorts[i + 2]],
                  keys[s.sorts[i + 3]]);
        ASSERT_TRUE(all_sorted(256, [&](uint32_t v) { return keys[s.result[v]]; })) << n;
    }
    // Some by real movements as well.
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        const Keys by_movements = sorted_by_movements(Rcc(4, 2), random_order(256, random));
        ASSERT_TRUE(std::is_sorted(by_movements.begin(), by_movements.end()));
    }
}

// The ten steps on a grid of places instead of keys: which places are sorted as a row.
class Plan {
public:
    explicit Plan(uint32_t side) : m_side(side), m_place(side * side) {
        std::iota(m_place.begin(), m_place.end(), 0);
        rcc_sort_steps(*this, rdt::algo::quarter_of(side), [&](int) {
            after.push_back({sorts.size(), m_place});
        });
    }
    std::vector<uint16_t> sorts;  // row after row, smallest key first
    struct Step {
        size_t sorts;                 // done so far
        std::vector<uint16_t> place;  // of every node's key
    };
    std::vector<Step> after;

    void sort_rows(bool snake) {
        for (uint32_t i = 0; i < m_side; ++i)
            for (uint32_t j = 0; j < m_side; ++j)
                sorts.push_back(m_place[i * m_side + (snake && i % 2 == 1 ? m_side - 1 - j : j)]);
    }
    void rotate_rows(uint32_t by) {
        for (uint32_t i = 0; i < m_side; ++i) {
            const auto row = m_place.begin() + i * m_side;
            std::rotate(row, row + (m_side - i * by % m_side) % m_side, row + m_side);
        }
    }
    void transpose() {
        for (uint32_t i = 0; i < m_side; ++i)
            for (uint32_t j = 0; j < i; ++j)
                std::swap(m_place[i * m_side + j], m_place[j * m_side + i]);
    }

private:
    const uint32_t m_side;
    std::vector<uint16_t> m_place;
};

// Batcher's odd-even merge sort of 16: what is compared with what.
struct Pair {
    uint32_t a, b;
};
constexpr size_t Pairs = 63;
constexpr std::array<Pair, Pairs> network16() {
    std::array<Pair, Pairs> network{};
    size_t n = 0;
    for (uint32_t p = 1; p < 16; p *= 2)
        for (uint32_t k = p; k >= 1; k /= 2)
            for (uint32_t j = k % p; j + k < 16; j += 2 * k)
                for (uint32_t i = j; i < j + k && i + k < 16; ++i)
                    if (i / (2 * p) == (i + k) / (2 * p)) network[n++] = {i, i + k};
    return network;
}
constexpr std::array<Pair, Pairs> Network16 = network16();

// Keys, or vectors of them.
template <class T, size_t... I>
inline void sort16(T* k, std::index_sequence<I...>) {
    const auto exchange = [](T& a, T& b) {
        const T low = a < b ? a : b;
        b = a < b ? b : a;
        a = low;
    };
    (exchange(k[Network16[I].a], k[Network16[I].b]), ...);
}

TEST(rcc_sort, the_sort_of_16_that_stands_for_rcc_4_1_sorts_every_input) {
    for (uint32_t input = 0; input < 65536; ++input) {
        uint16_t bits[16];
        for (uint32_t i = 0; i < 16; ++i) bits[i] = input >> i & 1;
        sort16(bits, std::make_index_sequence<Pairs>());
        ASSERT_TRUE(std::is_sorted(bits, bits + 16)) << input;
    }
}

void sort16(Lanes* keys, const uint16_t* places) {
    using Vector = uint16_t __attribute__((vector_size(16)));
    constexpr size_t Part = sizeof(Vector) / sizeof(uint16_t);
    for (uint32_t lane = 0; lane < LaneCount; lane += Part) {
        Vector k[16];
        for (uint32_t i = 0; i < 16; ++i)
            std::memcpy(&k[i], &keys[places[i]].key[lane], sizeof(Vector));
        sort16(k, std::make_index_sequence<Pairs>());
        for (uint32_t i = 0; i < 16; ++i)
            std::memcpy(&keys[places[i]].key[lane], &k[i], sizeof(Vector));
    }
}

// 65,536 nodes: rows of 256, whose rows of 16 are sorted at once.
class ManyInputs {
public:
    std::vector<Lanes> keys = std::vector<Lanes>(65536);

    // Calls on_step after each of the twelve steps.
    template <class OnStep>
    void sort(OnStep&& on_step) {
        size_t i = 0;
        for (const Plan::Step& step : m_large.after) {
            for (; i < step.sorts; i += 256) sort256(&m_large.sorts[i]);
            on_step(step.place);
        }
    }
    const std::vector<uint16_t>& result() const { return m_large.after.back().place; }

private:
    void sort256(const uint16_t* places) {
        for (uint32_t i = 0; i < 256; ++i) m_row[i] = keys[places[i]];
        for (size_t i = 0; i < m_small.sorts.size(); i += 16)
            sort16(m_row.data(), &m_small.sorts[i]);
        const std::vector<uint16_t>& sorted = m_small.after.back().place;
        for (uint32_t i = 0; i < 256; ++i) keys[places[i]] = m_row[sorted[i]];
    }

    const Plan m_large = Plan(256);
    const Plan m_small = Plan(16);
    std::vector<Lanes> m_row = std::vector<Lanes>(256);
};

TEST(rcc_sort, ten_thousand_inputs_of_65536_nodes_are_sorted) {
    std::atomic<uint32_t> sorted{0};
    rdt::in_parallel(
        Batches, {}, [] { return ManyInputs(); },
        [&](ManyInputs& inputs, uint32_t n) {
            fill(inputs.keys, n);
            inputs.sort([](const auto&) {});
            if (all_sorted(65536, [&](uint32_t v) { return inputs.keys[inputs.result()[v]]; }))
                sorted += LaneCount;
        },
        [](const auto&) {});
    EXPECT_EQ(sorted, Batches * LaneCount);
}

TEST(rcc_sort, real_movements_of_65536_nodes_agree_with_that_after_every_step) {
    ManyInputs inputs;
    fill(inputs.keys, 0);
    Keys first;
    for (const Lanes& l : inputs.keys) first.push_back(l.key[0]);
    std::vector<Keys> expected;
    inputs.sort([&](const std::vector<uint16_t>& place) {
        expected.emplace_back();
        for (uint16_t p : place) expected.back().push_back(inputs.keys[p].key[0]);
    });
    size_t step = 0;
    uint64_t steps = 0;
    sorted_by_movements(Rcc(4, 3), first, &steps, [&](int, const Keys& now) {
        EXPECT_EQ(now, expected.at(step)) << step;
        ++step;
    });
    EXPECT_EQ(step, 12u);
    EXPECT_EQ(steps, 6749u);
}

}  // namespace
