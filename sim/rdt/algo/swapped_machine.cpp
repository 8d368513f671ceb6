// SPDX-License-Identifier: MIT
#include <rdt/algo/swapped_machine.h>

#include <fmt/core.h>

#include <rdt/net/families/nucleus.h>

namespace rdt::algo {

SwappedMachine::SwappedMachine(const Rhsn& network, PortModel model, uint32_t parts)
    : m_network(network), m_machine(network, model) {
    const Network& nucleus = network.nucleus();
    m_nucleus_bits = cube_bits(nucleus).value_or(0);
    m_port.assign(size_t(nucleus.nodes()) * nucleus.nodes(), NoPort);
    for (NodeId v = 0; v < nucleus.nodes(); ++v)
        for (uint32_t port = 0; port < nucleus.ports(); ++port)
            if (const auto to = nucleus.neighbor(v, port)) m_port[v * nucleus.nodes() + *to] = port;
    m_nucleus_steps = m_nucleus_bits;
    if (parts == 0) return;
    const bool is_complete = nucleus.ports() == nucleus.nodes() - 1;
    if (bits() == 0 || !is_complete || parts > m_nucleus_bits)
        throw NetworkError(fmt::format(
            "parts={} is not for {}; allowed are nuclei kN of 2^k nodes, in 1 to k parts", parts,
            network.name()));
    m_bits_at_once = (m_nucleus_bits + parts - 1) / parts;
    m_nucleus_steps = (m_nucleus_bits + m_bits_at_once - 1) / m_bits_at_once;
}

uint32_t SwappedMachine::bits() const {
    if (m_nucleus_bits == 0)
        throw NetworkError(fmt::format(
            "this does not run on {}; allowed are nuclei of 2^k nodes with the links of a "
            "hypercube: qN, fqN and kN with N a power of two",
            m_network.name()));
    return m_nucleus_bits * shape().digits();
}

}  // namespace rdt::algo
