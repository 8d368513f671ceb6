// SPDX-License-Identifier: MIT
// Routing on the RDT: every way ends where it should, is no longer than the paper's, and is free
// of deadlock where that is claimed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_routing.h>
#include <rdt/net/rdt/rdt_vectors.h>

namespace {

using rdt::Choices;
using rdt::NodeId;
using rdt::NoPort;
using rdt::OutChannel;
using rdt::PrdtNetwork;
using rdt::RdtNetwork;
using rdt::Routing;

// Follows a packet, always by the choice that `pick` makes; sees(node, port) for every hop.
template <typename Pick, typename Sees>
int follow(const rdt::Network& network, const Routing& routing, NodeId src, NodeId dst, Pick&& pick,
           Sees&& sees) {
    rdt::RouteTag tag = routing.start(src, dst);
    NodeId at = src;
    OutChannel in{NoPort, 0};
    Choices choices;
    for (int hops = 0; hops < 64; ++hops) {
        routing.next(at, dst, tag, in, choices);
        if (choices.empty()) return at == dst ? hops : -1;
        const OutChannel taken = choices[pick(choices.size())];
        EXPECT_LT(taken.vc, routing.vcs());
        sees(at, taken.port);
        tag = routing.advance(at, tag, taken);
        in = {uint16_t(network.port_back(at, taken.port)), taken.vc};
        at = *network.neighbor(at, taken.port);
    }
    return -1;
}

// Hops of the best choices; -1 if the packet does not arrive.
int hops(const rdt::Network& network, const Routing& routing, NodeId src, NodeId dst) {
    return follow(
        network, routing, src, dst, [](size_t) { return 0; }, [](NodeId, uint32_t) {});
}

struct Lengths {
    double mean;
    int longest;
};

// Over all pairs; eight sources stand for all.
Lengths lengths(const RdtNetwork& network, const std::string& routing) {
    const auto r = network.routing(routing);
    double sum = 0;
    int longest = 0;
    for (NodeId src : network.representatives())
        for (NodeId dst = 0; dst < network.nodes(); ++dst) {
            const int n = hops(network, *r, src, dst);
            EXPECT_GE(n, 0) << network.name() << " " << routing << " " << src << " to " << dst;
            sum += n;
            longest = std::max(longest, n);
        }
    return {sum / network.nodes() / rdt::NumKinds, longest};
}

struct Known {
    int side;
    Lengths ours, paper;
};
void expect_no_worse_than_paper(const std::string& routing, const std::vector<Known>& known) {
    for (const Known& k : known) {
        const Lengths l = lengths(RdtNetwork(k.side), routing);
        EXPECT_NEAR(l.mean, k.ours.mean, 0.5001e-4) << routing << " side " << k.side;
        EXPECT_EQ(l.longest, k.ours.longest) << routing << " side " << k.side;
        EXPECT_LE(l.mean, k.paper.mean) << routing << " side " << k.side;
        EXPECT_LE(l.longest, k.paper.longest) << routing << " side " << k.side;
    }
}

TEST(rdt_routing, every_routing_delivers_every_pair_of_8x8_and_16x16) {
    for (int side : {8, 16}) {
        const RdtNetwork network(side);
        for (const std::string& name : network.routings()) {
            const auto routing = network.routing(name);
            for (NodeId src = 0; src < network.nodes(); ++src)
                for (NodeId dst = 0; dst < network.nodes(); ++dst)
                    ASSERT_GE(hops(network, *routing, src, dst), 0)
                        << network.name() << " " << name << " " << src << " to " << dst;
        }
    }
}

TEST(rdt_routing, any_choices_deliver_random_pairs_of_the_larger_sizes) {
    std::mt19937 rng(5);
    for (int side : {32, 64, 128, 256}) {
        const RdtNetwork network(side);
        const auto any_node = [&] { return NodeId(rng() % network.nodes()); };
        for (const std::string& name : network.routings()) {
            const auto routing = network.routing(name);
            for (int i = 0; i < (name == "closed" ? 25 : 1000); ++i) {
                const NodeId src = any_node(), dst = any_node();
                ASSERT_GE(
                    follow(
                        network, *routing, src, dst,
                        [&](size_t choices) { return rng() % choices; }, [](NodeId, uint32_t) {}),
                    0)
                    << "seed=5 " << network.name() << " " << name << " " << src << " to " << dst;
            }
        }
    }
}

TEST(rdt_routing, simple_vector_routing_on_the_perfect_rdt_is_as_confirmed) {
    const int longest[] = {6, 7, 9};
    const double mean[] = {3.9033, 4.6812, 5.6257};
    for (int i = 0; i < 3; ++i) {
        const PrdtNetwork network(32 << i);
        const auto routing = network.routing("simple");
        double sum = 0;
        int most = 0;
        for (NodeId dst = 0; dst < network.nodes(); ++dst) {
            const int n = hops(network, *routing, 0, dst);
            ASSERT_GE(n, 0);
            sum += n;
            most = std::max(most, n);
        }
        EXPECT_EQ(most, longest[i]);
        EXPECT_NEAR(sum / network.nodes(), mean[i], 0.5001e-4);
    }
}

TEST(rdt_routing, deadlock_free_routing_is_no_longer_than_the_papers) {
    expect_no_worse_than_paper("deadlock-free", {{32, {5.4297, 8}, {6.68, 11}},
                                                 {64, {6.6368, 10}, {8.19, 12}},
                                                 {128, {8.1522, 12}, {9.96, 17}}});
}

// The paper's longest way on 16,384 nodes, 9, is less than the graph's diameter, 10.
TEST(rdt_routing, floating_vector_routing_is_no_longer_than_the_papers) {
    expect_no_worse_than_paper("floating", {{32, {4.7988, 7}, {5.56, 7}},
                                            {64, {5.6542, 8}, {6.67, 8}},
                                            {128, {6.8129, 10}, {7.82, 10}}});
}

TEST(rdt_routing, fixed_vector_routing_is_no_longer_than_the_papers) {
    expect_no_worse_than_paper("fixed", {{32, {5.5762, 9}, {5.67, 9}},
                                         {64, {6.6069, 10}, {7.07, 11}},
                                         {128, {7.8977, 12}, {8.60, 15}}});
}

TEST(rdt_routing, adaptive_routing_offers_shortest_paths) {
    for (int side : {8, 16, 32, 64, 128}) {
        const RdtNetwork network(side);
        const rdt::Distances d = rdt::distances(network);
        const Lengths l = lengths(network, "adaptive");
        EXPECT_NEAR(l.mean, d.mean(), 1e-9) << "side " << side;
        EXPECT_EQ(l.longest, int(d.diameter)) << "side " << side;
    }
}

rdt::RoutingCheck check(const rdt::Network& network, const std::string& routing) {
    return rdt::check_routing(network, *network.routing(routing));
}

TEST(rdt_routing, deadlock_free_routings_have_no_cycle_of_channels) {
    for (int side : {8, 16, 32}) {
        EXPECT_TRUE(check(RdtNetwork(side), "deadlock-free").deadlock_free) << side;
        EXPECT_TRUE(check(RdtNetwork(side), "deadlock-free-simple").deadlock_free) << side;
        EXPECT_TRUE(check(PrdtNetwork(side), "simple").deadlock_free) << side;
        const rdt::RoutingCheck turn = check(RdtNetwork(side), "adaptive-turn");
        EXPECT_TRUE(turn.adaptive && turn.deadlock_free && turn.bounded) << side;
        EXPECT_FALSE(turn.by_escape) << side;
    }
}

TEST(rdt_routing, the_escape_channels_of_adaptive_routing_have_no_cycle) {
    for (int side : {8, 16, 32}) {
        const rdt::RoutingCheck c = check(RdtNetwork(side), "adaptive");
        EXPECT_TRUE(c.adaptive && c.deadlock_free && c.by_escape && c.bounded) << side;
    }
}

TEST(rdt_routing, floating_and_fixed_vectors_alone_are_not_free_of_deadlock) {
    for (const char* routing : {"floating", "fixed"}) {
        const rdt::RoutingCheck c = check(RdtNetwork(16), routing);
        EXPECT_FALSE(c.deadlock_free) << routing;
        EXPECT_FALSE(c.cycle.empty()) << routing;
    }
}

// Shortest tours with the best vectors give the distance in the graph, for every pair.
TEST(rdt_routing, the_best_vectors_are_those_of_a_shortest_path) {
    for (int side : {8, 16, 32, 64}) {
        const RdtNetwork network(side);
        const rdt::Geometry& g = network.geometry();
        const rdt::Tours tours = rdt::shortest_tours(g);
        const rdt::VectorTable best(g, tours);
        for (NodeId src : network.representatives()) {
            std::vector<int> distance(g.nodes(), -1);
            std::vector<NodeId> queue{src};
            distance[src] = 0;
            for (size_t i = 0; i < queue.size(); ++i)
                for (uint32_t port = 0; port < rdt::NumNetworkPorts; ++port) {
                    const NodeId next = g.neighbor(queue[i], port);
                    if (distance[next] >= 0) continue;
                    distance[next] = distance[queue[i]] + 1;
                    queue.push_back(next);
                }
            for (NodeId dst = 0; dst < g.nodes(); ++dst) {
                const rdt::Vectors v = best(src, dst);
                int length = tours(g.kind(src), rdt::rank_set(v), v[0]);
                for (uint32_t r = 1; r <= rdt::MaxRank; ++r)
                    length += std::abs(v[r].x) + std::abs(v[r].y);
                ASSERT_EQ(length, distance[dst]) << network.name() << " " << src << " to " << dst;
            }
        }
    }
}

TEST(rdt_routing, closed_partitioning_never_leaves_the_partition) {
    const RdtNetwork network(32);
    const rdt::Geometry& g = network.geometry();
    const auto routing = network.routing("closed");
    std::set<int> sides;
    for (NodeId src = 0; src < network.nodes(); src += 3)
        for (NodeId dst = 0; dst < network.nodes(); ++dst) {
            const int side = rdt::partition_side(g, src, dst);
            sides.insert(side);
            const auto sees = [&](NodeId node, uint32_t) {
                EXPECT_LE(rdt::partition_side(g, src, node), side);
            };
            ASSERT_GE(follow(
                          network, *routing, src, dst, [](size_t) { return 0; }, sees),
                      0);
        }
    EXPECT_EQ(sides, (std::set<int>{4, 8, 16, 32}));
}

// A quarter of a network against the paper's figures for that many nodes. Only pairs whose
// smallest square is the quarter itself: the paper's partition knows no smaller ones, and with
// them the mean would be lower still.
TEST(rdt_routing, closed_partitions_are_no_longer_than_the_papers) {
    const int longest[] = {13, 17};
    const double mean[] = {6.69, 8.37};
    for (int i = 0; i < 2; ++i) {
        const int side = 32 << i;
        const RdtNetwork network(2 * side);
        const auto routing = network.routing("closed");
        double sum = 0;
        int pairs = 0, most = 0;
        for (int s = 0; s < side * side; s += 37)
            for (int d = 0; d < side * side; ++d) {
                const NodeId src = network.geometry().index(s % side, s / side);
                const NodeId dst = network.geometry().index(d % side, d / side);
                if (rdt::partition_side(network.geometry(), src, dst) != side) continue;
                const int n = hops(network, *routing, src, dst);
                sum += n;
                most = std::max(most, n);
                ++pairs;
            }
        EXPECT_LE(sum / pairs, mean[i]);
        EXPECT_LE(most, longest[i]);
    }
}

rdt::Faults random_faults(const RdtNetwork& network, int links, int nodes, unsigned seed) {
    std::mt19937 rng(seed);
    rdt::Faults faults;
    for (int i = 0; i < links; ++i)
        faults.fail_link(network, rng() % network.nodes(), rng() % rdt::NumNetworkPorts);
    for (int i = 0; i < nodes; ++i) faults.nodes.insert(rng() % network.nodes());
    return faults;
}

void expect_bypassed(const RdtNetwork& network, const rdt::Faults& faults,
                     const std::string& what) {
    const auto routing = rdt::make_floating_routing(network, rdt::VectorSource::Best, faults);
    const auto sees = [&](NodeId node, uint32_t port) {
        EXPECT_EQ(faults.links.count({node, port}), 0u) << what;
        EXPECT_EQ(faults.nodes.count(*network.neighbor(node, port)), 0u) << what;
    };
    for (NodeId src = 0; src < network.nodes(); ++src)
        for (NodeId dst = 0; dst < network.nodes(); ++dst) {
            if (faults.nodes.count(src) + faults.nodes.count(dst) != 0) continue;
            ASSERT_GE(follow(
                          network, *routing, src, dst, [](size_t) { return 0; }, sees),
                      0)
                << what << ": " << src << " to " << dst;
        }
}

TEST(rdt_routing, any_single_faulty_link_or_node_is_bypassed) {
    const RdtNetwork network(16);
    for (NodeId node : network.representatives()) {
        for (uint32_t port = 0; port < rdt::NumNetworkPorts; ++port) {
            rdt::Faults faults;
            faults.fail_link(network, node, port);
            expect_bypassed(network, faults, "link " + std::to_string(port));
        }
        rdt::Faults faults;
        faults.nodes.insert(node);
        expect_bypassed(network, faults, "node " + std::to_string(node));
    }
}

TEST(rdt_routing, many_faults_at_once_are_bypassed) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const RdtNetwork network(32);
        expect_bypassed(network, random_faults(network, 40, 10, seed),
                        "seed=" + std::to_string(seed));
    }
}

TEST(rdt_routing, without_faults_the_rewritten_tables_cost_nothing_far_from_one) {
    const RdtNetwork network(64);
    rdt::Faults faults;
    faults.fail_link(network, network.geometry().index(40, 40), rdt::PortE1);
    const auto with = rdt::make_floating_routing(network, rdt::VectorSource::Best, faults);
    const auto without = rdt::make_floating_routing(network);
    int longer = 0;
    for (NodeId dst = 0; dst < network.nodes(); ++dst) {
        const int extra = hops(network, *with, 0, dst) - hops(network, *without, 0, dst);
        longer += extra > 0 ? 1 : 0;
        EXPECT_LE(extra, 4);
    }
    EXPECT_LT(longer, int(network.nodes()) / 100);
}

TEST(rdt_routing, a_hypercube_is_embedded_with_dilation_two_on_the_perfect_rdt) {
    const int dilation[] = {2, 2, 2, 2};
    const int sides[] = {16, 32, 64, 128};
    for (int i = 0; i < 4; ++i) {
        const PrdtNetwork network(sides[i]);
        const auto routing = network.routing("simple");
        int most = 0;
        for (NodeId node = 0; node < network.nodes(); node += 7)
            for (uint32_t d = 0; 1u << d < network.nodes(); ++d)
                most = std::max(most, hops(network, *routing, node, rdt::across(node, d)));
        EXPECT_EQ(most, dilation[i]) << "side " << sides[i];
    }
}

// On the RDT itself a node may be two rank-0 hops, there and back, from the rank it needs.
TEST(rdt_routing, a_hypercube_is_embedded_with_dilation_four_on_the_rdt) {
    for (int side : {16, 32, 64, 128}) {
        const RdtNetwork network(side);
        const auto routing = network.routing("hypercube");
        int most = 0;
        for (NodeId node = 0; node < network.nodes(); ++node)
            for (uint32_t d = 0; 1u << d < network.nodes(); ++d)
                most = std::max(most, hops(network, *routing, node, rdt::across(node, d)));
        EXPECT_EQ(most, 4) << "side " << side;
    }
}

TEST(rdt_routing, the_hypercube_routing_passes_the_hypercubes_nodes_in_order) {
    const RdtNetwork network(16);
    const auto routing = network.routing("hypercube");
    for (NodeId src = 0; src < network.nodes(); src += 5)
        for (NodeId dst = 0; dst < network.nodes(); ++dst) {
            std::vector<NodeId> seen;
            const auto sees = [&](NodeId node, uint32_t) { seen.push_back(node); };
            ASSERT_GE(follow(
                          network, *routing, src, dst, [](size_t) { return 0; }, sees),
                      0);
            NodeId corner = src;
            auto at = seen.begin();
            for (uint32_t d = 0; corner != dst; ++d) {
                if (((corner ^ dst) >> d & 1) == 0) continue;
                at = std::find(at, seen.end(), corner);
                ASSERT_NE(at, seen.end());
                corner = rdt::across(corner, d);
            }
        }
}

TEST(rdt_routing, fixed_routing_in_descending_order_is_as_long_as_the_shortest_such_walk) {
    for (const rdt::MissingRank missing : {rdt::MissingRank::Highest, rdt::MissingRank::One}) {
        const RdtNetwork network(32, missing);
        const rdt::Geometry& g = network.geometry();
        const auto routing = network.routing("fixed-highest-first");
        const rdt::Tours any = rdt::shortest_tours(g);
        const rdt::Tours descending = rdt::shortest_tours(g, rdt::RankOrder::Descending);
        for (NodeId src : network.representatives())
            for (NodeId dst = 0; dst < network.nodes(); ++dst) {
                const rdt::Vectors v = rdt::split(g.displacement(src, dst), g.top_rank());
                int upper = 0;
                for (uint32_t r = 1; r <= g.top_rank(); ++r) upper += rdt::length(v[r]);
                uint32_t last = rdt::MaxRank + 1;  // ranks fall along the way
                bool falls = true;
                const int hops = follow(
                    network, *routing, src, dst, [](size_t) { return 0u; },
                    [&](NodeId at, uint32_t port) {
                        if (port < rdt::PortE1) return;
                        falls = falls && g.rank(at) <= last;
                        last = g.rank(at);
                    });
                const uint32_t set = rdt::rank_set(v), kind = g.kind(src);
                ASSERT_EQ(hops, upper + descending(kind, set, v[0]));
                ASSERT_GE(descending(kind, set, v[0]), any(kind, set, v[0]));
                ASSERT_TRUE(falls);
            }
    }
    EXPECT_EQ(rdt::make_network("rdt:64/1")->name(), "rdt:64/1");
    for (const char* name : {"rdt:64/", "rdt:64/2", "rdt:64/1/1", "rdt:/1", "rdt:24/1"})
        EXPECT_THROW(rdt::make_network(name), rdt::NetworkError) << name;
}

}  // namespace
