// SPDX-License-Identifier: MIT
// Looks at a machine after every cycle and knows which packet every flit and every buffer belongs
// to, and the way that packets have taken.
//
// A packet carries its number behind its header. From the sender's MBP on it is followed buffer by
// buffer, so that a router's first flit of it is known, too, before its number has passed.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include <rdt/machine/measure/follower.h>
#include <rdt/machine/transport.h>

namespace rdt::live {

class PacketMonitor {
public:
    static constexpr uint32_t Senders = NumPorts + 2;  // per node: its ports, then its MBPs
    static constexpr uint32_t NoPacket = 0;            // no packet; else its number + 1

    // The flit on a link now, one per sender; `flags` is 0 without one.
    struct Shown {
        uint32_t flags = 0;   // 1 | type << 1 | index << 4 | vc << 12
        uint32_t packet = 0;  // number + 1
        uint32_t flits = 0;   // that this sender has sent so far
    };
    struct Step {
        uint32_t node;
        uint32_t port;
        uint32_t vc;
        bool from_mbp;
        uint64_t clock;  // cycle of the first flit on the pins
    };
    struct Life {
        machine::Packet packet;
        std::vector<Step> steps;
        std::vector<uint32_t> receivers;  // nodes
        uint64_t done = 0;                // clock; 0: in flight
    };

    explicit PacketMonitor(const machine::Machine& machine);

    // After every cycle of the machine.
    void clock(const machine::Transport& transport);
    void delivered(const machine::Packet& packet, const machine::Delivery& delivery);
    void done(const machine::Packet& packet, uint64_t now);

    const std::vector<Shown>& shown() const { return m_shown; }
    // Outputs to which an input is read now.
    uint32_t pass(uint32_t node, uint32_t port) const {
        return m_inputs[node * NumPorts + port].pass;
    }
    // The last packet that entered a buffer.
    uint32_t in_buffer(uint32_t node, uint32_t port, uint32_t vc) const {
        return m_inputs[node * NumPorts + port].packet[vc];
    }
    // A packet in flight or recently delivered; nullptr if no longer recorded.
    const Life* life(uint64_t number) const;
    // Packets that turned out to be others than they were taken for; 0 unless links are disturbed.
    uint64_t mistaken() const { return m_mistaken; }

private:
    struct Sender {
        machine::Follower follower;
        uint64_t started = 0;
        flit_t number = 0;  // first flit of it
        uint32_t packet = NoPacket;
    };
    struct Input {
        uint32_t pass = 0;
        std::array<uint32_t, fast::MaxVc> packet{};
        std::array<uint16_t, fast::MaxVc> pend{};  // a cycle ago
    };

    void look_inside(uint32_t node);
    void follow(const machine::Transport& transport, uint32_t node, uint32_t sender,
                const core::LinkPinsOut& pins);
    uint32_t source_of(uint32_t node, uint32_t output) const;
    uint32_t& buffer_behind(uint32_t node, uint32_t sender, uint32_t vc);

    const machine::Machine& m_machine;
    std::vector<Shown> m_shown;
    std::vector<Sender> m_senders;
    std::vector<Input> m_inputs;
    std::map<uint64_t, Life> m_lives;  // by number
    std::deque<uint64_t> m_done;       // those of them that have arrived, oldest first
    uint64_t m_mistaken = 0;
};

}  // namespace rdt::live
