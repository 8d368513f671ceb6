// SPDX-License-Identifier: MIT
// The fast engine: core::Router without a kernel.
//
// A clock has two halves. In the first every node that is awake reads what the others drive, kept
// as one word a pin and node, and computes; in the second it tells its neighbours what of its
// REQ and CRED has changed. Flits are left where the neighbour fetches them if it receives one.
// Nodes at which nothing can happen sleep until a neighbour or an MBP has something for them.
// Within each half nodes do not depend on each other, so threads may share them.
#pragma once

#include "machine/crew.h"
#include "machine/machine.h"

namespace rdt::machine {

class FastMachine : public Machine {
public:
    explicit FastMachine(const Config& config);

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_chips[node].pins(port);
    }
    LinkFlits link_flits() const override;
    bool err(uint32_t node) const override { return m_chips[node].err(); }
    const core::Router* state(uint32_t node) const override { return &m_chips[node]; }
    std::vector<NodeSide> sides(uint32_t node) override {
        return {model_side("fast", m_chips[node])};
    }
    size_t bytes() const override;

protected:
    void step(bool rst_n) override;

private:
    static constexpr uint32_t Senders = NumPorts + 2;  // of a node: its chip's ports, its MBPs

    // REQ and CRED of the ends of all links of a node.
    struct Signals {
        core::TwoBits req;
        core::TwoBits cred;
    };
    struct Node {
        Signals seen;       // of the other ends
        Signals shown;      // by the chip, as the others know it
        Signals mbp_shown;  // by its MBPs, at the bits of their ports
        core::Ports oe = 0;
        core::Ports oe_before = 0;
        core::Ports mbp_oe = 0;
        core::Ports mbp_oe_before = 0;
        uint64_t asleep_since = 0;  // clock + 1; 0: awake
        bool at_rest = false;       // nothing would happen if nothing came
        bool clocked = false;
    };
    // What core::Router::clock() asks for.
    struct Pins {
        const core::TwoBits& req;
        const core::TwoBits& cred;
        const flit_t* d_of;  // of this clock
        const uint32_t* far;
        static constexpr bool shoot = false;
        static constexpr bool slice = false;
        flit_t d(uint32_t p) const { return d_of[far[p]]; }
    };

    void reset();
    bool falls_asleep(uint32_t node);
    void compute(uint32_t node);
    void clock_disturbed(uint32_t node);
    void tell(uint32_t node);
    void tell_neighbour(uint32_t node, uint32_t port, const Signals& change);
    template <typename Work>
    void for_awake(unsigned lane, Work&& work);

    std::vector<core::Router> m_chips;
    std::vector<Node> m_nodes;
    std::vector<uint32_t> m_far;  // by node and port: sender at the other end
    std::vector<flit_t> m_d[2];   // by sender, in even and in odd clocks
    uint64_t m_clock = 0;
    Crew m_crew;
};

}  // namespace rdt::machine
