// SPDX-License-Identifier: MIT
// The check for deadlock of any routing: right ones pass, injected bugs are found.
#include <gtest/gtest.h>

#include <stdexcept>

#include <rdt/net/graph/analysis.h>

namespace {

using rdt::Choices;
using rdt::make_network;
using rdt::make_routing;
using rdt::Network;
using rdt::NodeId;
using rdt::OutChannel;
using rdt::RouteTag;
using rdt::Routing;

// Changes the choices of another routing.
class Changed : public Routing {
public:
    using Change = std::function<void(NodeId at, NodeId dst, Choices& choices)>;
    Changed(const Network& network, const std::string& name, uint32_t vcs, Change change)
        : m_routing(make_routing(network, name)), m_vcs(vcs), m_change(std::move(change)) {}
    uint32_t vcs() const override { return m_vcs; }
    RouteTag start(NodeId src, NodeId dst) const override { return m_routing->start(src, dst); }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        m_routing->next(at, dst, tag, in, out);
        m_change(at, dst, out);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_routing->advance(at, tag, taken);
    }

private:
    const std::unique_ptr<Routing> m_routing;
    const uint32_t m_vcs;
    const Change m_change;
};

void put_into_vc_0(NodeId, NodeId, Choices& choices) {
    const OutChannel only = choices.empty() ? OutChannel{0, 0} : choices[0];
    const bool none = choices.empty();
    choices.clear();
    if (!none) choices.add(only.port, 0);
}

// Ahead of the escape: every port that brings a packet nearer, in the given VC.
Changed::Change adaptive_in(const Network& network, uint32_t vc, bool keep_escape_vc) {
    return [&network, vc, keep_escape_vc](NodeId at, NodeId dst, Choices& choices) {
        if (choices.empty()) return;
        const OutChannel escape = choices[choices.size() - 1];
        choices.clear();
        const auto shortest = make_routing(network, "shortest");
        const size_t here = rdt::path(network, *shortest, at, dst).size();
        for (uint32_t port = 0; port < network.ports(); ++port) {
            const auto to = network.neighbor(at, port);
            if (to && rdt::path(network, *shortest, *to, dst).size() < here) choices.add(port, vc);
        }
        choices.add(escape.port, keep_escape_vc ? escape.vc : 0);
    };
}

void expect_closed_chain(const Network& network, const rdt::RoutingCheck& check) {
    EXPECT_FALSE(check.deadlock_free);
    ASSERT_FALSE(check.cycle.empty());
    if (check.by_escape) return;  // other channels may lie between
    for (size_t i = 0; i < check.cycle.size(); ++i) {
        const rdt::Channel& c = check.cycle[i];
        const rdt::Channel& next = check.cycle[(i + 1) % check.cycle.size()];
        EXPECT_EQ(network.neighbor(c.node, c.port), next.node);
    }
}

TEST(routing_check, a_torus_without_datelines_is_cyclic) {
    for (const char* name : {"torus:5x5", "torus:8", "torus:5x3x4"}) {
        const auto n = make_network(name);
        EXPECT_TRUE(rdt::check_routing(*n, *make_routing(*n, "dor")).deadlock_free) << name;
        const Changed wrong(*n, "dor", 2, put_into_vc_0);
        expect_closed_chain(*n, rdt::check_routing(*n, wrong));
    }
}

TEST(routing_check, shortest_paths_in_one_channel_are_cyclic) {
    for (const char* name : {"ccc:4", "star:4", "debruijn:2,6", "torus:6x6", "midimew:6x6"}) {
        const auto n = make_network(name);
        expect_closed_chain(*n, rdt::check_routing(*n, *make_routing(*n, "shortest")));
    }
}

TEST(routing_check, negative_hop_without_its_channels_is_cyclic) {
    const auto n = make_network("star:4");
    const auto routing = make_routing(*n, "negative-hop");
    EXPECT_TRUE(rdt::check_routing(*n, *routing).deadlock_free);
    const Changed wrong(*n, "negative-hop", routing->vcs(), put_into_vc_0);
    expect_closed_chain(*n, rdt::check_routing(*n, wrong));
}

TEST(routing_check, adaptive_routing_is_free_of_deadlock_by_its_escape_channels) {
    for (const char* name : {"torus:4x4", "torus:5x3", "mesh:4x3"}) {
        const auto n = make_network(name);
        const Changed adaptive(*n, "dor", 3, adaptive_in(*n, 2, true));
        const rdt::RoutingCheck c = rdt::check_routing(*n, adaptive);
        EXPECT_TRUE(c.adaptive);
        EXPECT_TRUE(c.deadlock_free) << name;
        EXPECT_TRUE(c.by_escape) << name;
        EXPECT_TRUE(c.bounded);
        EXPECT_EQ(c.max_hops, rdt::distances(*n).diameter);
    }
}

TEST(routing_check, adaptive_routing_whose_escape_lacks_datelines_is_cyclic) {
    const auto n = make_network("torus:5x5");
    const Changed wrong(*n, "dor", 3, adaptive_in(*n, 2, false));
    const rdt::RoutingCheck c = rdt::check_routing(*n, wrong);
    EXPECT_TRUE(c.by_escape);
    expect_closed_chain(*n, c);
}

// The escape paths alone are in order; what packets do between two of them is not.
TEST(routing_check, adaptive_packets_in_the_escape_channels_are_noticed) {
    const auto n = make_network("mesh:3x3");
    EXPECT_TRUE(rdt::check_routing(*n, Changed(*n, "dor", 1, put_into_vc_0)).deadlock_free);
    const Changed wrong(*n, "dor", 1, adaptive_in(*n, 0, false));
    const rdt::RoutingCheck c = rdt::check_routing(*n, wrong);
    EXPECT_TRUE(c.by_escape);
    expect_closed_chain(*n, c);
}

TEST(routing_check, packets_that_do_not_arrive_are_named) {
    const auto n = make_network("torus:4x4");
    const auto expect_named = [&](const Changed::Change& change) {
        try {
            rdt::check_routing(*n, Changed(*n, "dor", 2, change));
            ADD_FAILURE() << "not noticed";
        } catch (const std::runtime_error& e) {
            EXPECT_NE(std::string(e.what()).find("0,1"), std::string::npos) << e.what();
        }
    };
    const NodeId dst = 4;  // 0,1
    // Stops early; goes round and round; takes a port or a VC that does not exist.
    expect_named([=](NodeId at, NodeId to, Choices& c) {
        if (to == dst && at == 9) c.clear();
    });
    expect_named([=](NodeId, NodeId to, Choices& c) {
        if (to != dst) return;
        c.clear();
        c.add(0, 0);
    });
    expect_named([=](NodeId at, NodeId to, Choices& c) {
        if (to == dst && at == 9) c.add(7, 0);
    });
    expect_named([=](NodeId at, NodeId to, Choices& c) {
        if (to == dst && at == 9) c.add(0, 2);
    });
    EXPECT_THROW(rdt::path(*n,
                           Changed(*n, "dor", 2,
                                   [](NodeId, NodeId, Choices& c) {
                                       c.clear();
                                       c.add(0, 0);
                                   }),
                           0, 5),
                 std::runtime_error);
}

// The escape would bring it home, but a packet that holds one of its channels may leave and then
// request any other.
TEST(routing_check, packets_that_may_wander_without_end_are_noticed) {
    const auto n = make_network("mesh:4x4");
    const Changed wanders(*n, "dor", 2, [&](NodeId at, NodeId, Choices& c) {
        if (c.empty()) return;
        const OutChannel escape = c[0];
        c.clear();
        for (uint32_t port = 0; port < 4; ++port)
            if (n->neighbor(at, port)) c.add(port, 1);
        c.add(escape.port, 0);
    });
    const rdt::RoutingCheck c = rdt::check_routing(*n, wanders);
    EXPECT_FALSE(c.bounded);
    EXPECT_EQ(c.max_hops, 0u);
    EXPECT_TRUE(c.by_escape);
    expect_closed_chain(*n, c);
}

}  // namespace
