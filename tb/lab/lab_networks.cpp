// SPDX-License-Identifier: MIT
// Every network of the other papers in the simulator: no loss, no deadlock, and an acyclic
// dependency graph. The comparison that is made of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <rdt/lab/compare.h>
#include <rdt/lab/lanes.h>
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_family.h>

namespace {

using rdt::Choices;
using rdt::make_network;
using rdt::make_routing;
using rdt::NodeId;
using rdt::OutChannel;
using rdt::RouteTag;

struct Case {
    const char* network;
    const char* routing;
};
const Case Cases[] = {{"scc:4", "optimal"},
                      {"scc:5", "optimal"},
                      {"star:5", "optimal"},
                      {"ccc:4", "optimal"},
                      {"ccc:5", "optimal"},
                      {"chordal:64,4,16", "greedy"},
                      {"chordal:60,7,25", "greedy"},
                      {"prc:64,4,16", "greedy"},
                      {"prc:96,4,12,24,48", "greedy"},
                      {"prc:64,4,8,16,32", "negative-hop"},
                      {"rcc:4,2", "alg1"},
                      {"rhsn:3,q2", "recursive"},
                      {"rhsn:2,2,q2", "recursive"}};

// Another routing with everything in one virtual channel.
class OneChannel : public rdt::Routing {
public:
    explicit OneChannel(std::unique_ptr<rdt::Routing> routing) : m_routing(std::move(routing)) {}
    uint32_t vcs() const override { return 1; }
    RouteTag start(NodeId src, NodeId dst) const override { return m_routing->start(src, dst); }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        Choices all;
        m_routing->next(at, dst, tag, in, all);
        out.clear();
        if (!all.empty()) out.add(all[0].port, 0);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_routing->advance(at, tag, taken);
    }

private:
    const std::unique_ptr<rdt::Routing> m_routing;
};

TEST(lab_networks, no_channel_waits_for_itself) {
    for (const Case& c : Cases) {
        const auto n = make_network(c.network);
        const rdt::RoutingCheck check = rdt::check_routing(*n, *make_routing(*n, c.routing));
        EXPECT_TRUE(check.deadlock_free) << c.network;
        EXPECT_FALSE(check.by_escape) << c.network;
        EXPECT_TRUE(check.bounded) << c.network;
    }
}

TEST(lab_networks, without_the_virtual_channels_the_check_finds_a_cycle) {
    for (const Case& c : Cases) {
        const auto n = make_network(c.network);
        const OneChannel wrong(make_routing(*n, c.routing));
        EXPECT_FALSE(rdt::check_routing(*n, wrong).deadlock_free) << c.network;
    }
}

TEST(lab_networks, all_packets_arrive_after_an_overload) {
    for (const Case& c : Cases) {
        const auto n = make_network(c.network);
        rdt::lab::Options o;
        o.load = 0.6;
        o.cycles = 3000;
        o.warmup = 500;
        o.queue = 4;
        o.drain = true;
        const auto r = simulate(*n, *make_routing(*n, c.routing), o);
        EXPECT_TRUE(r.deadlock.empty()) << c.network;
        EXPECT_TRUE(r.drained) << c.network;
        EXPECT_EQ(r.delivered, r.generated) << c.network;
        EXPECT_GT(r.delivered, n->nodes()) << c.network;
    }
}

TEST(lab_networks, in_one_virtual_channel_an_overload_locks_a_ring_up) {
    for (const Case& c : {Case{"prc:64,4,16", "greedy"}, Case{"scc:4", "optimal"}}) {
        const auto n = make_network(c.network);
        rdt::lab::Options o;
        o.load = 0.6;
        o.cycles = 20000;
        const auto r = simulate(*n, OneChannel(make_routing(*n, c.routing)), o);
        EXPECT_FALSE(r.deadlock.empty()) << c.network;
    }
}

TEST(lab_networks, lanes_change_neither_the_ways_nor_that_nothing_locks_up) {
    for (const Case& c :
         {Case{"torus:5x4", "dor"}, Case{"rdt:8", "deadlock-free"}, Case{"rdt:8", "adaptive"}}) {
        const auto n = make_network(c.network);
        const auto plain = rdt::check_routing(*n, *make_routing(*n, c.routing));
        const rdt::lab::Lanes lanes(make_routing(*n, c.routing), 2);
        EXPECT_EQ(lanes.vcs(), 2 * make_routing(*n, c.routing)->vcs());
        const auto check = rdt::check_routing(*n, lanes);
        EXPECT_TRUE(check.deadlock_free) << c.network;
        EXPECT_EQ(check.mean_hops, plain.mean_hops) << c.network;
        EXPECT_EQ(check.max_hops, plain.max_hops) << c.network;
    }
}

TEST(lab_networks, the_comparison_has_every_size_and_gives_everyone_the_same_wires) {
    for (uint32_t size : rdt::lab::compared_sizes())
        for (const auto& c : rdt::lab::contestants(size)) {
            const auto n = make_network(c.network);
            EXPECT_GE(n->nodes(), size / 3) << c.network;
            EXPECT_LE(n->nodes(), size * 2) << c.network;
            EXPECT_NO_THROW(make_routing(*n, c.routing)) << c.network;
        }
    EXPECT_THROW(rdt::lab::contestants(100), rdt::NetworkError);

    rdt::lab::CompareOptions options;
    options.quick = true;
    std::vector<rdt::lab::ComparedSize> sizes{{64, {}}};
    for (const auto& c : rdt::lab::contestants(64)) {
        const rdt::lab::Comparison row = rdt::lab::compare(c, options);
        EXPECT_DOUBLE_EQ(row.width * row.size.degree, rdt::lab::Wires) << c.network;
        EXPECT_GE(row.flits * row.width, rdt::lab::PacketBits - 1e-9) << c.network;
        EXPECT_GE(row.hops * 1.1, row.distances.mean_distinct()) << c.network;
        EXPECT_GT(row.latency.mean, row.hops) << c.network;
        for (const auto* loaded : {&row.equal_depth, &row.equal_bits}) {
            EXPECT_GT(loaded->saturation.mean, 0.15 * row.bound) << c.network;
            EXPECT_LE(loaded->saturation.mean, 1.05 * row.bound) << c.network;
        }
        EXPECT_EQ(row.equal_depth.buffer, rdt::lab::DepthOfVc) << c.network;
        // As far as whole flits allow.
        const double most = rdt::lab::PortFlits * rdt::lab::Wires;
        EXPECT_LE(row.equal_bits.bits, most + 1e-6) << c.network;
        EXPECT_GT(row.equal_bits.bits, most - row.vcs * rdt::lab::Wires) << c.network;
        EXPECT_LE(row.bisection_at_least, row.bisection.links) << c.network;
        sizes[0].rows.push_back(row);
    }
    const std::string page = rdt::lab::to_markdown(sizes);
    for (const auto& row : sizes[0].rows)
        EXPECT_NE(page.find("`" + row.contestant.network + "`"), std::string::npos);
    for (const auto& [name, plot] : rdt::lab::plots(sizes)) {
        EXPECT_NE(page.find("images/" + name + ".svg"), std::string::npos);
        EXPECT_EQ(plot.curves.size(), sizes[0].rows.size());
    }
    const auto json = rdt::lab::to_json(sizes);
    EXPECT_EQ(json["sizes"][0]["networks"].size(), sizes[0].rows.size());
    EXPECT_EQ(rdt::lab::to_markdown({{64, rdt::lab::from_json(json)}}), page);
}

// 262,144 nodes: beyond the sides of rdt:N, and at a load at which packets hardly meet.
TEST(lab_networks, rdt_beyond_256_per_side_takes_the_hops_of_simple_vector_routing) {
    const auto n = make_network("rdt:512,2,4,4");
    const auto& rdt = dynamic_cast<const rdt::RdtFamily&>(*n);
    uint64_t hops = 0;
    for (rdt::NodeId to = 1; to < n->nodes(); ++to)
        for (const rdt::Vec v : rdt::split(rdt.displacement(0, to), 2, rdt.ranks()))
            hops += uint64_t(rdt::length(v));
    rdt::lab::Options o;
    o.load = 0.005;
    o.cycles = 300;
    o.warmup = 100;
    const auto r = simulate(*n, *make_routing(*n, "simple"), o);
    EXPECT_FALSE(r.saturated);
    EXPECT_NEAR(r.hops_mean, double(hops) / (n->nodes() - 1), 0.05);
    EXPECT_NEAR(r.accepted, 0.005, 0.0002);
}

}  // namespace
