// SPDX-License-Identifier: MIT
// The 64-node machine of the fast engine with the RTL beside it at every node, for long runs.
#pragma once

#include <vector>

#include "soak/pair.h"
#include <rdt/machine/engines/fast_machine.h>

namespace rdt::tb::soak {

class Machine : public machine::FastMachine {
public:
    // From clock `spoil_at` on the RTL of the last node reads a pin wrongly.
    Machine(const machine::Config& config, uint64_t spoil_at)
        : FastMachine(config), m_spoil_at(spoil_at) {
        for (uint32_t n = 0; n < nodes(); ++n)
            m_rtl.push_back(std::make_unique<Rtl>(&m_context, fmt::format("n{}", n)));
    }

protected:
    void step(bool rst_n) override {
        for (uint32_t n = 0; n < nodes(); ++n) {
            core::PinsIn in = inputs(n);
            if (now() >= m_spoil_at && n + 1 == nodes()) in.link[PortM1].d ^= 1;
            m_rtl[n]->drive(in, rst_n);
        }
        FastMachine::step(rst_n);
        for (uint32_t n = 0; n < nodes(); ++n) {
            m_rtl[n]->edge();
            if (!rst_n) continue;
            const std::string found = difference(m_rtl[n]->pins(), machine::pins_of(*state(n)));
            if (!found.empty())
                throw machine::MachineError(
                    fmt::format("node {}: {} in cycle {}", n, found, now()));
        }
    }

private:
    uint64_t m_spoil_at;
    VerilatedContext m_context;
    std::vector<std::unique_ptr<Rtl>> m_rtl;
};

}  // namespace rdt::tb::soak
