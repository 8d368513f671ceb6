// SPDX-License-Identifier: MIT
#include "packet_monitor.h"

#include <utility>

namespace rdt::live {

using machine::Packet;

namespace {

constexpr uint32_t FirstOfNumber = 3;  // flit
constexpr size_t Remembered = 512;     // packets that have arrived

}  // namespace

PacketMonitor::PacketMonitor(const machine::Machine& machine)
    : m_machine(machine),
      m_shown(machine.nodes() * Senders),
      m_senders(machine.nodes() * Senders),
      m_inputs(machine.nodes() * NumPorts) {}

void PacketMonitor::clock(const machine::Transport& transport) {
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) look_inside(n);
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
        for (uint32_t p = 0; p < NumPorts; ++p) follow(transport, n, p, m_machine.pins(n, p));
        for (uint32_t m = 0; m < 2; ++m)
            follow(transport, n, NumPorts + m, m_machine.mbp_pins(n, m));
    }
}

// A pass begins with the flit of index 0: the outputs that were waited for before and are not any
// more have been granted.
void PacketMonitor::look_inside(uint32_t node) {
    const fast::ChipState& chip = *m_machine.state(node);
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const fast::InputUnit& unit = chip.input(p);
        Input& input = m_inputs[node * NumPorts + p];
        const auto& q = unit.q();
        if (!q.rd_busy) input.pass = 0;
        else if (q.rd_idx == 0)
            input.pass =
                q.rd_fin ? q.slot[q.rd_vc].pend : input.pend[q.rd_vc] & ~q.slot[q.rd_vc].pend;
        for (uint32_t left = unit.pkt_mask(); left != 0; left &= left - 1) {
            const auto v = uint32_t(__builtin_ctz(left));
            input.pend[v] = q.slot[v].pend;
        }
    }
}

// The packet that goes to an output now.
uint32_t PacketMonitor::source_of(uint32_t node, uint32_t output) const {
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const Input& input = m_inputs[node * NumPorts + p];
        if ((input.pass >> output & 1) != 0)
            return input.packet[m_machine.state(node)->input(p).q().rd_vc];
    }
    return NoPacket;
}

uint32_t& PacketMonitor::buffer_behind(uint32_t node, uint32_t sender, uint32_t vc) {
    if (sender >= NumPorts) return m_inputs[node * NumPorts + sender - 2].packet[0];
    const uint32_t far = m_machine.geometry().neighbor(node, sender);
    return m_inputs[far * NumPorts + opposite(sender)].packet[vc];
}

void PacketMonitor::follow(const machine::Transport& transport, uint32_t node, uint32_t sender,
                           const core::LinkPinsOut& pins) {
    Sender& s = m_senders[node * Senders + sender];
    Shown& shown = m_shown[node * Senders + sender];
    if (!s.follower.clock(pins)) {
        shown.flags = 0;
        return;
    }
    const uint32_t index = s.follower.index();
    const uint32_t vc = std::min(s.follower.vc(), fast::MaxVc - 1);
    const bool carries = s.follower.type() <= TypeMcLarp;  // a packet of Transport
    const bool from_mbp = sender >= NumPorts;
    const bool to_buffer = from_mbp || is_network(sender);
    ++shown.flits;
    if (index == 0) {
        s.started = m_machine.now();
        s.packet = carries && !from_mbp ? source_of(node, sender) : NoPacket;
        if (carries && to_buffer) buffer_behind(node, sender, vc) = s.packet;
    }
    if (index == FirstOfNumber) s.number = pins.d;
    if (index == FirstOfNumber + 1 && carries) {
        const Packet* packet = transport.find(s.number, pins.d);
        const uint32_t known = packet == nullptr ? NoPacket : uint32_t(packet->number) + 1;
        if (known != NoPacket && s.packet != known) {
            m_mistaken += s.packet != NoPacket ? 1 : 0;
            s.packet = known;
            if (to_buffer) buffer_behind(node, sender, vc) = known;
        }
        if (packet != nullptr) {
            Life& life = m_lives[packet->number];
            life.packet = *packet;
            life.steps.push_back({node, from_mbp ? sender - 2 : sender, vc, from_mbp, s.started});
        }
    }
    shown.flags = 1 | s.follower.type() << 1 | index << 4 | vc << 12;
    shown.packet = s.packet;
}

void PacketMonitor::delivered(const Packet& packet, const machine::Delivery& delivery) {
    m_lives[packet.number].receivers.push_back(delivery.node);
}

void PacketMonitor::done(const Packet& packet, uint64_t now) {
    Life& life = m_lives[packet.number];
    life.packet = packet;
    life.done = now;
    m_done.push_back(packet.number);
    if (m_done.size() <= Remembered) return;
    m_lives.erase(m_done.front());
    m_done.pop_front();
}

const PacketMonitor::Life* PacketMonitor::life(uint64_t number) const {
    const auto it = m_lives.find(number);
    return it == m_lives.end() ? nullptr : &it->second;
}

}  // namespace rdt::live
