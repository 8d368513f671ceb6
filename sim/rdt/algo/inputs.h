// SPDX-License-Identifier: MIT
// Random inputs of algorithms and their tests.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <rdt/support/random.h>

namespace rdt::algo {

inline std::vector<uint64_t> random_words(uint32_t count, Random& random) {
    std::vector<uint64_t> words(count);
    for (uint64_t& w : words) w = random.next();
    return words;
}

// The numbers below `count`, in any order.
template <class T>
std::vector<T> random_order(uint32_t count, Random& random) {
    std::vector<T> order(count);
    std::iota(order.begin(), order.end(), T(0));
    for (uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

}  // namespace rdt::algo
