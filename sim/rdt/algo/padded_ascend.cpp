// SPDX-License-Identifier: MIT
#include <rdt/algo/padded_ascend.h>

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace rdt::algo {

namespace {

constexpr uint32_t MostValues = 1u << 20;

uint32_t bits_for(const Network& nucleus) {
    uint32_t bits = 1;
    while (1u << bits < nucleus.nodes()) ++bits;
    return bits;
}

SwapShape padded(const Rhsn& network) {
    const SwapShape& shape = network.shape();
    if (network.nucleus().ports() != network.nucleus().nodes() - 1)
        throw NetworkError(fmt::format(
            "this does not run on {}; allowed are nuclei of 2^k nodes with the links of a "
            "hypercube, qN, fqN and kN, and kN of any N",
            network.name()));
    const uint32_t bits = bits_for(network.nucleus());
    if (bits * shape.digits() > 20)
        throw NetworkError(fmt::format("{} would hold more than {} values; take a smaller one",
                                       network.name(), MostValues));
    std::vector<uint32_t> levels;
    for (uint32_t depth = 1; depth <= shape.depth(); ++depth) levels.push_back(shape.levels(depth));
    return {1u << bits, levels};
}

}  // namespace

PaddedMachine::PaddedMachine(const Rhsn& network, bool is_at_once)
    : m_network(network),
      m_bits(bits_for(network.nucleus())),
      m_padded(padded(network)),
      m_is_at_once(is_at_once),
      m_machine(network, PortModel::AllPort) {
    const uint32_t size = network.shape().nucleus_nodes();
    std::vector<uint32_t> held(network.nodes());
    for (NodeId word = 0; word < m_padded.nodes(); ++word) {
        NodeId node = 0;
        for (uint32_t digit = m_padded.digits(); digit-- > 0;)
            node = node * size + m_padded.block(word, 1, digit) % size;
        m_holder.push_back(node);
        m_most_held = std::max(m_most_held, ++held[node]);
    }
}

uint64_t PaddedMachine::steps_without_padding() const {
    return uint64_t(m_is_at_once ? 1 : m_bits) * m_padded.digits() + 2 * (m_padded.digits() - 1);
}

void PaddedMachine::swap(std::vector<Homed>& data, uint32_t depth, uint32_t level) {
    std::vector<Movement> movements;
    std::vector<Homed> after(data.size());
    for (NodeId word = 0; word < data.size(); ++word) {
        const NodeId to = m_padded.swapped(word, depth, level);
        after[to] = data[word];
        if (holder(to) != holder(word))
            movements.push_back({holder(word), m_network.swap_port(depth, level)});
    }
    carry(std::move(movements));
    data = std::move(after);
}

void PaddedMachine::move_in_nuclei(uint32_t mask) {
    std::vector<Movement> movements;
    for (NodeId word = 0; word < m_padded.nodes(); ++word) {
        std::set<NodeId> to;
        for (uint32_t other = mask; other != 0; other = (other - 1) & mask)
            if (holder(word ^ other) != holder(word)) to.insert(holder(word ^ other));
        for (const NodeId node : to)
            movements.push_back({holder(word), m_machine.port_to(holder(word), node)});
    }
    carry(std::move(movements));
}

void PaddedMachine::carry(std::vector<Movement> movements) {
    while (!movements.empty()) {
        std::set<std::pair<NodeId, uint32_t>> used;
        std::vector<Movement> later;
        m_machine.step<char>(
            [&](auto&& send) {
                for (const Movement& m : movements)
                    if (used.insert({m.from, m.port}).second) send(m.from, m.port, 0);
                    else later.push_back(m);
            },
            [](NodeId, NodeId, char) {});
        movements = std::move(later);
    }
}

}  // namespace rdt::algo
