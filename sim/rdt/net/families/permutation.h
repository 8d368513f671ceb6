// SPDX-License-Identifier: MIT
// Orders of the symbols 1 to n: nodes of star graphs and of networks built on them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <rdt/net/graph/network.h>

namespace rdt {

uint32_t factorial(uint32_t n);

class Permutation {
public:
    static constexpr uint32_t MaxSize = 10;

    explicit Permutation(uint32_t n);  // in order
    // All orders counted alphabetically, from 0.
    Permutation(uint32_t n, NodeId index);
    // The first n are a permutation of 1 to n.
    Permutation(uint32_t n, const std::array<uint32_t, MaxSize>& symbols);
    NodeId index() const;
    // "34125"; beyond nine symbols "3.4.10.1...". None if this is no order of 1 to n.
    static std::optional<Permutation> parse(const std::string& text, uint32_t n);
    std::string to_string() const;

    uint32_t size() const { return m_size; }
    // Places count from 1, as symbols do.
    uint32_t operator[](uint32_t place) const { return m_symbol[place - 1]; }
    void swap_first_with(uint32_t place) { std::swap(m_symbol[0], m_symbol[place - 1]); }
    bool in_order() const;
    bool is_odd() const;
    // Permutation cycles of two or more symbols. Each symbol is followed by the one whose position
    // it moves to, starting with the smallest.
    std::vector<std::vector<uint32_t>> cycles() const;

    // b^-1 a, of this order a: how it looks when the symbols are renamed so that b is in order.
    Permutation seen_from(const Permutation& b) const;

private:
    uint32_t m_size;
    std::array<uint8_t, MaxSize> m_symbol{};
};

// A number that orders by the last symbol first, then by the one before it, and so on: halves by it
// cut the links that move the last symbol and few others.
double from_the_last(const Permutation& order);

}  // namespace rdt
