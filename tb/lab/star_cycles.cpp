// SPDX-License-Identifier: MIT
// Star graph, cube- and star-connected cycles: shape, labels, and that their routings are optimal.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/families/scc_search.h>

namespace {

using rdt::make_network;
using rdt::make_routing;
using rdt::Network;
using rdt::NodeId;
using rdt::Permutation;
using rdt::scc_search;
using rdt::SccNode;

// Plain breadth-first search, apart from the one under test.
std::vector<uint32_t> distances_from(const Network& network, NodeId src) {
    std::vector<uint32_t> distance(network.nodes(), ~0u);
    std::vector<NodeId> queue{src};
    distance[src] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
        for (uint32_t port = 0; port < network.ports(); ++port)
            if (const auto to = network.neighbor(queue[i], port); to && distance[*to] == ~0u) {
                distance[*to] = distance[queue[i]] + 1;
                queue.push_back(*to);
            }
    return distance;
}

SccNode scc_node(NodeId node, uint32_t n) {
    return {node % (n - 1) + 2, Permutation(n, node / (n - 1))};
}

// The error in a choice of lateral links; "" if they make a shortest path.
std::string fault_of(const SccNode& from, const SccNode& to, const std::vector<uint32_t>& laterals,
                     uint32_t distance) {
    Permutation order = from.order;
    for (uint32_t place : laterals) order.swap_first_with(place);
    if (order.index() != to.order.index()) return "ends elsewhere";
    const uint32_t length = scc_path_length(from, to, laterals);
    return length == distance ? "" : length < distance ? "too short to be true" : "too long";
}

TEST(star_cycles, orders_are_numbered_alphabetically_and_read_back) {
    for (uint32_t n = 2; n <= 7; ++n) {
        std::string before;
        for (NodeId i = 0; i < rdt::factorial(n); ++i) {
            const Permutation p(n, i);
            EXPECT_EQ(p.index(), i);
            EXPECT_LT(before, p.to_string());
            before = p.to_string();
            EXPECT_EQ(Permutation::parse(before, n)->index(), i);
            EXPECT_EQ(p.is_odd(), [&] {
                uint32_t swaps = 0;
                for (const auto& cycle : p.cycles()) swaps += uint32_t(cycle.size() - 1);
                return swaps % 2 != 0;
            }());
        }
    }
    EXPECT_EQ(Permutation(10, 0).to_string(), "1.2.3.4.5.6.7.8.9.10");
    EXPECT_EQ(Permutation::parse("10.9.8.7.6.5.4.3.2.1", 10)->index(), rdt::factorial(10) - 1);
    for (const char* wrong : {"", "1234", "123456", "11234", "01234", "1234x", "1.2.3.4.5"})
        EXPECT_FALSE(Permutation::parse(wrong, 5)) << wrong;
    for (const char* wrong : {"12345678910", "1.2.3", "1.2.3.4.5.6.7.8.9.11", "1..2"})
        EXPECT_FALSE(Permutation::parse(wrong, 10)) << wrong;
}

TEST(star_cycles, nodes_are_named_by_place_and_order) {
    const auto scc = make_network("scc:5");
    EXPECT_EQ(scc->label(scc->parse("3:34125")), "3:34125");
    EXPECT_EQ(scc->parse("2:12345"), 0u);
    EXPECT_EQ(scc->parse("479"), scc->parse("5:54321"));
    for (const char* wrong :
         {"1:12345", "6:12345", "3:12344", "3:1234", "3:", ":12345", "x:12345", "33:12345", "480"})
        EXPECT_THROW(scc->parse(wrong), rdt::NetworkError) << wrong;
    const auto star = make_network("star:5");
    EXPECT_EQ(star->parse("12345"), 0u);
    EXPECT_EQ(star->parse("119"), star->parse("54321"));
    EXPECT_THROW(star->parse("11345"), rdt::NetworkError);
    EXPECT_EQ(make_network("ccc:4")->label(7), "1,3");
}

TEST(star_cycles, diameters_are_those_confirmed) {
    const std::map<std::string, uint32_t> diameters{
        {"scc:3", 6},  {"scc:4", 8},  {"scc:5", 16}, {"scc:6", 19}, {"scc:7", 30}, {"scc:8", 34},
        {"star:4", 4}, {"star:7", 9}, {"ccc:3", 6},  {"ccc:4", 8},  {"ccc:9", 20}};
    for (const auto& [name, diameter] : diameters)
        EXPECT_EQ(rdt::distances(*make_network(name)).diameter, diameter) << name;
    for (uint32_t n = 3; n <= 6; ++n) {
        const auto scc = make_network("scc:" + std::to_string(n));
        const uint32_t nodes = (n - 1) * rdt::factorial(n);
        EXPECT_EQ(scc->nodes(), nodes);
        EXPECT_EQ(rdt::size_of(*scc).links, n == 3 ? 12u : nodes * 3 / 2);
        EXPECT_EQ(rdt::size_of(*scc).degree, n == 3 ? 2u : 3u);
    }
}

// Too large to be built; nodes are numbered as they would be.
TEST(star_cycles, the_diameter_for_ten_symbols_is_53) {
    constexpr uint32_t N = 10, Side = N - 1;
    std::vector<bool> seen(size_t(Side) * rdt::factorial(N), false);
    std::vector<NodeId> now{0}, next;
    seen[0] = true;
    uint32_t diameter = 0;
    size_t reached = 1;
    const auto reach = [&](NodeId node) {
        if (seen[node]) return;
        seen[node] = true;
        next.push_back(node);
    };
    for (; reached < seen.size(); reached += now.size(), ++diameter) {
        next.clear();
        for (NodeId node : now) {
            const uint32_t place = node % Side;
            reach(node - place + (place + 1) % Side);
            reach(node - place + (place + Side - 1) % Side);
            Permutation order(N, node / Side);
            order.swap_first_with(place + 2);
            reach(order.index() * Side + place);
        }
        now.swap(next);
        ASSERT_FALSE(now.empty());
    }
    EXPECT_EQ(diameter, 53u);
}

TEST(star_cycles, the_network_looks_the_same_from_every_node) {
    for (const char* name : {"scc:4", "scc:5", "star:5", "ccc:4", "ccc:5"}) {
        const auto n = make_network(name);
        auto all = distances_from(*n, 0);
        std::sort(all.begin(), all.end());
        for (NodeId node = 1; node < n->nodes(); ++node) {
            auto others = distances_from(*n, node);
            std::sort(others.begin(), others.end());
            ASSERT_EQ(all, others) << name << " " << n->label(node);
        }
    }
}

// Hops between the ends of a link without that link.
uint32_t detour(const Network& network, NodeId from, uint32_t port) {
    const NodeId goal = *network.neighbor(from, port);
    std::vector<uint32_t> distance(network.nodes(), ~0u);
    std::vector<NodeId> queue{from};
    distance[from] = 0;
    for (size_t i = 0; i < queue.size() && distance[goal] == ~0u; ++i)
        for (uint32_t p = 0; p < network.ports(); ++p) {
            const NodeId to = *network.neighbor(queue[i], p);
            if (distance[to] != ~0u || (queue[i] == from && to == goal)) continue;
            distance[to] = distance[queue[i]] + 1;
            queue.push_back(to);
        }
    return distance[goal];
}

// The shortest ring through a link distinguishes local from lateral links; neither it nor the
// distances from both ends distinguish local links from each other.
TEST(star_cycles, there_are_two_kinds_of_links) {
    for (const char* name : {"scc:4", "scc:5"}) {
        const auto n = make_network(name);
        std::vector<std::vector<uint32_t>> distance;
        for (NodeId node = 0; node < n->nodes(); ++node)
            distance.push_back(distances_from(*n, node));
        using Profile = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;
        // Local links, lateral links.
        std::map<std::pair<uint32_t, Profile>, std::pair<uint32_t, uint32_t>> kinds;
        for (NodeId node = 0; node < n->nodes(); ++node)
            for (uint32_t port = 0; port < 3; ++port) {
                Profile profile;
                for (NodeId other = 0; other < n->nodes(); ++other)
                    ++profile[std::minmax(distance[node][other],
                                          distance[*n->neighbor(node, port)][other])];
                auto& kind = kinds[{detour(*n, node, port), profile}];
                ++(port == 2 ? kind.second : kind.first);
            }
        ASSERT_EQ(kinds.size(), 2u) << name;
        for (const auto& [kind, count] : kinds)
            EXPECT_TRUE(count.first == 0 || count.second == 0) << name;
    }
}

TEST(star_cycles, the_star_distance_formula_is_exact) {
    for (uint32_t n = 3; n <= 7; ++n) {
        const auto star = make_network("star:" + std::to_string(n));
        const auto distance = distances_from(*star, 0);
        for (NodeId node = 0; node < star->nodes(); ++node)
            ASSERT_EQ(star_distance(Permutation(n, node)), distance[node]) << star->label(node);
    }
}

TEST(star_cycles, the_search_is_optimal_for_all_pairs_of_four_and_five_symbols) {
    for (uint32_t n : {4u, 5u}) {
        const auto scc = make_network("scc:" + std::to_string(n));
        const auto routing = make_routing(*scc, "optimal");
        for (NodeId to = 0; to < scc->nodes(); ++to) {
            const auto distance = distances_from(*scc, to);
            for (NodeId from = 0; from < scc->nodes(); ++from) {
                const auto route = scc_search(scc_node(from, n), scc_node(to, n));
                ASSERT_EQ(route.hops(), distance[from]);
                ASSERT_EQ(
                    fault_of(scc_node(from, n), scc_node(to, n), route.laterals, distance[from]),
                    "")
                    << scc->label(from) << " to " << scc->label(to);
                ASSERT_EQ(rdt::path(*scc, *routing, from, to).size() - 1, distance[from]);
            }
        }
    }
}

TEST(star_cycles, the_search_is_optimal_for_a_sample_of_six_and_seven_symbols) {
    for (uint32_t n : {6u, 7u}) {
        const auto scc = make_network("scc:" + std::to_string(n));
        const auto routing = make_routing(*scc, "optimal");
        for (NodeId to = 0; to < scc->nodes(); to += scc->nodes() / (n == 6 ? 11 : 3)) {
            const auto distance = distances_from(*scc, to);
            for (NodeId from = to % 7; from < scc->nodes(); from += n == 6 ? 3 : 17) {
                const auto route = scc_search(scc_node(from, n), scc_node(to, n));
                ASSERT_EQ(
                    fault_of(scc_node(from, n), scc_node(to, n), route.laterals, distance[from]),
                    "")
                    << scc->label(from) << " to " << scc->label(to);
                ASSERT_EQ(rdt::path(*scc, *routing, from, to).size() - 1, distance[from]);
            }
        }
    }
}

TEST(star_cycles, wrong_routes_are_noticed) {
    const SccNode from{3, *Permutation::parse("34125", 5)}, to{2, Permutation(5)};
    EXPECT_EQ(fault_of(from, to, {3, 2, 4, 2}, 9), "");
    EXPECT_EQ(fault_of(from, to, {2, 4, 2, 3}, 9), "too long");  // the paper's longer example, 11
    EXPECT_EQ(fault_of(from, to, {3, 2, 4}, 9), "ends elsewhere");
    EXPECT_EQ(fault_of(from, to, {3, 2, 4, 2}, 10), "too short to be true");
    EXPECT_EQ(scc_path_length(from, to, {2, 4, 2, 3}), 11u);
}

TEST(star_cycles, antipodes_of_odd_n_need_another_place_than_printed) {
    const std::pair<const char*, std::array<uint32_t, 2>> cases[] = {
        {"14523", {14, 16}}, {"1567234", {27, 30}}, {"167892345", {44, 48}}};
    for (const auto& [text, hops] : cases) {
        const auto n = uint32_t(std::string(text).size());
        const Permutation order = *Permutation::parse(text, n);
        EXPECT_EQ(scc_search({2, order}, {2, Permutation(n)}).hops(), hops[0]) << n;
        EXPECT_EQ(scc_search({(n + 3) / 2, order}, {2, Permutation(n)}).hops(), hops[1]) << n;
    }
}

TEST(star_cycles, star_and_ccc_routings_are_optimal_too) {
    for (const char* name : {"star:5", "star:6", "ccc:3", "ccc:4", "ccc:5", "ccc:6"}) {
        const auto n = make_network(name);
        const auto routing = make_routing(*n, "optimal");
        for (NodeId to = 0; to < n->nodes(); to += 7) {
            const auto distance = distances_from(*n, to);
            for (NodeId from = 0; from < n->nodes(); ++from)
                ASSERT_EQ(rdt::path(*n, *routing, from, to).size() - 1, distance[from])
                    << name << " " << n->label(from) << " to " << n->label(to);
        }
    }
}

}  // namespace
