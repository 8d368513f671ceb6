// SPDX-License-Identifier: MIT
// What waits for what, lines included: a packet in a buffer waits for a buffer at the other end of
// a link (its credit) and for the link's line, which both directions share. Proofs on the RTL show
// that the owner of a line waits for nothing, for plain links and with registered pins
// (tb/formal/link_pair.sv, LINE: line_waits_1, line_waits_far). Here the graph of the whole machine
// is made with that, and with what would be otherwise.
#include <gtest/gtest.h>

#include <algorithm>

#include <rdt/net/graph/acyclic.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt {
namespace {

// Buffers first, named by the channel that leads to them, then lines.
class WaitGraph {
public:
    // With `line_waits` an end would hold the line until there is a buffer for what it sends.
    WaitGraph(const Geometry& geometry, const DependencyGraph& routing, bool line_waits)
        : g(geometry), m_outs(2 * buffers()) {
        for (uint32_t node = 0; node < g.nodes(); ++node)
            for (uint32_t port = 0; port < NumNetworkPorts; ++port)
                for (uint32_t vc = 0; vc < vcs_of(port); ++vc) {
                    const Channel holds{node, port, vc};
                    if (line_waits) m_outs[line(holds)].push_back(buffer(holds));
                    add_waits(routing, holds);
                }
    }

    Ordering order() const {
        return order_vertices(uint32_t(m_outs.size()), [this](uint32_t v, auto&& f) {
            for (uint32_t w : m_outs[v]) f(w);
        });
    }
    bool is_line(uint32_t vertex) const { return vertex >= buffers(); }
    uint64_t waits_for_lines() const {
        uint64_t n = 0;
        for (const auto& outs : m_outs)
            n += uint64_t(
                std::count_if(outs.begin(), outs.end(), [this](uint32_t w) { return is_line(w); }));
        return n;
    }

private:
    uint32_t buffers() const { return g.nodes() * DependencyGraph::Lanes; }
    uint32_t buffer(const Channel& c) const {
        return (c.node * NumNetworkPorts + c.port) * DependencyGraph::VcsPerPort + c.vc;
    }
    // One for both directions: named by the East or North port.
    uint32_t line(const Channel& c) const {
        const bool back = (c.port & 1) != 0;
        const uint32_t node = back ? g.neighbor(c.node, c.port) : c.node;
        return buffers() + node * NumNetworkPorts + (c.port & ~1u);
    }
    void add_waits(const DependencyGraph& routing, const Channel& holds) {
        const uint32_t there = g.neighbor(holds.node, holds.port);
        for (uint32_t port = 0; port < NumNetworkPorts; ++port)
            for (uint32_t vc = 0; vc < vcs_of(port); ++vc) {
                const Channel next{there, port, vc};
                if (!routing.depends(holds, next)) continue;
                m_outs[buffer(holds)].push_back(buffer(next));
                m_outs[buffer(holds)].push_back(line(next));
            }
    }

    const Geometry& g;
    std::vector<std::vector<uint32_t>> m_outs;
};

DependencyGraph routing_of(const Geometry& g) {
    DependencyGraph graph(g);
    add_all_unicasts(graph, g);
    add_all_multicasts(graph, g);
    return graph;
}

TEST(line_graph, acyclic_with_lines_that_wait_for_nothing_on_8_to_64) {
    for (int side : {8, 16, 32, 64}) {
        const Geometry g(side);
        const DependencyGraph routing = routing_of(g);
        const WaitGraph graph(g, routing, false);
        EXPECT_EQ(graph.waits_for_lines(), routing.dependencies());
        EXPECT_TRUE(graph.order().acyclic) << side;
    }
}

// Both directions and all VCs share a line, so VCs would not help any more.
TEST(line_graph, cyclic_if_the_line_were_held_until_there_is_a_buffer) {
    for (int side : {8, 16}) {
        const Geometry g(side);
        const WaitGraph graph(g, routing_of(g), true);
        const Ordering order = graph.order();
        EXPECT_FALSE(order.acyclic) << side;
        EXPECT_TRUE(std::any_of(order.cycle.begin(), order.cycle.end(),
                                [&graph](uint32_t v) { return graph.is_line(v); }));
    }
}

TEST(line_graph, cyclic_without_datelines_with_lines_too) {
    const Geometry g(16);
    std::vector<RouteConfig> configs = g.configs();
    for (RouteConfig& c : configs) c.dateline = 0;
    UnicastOptions options;
    options.configs = &configs;
    DependencyGraph routing(g);
    add_all_unicasts(routing, g, options);
    EXPECT_FALSE(WaitGraph(g, routing, false).order().acyclic);
}

}  // namespace
}  // namespace rdt
