// SPDX-License-Identifier: MIT
// Freedom from deadlock of any routing, by its channel dependency graph.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include <rdt/net/graph/acyclic.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/routing_states.h>

namespace rdt {

namespace {

using State = RoutingStates::State;
using Choice = RoutingStates::Choice;

// Edges between channels, whatever their number. All insertions precede all queries.
class ChannelGraph {
public:
    explicit ChannelGraph(uint32_t channels) : m_used(channels, false) {}
    void use(uint32_t channel) { m_used[channel] = true; }
    void add(uint32_t from, uint32_t to) { m_edges.insert(uint64_t(from) << 32 | to); }
    void add_all(const ChannelGraph& other) {
        for (size_t i = 0; i < m_used.size(); ++i)
            if (other.m_used[i]) m_used[i] = true;
        m_edges.insert(other.m_edges.begin(), other.m_edges.end());
    }
    bool uses(uint32_t channel) const { return m_used[channel]; }

    void judge(RoutingCheck& check, const ChannelNumbers& numbers) const {
        std::vector<uint64_t> edges(m_edges.begin(), m_edges.end());
        std::sort(edges.begin(), edges.end());
        std::vector<size_t> first(m_used.size() + 1, 0);
        for (uint64_t e : edges) ++first[(e >> 32) + 1];
        for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        const Ordering order =
            order_vertices(uint32_t(m_used.size()), [&](uint32_t channel, auto&& f) {
                for (size_t i = first[channel]; i < first[channel + 1]; ++i) f(uint32_t(edges[i]));
            });
        check.deadlock_free = order.acyclic;
        check.used = uint64_t(std::count(m_used.begin(), m_used.end(), true));
        check.dependencies = edges.size();
        check.longest_chain = check.used == 0 ? 0 : order.longest_chain;
        check.cycle.clear();
        for (uint32_t channel : order.cycle) check.cycle.push_back(numbers.channel(channel));
    }

private:
    std::vector<bool> m_used;
    std::unordered_set<uint64_t> m_edges;
};

// The states of one destination with the longest ways out of them.
class Walker {
public:
    Walker(const Network& network, const Routing& routing, uint32_t channels)
        : graph(channels), escapes(channels), m_network(network), m_states(network, routing) {}

    void take_all_choices(NodeId dst) {
        m_states.explore(dst);
        for (const State& s : m_states.states()) {
            adaptive |= s.count > 1;
            for (const Choice* c = m_states.begin(s); c != m_states.end(s); ++c) {
                graph.use(c->channel);
                if (s.in != RoutingStates::Injected) graph.add(s.in, c->channel);
            }
            if (s.count != 0) escapes.use(m_states.last(s).channel);
        }
        // The escape path has to arrive; the best choices and the longest way need not be finite.
        const auto along_last = [](uint32_t count) { return std::pair(count - 1, count); };
        if (!follow(along_last))
            throw std::runtime_error("a packet for " + m_network.label(dst) +
                                     " is routed in a loop");
        if (!follow([](uint32_t count) { return std::pair(0u, count); })) bounded = false;
        for (uint32_t source = 0; source < m_states.sources(); ++source)
            max_hops = std::max(max_hops, m_hops[source]);
        if (follow([](uint32_t) { return std::pair(0u, 1u); }))
            for (NodeId src = 0; src < m_network.nodes(); ++src) hops += m_hops[src];
    }

    // Duato's extended dependencies: from a channel that is an escape for any packet, to every
    // escape channel that its packet may request before it uses an escape channel again.
    void take_escapes(NodeId dst, const ChannelGraph& is_escape) {
        m_states.explore(dst);
        m_mark.assign(m_states.states().size(), ~0u);
        for (uint32_t i = 0; i < m_states.states().size(); ++i) {
            const uint32_t held = m_states.states()[i].in;
            if (held == RoutingStates::Injected || !is_escape.uses(held)) continue;
            m_stack.assign(1, i);
            m_mark[i] = i;
            while (!m_stack.empty()) {
                const State& s = m_states.states()[m_stack.back()];
                m_stack.pop_back();
                if (s.count == 0) continue;
                escapes.add(held, m_states.last(s).channel);
                for (const Choice* c = m_states.begin(s); c + 1 != m_states.end(s); ++c) {
                    if (m_mark[c->state] == i) continue;
                    m_mark[c->state] = i;
                    m_stack.push_back(c->state);
                }
            }
        }
    }

    ChannelGraph graph;
    ChannelGraph escapes;
    bool adaptive = false;
    bool bounded = true;
    uint64_t hops = 0;
    uint32_t max_hops = 0;

private:
    // Hops of the longest way from every state when the choices in a range of all may be taken;
    // false if some way does not end.
    template <class RangeOf>
    bool follow(RangeOf&& range_of) {
        constexpr uint32_t Unknown = ~0u;
        constexpr uint32_t Open = ~0u - 1;
        const std::vector<State>& states = m_states.states();
        m_hops.assign(states.size(), Unknown);
        for (uint32_t root = 0; root < m_states.sources(); ++root) {
            m_stack.assign(1, root);
            while (!m_stack.empty()) {
                const uint32_t i = m_stack.back();
                const State& s = states[i];
                if (m_hops[i] < Open) {
                    m_stack.pop_back();
                    continue;
                }
                const auto [from, to] = range_of(s.count);
                uint32_t longest = 0;
                bool waits = false;
                for (uint32_t c = from; c < to && s.count != 0; ++c) {
                    const uint32_t next = (m_states.begin(s) + c)->state;
                    if (m_hops[next] == Open) return false;
                    if (m_hops[next] == Unknown) {
                        m_stack.push_back(next);
                        waits = true;
                        break;
                    }
                    longest = std::max(longest, m_hops[next] + 1);
                }
                m_hops[i] = waits ? Open : longest;
            }
        }
        return true;
    }

    const Network& m_network;
    RoutingStates m_states;
    std::vector<uint32_t> m_hops;
    std::vector<uint32_t> m_stack;
    std::vector<uint32_t> m_mark;
};

}  // namespace

RoutingCheck check_routing(const Network& network, const Routing& routing,
                           const WorkOptions& options) {
    const uint32_t nodes = network.nodes();
    const ChannelNumbers numbers(network, routing);
    const uint32_t channels = numbers.count(nodes);
    const Size size = size_of(network);
    RoutingCheck check{};
    check.bounded = true;
    check.pairs = uint64_t(nodes) * nodes;
    check.channels = size.links * (network.directed() ? 1 : 2) * routing.vcs();

    const auto make_walker = [&] { return Walker(network, routing, channels); };
    ChannelGraph graph(channels);
    ChannelGraph escapes(channels);
    uint64_t hops = 0;
    in_parallel(
        nodes, options, make_walker, [](Walker& w, NodeId dst) { w.take_all_choices(dst); },
        [&](const Walker& w) {
            graph.add_all(w.graph);
            escapes.add_all(w.escapes);
            check.adaptive |= w.adaptive;
            check.bounded &= w.bounded;
            check.max_hops = std::max(check.max_hops, w.max_hops);
            hops += w.hops;
        });
    if (!check.bounded) check.max_hops = 0;
    check.mean_hops = double(hops) / double(check.pairs);
    graph.judge(check, numbers);
    if (check.deadlock_free || !check.adaptive) return check;

    const ChannelGraph is_escape = escapes;
    in_parallel(
        nodes, options, make_walker, [&](Walker& w, NodeId dst) { w.take_escapes(dst, is_escape); },
        [&](const Walker& w) { escapes.add_all(w.escapes); });
    check.by_escape = true;
    escapes.judge(check, numbers);
    return check;
}

std::string to_string(const Channel& channel, const Network& network) {
    const auto to = network.neighbor(channel.node, channel.port);
    return fmt::format("{} -> {} VC{}", network.label(channel.node), to ? network.label(*to) : "?",
                       channel.vc);
}

}  // namespace rdt
