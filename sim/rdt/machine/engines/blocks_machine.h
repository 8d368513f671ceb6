// SPDX-License-Identifier: MIT
// The SystemC design of blocks (systemc/rdt/router.h) at every node. Slow, and everything in it can
// be looked at; kinds of blocks can be the RTL, or somebody's own.
#pragma once

#include <fmt/core.h>

#include <rdt/machine/cosim/chip.h>
#include <rdt/machine/machine.h>
#include <rdt/machine/cosim/rtl_blocks.h>
#include <rdt/router.h>

namespace rdt::machine {

class BlocksMachine : public Machine {
public:
    // `parts` are what the chips are made of, but for the kinds of config.rtl_blocks. Throws as
    // with_rtl().
    explicit BlocksMachine(const Config& config, const blocks& parts = {})
        : Machine(config), m_clk("clk"), m_out(nodes()) {
        m_context.fatalOnError(false);
        const blocks mixed = with_rtl(config.rtl_blocks, &m_context, parts);
        for (uint32_t n = 0; n < nodes(); ++n)
            m_chips.push_back(
                std::make_unique<ModuleChip<router>>(fmt::format("n{}", n), m_clk, mixed));
    }

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_out[node].link[port];
    }
    bool err(uint32_t node) const override { return m_out[node].err; }
    const fast::ChipState* state(uint32_t) const override { return nullptr; }
    std::vector<Face> faces(uint32_t node) override {
        return {pins_face("blocks", *m_chips[node])};
    }
    size_t bytes() const override {
        return nodes() * (sizeof(ModuleChip<router>) + 2 * sizeof(Endpoint));
    }
    router& chip(uint32_t node) { return m_chips[node]->module(); }

protected:
    // What comes in has to settle before the edge: REQ reaches the blocks without a register.
    void step(bool rst_n) override {
        core::PinsIn in;
        for (uint32_t n = 0; n < nodes(); ++n) {
            for (uint32_t p = 0; p < NumPorts; ++p) in.link[p] = seen(n, p, far_pins(n, p));
            m_chips[n]->drive(in, rst_n);
        }
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        for (uint32_t n = 0; n < nodes(); ++n) {
            if (rst_n)
                for (uint32_t m = 0; m < 2; ++m)
                    mbp(n, m).clock(seen_by_mbp(n, m, m_out[n].link[PortM0 + m]), now());
            m_out[n] = m_chips[n]->pins();
        }
        if (m_context.gotError()) throw MachineError("assertion in the RTL");
    }

private:
    Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::vector<std::unique_ptr<ModuleChip<router>>> m_chips;
    std::vector<ChipPins> m_out;
};

}  // namespace rdt::machine
