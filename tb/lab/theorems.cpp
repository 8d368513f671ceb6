// SPDX-License-Identifier: MIT
// The paper's theorems 1 to 6, checked by computation for several cardinal numbers n.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace {

using rdt::Vec;

struct Axes {
    Vec x{1, 0};
    Vec y{0, 1};
};

// Base torus of N x N nodes with cardinal number n.
struct Torus {
    int n;
    int side;

    Axes axes(int rank) const {
        Axes a;
        for (int r = 0; r < rank; ++r) a = {n * a.x + n * a.y, -n * a.x + n * a.y};
        return a;
    }
    int index(Vec v) const {
        const auto wrap = [this](int c) { return (c % side + side) % side; };
        return wrap(v.x) + side * wrap(v.y);
    }
    Vec point(int index) const { return {index % side, index / side}; }

    // For every node the number of the rank's torus through it; tori are numbered in order of
    // discovery.
    std::vector<int> tori(int rank) const {
        const Axes a = axes(rank);
        std::vector<int> number(size_t(side) * size_t(side), -1);
        std::vector<int> queue;
        int count = 0;
        for (int first = 0; first < side * side; ++first) {
            if (number[size_t(first)] >= 0) continue;
            number[size_t(first)] = count;
            queue.assign(1, first);
            for (size_t i = 0; i < queue.size(); ++i)
                for (Vec step : {a.x, -1 * a.x, a.y, -1 * a.y}) {
                    const int to = index(point(queue[i]) + step);
                    if (number[size_t(to)] >= 0) continue;
                    number[size_t(to)] = count;
                    queue.push_back(to);
                }
            ++count;
        }
        return number;
    }
    // Nodes of the rank's torus through node 0.
    std::vector<int> first_torus(int rank) const {
        const std::vector<int> number = tori(rank);
        std::vector<int> nodes;
        for (int node = 0; node < side * side; ++node)
            if (number[size_t(node)] == 0) nodes.push_back(node);
        return nodes;
    }

    // Largest rank whose axes do not fold onto the node itself; for n = 2 no more than four.
    int top_rank() const {
        int rank = 0;
        while ((n != 2 || rank < 4) && index(axes(rank + 1).x) != 0 && index(axes(rank + 1).y) != 0)
            ++rank;
        return rank;
    }

    // Simple vector routing, ties toward zero; vector of every rank.
    std::vector<Vec> split(Vec displacement, int top) const {
        const auto divide = [this](int a) {
            return a >= 0 ? (a + n - 1) / (2 * n) : -((n - 1 - a) / (2 * n));
        };
        std::vector<Vec> vectors;
        Vec rest = displacement;
        for (int r = 0; r < top; ++r) {
            const Vec up{divide(rest.x + rest.y), divide(rest.y - rest.x)};
            vectors.push_back({rest.x - n * (up.x - up.y), rest.y - n * (up.x + up.y)});
            rest = up;
        }
        vectors.push_back(rest);
        return vectors;
    }

    // Steps on the top rank according to theorem 6.
    double top_steps(int top) const {
        return side * std::pow(2, std::ceil((top - 1) / 2.0)) / std::pow(2 * n, top);
    }
};

const std::vector<Torus> Powers{{2, 8}, {2, 16}, {2, 32},  {2, 64}, {2, 128}, {2, 256},
                                {3, 6}, {3, 36}, {3, 216}, {4, 8},  {4, 64}};

// Calls f(torus, rank) for every rank on which theorem 1 lets the next one be formed.
template <class F>
void for_ranks(F&& f) {
    for (const Torus& t : Powers)
        for (int rank = 0; int(t.first_torus(rank).size()) >= 4 * t.n * t.n; ++rank) f(t, rank);
}

TEST(theorems, one_2n_squared_independent_tori_are_formed_on_a_torus) {
    int ranks = 0;
    for_ranks([&](const Torus& t, int rank) {
        const std::vector<int> upper = t.tori(rank + 1);
        std::map<int, size_t> sizes;
        for (int node : t.first_torus(rank)) ++sizes[upper[size_t(node)]];
        EXPECT_EQ(int(sizes.size()), 2 * t.n * t.n) << t.n << " " << t.side << " rank " << rank;
        for (const auto& size : sizes)
            EXPECT_EQ(size.second, t.first_torus(rank + 1).size()) << "not whole or not alike";
        ++ranks;
    });
    EXPECT_GE(ranks, 18);
}

// 12 = 3 * (2n)^1 meets the theorem's conditions on rank 1, whose torus has 18 nodes; these do not
// divide into eight.
TEST(theorems, one_fails_where_the_side_is_not_a_power_of_2n) {
    const Torus t{2, 12};
    const std::vector<int> upper = t.tori(2);
    EXPECT_EQ(t.first_torus(1).size(), 18u);
    std::set<int> tori;
    for (int node : t.first_torus(1)) tori.insert(upper[size_t(node)]);
    EXPECT_EQ(tori.size(), 2u);
}

TEST(theorems, two_nodes_of_a_2n_by_n_array_are_on_different_tori) {
    for_ranks([](const Torus& t, int rank) {
        const Axes a = t.axes(rank);
        const std::vector<int> upper = t.tori(rank + 1);
        std::set<int> tori;
        for (int y = 0; y < t.n; ++y)
            for (int x = 0; x < 2 * t.n; ++x)
                tori.insert(upper[size_t(t.index(x * a.x + y * a.y))]);
        EXPECT_EQ(int(tori.size()), 2 * t.n * t.n) << t.n << " " << t.side << " rank " << rank;
    });
}

struct Steps {
    int all = 0;
    int lower = 0;    // on all ranks but the top one
    int one = 0;      // on one of those
    int highest = 0;  // on the top rank
};

Steps most_steps(const Torus& t, int top) {
    Steps most;
    for (int y = -(t.side - 1) / 2; y <= t.side / 2; ++y)
        for (int x = -(t.side - 1) / 2; x <= t.side / 2; ++x) {
            const std::vector<Vec> vectors = t.split({x, y}, top);
            int sum = 0;
            Vec end;
            for (int r = 0; r <= top; ++r) {
                const Axes a = t.axes(r);
                end = end + vectors[size_t(r)].x * a.x + vectors[size_t(r)].y * a.y;
                if (r == top) break;
                sum += length(vectors[size_t(r)]);
                most.one = std::max(most.one, length(vectors[size_t(r)]));
            }
            EXPECT_EQ(end, (Vec{x, y}));
            const int highest = length(vectors[size_t(top)]);
            most.lower = std::max(most.lower, sum);
            most.highest = std::max(most.highest, highest);
            most.all = std::max(most.all, sum + highest);
        }
    return most;
}

TEST(theorems, three_bounds_the_diameter_of_vector_routing_and_is_one_more_than_it) {
    const std::pair<int, int> measured[] = {{32, 6}, {64, 7}, {128, 9}, {256, 11}};
    for (const auto& [side, steps] : measured) {
        const Torus t{2, side};
        const int top = t.top_rank();
        EXPECT_EQ(most_steps(t, top).all, steps) << side;
        EXPECT_EQ(int(t.top_steps(top)) + t.n * top, steps + 1) << side;
    }
    for (const Torus& t : Powers)
        EXPECT_LE(most_steps(t, t.top_rank()).all,
                  std::ceil(t.top_steps(t.top_rank())) + t.n * t.top_rank())
            << t.n << " " << t.side;
}

// 256 x 256 nodes allow a rank 5, with two nodes on each torus. Only with it vector routing takes
// the 10 steps of Table I.
TEST(theorems, three_holds_with_rank_5_on_65536_nodes) {
    const Torus t{2, 256};
    EXPECT_EQ(t.first_torus(5).size(), 2u);
    EXPECT_EQ(most_steps(t, 5).all, 10);
    EXPECT_EQ(int(t.top_steps(5)) + t.n * 5, 11);
}

TEST(theorems, the_chips_own_vectors_are_those_of_the_paper) {
    for (int side : rdt::Geometry::sides) {
        const Torus t{2, side};
        const int top = t.top_rank();
        EXPECT_EQ(uint32_t(top), rdt::Geometry(side).top_rank());
        for (int y = -side / 2 + 1; y <= side / 2; ++y)
            for (int x = -side / 2 + 1; x <= side / 2; ++x) {
                const rdt::Vectors v = rdt::split({x, y}, uint32_t(top));
                const std::vector<Vec> w = t.split({x, y}, top);
                ASSERT_TRUE(std::equal(w.begin(), w.end(), v.begin())) << x << "," << y;
            }
    }
}

TEST(theorems, four_bounds_the_diameter_of_the_rdt_by_that_of_the_perfect_one) {
    const std::tuple<const char*, const char*, uint32_t> sizes[] = {
        {"32", "prdt:32", 3}, {"64", "prdt:64", 3}, {"128", "prdt:128", 4}, {"256", "prdt:256", 4}};
    for (const auto& [side, perfect, top] : sizes) {
        const auto rdt_network = rdt::make_network(std::string("rdt:") + side);
        EXPECT_LE(rdt::distances(*rdt_network).diameter,
                  rdt::distances(*rdt::make_network(perfect)).diameter + top - 1)
            << side;
    }
}

TEST(theorems, five_no_rank_below_the_top_takes_more_than_n_steps) {
    for (const Torus& t : Powers) {
        const int top = t.top_rank();
        const Steps most = most_steps(t, top);
        EXPECT_EQ(most.one, t.n) << t.n << " " << t.side;
        EXPECT_LE(most.lower, t.n * top) << t.n << " " << t.side;
    }
}

TEST(theorems, six_bounds_the_steps_on_the_top_rank) {
    for (const Torus& t : Powers) {
        const int top = t.top_rank();
        // Vectors are rounded to whole steps, the formula is not.
        EXPECT_LE(most_steps(t, top).highest, std::ceil(t.top_steps(top))) << t.n << " " << t.side;
    }
    // For n = 2 it is met exactly.
    for (int side : {16, 32, 64, 128, 256}) {
        const Torus t{2, side};
        EXPECT_EQ(most_steps(t, t.top_rank()).highest, int(t.top_steps(t.top_rank()))) << side;
    }
}

}  // namespace
