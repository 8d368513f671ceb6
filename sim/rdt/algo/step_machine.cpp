// SPDX-License-Identifier: MIT
#include <rdt/algo/step_machine.h>

#include <fmt/core.h>

namespace rdt::algo {

StepMachine::StepMachine(const Network& network, PortModel model)
    : m_network(network),
      m_model(model),
      m_link(size_t(network.nodes()) * network.ports(), 0),
      m_sent(network.nodes(), 0),
      m_received(network.nodes(), 0) {}

uint32_t StepMachine::port_to(NodeId from, NodeId to) const {
    for (uint32_t port = 0; port < m_network.ports(); ++port)
        if (m_network.neighbour(from, port) == to) return port;
    throw MovementError(
        fmt::format("there is no link from {} to {}", m_network.label(from), m_network.label(to)));
}

void StepMachine::begin() { ++m_steps; }

NodeId StepMachine::use(NodeId from, uint32_t port) {
    const auto to = from < m_network.nodes() && port < m_network.ports()
                        ? m_network.neighbour(from, port)
                        : std::nullopt;
    if (!to)
        throw MovementError(
            fmt::format("step {}: node {} has no link on port {}", m_steps, from, port));
    const auto claim = [&](uint64_t& last, const char* what) {
        if (last == m_steps)
            throw MovementError(fmt::format("step {}: {} on the way from {} to {}", m_steps, what,
                                            m_network.label(from), m_network.label(*to)));
        last = m_steps;
    };
    claim(m_link[size_t(from) * m_network.ports() + port], "two values on one link");
    if (m_model == PortModel::OnePort) {
        claim(m_sent[from], "the sender sends twice");
        claim(m_received[*to], "the receiver receives twice");
    }
    ++m_movements;
    return *to;
}

}  // namespace rdt::algo
