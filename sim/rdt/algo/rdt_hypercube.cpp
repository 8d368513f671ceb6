// SPDX-License-Identifier: MIT
#include <rdt/algo/rdt_hypercube.h>

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include <rdt/algo/algorithm.h>
#include <rdt/net/rdt/rdt_family.h>

namespace rdt::algo {

// Finds a way for one value at a time.
class ExchangePlanner::Search {
public:
    explicit Search(const Network& network)
        : m_network(network), m_rdt(as_family(network)), m_ports(network.ports()) {
        if ((network.nodes() & (network.nodes() - 1)) != 0)
            throw NetworkError(network.name() + " has no power of two of nodes, as a hypercube");
        for (NodeId node = 0; node < network.nodes(); ++node)
            for (uint32_t port = 0; port < m_ports; ++port)
                m_to.push_back(*network.neighbor(node, port));
        for (NodeId from : m_rdt->representatives()) m_distance.push_back(distances_from(from));
    }

    uint32_t dimensions() const { return uint32_t(__builtin_ctz(m_network.nodes())); }

    ExchangePlan plan(uint32_t dimension) {
        uint32_t least = 0;
        for (NodeId node : m_rdt->representatives())
            for (NodeId side : {node, node ^ (1u << dimension)})
                least = std::max<uint32_t>(least, distance(side, side ^ (1u << dimension)));
        for (uint32_t steps = least;; ++steps)
            if (ExchangePlan plan; is_planned(dimension, steps, plan)) return plan;
    }

private:
    static constexpr uint32_t MostExtra = 2;  // hops beyond the distance

    std::vector<uint8_t> distances_from(NodeId from) const {
        std::vector<uint8_t> distance(m_network.nodes(), 255);
        std::vector<NodeId> queue{from};
        distance[from] = 0;
        for (size_t i = 0; i < queue.size(); ++i)
            for (uint32_t port = 0; port < m_ports; ++port) {
                const NodeId next = to(queue[i], port);
                if (distance[next] != 255) continue;
                distance[next] = uint8_t(distance[queue[i]] + 1);
                queue.push_back(next);
            }
        return distance;
    }
    NodeId to(NodeId node, uint32_t port) const { return m_to[size_t(node) * m_ports + port]; }

    // Seen from a representative of the same kind.
    uint32_t distance(NodeId from, NodeId to) const {
        if (m_distance.size() == 1) return m_distance[0][moved(to, from, 0)];
        const auto [i, j] = m_rdt->tori().kind(m_rdt->at(from));
        const NodeId like = m_rdt->index({i, j});
        return m_distance[size_t(i + 2 * m_rdt->tori().n() * j)][moved(to, from, like)];
    }
    NodeId moved(NodeId node, NodeId from, NodeId like) const {
        return m_rdt->index(m_rdt->at(node) + -1 * m_rdt->at(from) + m_rdt->at(like));
    }

    // Those with the longest way first, since they have the least choice; then those that found no
    // way before all others, as long as that helps.
    bool is_planned(uint32_t dimension, uint32_t steps, ExchangePlan& plan) {
        const auto length = [&](NodeId node) { return distance(node, node ^ (1u << dimension)); };
        std::vector<NodeId> order(m_network.nodes());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](NodeId a, NodeId b) { return length(a) > length(b); });
        for (auto left = order.size();;) {
            const std::vector<bool> is_left = ways_in_order(order, dimension, steps, plan);
            const auto ahead = std::stable_partition(order.begin(), order.end(),
                                                     [&](NodeId node) { return is_left[node]; });
            const auto now = size_t(ahead - order.begin());
            if (now == 0 || now >= left) return now == 0;
            left = now;
        }
    }

    // Which values found none.
    std::vector<bool> ways_in_order(const std::vector<NodeId>& order, uint32_t dimension,
                                    uint32_t steps, ExchangePlan& plan) {
        plan = {steps, 0, std::vector<std::vector<Hop>>(m_network.nodes())};
        m_taken.assign(size_t(m_network.nodes()) * m_ports * steps, false);
        m_steps = steps;
        std::vector<bool> is_left(m_network.nodes(), false);
        for (NodeId node : order) {
            std::vector<Hop>& way = plan.ways[node];
            m_dst = node ^ (1u << dimension);
            const uint32_t shortest = distance(node, m_dst);
            uint32_t hops = shortest;
            while (hops <= std::min(steps, shortest + MostExtra) && !find(node, 0, hops, way))
                ++hops;
            is_left[node] = way.empty();
            for (const Hop& hop : way) taken(hop) = true;
            plan.longest = std::max(plan.longest, uint32_t(way.size()));
        }
        return is_left;
    }

    std::vector<bool>::reference taken(const Hop& hop) {
        return m_taken[(size_t(hop.step) * m_network.nodes() + hop.from) * m_ports + hop.port];
    }

    // A way of exactly so many hops from the step on, the earliest hops first.
    bool find(NodeId at, uint32_t step, uint32_t hops, std::vector<Hop>& way) {
        if (hops == 0) return at == m_dst;
        for (; step + hops <= m_steps; ++step)
            for (uint32_t port = 0; port < m_ports; ++port) {
                if (taken({at, port, step})) continue;
                const NodeId next = to(at, port);
                if (distance(next, m_dst) > hops - 1) continue;
                way.push_back({at, port, step});
                if (find(next, step + 1, hops - 1, way)) return true;
                way.pop_back();
            }
        return false;
    }

    const Network& m_network;
    const std::unique_ptr<RdtFamily> m_rdt;
    const uint32_t m_ports;
    std::vector<NodeId> m_to;                      // by node * ports + port
    std::vector<std::vector<uint8_t>> m_distance;  // by representative
    std::vector<bool> m_taken;                     // by step, node and port
    uint32_t m_steps = 0;
    NodeId m_dst = 0;
};

ExchangePlanner::ExchangePlanner(const Network& network)
    : m_search(std::make_unique<Search>(network)) {}
ExchangePlanner::~ExchangePlanner() = default;
uint32_t ExchangePlanner::dimensions() const { return m_search->dimensions(); }
ExchangePlan ExchangePlanner::plan(uint32_t dimension) const { return m_search->plan(dimension); }

namespace {

// Every value goes its way, step by step, over the machine's links; what each node received.
std::vector<uint64_t> exchange(StepMachine& machine, const ExchangePlan& plan,
                               const std::vector<uint64_t>& values) {
    struct Moving {
        NodeId owner;
        uint64_t value;
    };
    std::vector<NodeId> at(values.size());
    std::iota(at.begin(), at.end(), 0);
    std::vector<std::vector<std::pair<NodeId, Hop>>> by_step(plan.steps);
    for (NodeId owner = 0; owner < plan.ways.size(); ++owner)
        for (const Hop& hop : plan.ways[owner]) by_step[hop.step].push_back({owner, hop});
    for (const auto& hops : by_step)
        machine.step<Moving>(
            [&](auto&& send) {
                for (const auto& [owner, hop] : hops) {
                    if (at[owner] != hop.from) throw MovementError("a value is not where it is");
                    send(hop.from, hop.port, Moving{owner, values[owner]});
                }
            },
            [&](NodeId to, NodeId, Moving&& m) { at[m.owner] = to; });
    std::vector<uint64_t> received(values.size(), 0);
    for (NodeId owner = 0; owner < values.size(); ++owner) received[at[owner]] = values[owner];
    return received;
}

// The sum of one value a node, at every node: across all dimensions, one after the other.
Outcome run_sum(const Network& network, const Parameters& parameters) {
    const ExchangePlanner planner(network);
    const auto rdt = as_family(network);
    StepMachine machine(network, PortModel::AllPort);
    std::vector<uint64_t> values(network.nodes());
    for (NodeId node = 0; node < network.nodes(); ++node)
        values[node] = (node * 2654435761u + parameters.seed()) % 1000;
    const uint64_t sum = std::accumulate(values.begin(), values.end(), uint64_t(0));
    Outcome o{0, rdt->is_perfect() ? 2 : 2 * (rdt->ranks() + 1), true, "", {}};
    uint32_t longest = 0;
    for (uint32_t d = 0; d < planner.dimensions(); ++d) {
        const ExchangePlan plan = planner.plan(d);
        const std::vector<uint64_t> received = exchange(machine, plan, values);
        for (NodeId node = 0; node < network.nodes(); ++node)
            o.correct = o.correct && received[node] == values[node ^ (1u << d)];
        for (NodeId node = 0; node < network.nodes(); ++node) values[node] += received[node];
        o.steps = std::max<uint64_t>(o.steps, plan.steps);
        longest = std::max(longest, plan.longest);
        o.text +=
            fmt::format("dimension {:<4} {} steps, {} hops at most\n", d, plan.steps, plan.longest);
    }
    for (uint64_t value : values) o.correct = o.correct && value == sum;
    o.counts = {{"dimensions", planner.dimensions()},
                {"all_steps", machine.steps()},
                {"hops_at_most", longest},
                {"movements", machine.movements()}};
    o.text += "steps: of the dimension that takes most; bound: 2(R+1), 2 on a perfect RDT\n";
    return o;
}

const Algorithm on_rdt{"rdt",
                       "hypercube",
                       "a sum across all dimensions of a hypercube, without conflict",
                       {seed_parameter()},
                       run_sum};
const Algorithm on_prdt{"prdt",
                        "hypercube",
                        "a sum across all dimensions of a hypercube, without conflict",
                        {seed_parameter()},
                        run_sum};

}  // namespace

}  // namespace rdt::algo
