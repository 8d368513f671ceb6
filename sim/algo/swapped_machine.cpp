// SPDX-License-Identifier: MIT
#include "algo/swapped_machine.h"

#include <fmt/core.h>

#include "net/nucleus.h"

namespace rdt::algo {

SwappedMachine::SwappedMachine(const Rhsn& network, PortModel model)
    : m_network(network), m_machine(network, model) {
    m_nucleus_bits = cube_bits(network.nucleus()).value_or(0);
    const uint32_t digits = m_nucleus_bits == 0 ? 0 : shape().nucleus_nodes();
    for (NodeId digit = 0; digit < digits; ++digit)
        for (uint32_t bit = 0; bit < m_nucleus_bits; ++bit)
            m_bit_port.push_back(m_machine.port_to(digit, digit ^ 1u << bit));
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
