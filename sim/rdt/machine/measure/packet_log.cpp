// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/packet_log.h>

#include <fmt/core.h>

namespace rdt::machine {

namespace {

constexpr uint32_t Senders = NumPorts + 2;
constexpr uint32_t FirstOfNumber = 3;  // flit

}  // namespace

PacketLog::PacketLog(const Machine& machine, const std::string& path)
    : m_machine(machine), m_file(path), m_senders(machine.nodes() * Senders) {}

void PacketLog::clock(const Transport& transport) {
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
        for (uint32_t m = 0; m < 2; ++m)
            follow(transport, n, PortM0 + m, true, m_machine.mbp_pins(n, m));
        for (uint32_t p = 0; p < NumPorts; ++p)
            follow(transport, n, p, false, m_machine.pins(n, p));
    }
}

// A packet is known by its number, and so two flits after its header.
void PacketLog::follow(const Transport& transport, uint32_t node, uint32_t port, bool from_mbp,
                       const core::LinkPinsOut& pins) {
    Sender& s = m_senders[node * Senders + port + (from_mbp ? 2 : 0)];
    if (!s.follower.clock(pins)) return;
    const uint32_t index = s.follower.index();
    if (index == 0) s.started = m_machine.now();
    if (index == FirstOfNumber) s.number = pins.d;
    if (index != FirstOfNumber + 1 || s.follower.type() > TypeMcLarp) return;
    const Packet* packet = transport.find(s.number, pins.d);
    if (packet == nullptr) return;
    Life& life = m_open[packet->number];
    if (life.head.empty()) life.head = head_of(*packet);
    const std::string vc = is_network(port) ? fmt::format("/{}", s.follower.vc()) : "";
    life.steps += fmt::format(" {}.{}{}@{}", node, to_string(Port(port)), vc, s.started);
}

std::string PacketLog::head_of(const Packet& p) {
    const Message& m = p.message;
    const std::string to = p.is_multicast() ? fmt::format("{} nodes", p.receivers)
                                            : fmt::format("{}.M{}", m.destination, m.mbp);
    return fmt::format("{} {}.M{} to {}, {} flits: born {};", p.number, m.source, m.source_mbp, to,
                       m.flits, p.born);
}

void PacketLog::done(const Packet& packet, uint64_t now) {
    const auto it = m_open.find(packet.number);
    if (it == m_open.end()) return;
    m_file.write(fmt::format("{}{}; done {}\n", it->second.head, it->second.steps, now));
    m_open.erase(it);
}

void PacketLog::finish() {
    for (const auto& [number, life] : m_open)
        m_file.write(fmt::format("{}{}; open\n", life.head, life.steps));
    m_file.commit();
}

}  // namespace rdt::machine
