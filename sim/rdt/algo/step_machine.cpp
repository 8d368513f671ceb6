// SPDX-License-Identifier: MIT
#include <rdt/algo/step_machine.h>

#include <fmt/core.h>

namespace rdt::algo {

StepMachine::StepMachine(const Network& network, PortModel model)
    : m_network(network),
      m_model(model),
      m_ports(network.ports()),
      m_neighbor(size_t(network.nodes()) * network.ports()),
      m_link(m_neighbor.size(), 0),
      m_sent(network.nodes(), 0),
      m_received(network.nodes(), 0) {
    for (size_t i = 0; i < m_neighbor.size(); ++i)
        m_neighbor[i] =
            network.neighbor(NodeId(i / m_ports), uint32_t(i % m_ports)).value_or(NoLink);
}

uint32_t StepMachine::port_to(NodeId from, NodeId to) const {
    for (uint32_t port = 0; port < m_network.ports(); ++port)
        if (m_network.neighbor(from, port) == to) return port;
    throw MovementError(
        fmt::format("there is no link from {} to {}", m_network.label(from), m_network.label(to)));
}

void StepMachine::no_link(NodeId from, uint32_t port) const {
    throw MovementError(
        fmt::format("step {}: node {} has no link on port {}", m_steps, from, port));
}

void StepMachine::twice(const char* what, NodeId from, NodeId to) const {
    throw MovementError(fmt::format("step {}: {} on the way from {} to {}", m_steps, what,
                                    m_network.label(from), m_network.label(to)));
}

}  // namespace rdt::algo
