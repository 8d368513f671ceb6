// SPDX-License-Identifier: MIT
#include "machine/lockstep_machine.h"

#include <fmt/core.h>

namespace rdt::machine {

LockstepMachine::LockstepMachine(const Config& config)
    : SystemcMachine(config), m_lockstep("rdt_machine", config.seed, config.rerun) {
    for (uint32_t n = 0; n < nodes(); ++n)
        m_rtl.push_back(std::make_unique<RtlChip<Vrdt_router>>(&context(), fmt::format("n{}", n)));
    for (uint32_t n = 0; n < nodes(); ++n) compare(n);
}

std::vector<NodeSide> LockstepMachine::sides(uint32_t node) {
    return {rtl_side(*m_rtl[node], context(), fmt::format("n{}", node), true),
            model_side("systemc", *state(node))};
}

void LockstepMachine::compare(uint32_t node) {
    const std::vector<NodeSide> both = sides(node);
    for (size_t i = 0; i < both[0].signals.size(); ++i) {
        const Signal& rtl = both[0].signals[i];
        m_lockstep.add(fmt::format("n{}.{}", node, rtl.name), rtl.width, rtl.read,
                       both[1].signals[i].read);
    }
}

void LockstepMachine::step(bool rst_n) {
    SystemcMachine::step(rst_n);
    for (uint32_t n = 0; n < nodes(); ++n) {
        m_rtl[n]->drive(inputs(n), rst_n);
        m_rtl[n]->edge();
    }
    if (context().gotError()) throw MachineError("assertion in the RTL");
    if (const auto difference = m_lockstep.compare()) throw MachineError(*difference);
}

size_t LockstepMachine::bytes() const {
    return SystemcMachine::bytes() + nodes() * sizeof(Vrdt_router);
}

}  // namespace rdt::machine
