// SPDX-License-Identifier: MIT
// A product network G x G x ... x G emulated on the swapped network over G: what a node of the
// product sends along a dimension arrives at the node of the same index as there.
#pragma once

#include <rdt/algo/swapped_machine.h>

namespace rdt::algo {

// Dimension `a` of the product changes digit a / l_0 by port a mod l_0 of the nucleus, which has
// l_0 ports.
class ProductEmulation {
public:
    explicit ProductEmulation(const Rhsn& network);

    uint32_t dimensions() const { return m_ports * m_network.shape().digits(); }
    // The product's neighbor; none if the nucleus has no such link there.
    std::optional<NodeId> neighbor(NodeId node, uint32_t dimension) const;

    // A kind of link that all nodes use at once: a swap, or a port of the nucleus (depth 0).
    struct Generator {
        uint32_t depth;
        uint32_t level;  // or port
    };
    // Theorem 4.6: the links that emulate a dimension, in order; 2 |S_a| + 1 of them.
    std::vector<Generator> way(uint32_t dimension) const;
    // The same for all dimensions at once, every generator once a step at most: for every
    // dimension the steps of its ways. As short as a fixed number of trials finds.
    std::vector<std::vector<uint32_t>> schedule() const;
    uint32_t bound() const;        // theorem 4.8
    uint32_t lower_bound() const;  // no schedule is shorter
    uint32_t ports() const { return m_ports; }

    // The data that arrives at each node if every node sends data[node] along a dimension, in
    // one-port steps of the machine.
    std::vector<std::optional<uint64_t>> send(StepMachine& machine, uint32_t dimension,
                                              const std::vector<uint64_t>& data) const;
    // The same for all dimensions at once: data by dimension; the machine is all-port.
    using Received = std::vector<std::optional<uint64_t>>;
    std::vector<Received> send_all(StepMachine& machine,
                                   const std::vector<std::vector<uint32_t>>& schedule,
                                   const std::vector<std::vector<uint64_t>>& data) const;

private:
    uint32_t generator_number(const Generator& g) const;
    // The port by which a node uses a generator; none if it does not.
    std::optional<uint32_t> port(NodeId node, const Generator& g) const;

    const Rhsn& m_network;
    const uint32_t m_ports;
};

}  // namespace rdt::algo
