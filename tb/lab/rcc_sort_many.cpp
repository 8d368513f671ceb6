// SPDX-License-Identifier: MIT
// RCC-FULL SORT on 10,000 inputs of 256 and of 65,536 values.
//
// The comparisons do not depend on the data: a run with real movements records them as a schedule,
// and many inputs go through that of 256 nodes, several at a time. For 65,536 nodes a sort of 16 is
// not taken apart further but done by the shortest means: that RCC-FULL(4, 1) sorts every input is
// shown in rcc_sort.cpp, and the result of a sort is the same by whatever means. A run with real
// movements has to agree after every step.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include <rdt/support/parallel.h>
#include "rcc_sort_bench.h"

namespace {

using rdt::Random;
using rdt::Rcc;
using rdt::algo::Keys;
using rdt::algo::random_order;
using rdt::algo::rcc_sort_steps;
using rdt::algo::RccSorter;
using rdt::algo::schedule_of;
using rdt::algo::sorted_by_movements;

// Many inputs, a lane each. Keys are stored minus 32,768, because all vector units compare signed
// values in one instruction.
constexpr uint32_t LaneCount = 32;
struct alignas(64) Lanes {
    int16_t key[LaneCount];
};
int16_t key_of(uint32_t value) { return int16_t(int32_t(value) - 32768); }
uint64_t value_of(int16_t key) { return uint64_t(int32_t(key) + 32768); }

// Fills the lanes with inputs number 32 n and up.
void fill(std::vector<Lanes>& keys, uint32_t n) {
    const auto count = uint32_t(keys.size());
    for (uint32_t lane = 0; lane < LaneCount; ++lane) {
        Random random(1000 + n * LaneCount + lane);
        const auto order = random_order<uint16_t>(count, random);
        for (uint32_t v = 0; v < count; ++v) keys[v].key[lane] = key_of(order[v]);
    }
}

template <class At>
bool all_sorted(uint32_t count, At&& at) {
    for (uint32_t v = 0; v < count; ++v)
        for (int16_t k : at(v).key)
            if (k != key_of(v)) return false;
    return true;
}

constexpr uint32_t Inputs = 10000;
constexpr uint32_t Batches = (Inputs + LaneCount - 1) / LaneCount;

inline void sort4(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
    for (uint32_t i = 0; i < LaneCount; ++i) {
        const int16_t ab = std::min(a.key[i], b.key[i]), ba = std::max(a.key[i], b.key[i]);
        const int16_t cd = std::min(c.key[i], d.key[i]), dc = std::max(c.key[i], d.key[i]);
        const int16_t low = std::max(ab, cd), high = std::min(ba, dc);
        a.key[i] = std::min(ab, cd);
        b.key[i] = std::min(low, high);
        c.key[i] = std::max(low, high);
        d.key[i] = std::max(ba, dc);
    }
}

TEST(rcc_sort_many, ten_thousand_inputs_of_256_nodes_are_sorted) {
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
        const Keys by_movements =
            sorted_by_movements(Rcc(4, 2), random_order<uint64_t>(256, random));
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

TEST(rcc_sort_many, the_sort_of_16_that_stands_for_rcc_4_1_sorts_every_input) {
    for (uint32_t input = 0; input < 65536; ++input) {
        int16_t bits[16];
        for (uint32_t i = 0; i < 16; ++i) bits[i] = int16_t(input >> i & 1);
        sort16(bits, std::make_index_sequence<Pairs>());
        ASSERT_TRUE(std::is_sorted(bits, bits + 16)) << input;
    }
}

void sort16(Lanes* keys, const uint16_t* places) {
    using Vector = int16_t __attribute__((vector_size(16)));
    constexpr size_t Part = sizeof(Vector) / sizeof(int16_t);
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

TEST(rcc_sort_many, ten_thousand_inputs_of_65536_nodes_are_sorted) {
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

TEST(rcc_sort_many, a_single_wrong_key_among_all_is_noticed) {
    ManyInputs inputs;
    fill(inputs.keys, 0);
    inputs.sort([](const auto&) {});
    const auto at = [&](uint32_t v) -> Lanes& { return inputs.keys[inputs.result()[v]]; };
    EXPECT_TRUE(all_sorted(65536, at));
    std::swap(at(40000).key[7], at(40001).key[7]);
    EXPECT_FALSE(all_sorted(65536, at));
}

TEST(rcc_sort_many, real_movements_of_65536_nodes_agree_with_that_after_every_step) {
    ManyInputs inputs;
    fill(inputs.keys, 0);
    Keys first;
    for (const Lanes& l : inputs.keys) first.push_back(value_of(l.key[0]));
    std::vector<Keys> expected;
    inputs.sort([&](const std::vector<uint16_t>& place) {
        expected.emplace_back();
        for (uint16_t p : place) expected.back().push_back(value_of(inputs.keys[p].key[0]));
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
