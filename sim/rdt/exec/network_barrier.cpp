// SPDX-License-Identifier: MIT
#include <rdt/exec/network_barrier.h>

#include <fmt/core.h>

namespace rdt::exec {

namespace {

constexpr uint32_t Mbp = 1;
constexpr uint32_t Bits = 7;
constexpr uint32_t RootNodes = 64;
constexpr uint32_t Failed = 1u << AckRetry | 1u << AckTimeout | 1u << AckError;

}  // namespace

bool NetworkBarrier::is_possible(const machine::Machine& machine) {
    return machine.config().upper_rank && machine.nodes() == RootNodes && NumEntries == 7;
}

NetworkBarrier::NetworkBarrier(const machine::Machine& machine, uint32_t harts)
    : m_nodes(machine.nodes()), m_harts(harts) {
    while (machine.geometry().rank(m_root) != 1) ++m_root;
}

void NetworkBarrier::arm(machine::Transport& transport) {
    ++m_number;
    machine::Message m;
    m.source = m_root;
    m.source_mbp = m.mbp = Mbp;
    m.maps = map_byte(0) | map_byte(1);
    m.wants_ack = m.lane = true;
    m.user = m_number;
    m.data.push_back(m_result);
    transport.send(m);
}

void NetworkBarrier::answer(machine::Transport& transport, Node& node) {
    node.is_armed = false;
    transport.answer(node.arm, node.bits << AckUser);
    node.bits = 0;
}

void NetworkBarrier::arrive(machine::Transport& transport, uint32_t hart, uint32_t bits) {
    Node& node = m_nodes[hart];
    node.has_arrived = true;
    node.bits = bits & Bits;
    if (node.is_armed) answer(transport, node);
}

void NetworkBarrier::delivered(machine::Transport& transport, const machine::Packet& packet,
                               const machine::Delivery& d) {
    if (!d.sound) return;  // the answer reports it
    Node& node = m_nodes[d.node];
    node.arm = d;
    node.is_armed = true;
    const bool has_hart = d.node < m_harts;
    const bool is_release = packet.message.user > 1 && node.has_arrived;
    if (is_release && has_hart) {
        node.has_arrived = false;
        on_released(d.node, uint32_t(d.data[0]) & Bits);
    }
    if (!has_hart || m_is_stopped || node.has_arrived) answer(transport, node);
}

void NetworkBarrier::acked(machine::Transport& transport, uint32_t status) {
    if (m_is_stopped) return;
    if ((status & Failed) != 0) {
        m_error =
            fmt::format("the network barrier {} failed: status {:#x} of its ack", m_number, status);
        return;
    }
    ++m_completed;
    m_result = status >> AckUser & Bits;
    arm(transport);
}

void NetworkBarrier::stop(machine::Transport& transport) {
    m_is_stopped = true;
    for (Node& node : m_nodes)
        if (node.is_armed) answer(transport, node);
}

}  // namespace rdt::exec
