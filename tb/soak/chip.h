// SPDX-License-Identifier: MIT
// One chip with endpoints at all ports, RTL beside the SystemC module, for long runs.
#pragma once

#include "common/wired_chips.h"
#include "soak/pair.h"
#include <rdt/cosim/chip.h>

namespace rdt::tb::soak {

class Chip : public WiredChips {
public:
    // From clock `spoil_at` on the RTL reads a pin wrongly: for the run that has to fail.
    explicit Chip(uint64_t spoil_at)
        : WiredChips(1),
          m_spoil_at(spoil_at),
          m_clk("clk"),
          m_rtl(std::make_unique<Rtl>(&m_context, "rtl")),
          m_systemc(std::make_unique<machine::ScChip>("systemc", m_clk)) {}
    ~Chip() override { m_systemc.reset(); }

    const fast::ChipState& state(uint32_t) const override { return m_systemc->state(); }

private:
    void clock_chips(bool rst_n) override {
        core::PinsIn in = chip(0).in;
        m_systemc->drive(in, rst_n);
        if (now() >= m_spoil_at) in.link[PortM1].d ^= 1;
        m_rtl->drive(in, rst_n);
        m_rtl->edge();
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        chip(0).out = m_systemc->pins();
        if (!rst_n) return;
        const std::string found = difference(m_rtl->pins(), chip(0).out);
        if (!found.empty()) fail(fmt::format("{} in cycle {}", found, now()));
    }

    uint64_t m_spoil_at;
    machine::Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::unique_ptr<Rtl> m_rtl;
    std::unique_ptr<machine::ScChip> m_systemc;
};

}  // namespace rdt::tb::soak
