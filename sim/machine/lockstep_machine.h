// SPDX-License-Identifier: MIT
// The SystemC machine with the Verilated RTL beside it at every node: the same inputs go to
// both, and all output pins and buffer states are compared in every clock.
#pragma once

#include "machine/lockstep.h"
#include "machine/systemc_machine.h"

namespace rdt::machine {

class LockstepMachine : public SystemcMachine {
public:
    explicit LockstepMachine(const Config& config);

    size_t compared_signals() const override { return m_lockstep.signals(); }
    size_t bytes() const override;
    RtlChip<Vrdt_router>* rtl_beside(uint32_t node) const { return m_rtl[node].get(); }

protected:
    void step(bool rst_n) override;

private:
    void compare(uint32_t node);

    std::vector<std::unique_ptr<RtlChip<Vrdt_router>>> m_rtl;
    Lockstep m_lockstep;
};

}  // namespace rdt::machine
