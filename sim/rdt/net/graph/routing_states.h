// SPDX-License-Identifier: MIT
// All that can happen to the packets for one destination: every combination of place, channel it
// came by and tag that some choice of the routing leads to.
#pragma once

#include <rdt/net/graph/analysis.h>

namespace rdt {

// Channels of a network numbered through: (node * ports + port) * VCs + VC.
struct ChannelNumbers {
    ChannelNumbers(const Network& network, const Routing& routing)
        : ports(network.ports()), vcs(routing.vcs()) {}
    uint32_t count(uint32_t nodes) const { return nodes * ports * vcs; }
    uint32_t of(NodeId node, OutChannel out) const {
        return (node * ports + out.port) * vcs + out.vc;
    }
    Channel channel(uint32_t number) const {
        return {number / vcs / ports, number / vcs % ports, number % vcs};
    }
    uint32_t ports;
    uint32_t vcs;
};

class RoutingStates {
public:
    static constexpr uint32_t Injected = ~0u;

    struct State {
        NodeId at;
        uint32_t in;     // the channel's number; Injected at the source
        uint32_t first;  // of its choices in next()
        uint32_t count;
        RouteTag tag;
    };
    struct Choice {
        uint32_t channel;
        uint32_t state;  // next state
    };

    RoutingStates(const Network& network, const Routing& routing);

    // Clears all state and restarts from every source, itself included. Throws std::runtime_error
    // if a packet ends in the wrong place or takes a channel that is not there.
    void explore(NodeId dst);

    // The first nodes() states are those at the sources, by the rule that Routing::start() has;
    // then up to sources() come those that draws lead to.
    const std::vector<State>& states() const { return m_states; }
    uint32_t sources() const { return m_sources; }
    const Choice* begin(const State& s) const { return &m_choices[s.first]; }
    const Choice* end(const State& s) const { return &m_choices[s.first] + s.count; }
    // The last one, the escape channel of an adaptive routing; the state must have one.
    const Choice& last(const State& s) const { return m_choices[s.first + s.count - 1]; }

private:
    uint32_t intern(const State& state);
    void grow();
    OutChannel input(uint32_t channel) const;
    [[noreturn]] void fail(const State& state, NodeId dst, const std::string& what) const;

    const Network& m_network;
    const Routing& m_routing;
    const ChannelNumbers m_numbers;
    std::vector<State> m_states;
    uint32_t m_sources = 0;
    std::vector<Choice> m_choices;
    std::vector<uint32_t> m_table;  // hash to state number + 1
};

}  // namespace rdt
