// SPDX-License-Identifier: MIT
// Wired chips that are two each, the Verilated RTL and the SystemC module, on the
// same pins and compared in every cycle.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Vrdt_router.h"
#include "common/wired_chips.h"
#include <rdt/cosim/chip.h>
#include <rdt/cosim/lockstep.h>
#include <rdt/cosim/pin_record.h>
#include <rdt/cosim/rtl_signals.h>

namespace rdt::tb {

using machine::Kernel;
using machine::Lockstep;
using machine::RtlChip;
using machine::ScChip;

class ChipNet : public WiredChips {
public:
    ChipNet(uint32_t nodes, const std::string& name, uint64_t seed, const std::string& rerun);
    ~ChipNet() override;

    // Writes the pins and buffers of both sides of all chips to a wave file from now on.
    void record(const std::string& path) { m_lockstep.record(path); }

    const fast::ChipState& state(uint32_t node) const override {
        return m_models[node].systemc->state();
    }
    size_t compared_signals() const { return m_lockstep.signals(); }
    // For tests that put a mistake into it.
    Vrdt_router& rtl(uint32_t node) { return m_models[node].rtl->model(); }

private:
    struct Models {
        std::unique_ptr<RtlChip<Vrdt_router>> rtl;
        std::unique_ptr<ScChip> systemc;
        std::vector<machine::SignalView> views;  // both models
    };

    void compare_chip(uint32_t node);
    void clock_chips(bool rst_n) override;

    Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::vector<Models> m_models;
    machine::PinRecord m_record;
    Lockstep m_lockstep;
};

}  // namespace rdt::tb
