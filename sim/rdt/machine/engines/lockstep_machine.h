// SPDX-License-Identifier: MIT
// The SystemC machine with the Verilated RTL beside it at every node: the same inputs go to
// both, and all output pins and buffer states are compared in every clock. A difference is reported
// with a waveform of the node's last clocks and its save file (cosim/lockstep.h).
#pragma once

#include "Vrdt_router.h"
#include <rdt/machine/cosim/rtl_chip.h>
#include <rdt/machine/cosim/rtl_signals.h>
#include <rdt/machine/cosim/pin_record.h>
#include <rdt/machine/engines/systemc_machine.h>

namespace rdt::machine {

class LockstepMachine : public SystemcMachine {
public:
    explicit LockstepMachine(const Config& config);

    std::vector<Face> faces(uint32_t node) override;
    size_t compared_signals() const override { return nodes() * chip_signals().size(); }
    size_t bytes() const override;

    // For tests that put a mistake into it.
    Vrdt_router& rtl(uint32_t node) { return m_beside[node].rtl->model(); }

protected:
    void step(bool rst_n) override;

private:
    struct Beside {
        std::unique_ptr<RtlChip<Vrdt_router>> rtl;
        std::vector<Face> faces;     // its own and the model's
        std::vector<uint64_t> last;  // what they have shown in the last clocks, in turn
    };

    void keep(uint32_t node);
    std::string difference(uint32_t node);

    VerilatedContext m_context;
    std::vector<Beside> m_beside;
    PinRecord m_record;
};

}  // namespace rdt::machine
