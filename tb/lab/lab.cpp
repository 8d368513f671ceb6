// SPDX-License-Identifier: MIT
// The flit-level simulator: router model, conservation, determinism, deadlock, random process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <rdt/support/random.h>
#include <rdt/lab/simulate.h>
#include <rdt/lab/loads.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/net/graph/network.h>

namespace {

using rdt::Choices;
using rdt::NodeId;
using rdt::OutChannel;
using rdt::RouteTag;
using rdt::lab::Delivery;
using rdt::lab::Options;
using rdt::lab::simulate;
using rdt::lab::SimulationResult;

SimulationResult run(const std::string& net, const Options& options,
                     std::vector<Delivery>* log = nullptr) {
    const auto network = rdt::make_network(net);
    return simulate(*network, *rdt::make_routing(*network, ""), options, log);
}

// Packets go round in one direction on one virtual channel: nothing keeps them from deadlock.
class OneWayRing : public rdt::Network {
public:
    std::string name() const override { return "ring"; }
    uint32_t nodes() const override { return 8; }
    uint32_t ports() const override { return 2; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return (node + (port == 0 ? 1 : 7)) % 8;
    }
    uint32_t port_back(NodeId, uint32_t port) const override { return 1 - port; }
    std::vector<std::string> routings() const override { return {"round"}; }
    std::unique_ptr<rdt::Routing> routing(const std::string&) const override {
        struct Round : rdt::Routing {
            uint32_t vcs() const override { return 1; }
            void next(NodeId at, NodeId dst, const RouteTag&, OutChannel,
                      Choices& out) const override {
                out.clear();
                if (at != dst) out.add(0, 0);
            }
        };
        return std::make_unique<Round>();
    }
};

TEST(lab, packet_without_rivals_takes_the_cycles_of_the_router_model) {
    for (const uint32_t header : {1u, 2u, 4u}) {
        Options o;
        o.header = header;
        o.load = 16e-5;
        o.cycles = 300000;
        o.drain = true;
        std::vector<Delivery> log;
        run("torus:8x8", o, &log);
        size_t alone = 0;
        for (size_t i = 1; i + 1 < log.size(); ++i) {
            const Delivery& d = log[i];
            if (log[i - 1].delivered >= d.generated || log[i + 1].generated <= d.delivered)
                continue;
            ++alone;
            ASSERT_EQ(d.injected, d.generated + 1);
            ASSERT_EQ(d.delivered - d.injected, (d.hops + 1) * (header + 2) + o.flits - 1);
        }
        EXPECT_GT(alone, 100u);
    }
}

TEST(lab, everything_generated_arrives_once_after_generation_stops) {
    for (const char* net : {"torus:8x8", "mesh:5x7", "hypercube:5", "torus:4x4x4"}) {
        Options o;
        o.load = 0.8;
        o.cycles = 2000;
        o.drain = true;
        std::vector<Delivery> log;
        const SimulationResult r = run(net, o, &log);
        EXPECT_TRUE(r.drained) << net;
        EXPECT_GT(r.generated, 500u);
        EXPECT_EQ(r.generated, r.delivered);
        EXPECT_EQ(log.size(), r.generated);
        EXPECT_TRUE(r.deadlock.empty());
        for (const Delivery& d : log) {
            ASSERT_NE(d.source, d.destination);
            ASSERT_LT(d.generated, d.injected);
            ASSERT_LT(d.injected, d.delivered);
        }
    }
}

TEST(lab, offered_load_is_accepted_below_saturation_and_saturation_is_reported) {
    Options o;
    o.buffer = 16;
    o.load = 0.2;
    const SimulationResult below = run("torus:8x8", o);
    EXPECT_NEAR(below.accepted, 0.2, 0.01);
    EXPECT_FALSE(below.saturated);
    EXPECT_NEAR(below.hops_mean, 256.0 / 63, 0.05);
    o.load = 0.9;
    const SimulationResult above = run("torus:8x8", o);
    EXPECT_LT(above.accepted, 0.7);
    EXPECT_TRUE(above.saturated);
    EXPECT_FALSE(above.drained);
    EXPECT_GT(above.total.mean, 5 * above.network.mean);
}

TEST(lab, full_request_queue_refuses_packets) {
    Options o;
    o.load = 0.9;
    o.queue = 2;
    o.drain = true;
    const SimulationResult r = run("torus:8x8", o);
    EXPECT_GT(r.refused, 0u);
    EXPECT_EQ(r.generated, r.delivered);
}

bool same(const SimulationResult& a, const SimulationResult& b) {
    return a.accepted == b.accepted && a.network.mean == b.network.mean &&
           a.network.max == b.network.max && a.total.mean == b.total.mean &&
           a.total.p99 == b.total.p99 && a.hops_mean == b.hops_mean && a.generated == b.generated &&
           a.delivered == b.delivered;
}

TEST(lab, same_seed_gives_same_result_on_any_number_of_threads) {
    const auto network = rdt::make_network("torus:8x8");
    const auto routing = rdt::make_routing(*network, "dor");
    Options o;
    o.cycles = 4000;
    rdt::SweepOptions s;
    s.loads = rdt::loads_between(0.05, 1, 0.05);
    s.jobs = 1;
    const auto one = rdt::lab::simulate_loads(*network, *routing, o, s);
    s.jobs = 2;
    const auto two = rdt::lab::simulate_loads(*network, *routing, o, s);
    ASSERT_EQ(one.size(), two.size());
    ASSERT_GT(one.size(), 3u);
    ASSERT_LT(one.size(), s.loads.size());
    EXPECT_TRUE(one.back().result.saturated);
    for (size_t i = 0; i < one.size(); ++i) {
        EXPECT_TRUE(same(one[i].result, two[i].result)) << "load " << one[i].load;
        o.load = one[i].load;
        EXPECT_TRUE(same(one[i].result, simulate(*network, *routing, o)));
        EXPECT_EQ(one[i].result.saturated, i + 1 == one.size());
    }
    o.seed = 2;
    EXPECT_FALSE(same(one.back().result, simulate(*network, *routing, o)));
}

TEST(lab, ring_without_dateline_deadlocks_and_the_cycle_is_named) {
    const OneWayRing ring;
    const auto routing = ring.routing("");
    Options o;
    o.load = 0.6;
    o.traffic = "tornado";
    const SimulationResult r = simulate(ring, *routing, o);
    ASSERT_EQ(r.deadlock.size(), 8u);
    EXPECT_LT(r.clocks, o.cycles);
    for (size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(r.deadlock[i].port, 0);
        EXPECT_EQ(r.deadlock[(i + 1) % 8].node, (r.deadlock[i].node + 1) % 8);
    }
    // Too short a run for the watch: found at its end all the same.
    o.cycles = 500;
    o.warmup = 100;
    EXPECT_EQ(simulate(ring, *routing, o).deadlock.size(), 8u);
    // While the ring has not closed there is no deadlock.
    o.cycles = 10;
    o.warmup = 0;
    EXPECT_TRUE(simulate(ring, *routing, o).deadlock.empty());
}

TEST(lab, rdt_deadlocks_without_order_of_ranks_and_not_with_it) {
    const auto network = rdt::make_network("rdt:16");
    Options o;
    o.load = 0.5;
    o.cycles = 3000;
    for (const char* routing : {"deadlock-free", "adaptive", "adaptive-turn"})
        EXPECT_TRUE(simulate(*network, *make_routing(*network, routing), o).deadlock.empty());
    EXPECT_FALSE(simulate(*network, *make_routing(*network, "floating"), o).deadlock.empty());
}

TEST(lab, saturated_network_is_not_taken_for_a_deadlock) {
    Options o;
    o.load = 1;
    o.traffic = "hotspot";
    const SimulationResult r = run("torus:8x8", o);
    EXPECT_TRUE(r.saturated);
    EXPECT_TRUE(r.deadlock.empty());
}

TEST(lab, trials_are_a_bernoulli_process) {
    constexpr uint32_t Nodes = 50;
    constexpr uint64_t Clocks = 100000;
    for (const double p : {0.002, 0.03, 0.4}) {
        rdt::Random random(7);
        rdt::BernoulliTrials trials(Nodes, p, random);
        std::vector<uint64_t> of_node(Nodes);
        std::vector<bool> before(Nodes);
        double pairs = 0;        // successes of a node in two cycles running
        double sum_squares = 0;  // of successes per cycle
        double total = 0;
        for (uint64_t t = 0; t < Clocks; ++t) {
            std::vector<bool> now(Nodes);
            trials.clock(t, [&](NodeId node) {
                ASSERT_LT(node, Nodes);
                ASSERT_FALSE(now[node]);
                now[node] = true;
                ++of_node[node];
            });
            double count = 0;
            for (uint32_t n = 0; n < Nodes; ++n) {
                count += now[n] ? 1 : 0;
                pairs += now[n] && before[n] ? 1 : 0;
            }
            total += count;
            sum_squares += count * count;
            before = now;
        }
        const double n = double(Nodes) * Clocks;
        EXPECT_NEAR(total, n * p, 5 * std::sqrt(n * p * (1 - p)));
        EXPECT_NEAR(pairs, n * p * p, 5 * std::sqrt(n * p * p) + 5);
        for (const uint64_t c : of_node)
            EXPECT_NEAR(double(c), Clocks * p, 5 * std::sqrt(Clocks * p * (1 - p)));
        // The number of successes a cycle is binomial.
        const double mean = total / Clocks;
        EXPECT_NEAR(sum_squares / Clocks - mean * mean, Nodes * p * (1 - p), 0.03 * Nodes * p);
    }
    rdt::Random random(1);
    rdt::BernoulliTrials never(Nodes, 0, random);
    never.clock(0, [](NodeId) { FAIL(); });
    EXPECT_EQ(never.next_clock(), UINT64_MAX);
    rdt::BernoulliTrials always(Nodes, 1, random);
    uint32_t count = 0;
    for (uint64_t t = 0; t < 10; ++t) always.clock(t, [&](NodeId) { ++count; });
    EXPECT_EQ(count, 10 * Nodes);
}

TEST(lab, patterns_send_to_their_defined_destinations) {
    const auto network = rdt::make_network("torus:8x8");
    rdt::Random random(1);
    for (const char* name : {"transpose", "complement", "reverse", "shuffle", "tornado"}) {
        const rdt::Traffic traffic(*network, name, 1);
        std::set<NodeId> reached;
        for (NodeId n = 0; n < 64; ++n) reached.insert(traffic.destination(n, random));
        EXPECT_EQ(reached.size(), 64u) << name;
    }
    const rdt::Traffic hot(*network, "hotspot", 1);
    EXPECT_EQ(hot.hot_spots().size(), 2u);
    const rdt::Traffic near(*network, "neighbor", 1);
    const rdt::Traffic uniform(*network, "uniform", 1);
    std::set<NodeId> to_hot, to_near, to_any;
    for (int i = 0; i < 2000; ++i) {
        to_hot.insert(hot.destination(9, random));
        to_near.insert(near.destination(9, random));
        to_any.insert(uniform.destination(9, random));
    }
    EXPECT_LE(to_hot.size(), 2u);
    EXPECT_EQ(to_near, (std::set<NodeId>{1, 8, 10, 17}));
    EXPECT_EQ(to_any.size(), 63u);
    EXPECT_EQ(to_any.count(9), 0u);
}

TEST(lab, placed_hot_nodes_are_a_32nd_at_the_positions_of_the_pattern) {
    const auto network = rdt::make_network("torus:16x16");
    const std::pair<const char*, std::vector<NodeId>> known[] = {
        {"hotblock", {0, 1, 2, 3, 4, 5, 6, 7}},
        {"hotrect", {0, 1, 2, 3, 16, 17, 18, 19}},
        {"hotgrid", {0, 4, 8, 12, 128, 132, 136, 140}},
        {"hotstride", {0, 32, 64, 96, 128, 160, 192, 224}}};
    for (const auto& [name, nodes] : known)
        EXPECT_EQ(rdt::Traffic(*network, name, 1).hot_spots(), nodes) << name;
    for (const char* name : {"hotrect", "hotgrid"})
        EXPECT_THROW(rdt::Traffic(*rdt::make_network("torus:12x12"), name, 1), rdt::NetworkError)
            << name;
}

// Hops in one dimension of a torus.
uint32_t ring_distance(uint32_t from, uint32_t to, uint32_t side) {
    const uint32_t ahead = (to + side - from) % side;
    return std::min(ahead, side - ahead);
}

// The ports that a packet takes with this draw, at most one more than `most`.
std::vector<uint32_t> ports_of_way(const rdt::Network& network, const rdt::Routing& routing,
                                   NodeId src, NodeId dst, uint32_t draw, uint32_t most) {
    const RouteTag tag = routing.start_drawn(src, dst, draw);
    std::vector<uint32_t> ports;
    Choices choices;
    NodeId at = src;
    while (ports.size() <= most) {
        routing.next(at, dst, tag, {rdt::NoPort, 0}, choices);
        if (choices.empty()) break;
        ports.push_back(choices[0].port);
        at = *network.neighbor(at, ports.back());
    }
    return ports;
}

// Sides with and without ties; one that is too long for a table of ways.
TEST(lab, ways_on_a_torus_are_shortest_and_a_draw_turns_a_tie) {
    const std::pair<uint32_t, uint32_t> all_sides[] = {{8, 6}, {5, 2}, {258, 4}};
    for (const auto& [a, b] : all_sides)
        for (const char* name : {"dor", "dor-balanced"}) {
            const auto network =
                rdt::make_network("torus:" + std::to_string(a) + "x" + std::to_string(b));
            const auto routing = rdt::make_routing(*network, name);
            rdt::Random random(1);
            for (int i = 0; i < 3000; ++i) {
                const NodeId src = random.below(a * b);
                const NodeId dst = random.below(a * b);
                const uint32_t across = ring_distance(src % a, dst % a, a);
                const uint32_t distance = across + ring_distance(src / a, dst / a, b);
                std::set<uint32_t> first_ports;
                for (uint32_t draw = 0; draw < routing->draws(); ++draw) {
                    const auto ports = ports_of_way(*network, *routing, src, dst, draw, distance);
                    ASSERT_EQ(ports.size(), distance)
                        << network->name() << " from " << src << " to " << dst;
                    if (across != 0) first_ports.insert(ports[0]);
                }
                const size_t expected = across == 0 ? 0 : 2 * across == a ? 2 : 1;
                ASSERT_EQ(first_ports.size(), expected)
                    << network->name() << " from " << src << " to " << dst;
            }
        }
}

TEST(lab, wrong_parameters_are_rejected) {
    const std::vector<std::function<void(Options&)>> wrong = {
        [](Options& o) { o.load = -0.1; },    [](Options& o) { o.load = 1.5; },
        [](Options& o) { o.load = NAN; },     [](Options& o) { o.flits = 0; },
        [](Options& o) { o.flits = 5000; },   [](Options& o) { o.header = 0; },
        [](Options& o) { o.header = 17; },    [](Options& o) { o.buffer = 1; },
        [](Options& o) { o.buffer = 256; },   [](Options& o) { o.out_buffer = 0; },
        [](Options& o) { o.out_buffer = 4; }, [](Options& o) { o.cycles = 0; },
        [](Options& o) { o.warmup = 10000; },
    };
    for (size_t i = 0; i < wrong.size(); ++i) {
        Options o;
        wrong[i](o);
        EXPECT_THROW(run("torus:4x4", o), rdt::lab::OptionError) << "case " << i;
    }
    Options o;
    for (const char* traffic : {"", "unifrom", "hotspot:2", "hotspot:", "hotspots", "transpose"}) {
        o.traffic = traffic;
        EXPECT_THROW(run("torus:3x5", o), rdt::NetworkError) << traffic;
    }
    EXPECT_THROW(rdt::loads_between(0.1, 0.5, 0), std::invalid_argument);
    EXPECT_THROW(rdt::loads_between(0.5, 0.1, 0.1), std::invalid_argument);
}

}  // namespace
