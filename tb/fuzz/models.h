// SPDX-License-Identifier: MIT
// Four chips, each of them three times: the Verilated RTL, the SystemC module, and one of the four
// that share the words of the fast engine's core. All get the same input pins and are compared in
// every cycle.
#pragma once

#include <fmt/core.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "Vrdt_router.h"
#include "fuzz/words.h"
#include <rdt/cosim/blame.h>
#include <rdt/cosim/chip.h>
#include <rdt/machine/engines/chip_view.h>
#include <rdt/cosim/rtl_signals.h>
#include <rdt/router.h>

namespace rdt::tb::fuzz {

class Models {
public:
    static constexpr uint32_t Together = 4;
    using PinsIn = std::array<const core::PinsIn*, Together>;

    // Registers without reset start with values drawn from the seed, so pins count after the first
    // reset.
    explicit Models(uint64_t seed) : m_clk("clk") {
        m_context.fatalOnError(false);  // the run reports its own position
        m_context.randReset(2);
        m_context.randSeed(int(seed % 0x7FFFFFFF) + 1);
        for (uint32_t c = 0; c < Together; ++c) {
            const std::string name = fmt::format("n{}", c);
            m_rtl.push_back(std::make_unique<machine::RtlChip<Vrdt_router>>(&m_context, name));
            m_systemc.push_back(std::make_unique<machine::ScChip>(name, m_clk));
            m_views.emplace_back(m_fast, c);
        }
        for (uint32_t c = 0; c < Together; ++c)
            m_models.push_back(
                {machine::rtl_signal_view(*m_rtl[c], m_context, fmt::format("n{}", c)),
                 machine::module_signal_view("systemc", *m_systemc[c]),
                 machine::model_signal_view("fast", m_views[c])});
        m_models[0].push_back(machine::pins_signal_view("blocks", m_blocks));
    }

    void clock(const PinsIn& in, bool rst_n) {
        m_was_reset = m_was_reset || rst_n;
        for (uint32_t c = 0; c < Together; ++c) {
            m_record.add(*in[c], rst_n);
            m_rtl[c]->drive(*in[c], rst_n);
            m_systemc[c]->drive(*in[c], rst_n);
            m_words.show(c, *in[c]);
            m_rtl[c]->edge();
            m_pins[c] = m_rtl[c]->pins();
        }
        m_blocks.drive(*in[0], rst_n);
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        if (rst_n) m_fast.clock(m_words);
        else m_fast.reset();
        for (auto& views : m_models)
            for (machine::SignalView& view : views) view.read();
    }

    // Pins of the RTL; the other models match.
    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const fast::Router& state(uint32_t chip) const { return m_systemc[chip]->state(); }

    // The difference, or empty.
    std::string difference() {
        if (m_context.gotError()) return "an assertion of the RTL failed";
        if (!m_was_reset) return {};
        for (uint32_t c = 0; c < Together; ++c) {
            std::string found = difference(c);
            if (!found.empty())
                return fmt::format("chip {} of 4: {}{}", c, found, machine::blame(m_record, c));
        }
        return {};
    }

private:
    // All values of the first signal in which a model is not as the RTL.
    std::string difference(uint32_t c) const {
        const std::vector<machine::SignalView>& views = m_models[c];
        for (const machine::SignalView& view : views) {
            const auto signal = machine::first_difference(views[0], view);
            if (!signal) continue;
            std::string text = machine::chip_signals()[*signal].name + ":";
            for (const machine::SignalView& f : views)
                if (f.has(*signal))
                    text += fmt::format("{} {} {:x}", &f == &views[0] ? "" : ",", f.name(),
                                        f.value(*signal));
            return text;
        }
        return {};
    }

    machine::Kernel m_kernel;
    VerilatedContext m_context;
    bool m_was_reset = false;
    sc_core::sc_signal<bool> m_clk;
    std::vector<std::unique_ptr<machine::RtlChip<Vrdt_router>>> m_rtl;
    std::vector<std::unique_ptr<machine::ScChip>> m_systemc;
    machine::ModuleChip<router> m_blocks{"blocks", m_clk};
    fast::Chips<Together> m_fast;
    Words<Together> m_words;
    machine::PinRecord m_record{Together};
    std::array<machine::ChipPins, Together> m_pins;
    std::vector<machine::ChipView<Together>> m_views;
    std::vector<std::vector<machine::SignalView>> m_models;  // models of each router, the RTL first
};

}  // namespace rdt::tb::fuzz
