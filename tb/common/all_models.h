// SPDX-License-Identifier: MIT
// One chip that is four on the same pins: the Verilated RTL, the SystemC design of blocks, the
// SystemC module of one process and the fast engine. After every cycle all output pins of the four
// match, and all registers of buffer occupancy and line ownership.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "Vrdt_router.h"
#include "common/wired_chips.h"
#include <rdt/cosim/chip.h>
#include <rdt/cosim/rtl_signals.h>
#include <rdt/router.h>

namespace rdt::tb {

class AllModels : public WiredChips {
public:
    AllModels();

    const fast::ChipState& state(uint32_t) const override { return m_fast; }
    size_t compared_registers() const { return m_watched.size(); }

private:
    // The registers of a block, in the order in which it names them.
    struct Registers {
        std::vector<std::string> names;
        std::vector<uint64_t> values;
        const uint64_t* find(const std::string& name) const;
    };
    // A register of the list, and where the blocks have it.
    struct Watched {
        size_t signal;
        const uint64_t* blocks;
    };

    void clock_chips(bool rst_n) override;
    void read_blocks();
    std::string difference() const;

    machine::Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk{"clk"};
    machine::RtlChip<Vrdt_router> m_rtl{&m_context, "chip"};
    machine::ModuleChip<router> m_blocks{"blocks", m_clk};
    machine::ScChip m_quick{"quick", m_clk};
    fast::Router m_fast;
    std::vector<machine::SignalView> m_models;  // the RTL first, the blocks without registers
    std::array<Registers, NumPorts> m_inputs;
    std::array<Registers, NumPorts> m_links;
    std::vector<Watched> m_watched;
};

}  // namespace rdt::tb
