// SPDX-License-Identifier: MIT
// A machine as a SystemC module whose MBP ports, 2 n + m for MBP m of node n, are TLM-2.0 sockets:
//   - send(port), a target socket: a write to address p sends 2 to 22 bytes to port p; b_transport
//     returns when the first flit leaves. With an extension Multicast the packet goes to MBP
//     `address % 2` of all nodes of its maps; if it requests an ack, b_transport returns with the
//     ack (`status`), or TLM_GENERIC_ERROR_RESPONSE if it was not delivered everywhere.
//   - a Multicast with `is_barrier` is a barrier (docs/collectives.md): a receiver's b_transport
//     returns when its process has arrived, with user bits in `status`; the sender's when all have.
//   - receive(port), an initiator socket: a write per packet in the cycle of its last flit; the
//     address is the sender's port. Packets queue while the receiver waits; unbound ports drop.
//   - unsupported transactions return the standard's error codes; no direct memory, no debug.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <unordered_map>

#include <rdt/tlm/machine_module.h>

namespace rdt::tlm_packets {

struct Multicast : tlm::tlm_extension<Multicast> {
    Maps maps = 0;  // see rdt/core/bitmap.h
    Type type = TypeMcSm;
    bool wants_ack = false;
    bool is_barrier = false;  // requests an ack that receivers give when they like
    // Status bits of the ack: see docs/packet.md. A receiver of a barrier sets its user bits here.
    uint32_t status = 0;

    tlm::tlm_extension_base* clone() const override { return new Multicast(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const Multicast&>(other);
    }
};

class PacketPorts : public tlm_machine::MachineModule {
public:
    using Send = tlm_utils::simple_target_socket_tagged_optional<PacketPorts>;
    using Receive = tlm_utils::simple_initiator_socket_optional<PacketPorts>;
    static constexpr uint32_t MaxBytes = 22;

    PacketPorts(const sc_core::sc_module_name& name, const machine::Config& config,
                const sc_core::sc_time& period = sc_core::sc_time(10, sc_core::SC_NS))
        : MachineModule(name, config, period) {
        transport().on_delivery = [this](const machine::Packet& p, const machine::Delivery& d) {
            deliver(p, d);
        };
        transport().on_ack = [this](const machine::Packet& p, uint32_t status) {
            const auto it = m_acks.find(p.message.user);
            if (it == m_acks.end()) return;
            it->second->status = status;
            it->second->event.notify(sc_core::SC_ZERO_TIME);
        };
        for (uint32_t i = 0; i < ports(); ++i) {
            Port& port = m_ports.emplace_back(i);
            port.send.register_b_transport(this, &PacketPorts::b_transport, int(i));
        }
    }

    Send& send(uint32_t port) { return m_ports.at(port).send; }
    Receive& receive(uint32_t port) { return m_ports.at(port).receive; }
    uint32_t ports() const { return 2 * machine().nodes(); }
    const Geometry& geometry() const { return machine().geometry(); }
    // The user bits that a port answers to other multicasts (0 to 7; 1 at first).
    void set_user_bits(uint32_t port, uint32_t bits) {
        transport().set_user_bits(port / 2, port % 2, bits);
    }
    uint64_t damaged() const {
        return m_damaged;
    }  // packets that came with malformed flits: dropped
    uint64_t dropped() const { return m_dropped; }  // packets that came to an unbound port

private:
    struct Arrival {
        uint32_t from = 0;
        std::vector<unsigned char> data;
        std::unique_ptr<Multicast> multicast;
        machine::Delivery delivery{};  // answered by answer() if it is a barrier
    };
    struct Port {
        explicit Port(uint32_t number)
            : send(("send_" + std::to_string(number)).c_str()),
              receive(("receive_" + std::to_string(number)).c_str()) {}
        Send send;
        Receive receive;
        uint64_t given = 0;    // packets to the machine
        uint64_t started = 0;  // of these
        sc_core::sc_event has_started;
        std::deque<Arrival> arrivals;
        sc_core::sc_event has_arrived;
    };
    struct Ack {
        sc_core::sc_event event;
        std::optional<uint32_t> status;
    };

    void end_of_elaboration() override {
        for (Port& port : m_ports)
            if (port.receive.size() > 0) sc_core::sc_spawn([this, &port] { hand_over(port); });
    }

    void clock() override {
        transport().clock();
        for (uint32_t i = 0; i < m_ports.size(); ++i) {
            Port& port = m_ports[i];
            if (port.started == port.given) continue;
            const uint64_t started = port.given - transport().queued(i / 2, i % 2);
            if (started != port.started) port.has_started.notify(sc_core::SC_ZERO_TIME);
            port.started = started;
        }
    }

    void deliver(const machine::Packet& packet, const machine::Delivery& delivery) {
        const bool is_barrier = packet.message.lane;
        if (!delivery.sound) {
            ++m_damaged;
            if (is_barrier) answer(delivery, 1u << AckError);
            return;
        }
        Port& port = m_ports[2 * delivery.node + delivery.mbp];
        if (port.receive.size() == 0) {
            ++m_dropped;
            if (is_barrier) answer(delivery, 0);
            return;
        }
        const machine::Message& m = packet.message;
        Arrival arrival;
        arrival.from = 2 * m.source + m.source_mbp;
        for (const uint64_t word : delivery.data) {
            arrival.data.push_back(uint8_t(word));
            arrival.data.push_back(uint8_t(word >> 8));
        }
        if (packet.is_multicast()) {
            arrival.multicast = std::make_unique<Multicast>();
            arrival.multicast->maps = m.maps;
            arrival.multicast->type = m.type;
            arrival.multicast->wants_ack = m.wants_ack;
            arrival.multicast->is_barrier = is_barrier;
            arrival.delivery = delivery;
        }
        port.arrivals.push_back(std::move(arrival));
        port.has_arrived.notify(sc_core::SC_ZERO_TIME);
    }

    void hand_over(Port& port) {
        for (;;) {
            while (port.arrivals.empty()) sc_core::wait(port.has_arrived);
            Arrival arrival = std::move(port.arrivals.front());
            port.arrivals.pop_front();
            tlm::tlm_generic_payload trans;
            trans.set_write();
            trans.set_address(arrival.from);
            trans.set_data_ptr(arrival.data.data());
            trans.set_data_length(unsigned(arrival.data.size()));
            trans.set_streaming_width(unsigned(arrival.data.size()));
            if (arrival.multicast) trans.set_extension(arrival.multicast.get());
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            port.receive->b_transport(trans, delay);
            if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
            if (!arrival.multicast) continue;
            trans.clear_extension(arrival.multicast.get());
            if (arrival.multicast->is_barrier)
                answer(arrival.delivery, arrival.multicast->status & UserBits);
        }
    }

    static constexpr uint32_t UserBits = machine::MaxUserBits << AckUser;
    // Between the cycles of the machine, or in one.
    void answer(const machine::Delivery& delivery, uint32_t status) {
        guest().within([&] { transport().answer(delivery, status); });
    }

    tlm::tlm_response_status judge(const tlm::tlm_generic_payload& trans,
                                   const Multicast* multicast) const {
        if (!trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
        const uint64_t length = trans.get_data_length();
        if (length < 2 || length > MaxBytes || length % 2 != 0 || trans.get_data_ptr() == nullptr ||
            trans.get_streaming_width() < length)
            return tlm::TLM_BURST_ERROR_RESPONSE;
        if (trans.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        const bool is_there =
            multicast != nullptr
                ? multicast->maps != 0 &&
                      machine::receivers_of(geometry(), multicast->type, multicast->maps) != 0
                : trans.get_address() < ports();
        return is_there ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }

    void b_transport(int from, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        trans.set_dmi_allowed(false);
        Multicast* const multicast = trans.get_extension<Multicast>();
        tlm::tlm_response_status status = judge(trans, multicast);
        if (status == tlm::TLM_OK_RESPONSE) {
            if (delay != sc_core::SC_ZERO_TIME) wait(delay);
            delay = sc_core::SC_ZERO_TIME;
            status = carry(uint32_t(from), trans, multicast);
        }
        trans.set_response_status(status);
    }

    tlm::tlm_response_status carry(uint32_t from, const tlm::tlm_generic_payload& trans,
                                   Multicast* multicast) {
        machine::Message m;
        m.source = from / 2;
        m.source_mbp = from % 2;
        m.mbp = uint32_t(trans.get_address() % 2);
        m.user = m_sent++;
        if (multicast != nullptr) {
            m.maps = multicast->maps;
            m.type = multicast->type;
            m.wants_ack = multicast->wants_ack || multicast->is_barrier;
            m.lane = multicast->is_barrier;
        } else {
            m.destination = uint32_t(trans.get_address() / 2);
        }
        const unsigned char* data = trans.get_data_ptr();
        for (unsigned i = 0; i < trans.get_data_length(); i += 2)
            m.data.push_back(uint32_t(data[i]) | uint32_t(data[i + 1]) << 8);
        Ack ack;
        if (m.wants_ack) m_acks[m.user] = &ack;
        Port& port = m_ports[from];
        const uint64_t place = ++port.given;
        guest().within([&] { transport().send(m); });
        while (port.started < place) wait(port.has_started);
        if (!m.wants_ack) return tlm::TLM_OK_RESPONSE;
        while (!ack.status) wait(ack.event);
        m_acks.erase(m.user);
        multicast->status = *ack.status;
        return (*ack.status & ~UserBits) == 0 ? tlm::TLM_OK_RESPONSE
                                              : tlm::TLM_GENERIC_ERROR_RESPONSE;
    }

    std::deque<Port> m_ports;
    std::unordered_map<uint64_t, Ack*> m_acks;  // by number of those that wait
    uint64_t m_sent = 0;
    uint64_t m_damaged = 0;
    uint64_t m_dropped = 0;
};

}  // namespace rdt::tlm_packets
