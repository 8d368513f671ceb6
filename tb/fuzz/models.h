// SPDX-License-Identifier: MIT
// Four chips, each of them three times: the Verilated RTL, the SystemC module, and one of the four
// that share the words of the fast engine's core. All see the same pins and are compared in every
// clock.
#pragma once

#include <fmt/core.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "Vrdt_router.h"
#include "fuzz/pin_difference.h"
#include "machine/cosim/chip.h"
#include "machine/cosim/rtl_probe.h"
#include "router.h"

namespace rdt::tb::fuzz {

constexpr uint32_t Together = 4;

class Models {
public:
    using PinsIn = std::array<const core::PinsIn*, Together>;

    Models() : m_clk("clk") {
        m_context.fatalOnError(false);  // the run says itself where it was
        for (uint32_t c = 0; c < Together; ++c) {
            const std::string name = fmt::format("n{}", c);
            m_rtl.push_back(std::make_unique<machine::RtlChip<Vrdt_router>>(&m_context, name));
            m_systemc.push_back(std::make_unique<machine::ScChip>(name, m_clk));
            for (uint32_t p = 0; p < NumPorts; ++p)
                m_probes[c][p] = machine::probes_of(m_context, name, p);
        }
    }

    void clock(const PinsIn& in, bool rst_n) {
        for (uint32_t c = 0; c < Together; ++c) {
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
    }

    // Of the RTL; those of the others are the same.
    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const fast::Router& state(uint32_t chip) const { return m_systemc[chip]->state(); }

    // What is not the same, or empty.
    std::string difference() const {
        if (m_context.gotError()) return "an assertion of the RTL failed";
        for (uint32_t c = 0; c < Together; ++c) {
            std::string found = difference(c);
            if (!found.empty()) return fmt::format("chip {} of 4: {}", c, found);
        }
        return {};
    }

private:
    static std::string three(const std::string& what, uint64_t rtl, uint64_t systemc,
                             uint64_t fast) {
        return fmt::format("{}: rtl {:x}, systemc {:x}, fast {:x}", what, rtl, systemc, fast);
    }

    std::string difference(uint32_t c) const {
        const machine::ChipPins& rtl = m_pins[c];
        const machine::ChipPins systemc = m_systemc[c]->pins();
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut& a = rtl.link[p];
            const core::LinkPinsOut& b = systemc.link[p];
            const core::LinkPinsOut f = m_fast.pins(c * fast::PortBits + p);
            const auto differ = [](uint64_t x, uint64_t y, uint64_t z) { return x != y || x != z; };
            const auto at = [p](const char* signal) {
                return fmt::format("{} {}", to_string(Port(p)), signal);
            };
            if (differ(a.req, b.req, f.req)) return three(at("req_o"), a.req, b.req, f.req);
            if (differ(a.cred, b.cred, f.cred)) return three(at("cred_o"), a.cred, b.cred, f.cred);
            if (differ(a.oe, b.oe, f.oe)) return three(at("d_oe_o"), a.oe, b.oe, f.oe);
            if (differ(a.d, b.d, f.d)) return three(at("d_o"), a.d, b.d, f.d);
            const uint64_t held = m_fast.input(c * fast::PortBits + p).pkt_mask();
            for (const machine::RtlProbe& probe : m_probes[c][p]) {
                const uint64_t in_rtl = probe.read();
                const uint64_t in_model = probe.of_model(m_systemc[c]->state(), p);
                const bool is_held = probe.name == "pkt_q";
                if (in_rtl != in_model || (is_held && in_rtl != held))
                    return three(at(probe.name.c_str()), in_rtl, in_model,
                                 is_held ? held : in_model);
            }
        }
        if (c == 0) {
            std::string found = pin_difference(rtl, m_blocks.pins(), "blocks");
            if (!found.empty()) return found;
        }
        if (rtl.err != systemc.err || rtl.err != m_fast.err(c))
            return three("err_o", rtl.err, systemc.err, m_fast.err(c));
        if (rtl.slice != systemc.slice || rtl.slice != m_fast.slice(c))
            return three("slice_o", rtl.slice, systemc.slice, m_fast.slice(c));
        return {};
    }

    // What four chips are shown, in words.
    struct Words {
        fast::TwoBits req;
        fast::TwoBits cred;
        fast::Ports shoot = 0;
        fast::Ports slice = 0;
        std::array<flit_t, Together * fast::PortBits> d_in{};
        flit_t d(uint32_t p) const { return d_in[p]; }
        void driven(uint32_t, flit_t) const {}

        void show(uint32_t c, const core::PinsIn& in) {
            const uint32_t first = c * fast::PortBits;
            for (uint32_t p = 0; p < NumPorts; ++p) {
                d_in[first + p] = in.link[p].d;
                req.set(first + p, in.link[p].req);
                cred.set(first + p, in.link[p].cred);
            }
            fast::set_bit(shoot, first, in.shoot);
            fast::set_bit(slice, first, in.slice);
        }
    };

    machine::Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::vector<std::unique_ptr<machine::RtlChip<Vrdt_router>>> m_rtl;
    std::vector<std::unique_ptr<machine::ScChip>> m_systemc;
    machine::ModuleChip<router> m_blocks{"blocks", m_clk};
    fast::Chips<Together> m_fast;
    Words m_words;
    std::array<machine::ChipPins, Together> m_pins;
    std::array<std::array<std::vector<machine::RtlProbe>, NumPorts>, Together> m_probes;
};

}  // namespace rdt::tb::fuzz
