// SPDX-License-Identifier: MIT
// Four chips under the fuzz for long runs, each of them three times: the RTL, the SystemC module,
// and one of the four that share the words of the fast engine's core. See fuzz/models.h for the one
// that also compares registers and names the block that is wrong.
#pragma once

#include <array>

#include "fuzz/words.h"
#include "soak/pair.h"
#include <rdt/cosim/chip.h>
#include <rdt/machine/engines/chip_view.h>

namespace rdt::tb::soak {

class Models {
public:
    static constexpr uint32_t Together = 4;
    using PinsIn = std::array<const core::PinsIn*, Together>;

    explicit Models(uint64_t spoil_at) : m_spoil_at(spoil_at), m_clk("clk") {
        for (uint32_t c = 0; c < Together; ++c) {
            const std::string name = fmt::format("n{}", c);
            m_rtl.push_back(std::make_unique<Rtl>(&m_context, name));
            m_systemc.push_back(std::make_unique<machine::ScChip>(name, m_clk));
            m_views.emplace_back(m_fast, c);
        }
    }

    void clock(const PinsIn& in, bool rst_n) {
        for (uint32_t c = 0; c < Together; ++c) {
            m_systemc[c]->drive(*in[c], rst_n);
            m_words.show(c, *in[c]);
            core::PinsIn pins = *in[c];
            if (m_now >= m_spoil_at && c == 0) pins.link[PortM1].d ^= 1;
            m_rtl[c]->drive(pins, rst_n);
            m_rtl[c]->edge();
            m_pins[c] = m_rtl[c]->pins();
        }
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        if (rst_n) m_fast.clock(m_words);
        else m_fast.reset();
        ++m_now;
    }

    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const fast::Router& state(uint32_t chip) const { return m_systemc[chip]->state(); }

    std::string difference() const {
        for (uint32_t c = 0; c < Together; ++c) {
            std::string found = soak::difference(m_pins[c], m_systemc[c]->pins());
            if (found.empty()) found = soak::difference(m_pins[c], machine::pins_of(m_views[c]));
            if (!found.empty()) return fmt::format("chip {} of 4: {}", c, found);
        }
        return {};
    }

private:
    uint64_t m_spoil_at;
    uint64_t m_now = 0;
    machine::Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::vector<std::unique_ptr<Rtl>> m_rtl;
    std::vector<std::unique_ptr<machine::ScChip>> m_systemc;
    fast::Chips<Together> m_fast;
    fuzz::Words<Together> m_words;
    std::array<machine::ChipPins, Together> m_pins;
    std::vector<machine::ChipView<Together>> m_views;
};

}  // namespace rdt::tb::soak
