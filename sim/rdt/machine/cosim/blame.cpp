// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/blame.h>

#include <fmt/core.h>

#include "Vrdt_router.h"
#include <rdt/machine/cosim/chip.h>
#include <rdt/machine/cosim/rtl_blocks.h>
#include <rdt/machine/cosim/rtl_signals.h>
#include <rdt/router.h>

namespace rdt::machine {

namespace {

// Verilated models find their context through a variable of the thread, which a new one takes.
class OtherContext {
public:
    OtherContext() : m_before(Verilated::threadContextp()) {}
    ~OtherContext() { Verilated::threadContextp(m_before); }
    OtherContext(const OtherContext&) = delete;
    OtherContext& operator=(const OtherContext&) = delete;

private:
    VerilatedContext* m_before;
};

// The chip in all its forms on the same pins.
class Rerun {
public:
    explicit Rerun(const blocks& parts)
        : m_twins(m_context),
          m_clk("clk"),
          m_blocks("router", m_clk, with_twins(m_twins, parts)),
          m_rtl(&m_context, "rtl"),
          m_faces{rtl_face(m_rtl, m_context, "rtl"), pins_face("blocks", m_blocks),
                  model_face("fast core", m_core)} {
        m_context.fatalOnError(false);
    }

    void clock(const core::PinsIn& in, bool rst_n) {
        m_blocks.drive(in, rst_n);
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        look();
        m_twins.edge();
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        look(true);
        m_rtl.drive(in, rst_n);
        m_rtl.edge();
        if (rst_n) m_core.clock(in);
        else m_core.reset();
        for (Face& face : m_faces) face.read();
        if (rst_n) {
            compare(m_blocks_differ, 0, 1);
            compare(m_core_differs, 0, 2);
            compare(m_core_from_blocks, 1, 2);
        }
        m_had_reset |= !rst_n;
        ++m_now;
    }

    std::string report() const {
        if (m_found) return of_block() + of_core();
        if (m_blocks_differ)
            return text(
                "all blocks are as their RTL, but the chip's pins are not: its wiring differs",
                m_blocks_differ);
        if (m_core_differs)
            return text("all blocks are as their RTL, and so is the chip; the fast core differs",
                        m_core_differs);
        return fmt::format(
            "\n  block: run again by itself for {} clocks, all blocks, the chip and the fast core "
            "are "
            "as the RTL",
            m_now);
    }

private:
    struct Difference {
        uint64_t clock;
        size_t signal;
        uint64_t values[2];
    };

    // Nothing has a meaning before the first reset.
    void look(bool after_edge = false) {
        if (m_found) return;
        m_twins.settle();
        if (!m_had_reset) return;
        m_found = m_twins.difference();
        m_found_at = m_now;
        m_after_edge = after_edge;
    }
    void compare(std::optional<Difference>& found, size_t a, size_t b) {
        if (found) return;
        const auto signal = first_difference(m_faces[a], m_faces[b]);
        if (signal)
            found = {m_now, *signal, {m_faces[a].value(*signal), m_faces[b].value(*signal)}};
    }

    static std::string text(const char* what, const std::optional<Difference>& d) {
        return fmt::format(
            "\n  block: none; {}, first {} at clock {}: {:#x} in the RTL, {:#x} here", what,
            chip_signals()[d->signal].name, d->clock, d->values[0], d->values[1]);
    }
    std::string of_block() const {
        const BlockDifference& d = *m_found;
        std::string inputs;
        for (const auto& [name, value] : m_after_edge ? d.before : d.inputs)
            inputs += fmt::format(" {}={:#x}", name, value);
        return fmt::format(
            "\n  block: {} ({}) at clock {}{}: {} rtl={:#x} systemc={:#x} on equal inputs\n"
            "  its inputs{}:{}, all others 0",
            d.block, d.kind, m_found_at, m_after_edge ? ", after the edge" : "", d.signal, d.rtl,
            d.systemc, m_after_edge ? " at that edge" : "", inputs);
    }
    std::string of_core() const {
        return fmt::format("\n  the fast core is {}", !m_core_differs ? "as the RTL"
                                                      : !m_core_from_blocks
                                                          ? "as the SystemC blocks"
                                                          : "as neither");
    }

    OtherContext m_other;
    Kernel m_kernel;
    VerilatedContext m_context;
    Twins m_twins;
    sc_core::sc_signal<bool> m_clk;
    ModuleChip<router> m_blocks;
    RtlChip<Vrdt_router> m_rtl;
    fast::Router m_core;
    Face m_faces[3];
    uint64_t m_now = 0;
    bool m_had_reset = false;
    std::optional<BlockDifference> m_found;
    uint64_t m_found_at = 0;
    bool m_after_edge = false;
    std::optional<Difference> m_blocks_differ;
    std::optional<Difference> m_core_differs;
    std::optional<Difference> m_core_from_blocks;
};

}  // namespace

std::string blame(PinRecord& record, uint32_t chip, const blocks& parts) {
    if (record.is_lost()) return "\n  block: unknown, there was no room to keep what came in";
    Rerun rerun(parts);
    for (PinRecord::Reader pins(record, chip); pins.next();) rerun.clock(pins.in(), pins.rst_n());
    return rerun.report();
}

}  // namespace rdt::machine
