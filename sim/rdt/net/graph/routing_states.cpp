// SPDX-License-Identifier: MIT
#include <rdt/net/graph/routing_states.h>

#include <stdexcept>

namespace rdt {

namespace {

size_t hash(const RoutingStates::State& s) {
    uint64_t h = uint64_t(s.at) << 32 ^ s.in;
    for (uint64_t word : s.tag) h = (h ^ h >> 29 ^ word) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

}  // namespace

RoutingStates::RoutingStates(const Network& network, const Routing& routing)
    : m_network(network), m_routing(routing), m_numbers(network, routing), m_table(1024, 0) {}

// The port and VC by which a channel is seen where it arrives.
OutChannel RoutingStates::input(uint32_t channel) const {
    if (channel == Injected) return {NoPort, 0};
    const Channel c = m_numbers.channel(channel);
    const uint32_t port = m_network.directed() ? c.port : m_network.port_back(c.node, c.port);
    return {uint16_t(port), uint8_t(c.vc)};
}

void RoutingStates::explore(NodeId dst) {
    m_states.clear();
    m_choices.clear();
    std::fill(m_table.begin(), m_table.end(), 0);
    for (NodeId src = 0; src < m_network.nodes(); ++src)
        intern({src, Injected, 0, 0, m_routing.start(src, dst)});
    const uint32_t draws = m_routing.draws();
    for (NodeId src = 0; draws > 1 && src < m_network.nodes(); ++src)
        for (uint32_t draw = 0; draw < draws; ++draw)
            intern({src, Injected, 0, 0, m_routing.start_drawn(src, dst, draw)});
    m_sources = uint32_t(m_states.size());
    Choices choices;
    for (uint32_t i = 0; i < m_states.size(); ++i) {
        const State s = m_states[i];
        m_routing.next(s.at, dst, s.tag, input(s.in), choices);
        if (choices.empty() && s.at != dst) fail(s, dst, "ends at " + m_network.label(s.at));
        m_states[i].first = uint32_t(m_choices.size());
        m_states[i].count = uint32_t(choices.size());
        for (OutChannel out : choices) {
            const auto to = out.port < m_network.ports() && out.vc < m_routing.vcs()
                                ? m_network.neighbor(s.at, out.port)
                                : std::nullopt;
            if (!to) fail(s, dst, "takes a channel that is not there at " + m_network.label(s.at));
            const uint32_t channel = m_numbers.of(s.at, out);
            const State next{*to, channel, 0, 0, m_routing.advance(s.at, s.tag, out)};
            m_choices.push_back({channel, intern(next)});
        }
    }
}

uint32_t RoutingStates::intern(const State& state) {
    const size_t mask = m_table.size() - 1;
    for (size_t i = hash(state) & mask;; i = (i + 1) & mask) {
        if (m_table[i] == 0) {
            m_states.push_back(state);
            m_table[i] = uint32_t(m_states.size());
            if (m_states.size() * 2 > m_table.size()) grow();
            return uint32_t(m_states.size() - 1);
        }
        const State& s = m_states[m_table[i] - 1];
        if (s.at == state.at && s.in == state.in && s.tag == state.tag) return m_table[i] - 1;
    }
}

void RoutingStates::grow() {
    m_table.assign(m_table.size() * 2, 0);
    const size_t mask = m_table.size() - 1;
    for (uint32_t n = 0; n < m_states.size(); ++n) {
        size_t i = hash(m_states[n]) & mask;
        while (m_table[i] != 0) i = (i + 1) & mask;
        m_table[i] = n + 1;
    }
}

void RoutingStates::fail(const State& state, NodeId dst, const std::string& what) const {
    const std::string via =
        state.in == Injected ? ""
                             : " that passes " + m_network.label(m_numbers.channel(state.in).node);
    throw std::runtime_error("a packet for " + m_network.label(dst) + via + " " + what);
}

}  // namespace rdt
