// SPDX-License-Identifier: MIT
// Chordal rings: the theorems, greedy routing in both forms and around faults.
#include <rdt/net/families/chordal_ring.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <rdt/net/graph/analysis.h>

namespace {

using rdt::BrokenLinks;
using rdt::ChordalRing;
using rdt::make_network;
using rdt::make_routing;
using rdt::NodeId;
using rdt::Routing;
using Kind = rdt::ChordalRing::Kind;

// A pair for which a routing differs from the global view of greedy routing; "" if none.
std::string differs_from_greedy(const ChordalRing& ring, const Routing& routing) {
    for (NodeId from = 0; from < ring.nodes(); ++from)
        for (NodeId to = 0; to < ring.nodes(); ++to) {
            std::vector<uint32_t> lengths;
            NodeId before = from;
            for (NodeId at : rdt::path(ring, routing, from, to)) {
                if (at != before) lengths.push_back(ring.ahead(before, at));
                before = at;
            }
            if (lengths != greedy_path(ring, from, to))
                return std::to_string(from) + " to " + std::to_string(to);
        }
    return "";
}

uint32_t worst_greedy(const ChordalRing& ring) {
    size_t worst = 0;
    for (NodeId from : ring.representatives())
        for (NodeId to = 0; to < ring.nodes(); ++to)
            worst = std::max(worst, greedy_path(ring, from, to).size());
    return uint32_t(worst);
}

TEST(chordal_ring, links_are_those_of_figure_7) {
    const ChordalRing ring(Kind::Periodic, 8, {2, 4});
    for (NodeId node = 0; node < 8; ++node) {
        EXPECT_EQ(ring.neighbor(node, 0), (node + 1) % 8);
        EXPECT_EQ(ring.neighbor(node, 1), (node + (node % 2 == 0 ? 4 : 2)) % 8);
    }
    EXPECT_EQ(ring.name(), "prc:8,2,4");
    EXPECT_TRUE(ring.directed());
}

TEST(chordal_ring, the_examples_have_their_diameters_means_and_cuts) {
    struct Example {
        const char* name;
        uint32_t diameter, bound, worst;
        uint64_t cut;
        double mean;
    };
    for (const Example& e :
         {Example{"prc:8,2,4", 3, 5, 4, 8, 1.75}, Example{"prc:100,4,20", 11, 13, 12, 26, 6.165},
          Example{"prc:1024,4,16,64,256", 17, 21, 19, 172, 9.952},
          Example{"chordal:125,5,25", 12, 12, 12, 62, 6}}) {
        const auto network = make_network(e.name);
        const auto& ring = dynamic_cast<const ChordalRing&>(*network);
        const rdt::Distances d = rdt::distances(ring, {}, false);
        EXPECT_EQ(d.diameter, e.diameter) << e.name;
        EXPECT_EQ(d.sum, rdt::distances(ring).sum) << e.name;
        EXPECT_NEAR(d.mean(), e.mean, 0.0005) << e.name;
        EXPECT_EQ(diameter_formula(ring), e.diameter) << e.name;
        EXPECT_EQ(greedy_bound(ring), e.bound) << e.name;
        EXPECT_EQ(worst_greedy(ring), e.worst) << e.name;
        EXPECT_EQ(contiguous_cut(ring), e.cut) << e.name;
    }
}

TEST(chordal_ring, the_bisection_can_be_less_than_the_cut_of_theorems_2_and_4) {
    const std::pair<const char*, uint64_t> exact[] = {
        {"prc:8,2,4", 6}, {"chordal:16,4", 8}, {"chordal:16,4,8", 8}};
    for (const auto& [name, links] : exact) {
        const rdt::Bisection b = rdt::bisection(*make_network(name));
        EXPECT_TRUE(b.exact);
        EXPECT_EQ(b.links, links) << name;
    }
}

// Every skip a divisor of the next one, up to four of them.
template <class Take>
void for_all_divisible(uint32_t nodes, std::vector<uint32_t> skips, Take&& take) {
    if (!skips.empty()) take(skips);
    if (skips.size() == 4) return;
    const uint32_t last = skips.empty() ? 1 : skips.back();
    for (uint32_t next = 2 * last; next < nodes; next += last) {
        if (nodes % next != 0) continue;
        std::vector<uint32_t> longer = skips;
        longer.push_back(next);
        for_all_divisible(nodes, longer, take);
    }
}

TEST(chordal_ring, diameters_are_exact_and_greedy_stays_within_its_bound) {
    uint32_t symmetric = 0, periodic = 0;
    for (uint32_t nodes = 4; nodes <= 96; ++nodes)
        for_all_divisible(nodes, {}, [&](const std::vector<uint32_t>& skips) {
            const ChordalRing ring(Kind::Symmetric, nodes, skips);
            ++symmetric;
            ASSERT_EQ(rdt::distances(ring).diameter, *diameter_formula(ring)) << ring.name();
            ASSERT_EQ(worst_greedy(ring), *diameter_formula(ring)) << ring.name();
            ASSERT_EQ(worst_greedy(ring), greedy_bound(ring)) << ring.name();
            if (skips[0] % skips.size() != 0 || nodes % skips.size() != 0) return;
            const ChordalRing dealt(Kind::Periodic, nodes, skips);
            ++periodic;
            ASSERT_EQ(rdt::distances(dealt).diameter, *diameter_formula(dealt)) << dealt.name();
            ASSERT_LE(worst_greedy(dealt), greedy_bound(dealt)) << dealt.name();
        });
    EXPECT_GT(symmetric, 500u);
    EXPECT_GT(periodic, 300u);
    EXPECT_FALSE(diameter_formula(ChordalRing(Kind::Periodic, 400, {10, 16})));
}

TEST(chordal_ring, greedy_routing_node_by_node_is_greedy_routing_as_a_whole) {
    for (const char* name : {"chordal:8,3", "chordal:64,4,16", "chordal:50,10,16", "chordal:30,29",
                             "prc:8,2,4", "prc:16,4", "prc:60,10,16", "prc:100,4,20",
                             "prc:96,3,9,48", "prc:64,4,8,16,32", "prc:36,6,9,15"}) {
        const auto network = make_network(name);
        const auto& ring = dynamic_cast<const ChordalRing&>(*network);
        EXPECT_EQ(differs_from_greedy(ring, *make_routing(ring, "greedy")), "") << name;
        const rdt::RoutingCheck c = rdt::check_routing(ring, *make_routing(ring, "greedy"));
        EXPECT_TRUE(c.deadlock_free) << name;
        // A routing that is not greedy everywhere is detected.
        const auto other = make_fault_tolerant_greedy(ring, {{0, 1}});
        EXPECT_NE(differs_from_greedy(ring, *other), "") << name;
    }
    const ChordalRing odd(Kind::Periodic, 400, {10, 16});
    EXPECT_EQ(greedy_path(odd, 40, 61), (std::vector<uint32_t>{16, 1, 1, 1, 1, 1}));
    EXPECT_EQ(rdt::path(odd, *make_routing(odd, "shortest"), 40, 61).size(), 4u);
}

TEST(chordal_ring, greedy_routing_goes_around_any_one_broken_skip) {
    for (const char* name : {"chordal:64,4,16", "prc:64,4,16", "prc:64,4,8,16,32"}) {
        const auto network = make_network(name);
        const auto& ring = dynamic_cast<const ChordalRing&>(*network);
        for (NodeId node = 0; node < ring.group(); ++node)
            for (uint32_t port = 1; port < ring.ports(); ++port) {
                const auto routing = make_fault_tolerant_greedy(ring, {{node, port}});
                for (NodeId from = 0; from < ring.nodes(); ++from)
                    for (NodeId to = 0; to < ring.nodes(); ++to) {
                        const auto nodes = rdt::path(ring, *routing, from, to);
                        for (size_t i = 1; i < nodes.size(); ++i)
                            ASSERT_FALSE(nodes[i - 1] == node &&
                                         nodes[i] == *ring.neighbor(node, port))
                                << name;
                    }
            }
    }
    // Without any link there is no path, which is reported.
    const ChordalRing ring(Kind::Periodic, 64, {4, 16});
    const auto stuck = make_fault_tolerant_greedy(ring, {{5, 0}, {5, 1}});
    EXPECT_THROW(rdt::path(ring, *stuck, 5, 9), std::runtime_error);
}

TEST(chordal_ring, the_best_skips_of_1024_nodes_are_the_papers) {
    for (rdt::Least what : {rdt::Least::Diameter, rdt::Least::GreedyBound})
        EXPECT_EQ(rdt::best_skips(1024, what), (std::vector<uint32_t>{4, 16, 64, 256}));
    EXPECT_EQ(rdt::best_skips(7, rdt::Least::Diameter), std::nullopt);
    // No other choice of divisible skips is better.
    for (uint32_t nodes : {36u, 64u, 96u}) {
        const ChordalRing best(Kind::Periodic, nodes,
                               *rdt::best_skips(nodes, rdt::Least::Diameter));
        for_all_divisible(nodes, {}, [&](const std::vector<uint32_t>& skips) {
            if (skips[0] % skips.size() != 0 || nodes % skips.size() != 0) return;
            EXPECT_LE(*diameter_formula(best),
                      *diameter_formula(ChordalRing(Kind::Periodic, nodes, skips)));
        });
    }
}

// Beside breadth-first search; skips of which each divides the next, the last one the ring.
TEST(chordal_ring, skips_taken_as_they_are_met_make_shortest_ways) {
    for (const char* name : {"prc:8,2,4", "prc:100,4,20", "prc:64,4,16", "prc:48,3,12,24",
                             "prc:1024,4,16,64,256", "prc:400,10,16"}) {
        const auto network = make_network(name);
        const auto& ring = dynamic_cast<const ChordalRing&>(*network);
        for (NodeId from = 0; from < ring.group(); ++from) {
            const std::vector<uint32_t> hops = rdt::as_met_hops(ring, from);
            std::vector<uint32_t> plain(ring.nodes(), ~0u);
            std::vector<NodeId> queue{from};
            plain[from] = 0;
            for (size_t i = 0; i < queue.size(); ++i)
                for (uint32_t port : {0u, 1u}) {
                    const NodeId to = *ring.neighbor(queue[i], port);
                    if (plain[to] != ~0u) continue;
                    plain[to] = plain[queue[i]] + 1;
                    queue.push_back(to);
                }
            for (uint32_t ahead = 0; ahead < ring.nodes(); ++ahead) {
                const uint32_t shortest = plain[(from + ahead) % ring.nodes()];
                EXPECT_GE(hops[ahead], shortest) << name;
                if (std::string(name) != "prc:400,10,16") {
                    EXPECT_EQ(hops[ahead], shortest) << name << " " << from << " " << ahead;
                }
            }
        }
    }
}

TEST(chordal_ring, equal_skips_make_a_ring_of_their_own) {
    const auto network = make_network("prc:16,4,4,8,8");
    const auto& ring = dynamic_cast<const ChordalRing&>(*network);
    for (NodeId v = 0; v < 16; ++v)
        EXPECT_EQ(ring.neighbor(v, 1), NodeId((v + (v % 4 < 2 ? 8 : 4)) % 16));
    EXPECT_EQ(rdt::diameter_formula(ring), std::nullopt);
    for (NodeId from = 0; from < 16; ++from)
        for (NodeId to = 0; to < 16; ++to) {
            uint32_t at = from;
            for (const uint32_t length : rdt::greedy_path(ring, from, to)) at = (at + length) % 16;
            EXPECT_EQ(at, to);
        }
}

TEST(chordal_ring, wrong_parameters_are_refused_in_one_line) {
    for (const char* name :
         {"chordal:8", "chordal:8,1", "chordal:8,8", "chordal:8,4,3", "chordal:8,3,3", "prc:9,2,4",
          "prc:8,3,4", "prc:8,4,2", "prc:8,2,4,6", "prc:5000000,2", "prc:8,2,", "chordal:x,2"}) {
        try {
            make_network(name);
            ADD_FAILURE() << name << " was taken";
        } catch (const rdt::NetworkError& e) {
            EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << name;
        }
    }
}

TEST(chordal_ring, large_ones_are_searched_in_seconds) {
    EXPECT_EQ(rdt::distances(*make_network("chordal:65536,16,256,4096")).diameter, 60u);
    const auto prc = make_network("prc:65536,8,32,128,512,2048,8192,16384,32768");
    EXPECT_EQ(rdt::distances(*prc).diameter, 31u);
}

TEST(chordal_ring, the_packed_exponential_row_has_a_narrow_waist) {
    EXPECT_EQ(rdt::size_of(*make_network("pec:32")).degree, 4u);
    const rdt::Bisection b = rdt::bisection(*make_network("pec:32"));
    EXPECT_TRUE(b.exact);
    EXPECT_EQ(b.links, 5u);
    EXPECT_EQ(rdt::distances(*make_network("pec:32")).diameter, 8u);
}

TEST(chordal_ring, skips_that_do_not_divide_each_other_give_smaller_diameters) {
    for (const auto& [name, diameter] :
         {std::pair{"prc:32,14,24", 6u}, std::pair{"prc:64,4,12,24,52", 7u},
          std::pair{"prc:1024,28,232,448,748", 13u}})
        EXPECT_EQ(rdt::distances(*make_network(name)).diameter, diameter) << name;
    const rdt::FoundRing found = rdt::search_skips(64, 20, 1);
    EXPECT_LE(found.diameter, 7u);
    EXPECT_EQ(rdt::distances(ChordalRing(Kind::Periodic, 64, found.skips)).diameter,
              found.diameter);
    EXPECT_THROW(rdt::search_skips(3, 1, 1), rdt::NetworkError);
    EXPECT_THROW(rdt::search_skips(100000, 1, 1), rdt::NetworkError);
}

}  // namespace
