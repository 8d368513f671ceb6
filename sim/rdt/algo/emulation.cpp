// SPDX-License-Identifier: MIT
#include <rdt/algo/emulation.h>

#include <fmt/core.h>

#include <algorithm>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/inputs.h>

namespace rdt::algo {

ProductEmulation::ProductEmulation(const Rhsn& network)
    : m_network(network), m_ports(network.nucleus().ports()) {}

std::optional<NodeId> ProductEmulation::neighbor(NodeId node, uint32_t dimension) const {
    const SwapShape& shape = m_network.shape();
    const uint32_t digit = dimension / m_ports;
    const auto to = m_network.nucleus().neighbor(shape.block(node, 1, digit), dimension % m_ports);
    if (!to) return std::nullopt;
    return shape.with_block(node, 1, digit, *to);
}

std::vector<ProductEmulation::Generator> ProductEmulation::way(uint32_t dimension) const {
    const SwapShape& shape = m_network.shape();
    std::vector<Generator> there;
    uint32_t digit = dimension / m_ports;
    for (uint32_t depth = shape.depth(); depth >= 1; --depth) {
        const uint32_t block = digit / shape.block_digits(depth);
        if (block != 0) there.push_back({depth, block + 1});
        digit %= shape.block_digits(depth);
    }
    std::vector<Generator> way = there;
    way.push_back({0, dimension % m_ports});
    way.insert(way.end(), there.rbegin(), there.rend());
    return way;
}

uint32_t ProductEmulation::generator_number(const Generator& g) const {
    return g.depth == 0 ? g.level : m_network.swap_port(g.depth, g.level);
}

std::optional<uint32_t> ProductEmulation::port(NodeId node, const Generator& g) const {
    if (g.depth != 0 && m_network.is_leader(node, g.depth, g.level)) return std::nullopt;
    const uint32_t port = generator_number(g);
    if (!m_network.neighbor(node, port)) return std::nullopt;
    return port;
}

uint32_t ProductEmulation::bound() const {
    const SwapShape& shape = m_network.shape();
    uint32_t most = shape.digits();
    for (uint32_t depth = 1; depth <= shape.depth(); ++depth)
        most = std::max(most, 2 * shape.digits() * m_ports / shape.levels(depth));
    return 2 * shape.depth() + 1 + most;
}

uint32_t ProductEmulation::lower_bound() const {
    std::vector<uint32_t> load(m_network.ports(), 0);
    size_t longest = 0;
    for (uint32_t a = 0; a < dimensions(); ++a) {
        const std::vector<Generator> w = way(a);
        longest = std::max(longest, w.size());
        for (const Generator& g : w) ++load[generator_number(g)];
    }
    return std::max(uint32_t(longest), *std::max_element(load.begin(), load.end()));
}

std::vector<std::vector<uint32_t>> ProductEmulation::schedule() const {
    constexpr int Trials = 2000;
    const uint32_t count = dimensions();
    std::vector<std::vector<Generator>> ways(count);
    for (uint32_t a = 0; a < count; ++a) ways[a] = way(a);
    std::vector<std::vector<uint32_t>> best;
    uint32_t best_length = ~0u;
    Random random(1);
    for (int trial = 0; trial < Trials && best_length > lower_bound(); ++trial) {
        // Those with most left go first; the order among equals is what the trials change.
        std::vector<uint32_t> order = random_order<uint32_t>(count, random);
        std::vector<std::vector<uint32_t>> steps(count);
        uint32_t left = count, step = 0;
        for (; left != 0 && step < best_length; ++step) {
            std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
                return ways[a].size() - steps[a].size() > ways[b].size() - steps[b].size();
            });
            std::vector<bool> busy(m_network.ports(), false);
            for (uint32_t a : order) {
                if (steps[a].size() == ways[a].size()) continue;
                const uint32_t g = generator_number(ways[a][steps[a].size()]);
                if (busy[g]) continue;
                busy[g] = true;
                steps[a].push_back(step);
                if (steps[a].size() == ways[a].size()) --left;
            }
        }
        if (left == 0 && step < best_length) {
            best_length = step;
            best = steps;
        }
    }
    return best;
}

std::vector<std::optional<uint64_t>> ProductEmulation::send(
    StepMachine& machine, uint32_t dimension, const std::vector<uint64_t>& data) const {
    Received held(data.begin(), data.end());
    for (const Generator& g : way(dimension)) {
        Received next(data.size());
        if (g.depth != 0) next = held;  // a leader keeps its own
        machine.exchange(
            held, [&](NodeId v) { return port(v, g); },
            [&](NodeId to, NodeId, std::optional<uint64_t>&& value) { next[to] = value; });
        held = std::move(next);
    }
    return held;
}

std::vector<ProductEmulation::Received> ProductEmulation::send_all(
    StepMachine& machine, const std::vector<std::vector<uint32_t>>& schedule,
    const std::vector<std::vector<uint64_t>>& data) const {
    std::vector<Received> held(dimensions());
    uint32_t length = 0;
    for (uint32_t a = 0; a < dimensions(); ++a) {
        held[a].assign(data[a].begin(), data[a].end());
        length = std::max(length, schedule[a].back() + 1);
    }
    struct Tagged {
        uint32_t dimension;
        std::optional<uint64_t> value;
    };
    std::vector<size_t> done(dimensions(), 0);
    for (uint32_t step = 0; step < length; ++step) {
        std::vector<std::pair<uint32_t, Generator>> moving;
        for (uint32_t a = 0; a < dimensions(); ++a)
            if (done[a] < schedule[a].size() && schedule[a][done[a]] == step)
                moving.emplace_back(a, way(a)[done[a]++]);
        std::vector<Received> next = held;
        for (const auto& [a, g] : moving)
            if (g.depth == 0) next[a].assign(m_network.nodes(), std::nullopt);
        machine.step<Tagged>(
            [&](auto&& send) {
                for (const auto& [a, g] : moving)
                    for (NodeId v = 0; v < m_network.nodes(); ++v)
                        if (const auto p = port(v, g)) send(v, *p, Tagged{a, held[a][v]});
            },
            [&](NodeId to, NodeId, Tagged&& t) { next[t.dimension][to] = t.value; });
        held = std::move(next);
    }
    return held;
}

namespace {

bool has_arrived(const ProductEmulation& product, uint32_t dimension,
                 const std::vector<uint64_t>& sent, const ProductEmulation::Received& received) {
    ProductEmulation::Received plain(sent.size());
    for (NodeId v = 0; v < sent.size(); ++v)
        if (const auto to = product.neighbor(v, dimension)) plain[*to] = sent[v];
    return received == plain;
}

Outcome run_emulation(const Network& network, const Parameters& parameters) {
    const Rhsn& rhsn = as_rhsn(network);
    const ProductEmulation product(rhsn);
    Random random(parameters.seed());
    std::vector<std::vector<uint64_t>> data(product.dimensions());
    for (auto& d : data) d = random_words(network.nodes(), random);
    Outcome o;
    o.correct = true;
    if (parameters.word("port", {"one", "all"}) == "one") {
        StepMachine machine(network, PortModel::OnePort);
        uint64_t longest = 0, of_formula = 0;
        for (uint32_t a = 0; a < product.dimensions(); ++a) {
            const uint64_t before = machine.steps();
            o.correct =
                o.correct && has_arrived(product, a, data[a], product.send(machine, a, data[a]));
            longest = std::max(longest, machine.steps() - before);
            of_formula += product.way(a).size();
        }
        o.steps = machine.steps();
        o.bound = of_formula;
        o.counts = {{"dimensions", product.dimensions()}, {"longest", longest}};
        o.text = "One step of each dimension after the other; the bound is theorem 4.6.\n";
        return o;
    }
    StepMachine machine(network, PortModel::AllPort);
    const auto schedule = product.schedule();
    const auto received = product.send_all(machine, schedule, data);
    for (uint32_t a = 0; a < product.dimensions(); ++a)
        o.correct = o.correct && has_arrived(product, a, data[a], received[a]);
    o.steps = machine.steps();
    o.bound = product.bound();
    o.counts = {{"dimensions", product.dimensions()}, {"at_least", product.lower_bound()}};
    o.text = "One step of all dimensions at once; the bound is theorem 4.8.\n";
    return o;
}

const Algorithm emulate{"rhsn",
                        "emulate",
                        "a step of the product network",
                        {{"port", "one", "one or all ports at a time"}, seed_parameter()},
                        run_emulation};

}  // namespace

}  // namespace rdt::algo
