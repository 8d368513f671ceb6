// SPDX-License-Identifier: MIT
// The SystemC machine with the Verilated RTL beside it at every node: the same inputs go to
// both, and all output pins and buffer states are compared in every clock.
#pragma once

#include "Vrdt_router.h"
#include "machine/cosim/rtl_signals.h"
#include "machine/engines/systemc_machine.h"

namespace rdt::machine {

class LockstepMachine : public SystemcMachine {
public:
    explicit LockstepMachine(const Config& config);

    std::vector<NodeSide> sides(uint32_t node) override;
    size_t compared_signals() const override { return m_signals; }
    size_t bytes() const override;

protected:
    void step(bool rst_n) override;

private:
    struct Beside {
        std::unique_ptr<RtlChip<Vrdt_router>> rtl;
        std::vector<RtlProbe> probes[NumPorts];
    };

    bool is_equal(uint32_t node) const;
    std::string difference(uint32_t node);

    VerilatedContext m_context;
    std::vector<Beside> m_beside;
    size_t m_signals = 0;
};

}  // namespace rdt::machine
