// SPDX-License-Identifier: MIT
// Faults on the pins of a machine: inverted for a cycle, cut, or stuck.
#pragma once

#include <cstdint>
#include <vector>

#include <rdt/core/pins.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt::machine {

// Inverts these bits of the pins that a router reads from a link. Ports from MbpReads on: what MBP
// 0 and MBP 1 read from their chip.
constexpr uint32_t MbpReads = NumPorts;
struct Flip {
    uint32_t node;
    uint32_t port;
    core::LinkPinsIn bits;
};

class Disturbances {
public:
    explicit Disturbances(const Geometry& geometry);

    // In the coming cycle.
    void flip(const Flip& flip);
    // From now on an end does not see the other.
    void cut(uint32_t node, uint32_t port);
    // From now on these bits are read as all 1 or all 0.
    void stick(uint32_t node, uint32_t port, const core::LinkPinsIn& bits, bool value);

    // Around a cycle: flips hold in it alone.
    void begin_cycle();
    void end_cycle();

    bool has_flips() const { return !m_flips.empty(); }
    // Now, or in the coming cycle.
    bool are_any() const;
    // Until then no end receives an undriven flit.
    bool were_any() const { return m_were_any; }
    bool are_at(uint32_t node) const { return m_disturbed[node] != 0; }
    // One end of the link is cut or has stuck pins.
    bool is_broken(uint32_t node, uint32_t port) const;

    // Changes the pins that a port reads.
    void apply(uint32_t node, uint32_t port, core::LinkPinsIn& in) const;

private:
    struct Stuck {
        uint32_t node;
        uint32_t port;
        core::LinkPinsIn bits;
        bool value;
    };
    void break_port(uint32_t node, uint32_t port);

    const Geometry& m_geometry;
    std::vector<Flip> m_flips;
    std::vector<Stuck> m_stuck;
    bool m_were_any = false;
    std::vector<uint16_t> m_cut;        // by node: ports
    std::vector<uint16_t> m_broken;     // by node: ports that are cut or have stuck pins
    std::vector<uint16_t> m_disturbed;  // by node: these, and those flipped in this cycle
};

}  // namespace rdt::machine
