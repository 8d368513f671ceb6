// SPDX-License-Identifier: MIT
// The SystemC design of blocks (systemc/rdt/router.h) at every node. Slow, and everything in it can
// be looked at; kinds of blocks can be the RTL, or somebody's own.
#pragma once

#include <fmt/core.h>

#include <rdt/machine/cosim/chip.h>
#include <rdt/machine/machine.h>
#include <rdt/machine/cosim/rtl_beside.h>
#include <rdt/machine/cosim/rtl_blocks.h>
#include <rdt/machine/cosim/systemc_inside.h>
#include <rdt/router.h>

namespace rdt::machine {

class BlocksMachine : public Machine {
public:
    // `parts` are what the chips are made of, but for the kinds of config.rtl_blocks. Throws as
    // with_rtl().
    explicit BlocksMachine(const Config& config, const blocks& parts = {})
        : Machine(config), m_clk("clk"), m_out(nodes()), m_beside(nodes()) {
        m_context.fatalOnError(false);
        const blocks mixed = with_rtl(config.rtl_blocks, &m_context, parts);
        for (uint32_t n = 0; n < nodes(); ++n)
            m_chips.push_back(
                std::make_unique<ModuleChip<router>>(fmt::format("n{}", n), m_clk, mixed));
    }

    // The chips stay: the kernel looks for each of their half a million signals among all others
    // when it goes, which takes longer than most runs.
    ~BlocksMachine() override {
        for (auto& chip : m_chips) chip.release();
        m_kernel.abandon();
    }

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_out[node].link[port];
    }
    bool err(uint32_t node) const override { return m_out[node].err; }
    const fast::ChipState* state(uint32_t) const override { return nullptr; }
    std::vector<Face> faces(uint32_t node) override {
        return {pins_face("blocks", *m_chips[node])};
    }
    // The SystemC design, and the RTL on the same pins beside it, if that is linked.
    std::vector<Inside> insides(uint32_t node) override {
        if (m_is_clocked) throw std::logic_error("the inside of a chip is recorded from reset on");
        std::vector<Inside> sides{systemc_inside(chip(node))};
        if (RtlBeside::maker() == nullptr) return sides;
        if (!m_beside[node]) m_beside[node] = RtlBeside::maker()();
        sides.push_back(m_beside[node]->inside());
        return sides;
    }
    void settle() override { settle(true); }
    size_t bytes() const override {
        return nodes() * (sizeof(ModuleChip<router>) + 2 * sizeof(Endpoint));
    }
    router& chip(uint32_t node) { return m_chips[node]->module(); }
    // After insides().
    RtlBeside& rtl_beside(uint32_t node) { return *m_beside[node]; }

protected:
    void step(bool rst_n) override {
        m_is_clocked = true;
        settle(rst_n);
        if (on_settled) on_settled();
        for (auto& rtl : m_beside)
            if (rtl) rtl->edge();
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        for (uint32_t n = 0; n < nodes(); ++n) {
            if (rst_n)
                for (uint32_t m = 0; m < 2; ++m)
                    mbp(n, m).clock(seen_by_mbp(n, m, m_out[n].link[PortM0 + m]), now());
            m_out[n] = m_chips[n]->pins();
        }
        bool failed = m_context.gotError();
        for (const auto& rtl : m_beside) failed = failed || (rtl && rtl->failed());
        if (failed) throw MachineError("assertion in the RTL");
    }

private:
    // What comes in has to settle before the edge: REQ reaches the blocks without a register.
    void settle(bool rst_n) {
        core::PinsIn in;
        for (uint32_t n = 0; n < nodes(); ++n) {
            for (uint32_t p = 0; p < NumPorts; ++p) in.link[p] = seen(n, p, far_pins(n, p));
            m_chips[n]->drive(in, rst_n);
            if (m_beside[n]) m_beside[n]->settle(in, rst_n);
        }
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
    }

    Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::vector<std::unique_ptr<ModuleChip<router>>> m_chips;
    std::vector<ChipPins> m_out;
    std::vector<std::unique_ptr<RtlBeside>> m_beside;  // of nodes that are recorded
    bool m_is_clocked = false;
};

}  // namespace rdt::machine
