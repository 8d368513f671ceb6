// SPDX-License-Identifier: MIT
// A barrier of all harts by the network. The root keeps a multicast of the lane (the arm) open,
// which every node answers when its hart has arrived; nodes without a hart answer at once. The
// combined answer means that all have arrived, and has the OR of three bits of each. The next arm
// releases them and carries these bits. One root reaches 64 nodes, so larger machines have no such
// barrier.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <rdt/machine/transport.h>

namespace rdt::exec {

class NetworkBarrier {
public:
    static bool is_possible(const machine::Machine& machine);
    NetworkBarrier(const machine::Machine& machine, uint32_t harts);

    // A hart that has not arrived since the last release.
    void arrive(machine::Transport& transport, uint32_t hart, uint32_t bits);
    std::function<void(uint32_t hart, uint32_t bits)> on_released;
    bool has_arrived(uint32_t hart) const { return m_nodes[hart].has_arrived; }

    void start(machine::Transport& transport) { arm(transport); }
    // Open barriers are answered, so that the network comes to rest.
    void stop(machine::Transport& transport);
    void delivered(machine::Transport& transport, const machine::Packet& packet,
                   const machine::Delivery& delivery);
    void acked(machine::Transport& transport, uint32_t status);

    uint64_t completed() const { return m_completed; }
    const std::string& error() const { return m_error; }

private:
    struct Node {
        bool has_arrived = false;
        bool is_armed = false;
        uint32_t bits = 0;
        machine::Delivery arm{};
    };
    void arm(machine::Transport& transport);
    void answer(machine::Transport& transport, Node& node);

    std::vector<Node> m_nodes;
    const uint32_t m_harts;
    uint32_t m_root = 0;
    uint64_t m_number = 0;  // number of the arm
    uint32_t m_result = 0;  // of the barrier before it
    uint64_t m_completed = 0;
    bool m_is_stopped = false;
    std::string m_error;
};

}  // namespace rdt::exec
