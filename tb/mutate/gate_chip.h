// SPDX-License-Identifier: MIT
// A netlist of the chip beside the fast engine's chip, for the fuzz: 256 copies of the netlist see
// the pins that the sound chip sees. Copy 0 is as it was made and has to equal that chip; in each
// of the others a mistake is planted, which is told when it first shows where the tests look: at a
// pin, at an output of a block, or in a register (fuzz/inside.cpp).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "mutate/wide_gates.h"
#include <rdt/machine/cosim/chip_pins.h>

namespace rdt::tb {

class GateChip {
public:
    static constexpr uint32_t Together = 1;
    using PinsIn = std::array<const core::PinsIn*, Together>;
    // Copies in which the mistake has shown, and where.
    using Seen = std::function<void(const Copies& copies, const WideGates::Watched& where)>;

    GateChip(WideGates& gates, Seen seen)
        : m_gates(gates),
          m_seen(std::move(seen)),
          m_d(gates.nets_of("d_i")),
          m_req(gates.nets_of("req_i")),
          m_cred(gates.nets_of("cred_i")) {
        for (const char* port : {"d_o", "d_oe_o", "req_o", "cred_o", "err_o", "slice_o"})
            m_out.push_back({port, gates.nets_of(port)});
    }

    // Pins follow the registers, so what is there before the edge is what was there after the last.
    void clock(const PinsIn& in, bool rst_n) {
        drive(*in[0], rst_n);
        m_gates.settle();
        if (m_had_reset) look();
        if (m_ran && rst_n) compare();
        m_gates.edge();
        if (rst_n) m_chip.clock(*in[0]);
        else m_chip.reset();
        m_pins = machine::pins_of(m_chip);
        m_had_reset |= !rst_n;
        m_ran = m_had_reset && rst_n;
    }

    const machine::ChipPins& pins(uint32_t) const { return m_pins; }
    const fast::Router& state(uint32_t) const { return m_chip; }
    // The netlist differs from the chip, mistakes apart.
    std::string difference() const { return m_difference; }

private:
    struct Output {
        const char* name;
        const std::vector<uint32_t>& nets;
    };

    void drive(const core::PinsIn& in, bool rst_n) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            drive(m_d, FlitW, p, uint32_t(in.link[p].d));
            drive(m_req, 2, p, in.link[p].req);
            drive(m_cred, 2, p, in.link[p].cred);
        }
        m_gates.drive(m_gates.nets_of("shoot_i")[0], in.shoot);
        m_gates.drive(m_gates.nets_of("slice_i")[0], in.slice);
        m_gates.drive(m_gates.nets_of("rst_ni")[0], rst_n);
    }
    void drive(const std::vector<uint32_t>& nets, uint32_t width, uint32_t port, uint32_t value) {
        for (uint32_t b = 0; b < width; ++b)
            m_gates.drive(nets[width * port + b], (value >> b & 1) != 0);
    }

    uint32_t of_chip(uint32_t output, uint32_t bit) const {
        switch (output) {
        case 0: return uint32_t(m_pins.link[bit / FlitW].d) >> bit % FlitW & 1;
        case 1: return m_pins.link[bit].oe;
        case 2: return m_pins.link[bit / 2].req >> bit % 2 & 1;
        case 3: return m_pins.link[bit / 2].cred >> bit % 2 & 1;
        case 4: return m_pins.err;
        default: return m_pins.slice;
        }
    }

    // Copy 0 is the chip.
    void compare() {
        for (uint32_t o = 0; o < m_out.size(); ++o)
            for (uint32_t b = 0; b < m_out[o].nets.size(); ++b)
                if (m_gates.value(m_out[o].nets[b]).has(0) != (of_chip(o, b) != 0) &&
                    m_difference.empty())
                    m_difference = fmt::format("{}[{}] of the netlist is {}", m_out[o].name, b,
                                               1 - of_chip(o, b));
    }

    // The other copies are as copy 0, wherever it means something in either of them.
    void look() {
        for (const WideGates::Watched& w : m_gates.watched()) {
            Copies differ;
            for (uint32_t net : w.nets) differ |= m_gates.value(net).unlike_first();
            if (!differ.any()) continue;
            for (const auto& strobe : w.strobes) {
                Copies on;
                for (uint32_t net : strobe)
                    on |= m_gates.value(net).has(0) ? Copies::all(true) : m_gates.value(net);
                differ &= on;
            }
            if (differ.any()) m_seen(differ, w);
        }
    }

    WideGates& m_gates;
    Seen m_seen;
    const std::vector<uint32_t>& m_d;
    const std::vector<uint32_t>& m_req;
    const std::vector<uint32_t>& m_cred;
    std::vector<Output> m_out;
    fast::Router m_chip;
    machine::ChipPins m_pins;
    bool m_had_reset = false;
    bool m_ran = false;
    std::string m_difference;
};

}  // namespace rdt::tb
