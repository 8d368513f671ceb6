// SPDX-License-Identifier: MIT
// The RDT's shape against the numbers confirmed independently, and every pair of nodes
// through the chip's own routing step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include <rdt/net/rdt/rdt_geometry.h>

namespace {

using rdt::Geometry;
using rdt::RouteConfig;
using rdt::Vec;

// The assignment repeats after two rows and four columns (along the rank-1 axes), so these
// eight nodes stand for all.
std::vector<uint32_t> one_of_each_kind(const Geometry& g) {
    std::vector<uint32_t> nodes;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x) nodes.push_back(g.index(x, y));
    return nodes;
}

// Along every axis, rank 0 and upper: does each ring have exactly one link that both of its ends
// mark as a dateline?
bool has_one_dateline_per_ring(const Geometry& g, const std::vector<RouteConfig>& configs) {
    const auto crosses = [&](uint32_t node, uint32_t port) {
        return (configs[node].dateline >> port & 1) != 0;
    };
    for (uint32_t plus : {rdt::PortE0, rdt::PortN0, rdt::PortE1, rdt::PortN1}) {
        for (uint32_t start = 0; start < g.nodes(); ++start) {
            int datelines = 0;
            uint32_t node = start;
            do {
                const uint32_t next = g.neighbor(node, plus);
                if (crosses(node, plus) != crosses(next, rdt::opposite(plus))) return false;
                datelines += crosses(node, plus) ? 1 : 0;
                node = next;
            } while (node != start);
            if (datelines != 1) return false;
        }
    }
    return true;
}

struct Distances {
    int diameter = 0;
    double mean = 0;
};

Distances shortest_paths(const Geometry& g) {
    Distances d;
    double sum = 0;
    const std::vector<uint32_t> sources = one_of_each_kind(g);
    for (uint32_t src : sources) {
        std::vector<int> dist(g.nodes(), -1);
        std::vector<uint32_t> queue{src};
        dist[src] = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const uint32_t node = queue[i];
            sum += dist[node];
            d.diameter = std::max(d.diameter, dist[node]);
            for (uint32_t port = 0; port < rdt::NumNetworkPorts; ++port) {
                const uint32_t next = g.neighbor(node, port);
                if (dist[next] >= 0) continue;
                dist[next] = dist[node] + 1;
                queue.push_back(next);
            }
        }
    }
    d.mean = sum / double(sources.size()) / double(g.nodes());
    return d;
}

TEST(geometry, refuses_sizes_that_are_no_rdt) {
    for (int side : {-8, 0, 2, 10, 24, 100, 512})
        EXPECT_THROW(Geometry{side}, std::invalid_argument);
}

TEST(geometry, axes_and_largest_ranks_are_those_of_the_paper) {
    const Vec x[] = {{1, 0}, {2, 2}, {0, 8}, {-16, 16}, {-64, 0}};
    const Vec y[] = {{0, 1}, {-2, 2}, {-8, 0}, {-16, -16}, {0, -64}};
    for (uint32_t r = 0; r <= rdt::MaxRank; ++r) {
        EXPECT_EQ(rdt::axes_of(r).x, x[r]) << "rank " << r;
        EXPECT_EQ(rdt::axes_of(r).y, y[r]) << "rank " << r;
    }
    const uint32_t top[] = {1, 1, 2, 3, 3, 4, 4};
    for (size_t i = 0; i < Geometry::sides.size(); ++i)
        EXPECT_EQ(Geometry(Geometry::sides[i]).top_rank(), top[i]);
}

TEST(geometry, rank_falls_by_one_going_east) {
    for (int side : {128, 256}) {
        const Geometry g(side);
        for (uint32_t node = 0; node < g.nodes(); ++node) {
            const uint32_t r = g.rank(node);
            EXPECT_EQ(g.rank(g.neighbor(node, rdt::PortE0)), r == 1 ? 4 : r - 1);
            const uint32_t n = g.rank(g.neighbor(node, rdt::PortN0));
            const uint32_t s = g.rank(g.neighbor(node, rdt::PortS0));
            const uint32_t far = (r + 1) % 4 + 1;
            EXPECT_TRUE((n == r && s == far) || (n == far && s == r)) << "node " << node;
        }
    }
}

TEST(geometry, every_link_is_seen_from_both_ends) {
    for (int side : Geometry::sides) {
        const Geometry g(side);
        for (uint32_t node = 0; node < g.nodes(); ++node)
            for (uint32_t port = 0; port < rdt::NumNetworkPorts; ++port) {
                const uint32_t other = g.neighbor(node, port);
                EXPECT_NE(other, node);
                EXPECT_EQ(g.neighbor(other, rdt::opposite(port)), node);
                EXPECT_TRUE(port < rdt::PortE1 || g.rank(other) == g.rank(node));
            }
    }
}

TEST(geometry, the_64_node_machine_has_eight_rank_1_tori_of_eight_nodes) {
    const Geometry g(8);
    std::set<std::set<uint32_t>> tori;
    for (uint32_t start = 0; start < g.nodes(); ++start) {
        std::vector<uint32_t> queue{start};
        std::set<uint32_t> torus{start};
        for (size_t i = 0; i < queue.size(); ++i)
            for (uint32_t port = rdt::PortE1; port < rdt::NumNetworkPorts; ++port)
                if (torus.insert(g.neighbor(queue[i], port)).second)
                    queue.push_back(g.neighbor(queue[i], port));
        EXPECT_EQ(torus.size(), 8u);
        tori.insert(torus);
    }
    EXPECT_EQ(tori.size(), 8u);
}

TEST(geometry, missing_ranks_can_be_rank_1) {
    using rdt::MissingRank;
    const Geometry all_ranks(256);
    const int diameter[] = {2, 3, 5, 7, 8, 10, 12};
    const double mean[] = {1.5625, 2.2812, 3.4092, 4.5247, 5.4760, 6.6113, 7.8076};
    for (size_t i = 0; i < Geometry::sides.size(); ++i) {
        const int side = Geometry::sides[i];
        const Geometry g(side, MissingRank::One), usual(side);
        for (uint32_t node = 0; node < g.nodes(); ++node) {
            const uint32_t alpha = all_ranks.rank(all_ranks.index(g.x_of(node), g.y_of(node)));
            ASSERT_EQ(g.rank(node), alpha <= g.top_rank() ? alpha : 1) << side << " " << node;
            ASSERT_EQ(usual.rank(node), std::min(alpha, g.top_rank())) << side << " " << node;
        }
        const Distances d = shortest_paths(g);
        EXPECT_EQ(d.diameter, diameter[i]) << side;
        EXPECT_NEAR(d.mean, mean[i], 0.5001e-4) << side;
        for (uint32_t src : one_of_each_kind(g))
            for (uint32_t dst = 0; dst < g.nodes(); dst += 5)
                ASSERT_EQ(g.walk(src, dst).node, dst) << side;
    }
}

TEST(geometry, shortest_paths_match_confirmed_diameters_and_means) {
    const int diameter[] = {2, 3, 6, 7, 8, 10, 12};
    const double mean[] = {1.5625, 2.2812, 3.6162, 4.6470, 5.4554, 6.6113, 7.8076};
    for (size_t i = 0; i < Geometry::sides.size(); ++i) {
        const Distances d = shortest_paths(Geometry(Geometry::sides[i]));
        EXPECT_EQ(d.diameter, diameter[i]) << "side " << Geometry::sides[i];
        EXPECT_NEAR(d.mean, mean[i], 0.5001e-4) << "side " << Geometry::sides[i];
    }
}

TEST(geometry, simple_vector_routing_matches_confirmed_means) {
    const int side[] = {32, 64, 128, 256};
    const int diameter[] = {6, 7, 9, 11};
    const double mean[] = {3.9033, 4.6812, 5.6257, 6.6371};
    for (int i = 0; i < 4; ++i) {
        const Geometry g(side[i]);
        int longest = 0;
        double sum = 0;
        for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
            int hops = 0;
            for (Vec v : rdt::split(g.displacement(0, dst), g.top_rank()))
                hops += std::abs(v.x) + std::abs(v.y);
            longest = std::max(longest, hops);
            sum += hops;
        }
        EXPECT_EQ(longest, diameter[i]) << "side " << side[i];
        EXPECT_NEAR(sum / g.nodes(), mean[i], 0.5001e-4) << "side " << side[i];
    }
}

Vec sum_of(const rdt::Vectors& v) {
    Vec sum;
    for (uint32_t r = 0; r <= rdt::MaxRank; ++r)
        sum = sum + v[r].x * rdt::axes_of(r).x + v[r].y * rdt::axes_of(r).y;
    return sum;
}

TEST(geometry, simple_vectors_add_up_to_the_displacement_and_stay_within_two) {
    for (int side : Geometry::sides) {
        const Geometry g(side);
        for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
            const rdt::Vectors v = rdt::split(g.displacement(0, dst), g.top_rank());
            for (uint32_t r = 0; r <= rdt::MaxRank; ++r)
                EXPECT_LE(std::max(std::abs(v[r].x), std::abs(v[r].y)), r <= g.top_rank() ? 2 : 0);
            EXPECT_EQ(sum_of(v), g.displacement(0, dst));
            EXPECT_GT(std::min(sum_of(v).x, sum_of(v).y), -side / 2);
            EXPECT_LE(std::max(sum_of(v).x, sum_of(v).y), side / 2);
        }
    }
}

TEST(geometry, vectors_lead_to_the_destination_and_fit_the_header) {
    for (int side : Geometry::sides) {
        const Geometry g(side);
        for (uint32_t src : one_of_each_kind(g))
            for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
                const rdt::Vectors v = g.vectors(src, dst);
                EXPECT_EQ(g.shifted(src, sum_of(v)), dst);
                EXPECT_EQ(rdt::vectors_of(g.make_header(src, dst)), v);
                for (uint32_t r = 1; r <= rdt::MaxRank; ++r)
                    EXPECT_LE(std::max(std::abs(v[r].x), std::abs(v[r].y)),
                              r <= g.top_rank() ? 3 : 0);
            }
    }
}

// The second pair of figures is the paper's (Table I, deadlock-free).
TEST(geometry, vectors_make_the_chips_way_shorter_than_the_papers) {
    struct Known {
        int side, longest;
        double mean;
        int paper_longest;
        double paper_mean;
    };
    for (const Known& k : {Known{32, 8, 5.4297, 11, 6.68}, Known{64, 10, 6.6368, 12, 8.19},
                           Known{128, 12, 8.1522, 17, 9.96}}) {
        const Geometry g(k.side);
        size_t longest = 0, sum = 0;
        for (uint32_t src : one_of_each_kind(g))
            for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
                const size_t hops = g.walk(src, dst).hops.size();
                const rdt::Vectors simple = rdt::split(g.displacement(src, dst), g.top_rank());
                const rdt::Header h = rdt::make_header(simple, 0, rdt::TypeUni, 2, 0, rdt::MaxHops);
                ASSERT_LE(hops, g.walk(src, h).hops.size());
                longest = std::max(longest, hops);
                sum += hops;
            }
        const double mean = double(sum) / g.nodes() / 8;
        EXPECT_EQ(int(longest), k.longest) << "side " << k.side;
        EXPECT_NEAR(mean, k.mean, 0.5001e-4) << "side " << k.side;
        EXPECT_LE(int(longest), k.paper_longest);
        EXPECT_LE(mean, k.paper_mean);
    }
}

TEST(geometry, every_ring_has_exactly_one_dateline) {
    for (int side : Geometry::sides) {
        const Geometry g(side);
        EXPECT_TRUE(has_one_dateline_per_ring(g, g.configs())) << "side " << side;
    }
}

TEST(geometry, the_dateline_check_sees_a_missing_and_a_second_dateline) {
    const Geometry g(16);
    for (uint32_t port = 0; port < rdt::NumNetworkPorts; ++port) {
        std::vector<RouteConfig> one_end_off = g.configs();
        one_end_off[g.index(0, 0)].dateline ^= 1u << port;
        EXPECT_FALSE(has_one_dateline_per_ring(g, one_end_off)) << "port " << port;
        std::vector<RouteConfig> both_ends_off = one_end_off;
        both_ends_off[g.neighbor(0, port)].dateline ^= 1u << rdt::opposite(port);
        EXPECT_FALSE(has_one_dateline_per_ring(g, both_ends_off)) << "port " << port;
    }
}

TEST(geometry, the_transfer_table_leads_to_every_rank_within_three_hops) {
    for (int side : Geometry::sides) {
        const Geometry g(side);
        for (uint32_t start = 0; start < g.nodes(); ++start)
            for (uint32_t rank = 1; rank <= g.top_rank(); ++rank) {
                uint32_t node = start;
                for (int hop = 0; hop < 3 && g.rank(node) != rank; ++hop) {
                    const bool west = (g.config(node).xfer >> (rank - 1) & 1) != 0;
                    node = g.neighbor(node, west ? rdt::PortW0 : rdt::PortE0);
                }
                EXPECT_EQ(g.rank(node), rank) << "side " << side << " from " << start;
            }
    }
}

TEST(geometry, every_pair_of_64_nodes_is_delivered_by_the_real_routing_step) {
    const Geometry g(8);
    for (uint32_t src = 0; src < g.nodes(); ++src)
        for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
            const rdt::Walk w = g.walk(src, dst);
            EXPECT_EQ(w.end.err, rdt::ErrNone);
            EXPECT_EQ(w.end.dst, rdt::PortM0);
            EXPECT_EQ(w.node, dst);
            EXPECT_LE(w.hops.size(), 3u);
        }
}

TEST(geometry, vector_components_stay_in_range_on_the_way) {
    int west = 0, east = 0, north_south = 0;
    for (int side : {16, 32, 64, 128}) {
        const Geometry g(side);
        for (uint32_t src : one_of_each_kind(g))
            for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
                const rdt::Walk w = g.walk(src, dst);
                ASSERT_EQ(w.node, dst);
                rdt::Header h = g.make_header(src, dst);
                for (const rdt::Hop& hop : w.hops) {
                    h = rdt::leave(h, hop.port, g.rank(hop.node));
                    const rdt::Vectors v = rdt::vectors_of(h);
                    west = std::min(west, v[0].x);
                    east = std::max(east, v[0].x);
                    north_south = std::max(north_south, std::abs(v[0].y));
                    for (uint32_t r = 1; r <= rdt::MaxRank; ++r)
                        ASSERT_LE(std::max(std::abs(v[r].x), std::abs(v[r].y)), 3);
                    ASSERT_TRUE(rdt::is_good_head(h.h0) && rdt::is_good_flit(h.h1) &&
                                rdt::is_good_flit(h.h2));
                }
            }
    }
    EXPECT_GE(west, -8);
    EXPECT_LE(east, 7);
    EXPECT_LE(north_south, 7);
}

TEST(geometry, the_header_carries_what_it_was_given) {
    const Geometry g(8);
    const rdt::Header h = g.make_header(0, 9, 1, rdt::TypeSetup, 7, 5, 33);
    EXPECT_EQ(rdt::get(h.h0, rdt::H0Type), int(rdt::TypeSetup));
    EXPECT_EQ(rdt::get(h.h0, rdt::H0Len), 7);
    EXPECT_EQ(rdt::get(h.h0, rdt::H0Tag), 5);
    EXPECT_EQ(rdt::get(h.h0, rdt::H0Mbp), 1);
    EXPECT_EQ(rdt::get(h.h2, rdt::H2Hop), 33);
    EXPECT_EQ(rdt::vectors_of(h), g.vectors(0, 9));
    EXPECT_EQ(g.walk(0, h).end.dst, rdt::PortLocal);
    EXPECT_EQ(g.walk(0, h).end.err, rdt::ErrNone);
    EXPECT_EQ(g.walk(0, g.make_header(0, 9, 1)).end.dst, rdt::PortM1);
}

TEST(geometry, a_walk_ends_at_the_hop_limit) {
    const Geometry g(8);
    const uint32_t dst = g.index(4, 4);
    const size_t hops = g.walk(0, dst).hops.size();
    ASSERT_EQ(hops, 2u);
    const rdt::Header enough = g.make_header(0, dst, 0, rdt::TypeUni, 2, 0, 2);
    EXPECT_EQ(g.walk(0, enough).end.err, rdt::ErrNone);
    const rdt::Header short_by_one = g.make_header(0, dst, 0, rdt::TypeUni, 2, 0, 1);
    EXPECT_EQ(g.walk(0, short_by_one).end.err, rdt::ErrHopLimit);
    EXPECT_EQ(g.walk(0, short_by_one).hops.size(), 1u);
}

}  // namespace
