// SPDX-License-Identifier: MIT
// RDT(n,R,m): links, distances, tori and their names are those of the paper's definitions, which
// are written out here once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_family.h>
#include <rdt/net/rdt/rdt_network.h>

namespace {

using rdt::make_network;
using rdt::NetworkError;
using rdt::NodeId;
using rdt::RankTori;
using rdt::RdtFamily;
using rdt::Vec;

using Point = std::pair<int, int>;

// Links of a rank in nodes of the base torus: along it on even ranks, along its diagonals on odd
// ones, with lengths from n and 2n^2.
std::vector<Point> steps(int side, int n, int rank) {
    long long length = 1;
    for (int r = 0; r < rank; ++r) length = length * (r % 2 == 0 ? n : 2 * n) % side;
    const int l = int(length);
    if (rank % 2 == 0) return {{l, 0}, {-l, 0}, {0, l}, {0, -l}};
    return {{l, l}, {-l, -l}, {l, -l}, {-l, l}};
}

// Breadth-first search over the definition of the perfect RDT.
int diameter(int side, int n, int ranks) {
    std::vector<Point> links;
    for (int rank = 0; rank <= ranks; ++rank)
        for (Point p : steps(side, n, rank)) links.push_back(p);
    std::vector<int> distance(size_t(side) * size_t(side), -1);
    std::vector<int> queue{0};
    distance[0] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
        for (const auto& [dx, dy] : links) {
            const int x = ((queue[i] % side + dx) % side + side) % side;
            const int y = ((queue[i] / side + dy) % side + side) % side;
            int& there = distance[size_t(x + side * y)];
            if (there >= 0) continue;
            there = distance[size_t(queue[i])] + 1;
            queue.push_back(x + side * y);
        }
    EXPECT_EQ(queue.size(), distance.size());
    return distance[size_t(queue.back())];
}

TEST(rdt_family, diameters_are_those_of_a_search_over_the_definition) {
    const struct {
        int side, n, ranks, diameter;
    } known[] = {{256, 3, 4, 8}, {256, 2, 4, 10}, {128, 3, 4, 7}, {128, 2, 4, 8}, {96, 2, 4, 7},
                 {96, 3, 4, 7},  {144, 3, 4, 8},  {162, 3, 3, 9}, {192, 2, 4, 8}, {216, 3, 4, 9},
                 {240, 2, 4, 9}, {240, 3, 4, 8},  {32, 2, 3, 5},  {64, 2, 3, 6},  {20, 1, 3, 0},
                 {15, 2, 2, 0},  {240, 5, 1, 28}};
    for (const auto& k : known) {
        const RdtFamily rdt(k.side, k.n, uint32_t(k.ranks), uint32_t(k.ranks));
        const int here = int(rdt::distances(rdt).diameter);
        EXPECT_EQ(here, diameter(k.side, k.n, k.ranks)) << rdt.name();
        EXPECT_TRUE(k.diameter == 0 || here == k.diameter) << rdt.name() << " " << here;
    }
}

TEST(rdt_family, links_of_every_rank_are_those_of_definition_2) {
    for (const char* name : {"rdt:64,2,3,3", "rdt:36,3,2,2", "rdt:24,3,2,1", "rdt:64,2,3,2"}) {
        const auto network = make_network(name);
        const auto& rdt = dynamic_cast<const RdtFamily&>(*network);
        const int side = rdt.side();
        for (NodeId node = 0; node < rdt.nodes(); ++node) {
            std::multiset<NodeId> here, there;
            for (uint32_t port = 0; port < rdt.ports(); ++port)
                here.insert(*rdt.neighbor(node, port));
            std::vector<uint32_t> ranks = rdt.ranks_of(node);
            EXPECT_EQ(ranks.size(), rdt.upper());
            ranks.push_back(0);
            for (uint32_t rank : ranks)
                for (const auto& [dx, dy] : steps(side, rdt.tori().n(), int(rank)))
                    there.insert(NodeId((int(node) % side + dx + 8 * side) % side +
                                        side * ((int(node) / side + dy + 8 * side) % side)));
            ASSERT_EQ(here, there) << name << " " << node;
        }
    }
}

TEST(rdt_family, one_upper_torus_of_n_2_is_the_rdt_that_has_only_a_side) {
    const uint32_t top[] = {1, 2, 3, 3, 4};
    for (int i = 0; i < 5; ++i) {
        const int side = 8 << i;
        const rdt::RdtNetwork rdt(side);
        const RdtFamily family(side, 2, top[i], 1);
        for (NodeId node = 0; node < rdt.nodes(); ++node)
            for (uint32_t port = 0; port < rdt.ports(); ++port)
                ASSERT_EQ(rdt.neighbor(node, port), family.neighbor(node, port)) << side;
    }
}

// Definition 2's formulas, case 1 and 2: the ends of the next rank's links in coordinates of a
// torus. They may leave the numbers from 0 up; what is meant is then the same node further round.
TEST(rdt_family, coordinates_on_a_torus_follow_definition_2) {
    for (const Point& size : {Point{64, 2}, {128, 2}, {216, 3}}) {
        const auto& [side, n] = size;
        const RankTori tori(side, n);
        for (uint32_t rank = 0; tori.has_names(rank + 1); ++rank) {
            const int nx = int(tori.size(rank).x), ny = int(tori.size(rank).y);
            const auto far = steps(side, n, int(rank) + 1);
            for (int node = 0; node < side * side; node += 7) {
                const Vec at{node % side, node / side};
                const auto p = tori.place(at, rank);
                EXPECT_TRUE(p.x >= 0 && p.x < nx && p.y >= 0 && p.y < ny);
                const auto down = [](int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); };
                int k1 = 0, k2 = 0;
                if (rank % 2 == 1 && nx != 2 * n) {
                    k1 = (nx - ny) * down(p.x + p.y, nx - 2 * n);
                    k2 = (nx - ny) * down(p.x - p.y, nx - 2 * n);
                }
                const Point first{p.x + n - k1, p.y + n - k1};
                const Point second{p.x + n - k2, p.y - n + k2};
                int found = 0;
                for (const auto& [dx, dy] : far) {
                    const auto q = tori.place({at.x + dx, at.y + dy}, rank);
                    EXPECT_EQ(q.name, p.name);
                    for (const Point& end : {first, second}) {
                        const int x = end.first - q.x, y = end.second - q.y;
                        const bool is_same = rank % 2 == 0 ? x % nx == 0 && y % ny == 0
                                                           : y % ny == 0 && (x - y) % nx == 0;
                        found += is_same ? 1 : 0;
                    }
                }
                EXPECT_GE(found, 2) << side << " rank " << rank << " node " << node;
            }
        }
    }
}

// Nodes of a name are exactly those that the rank's links join, and the first ones of all names
// are the minimum node sets of theorem 2.
TEST(rdt_family, names_distinguish_the_tori_of_a_rank) {
    for (const Point& size : {Point{32, 2}, {64, 2}, {36, 3}, {64, 4}}) {
        const auto& [side, n] = size;
        const RankTori tori(side, n);
        for (uint32_t rank = 1; tori.has_names(rank); ++rank) {
            std::vector<int> torus(size_t(side) * size_t(side), -1);
            std::map<std::vector<Point>, int> number;
            int count = 0;
            for (int first = 0; first < side * side; ++first) {
                if (torus[size_t(first)] >= 0) continue;
                std::vector<int> queue{first};
                torus[size_t(first)] = count;
                std::set<Point> places;
                for (size_t i = 0; i < queue.size(); ++i) {
                    const Vec at{queue[i] % side, queue[i] / side};
                    const auto p = tori.place(at, rank);
                    EXPECT_EQ(number.try_emplace(p.name, count).first->second, count);
                    EXPECT_TRUE(places.insert({p.x, p.y}).second) << "two nodes of one number";
                    for (const auto& [dx, dy] : steps(side, n, int(rank))) {
                        const int to =
                            (at.x + dx + side) % side + side * ((at.y + dy + side) % side);
                        if (torus[size_t(to)] >= 0) continue;
                        torus[size_t(to)] = count;
                        queue.push_back(to);
                    }
                }
                EXPECT_EQ(queue.size(), tori.size(rank).nodes());
                ++count;
            }
            EXPECT_EQ(uint64_t(count), tori.count(rank));
            EXPECT_EQ(int(number.size()), count) << "two tori of one name";
        }
    }
}

TEST(rdt_family, the_papers_example_of_a_name_is_right) {
    const RankTori tori(16, 2);
    EXPECT_EQ(rdt::to_string(tori.place({2, 2}, 2).name), "((0,0)(1,0))");
    EXPECT_EQ(rdt::to_string(tori.place({1, 0}, 1).name), "(1,0)");
}

TEST(rdt_family, alpha_uses_2_16_128_and_1024_independent_tori) {
    const rdt::RdtNetwork rdt(128);
    const auto family = rdt::as_family(rdt);
    const uint64_t known[] = {2, 16, 128, 1024};
    for (uint32_t rank = 1; rank <= 4; ++rank) {
        uint64_t count = 0;
        std::vector<bool> seen(rdt.nodes(), false);
        for (NodeId first = 0; first < rdt.nodes(); ++first) {
            if (seen[first] || rdt.geometry().rank(first) != rank) continue;
            ++count;
            std::vector<NodeId> queue{first};
            seen[first] = true;
            for (size_t i = 0; i < queue.size(); ++i)
                for (uint32_t port = 4; port < 8; ++port)
                    if (const NodeId to = *rdt.neighbor(queue[i], port); !seen[to]) {
                        seen[to] = true;
                        queue.push_back(to);
                    }
        }
        EXPECT_EQ(count, known[rank - 1]);
        EXPECT_EQ(family->tori_in_use(rank), count);
    }
}

TEST(rdt_family, simple_vector_routing_stays_within_theorem_3_and_is_free_of_deadlock) {
    for (const char* name : {"rdt:16,2,2,2", "rdt:24,3,2,2", "rdt:20,2,2,2", "rdt:18,3,1,1",
                             "rdt:16,1,5,5", "rdt:15,2,2,2", "rdt:36,3,2,2"}) {
        const auto network = make_network(name);
        const auto& rdt = dynamic_cast<const RdtFamily&>(*network);
        const auto routing = network->routing("simple");
        size_t longest = 0;
        for (NodeId dst = 0; dst < rdt.nodes(); ++dst)
            longest = std::max(longest, rdt::path(rdt, *routing, 0, dst).size() - 1);
        EXPECT_LE(double(longest), rdt::theorem3(rdt.side(), rdt.tori().n(), rdt.ranks())) << name;
        EXPECT_GE(longest, rdt::distances(rdt).diameter) << name;
        if (rdt.nodes() <= 400) {
            EXPECT_TRUE(rdt::check_routing(rdt, *routing).deadlock_free) << name;
        }
    }
}

TEST(rdt_family, parameters_outside_the_definitions_are_refused) {
    for (const char* name :
         {"rdt:256,3", "rdt:64,2,4,4", "rdt:64,2,3,0", "rdt:64,2,3,4", "rdt:64,2,0,0",
          "rdt:10,3,2,1", "rdt:1,1,1,1", "rdt:64,64,1,1", "rdt:64,0,1,1", "rdt:99999,2,1,1",
          "rdt:16,1,5,2", "rdt:8,2,1,1,1", "rdt:8,,1,1", "rdt:8,2,1,x", "rdt:12"})
        EXPECT_THROW(make_network(name), NetworkError) << name;
}

}  // namespace
