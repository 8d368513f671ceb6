// SPDX-License-Identifier: MIT
#include <rdt/net/families/permutation.h>

#include <algorithm>
#include <numeric>

#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

// "3.4.10" or, without dots, one digit a symbol. Numbers that are too long give none.
std::vector<uint32_t> symbols_of(const std::string& text, bool dotted) {
    std::vector<uint32_t> symbols;
    if (!dotted) {
        for (const char c : text) symbols.push_back(c >= '0' && c <= '9' ? uint32_t(c - '0') : 0);
        return symbols;
    }
    try {
        return parse_numbers(text, '.', "1.2...", 1, Permutation::MaxSize);
    } catch (const NetworkError&) {
        return {};
    }
}

}  // namespace

uint32_t factorial(uint32_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

Permutation::Permutation(uint32_t n) : m_size(n) {
    std::iota(m_symbol.begin(), m_symbol.end(), uint8_t(1));
}

Permutation::Permutation(uint32_t n, NodeId index) : Permutation(n) {
    uint8_t* at = m_symbol.data();
    for (uint32_t left = n; left > 1; --left, ++at) {
        const uint32_t others = factorial(left - 1);
        std::rotate(at, at + index / others, at + index / others + 1);
        index %= others;
    }
}

Permutation::Permutation(uint32_t n, const std::array<uint32_t, MaxSize>& symbols) : m_size(n) {
    std::copy_n(symbols.begin(), n, m_symbol.begin());
}

NodeId Permutation::index() const {
    NodeId node = 0;
    for (uint32_t i = 0; i < m_size; ++i) {
        uint32_t smaller = 0;
        for (uint32_t j = i + 1; j < m_size; ++j) smaller += m_symbol[j] < m_symbol[i] ? 1 : 0;
        node = node * (m_size - i) + smaller;
    }
    return node;
}

std::optional<Permutation> Permutation::parse(const std::string& text, uint32_t n) {
    const std::vector<uint32_t> symbols = symbols_of(text, n > 9);
    if (symbols.size() != n) return std::nullopt;
    Permutation p(n);
    std::array<bool, MaxSize + 1> seen{};
    for (uint32_t i = 0; i < n; ++i) {
        if (symbols[i] < 1 || symbols[i] > n || seen[symbols[i]]) return std::nullopt;
        seen[symbols[i]] = true;
        p.m_symbol[i] = uint8_t(symbols[i]);
    }
    return p;
}

std::string Permutation::to_string() const {
    return joined({m_symbol.begin(), m_symbol.begin() + m_size}, m_size > 9 ? "." : "");
}

bool Permutation::in_order() const {
    return std::is_sorted(m_symbol.begin(), m_symbol.begin() + m_size);
}

bool Permutation::is_odd() const {
    bool odd = false;
    for (uint32_t i = 0; i < m_size; ++i)
        for (uint32_t j = i + 1; j < m_size; ++j) odd ^= m_symbol[j] < m_symbol[i];
    return odd;
}

std::vector<std::vector<uint32_t>> Permutation::cycles() const {
    std::vector<std::vector<uint32_t>> all;
    std::array<bool, MaxSize + 1> seen{};
    for (uint32_t first = 1; first <= m_size; ++first) {
        if (seen[first] || (*this)[first] == first) continue;
        all.emplace_back();
        for (uint32_t s = first; !seen[s]; s = (*this)[s]) {
            seen[s] = true;
            all.back().push_back(s);
        }
    }
    return all;
}

double from_the_last(const Permutation& order) {
    double value = 0;
    for (uint32_t place = order.size(); place > 0; --place)
        value = value * (Permutation::MaxSize + 1) + order[place];
    return value;
}

Permutation Permutation::seen_from(const Permutation& b) const {
    std::array<uint8_t, MaxSize + 1> place{};
    for (uint32_t i = 1; i <= b.m_size; ++i) place[b[i]] = uint8_t(i);
    Permutation p(m_size);
    for (uint32_t i = 0; i < m_size; ++i) p.m_symbol[i] = place[m_symbol[i]];
    return p;
}

}  // namespace rdt
