// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_tori.h>

#include <fmt/core.h>

#include <numeric>

#include <rdt/net/graph/network.h>

namespace rdt {

namespace {

int modulo(long long a, int b) { return int(((a % b) + b) % b); }
long long floor_div(long long a, long long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

}  // namespace

RankTori::RankTori(int side, int n) : m_side(side), m_n(n) {
    if (side < 2) throw NetworkError("a base torus has at least 2 nodes on a side");
    if (n < 1 || n >= side)
        throw NetworkError(
            fmt::format("the cardinal number n of a torus of {0} x {0} nodes is 1 to {1}, not {2}",
                        side, side - 1, n));
    // With n a power of two that shares no factor with the side, ranks would never end.
    constexpr uint32_t Enough = 64;
    while (m_max_rank < Enough && !(axes(m_max_rank + 1).x == Vec{})) ++m_max_rank;
}

int RankTori::wrapped(long long v) const {
    const int d = modulo(v, m_side);
    return d > m_side / 2 ? d - m_side : d;
}

Axes RankTori::axes(uint32_t rank) const {
    Axes a;
    for (uint32_t r = 0; r < rank; ++r) {
        const long long n = m_n;
        const Axes below = a;
        a.x = {wrapped(n * (below.x.x + below.y.x)), wrapped(n * (below.x.y + below.y.y))};
        a.y = {wrapped(n * (below.y.x - below.x.x)), wrapped(n * (below.y.y - below.x.y))};
    }
    return a;
}

// The axes are a number of nodes along the base torus, or as many along both diagonals.
RankTori::Size RankTori::size(uint32_t rank) const {
    const Axes a = axes(rank);
    const auto ring =
        uint32_t(m_side / std::gcd(m_side, std::gcd(std::abs(a.x.x), std::abs(a.x.y))));
    const bool spiral = rank % 2 == 1 && ring % 2 == 0;
    return {ring, spiral ? ring / 2 : ring};
}

uint64_t RankTori::count(uint32_t rank) const {
    return uint64_t(m_side) * uint64_t(m_side) / size(rank).nodes();
}

uint64_t RankTori::count_on_lower(uint32_t rank) const { return count(rank) / count(rank - 1); }

bool RankTori::has_names(uint32_t rank) const {
    for (uint32_t r = 1; r <= rank; ++r)
        if (count_on_lower(r) != 2 * uint64_t(m_n) * uint64_t(m_n)) return false;
    return rank <= m_max_rank;
}

// Numbers as definition 1 gives them: both from 0. On an odd rank the rings along y do not close
// after one round but continue half a ring further: the spiral of figure 2.
std::pair<int, int> RankTori::numbered(long long x, long long y, uint32_t rank) const {
    const Size s = size(rank);
    if (s.x != s.y) x -= floor_div(y, s.y) * s.y;
    return {modulo(x, int(s.x)), modulo(y, int(s.y))};
}

std::pair<int, int> RankTori::kind(Vec node) const {
    const int j = modulo(node.y, m_n);
    return {modulo(node.x - (node.y - j), 2 * m_n), j};
}

RankTori::Place RankTori::place(Vec node, uint32_t rank) const {
    Place p{{}, modulo(node.x, m_side), modulo(node.y, m_side)};
    for (uint32_t r = 0; r < rank; ++r) {
        const std::pair<int, int> first = kind({p.x, p.y});
        p.name.push_back(first);
        const long long dx = p.x - first.first, dy = p.y - first.second;
        const long long sum = floor_div(dx + dy, 2 * m_n), rest = floor_div(dy - dx, 2 * m_n);
        // Odd ranks: x along (n, n). Even ranks: along the base torus again, (n, -n) down there.
        const auto [x, y] = r % 2 == 0 ? numbered(sum, rest, r + 1) : numbered(-rest, sum, r + 1);
        p.x = x;
        p.y = y;
    }
    return p;
}

std::string to_string(const std::vector<std::pair<int, int>>& name) {
    std::string text;
    for (const auto& [i, j] : name) text += fmt::format("({},{})", i, j);
    return name.size() > 1 ? "(" + text + ")" : text;
}

}  // namespace rdt
