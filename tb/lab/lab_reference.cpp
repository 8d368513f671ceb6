// SPDX-License-Identifier: MIT
// The fast engine against the plain reference: the same injection clock, delivery clock and number
// of hops for every packet.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "common/wormhole_reference.h"
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/network.h>

namespace {

using rdt::lab::Delivery;
using rdt::lab::Options;
using rdt::lab::Reuse;
using rdt::lab::Ties;

// Arrivals within a cycle have no order.
void sort(std::vector<Delivery>& log) {
    std::sort(log.begin(), log.end(), [](const Delivery& a, const Delivery& b) {
        return std::tie(a.delivered, a.source, a.destination, a.generated) <
               std::tie(b.delivered, b.source, b.destination, b.generated);
    });
}

struct Case {
    const char* net;
    const char* routing;
    const char* traffic;
    double load;
    uint32_t flits;
    uint32_t header;
    uint32_t buffer;
    uint32_t out_buffer;
    Reuse reuse = Reuse::Auto;
    uint32_t injection = 1;
    Ties ties = Ties::Rule;
};

void expect_equal_packet_by_packet(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            const auto network = rdt::make_network(c.net);
            const auto routing = rdt::make_routing(*network, c.routing);
            Options options;
            options.traffic = c.traffic;
            options.load = c.load;
            options.flits = c.flits;
            options.header = c.header;
            options.buffer = c.buffer;
            options.out_buffer = c.out_buffer;
            options.reuse = c.reuse;
            options.injection = c.injection;
            options.ties = c.ties;
            options.cycles = 1200;
            options.warmup = 100;
            options.seed = seed;
            options.drain = true;
            std::vector<Delivery> fast;
            const auto result = simulate(*network, *routing, options, &fast);
            std::vector<Delivery> plain =
                rdt::tb::WormholeReference(*network, *routing, options).run();
            sort(fast);
            sort(plain);
            EXPECT_TRUE(result.drained) << c.net << " seed=" << seed;
            EXPECT_GT(plain.size(), 0u);
            ASSERT_EQ(fast.size(), plain.size()) << c.net << " " << c.traffic << " seed=" << seed;
            for (size_t i = 0; i < plain.size(); ++i)
                ASSERT_TRUE(fast[i] == plain[i])
                    << c.net << " " << c.routing << " " << c.traffic << " load " << c.load
                    << " seed=" << seed << ": packet " << i << " from " << plain[i].source << " to "
                    << plain[i].destination << " generated in " << plain[i].generated
                    << " arrives in " << plain[i].delivered << ", here in " << fast[i].delivered;
        }
    }
}

TEST(lab_reference, equal_on_tori_below_and_above_saturation) {
    expect_equal_packet_by_packet({
        {"torus:8x8", "dor", "uniform", 0.1, 16, 2, 4, 2},
        {"torus:8x8", "dor", "uniform", 0.4, 16, 2, 4, 2},
        {"torus:8x8", "dor-balanced", "uniform", 0.9, 16, 2, 16, 2},
        {"torus:16x16", "dor", "uniform", 0.2, 128, 2, 4, 2},
        {"torus:4x4x4", "dor", "uniform", 0.3, 16, 1, 32, 2},
    });
}

TEST(lab_reference, equal_with_odd_sizes_and_parameters) {
    expect_equal_packet_by_packet({
        {"torus:10x10", "dor", "neighbor", 0.5, 2, 2, 16, 3, Reuse::Tail},
        {"torus:3x5", "dor", "uniform", 0.4, 5, 2, 2, 2, Reuse::Empty},
        {"mesh:7x9", "dor", "uniform", 0.3, 7, 3, 3, 2},
        {"torus:8x8", "dor", "tornado", 0.3, 1, 1, 8, 3},
        {"hypercube:6", "", "complement", 0.6, 1, 1, 1, 1},
        {"torus:2x2", "dor", "uniform", 0.7, 4, 4, 4, 1},
        {"torus:8x8", "dor", "uniform", 0.2, 300, 2, 200, 2},
    });
}

TEST(lab_reference, equal_under_every_pattern) {
    for (const char* traffic : {"uniform", "hotspot", "hotspot:0.3", "transpose", "complement",
                                "reverse", "shuffle", "tornado", "neighbor"})
        expect_equal_packet_by_packet({{"torus:8x8", "dor", traffic, 0.15, 16, 2, 4, 2}});
}

TEST(lab_reference, equal_with_several_injection_channels_and_ties_at_random) {
    for (const uint32_t injection : {2u, 3u, 4u})
        expect_equal_packet_by_packet({
            {"torus:8x8", "dor-balanced", "transpose", 0.15, 16, 2, 16, 2, Reuse::Auto, injection,
             Ties::Random},
            {"torus:8x8", "dor", "complement", 0.7, 16, 2, 4, 2, Reuse::Auto, injection},
            {"mesh:5x7", "dor", "uniform", 0.9, 7, 1, 3, 1, Reuse::Auto, injection},
        });
    expect_equal_packet_by_packet({
        {"torus:4x6", "dor-balanced", "uniform", 0.3, 4, 2, 4, 2, Reuse::Auto, 1, Ties::Random},
        {"torus:10x10", "dor", "transpose", 0.4, 16, 2, 8, 2, Reuse::Empty, 2, Ties::Random},
        {"torus:2x4x4", "dor", "uniform", 0.5, 16, 2, 4, 2, Reuse::Auto, 1, Ties::Random},
    });
}

TEST(lab_reference, equal_with_choices_and_more_channels) {
    expect_equal_packet_by_packet({
        {"mesh:8x8", "dor", "transpose", 0.4, 16, 2, 4, 2, Reuse::Empty},
        {"hypercube:7", "", "reverse", 0.4, 16, 2, 4, 2},
        {"rdt:8", "", "uniform", 0.3, 16, 2, 4, 2},
    });
    for (const char* routing : {"deadlock-free", "floating", "adaptive", "adaptive-turn"})
        expect_equal_packet_by_packet({{"rdt:16", routing, "uniform", 0.1, 16, 2, 4, 2}});
    expect_equal_packet_by_packet({{"rdt:16", "adaptive", "uniform", 0.6, 16, 2, 4, 2}});
}

}  // namespace
