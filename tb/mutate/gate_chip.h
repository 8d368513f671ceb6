// SPDX-License-Identifier: MIT
// A netlist of the chip beside the fast engine's chips, for the fuzz: each of its eight chips (see
// wide_gates.h) sees the pins that one of theirs sees, of which there may be fewer. Copy 0 of a
// router is unchanged and has to match that router; each other copy has one mutation, which is
// reported when it first shows at a checked signal: at a pin, at an output of a block, or in a
// register (fuzz/inside.cpp).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "mutate/wide_gates.h"
#include <rdt/cosim/chip_pins.h>

namespace rdt::tb {

template <uint32_t Number = Copies::Chips>
class GateChips {
public:
    static constexpr uint32_t Together = Number;
    static_assert(Copies::Chips % Number == 0);
    using PinsIn = std::array<const core::PinsIn*, Together>;
    // Copies in which the mistake has shown, and where.
    using Seen = std::function<void(const Copies& copies, const WideGates::Watched& where)>;

    // Selects the signals that a test compares; nothing given: all.
    using Compares = std::function<bool(const WideGates::Watched& what)>;

    // Only the copies `looked_at` are reported; if it `traces`, there is spread().
    GateChips(WideGates& gates, const Copies& looked_at, bool traces, Seen seen,
              const Compares& compares = nullptr)
        : m_gates(gates),
          m_looked_at(looked_at),
          m_seen(std::move(seen)),
          m_d(gates.nets_of("d_i")),
          m_req(gates.nets_of("req_i")),
          m_cred(gates.nets_of("cred_i")),
          m_shoot(gates.nets_of("shoot_i")[0]),
          m_slice(gates.nets_of("slice_i")[0]),
          m_rst_n(gates.nets_of("rst_ni")[0]) {
        for (const char* port : {"d_o", "d_oe_o", "req_o", "cred_o", "err_o", "slice_o"})
            m_out.push_back({port, gates.nets_of(port)});
        for (const WideGates::Watched& w : gates.watched())
            if (!compares || compares(w)) m_compared.push_back(&w);
        if (traces) m_spread.resize(gates.hidden().size());
    }

    // Pins follow the registers, so what is there before the edge is what was there after the last.
    void clock(const PinsIn& in, bool rst_n) {
        for (uint32_t c = 0; c < Copies::Chips; ++c) drive(c, *in[c % Together], rst_n);
        m_gates.settle();
        if (m_looks) look();
        if (m_ran && rst_n)
            for (uint32_t c = 0; c < Copies::Chips; ++c) compare(c);
        m_gates.edge();
        for (uint32_t c = 0; c < Together; ++c) {
            if (rst_n) m_chip[c].clock(*in[c]);
            else m_chip[c].reset();
            m_pins[c] = machine::pins_of(m_chip[c]);
        }
        m_had_reset |= !rst_n;
        m_ran = m_had_reset && rst_n;
        m_looks |= m_ran;
    }

    const machine::ChipPins& pins(uint32_t chip) const { return m_pins[chip]; }
    const fast::Router& state(uint32_t chip) const { return m_chip[chip]; }
    // Copies of which a flip-flop has not been as that of copy 0, by the place in hidden().
    const std::vector<Copies>& spread() const { return m_spread; }
    // The netlist differs from the chip, mistakes apart.
    std::string difference() const { return m_difference; }

private:
    struct Output {
        const char* name;
        const std::vector<uint32_t>& nets;
    };

    void drive(uint32_t c, const core::PinsIn& in, bool rst_n) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            drive(c, m_d, FlitW, p, uint32_t(in.link[p].d));
            drive(c, m_req, 2, p, in.link[p].req);
            drive(c, m_cred, 2, p, in.link[p].cred);
        }
        m_gates.drive(m_shoot, c, in.shoot);
        m_gates.drive(m_slice, c, in.slice);
        m_gates.drive(m_rst_n, c, rst_n);
    }
    void drive(uint32_t c, const std::vector<uint32_t>& nets, uint32_t width, uint32_t port,
               uint32_t value) {
        for (uint32_t b = 0; b < width; ++b)
            m_gates.drive(nets[width * port + b], c, (value >> b & 1) != 0);
    }

    static uint32_t of_chip(const machine::ChipPins& pins, uint32_t output, uint32_t bit) {
        switch (output) {
        case 0: return uint32_t(pins.link[bit / FlitW].d) >> bit % FlitW & 1;
        case 1: return pins.link[bit].oe;
        case 2: return pins.link[bit / 2].req >> bit % 2 & 1;
        case 3: return pins.link[bit / 2].cred >> bit % 2 & 1;
        case 4: return pins.err;
        default: return pins.slice;
        }
    }

    // Copy 0 is the chip.
    void compare(uint32_t c) {
        for (uint32_t o = 0; o < m_out.size(); ++o)
            for (uint32_t b = 0; b < m_out[o].nets.size(); ++b) {
                const uint32_t is = m_gates.value(m_out[o].nets[b]).word[c] & 1;
                if (is != of_chip(m_pins[c % Together], o, b) && m_difference.empty())
                    m_difference = fmt::format("{}[{}] of the netlist is {}", m_out[o].name, b, is);
            }
    }

    // The other copies are as copy 0, wherever it means something in either of them.
    void look() {
        for (size_t i = 0; i < m_spread.size(); ++i)
            m_spread[i].add_unlike_first(m_gates.value(m_gates.hidden()[i]));
        for (const WideGates::Watched* w : m_compared) {
            Copies differ;
            for (uint32_t net : w->nets) differ.add_unlike_first(m_gates.value(net));
            differ &= m_looked_at;
            if (!differ.any()) continue;
            for (const auto& strobe : w->strobes) {
                Copies on;
                for (uint32_t net : strobe) on.add_if_first(m_gates.value(net));
                differ &= on;
            }
            if (differ.any()) m_seen(differ, *w);
        }
    }

    WideGates& m_gates;
    const Copies& m_looked_at;
    Seen m_seen;
    const std::vector<uint32_t>& m_d;
    const std::vector<uint32_t>& m_req;
    const std::vector<uint32_t>& m_cred;
    uint32_t m_shoot;
    uint32_t m_slice;
    uint32_t m_rst_n;
    std::vector<Output> m_out;
    std::vector<const WideGates::Watched*> m_compared;
    std::vector<Copies> m_spread;
    std::array<fast::Router, Together> m_chip;
    std::array<machine::ChipPins, Together> m_pins;
    bool m_had_reset = false;
    bool m_ran = false;
    bool m_looks = false;  // state before the first reset is not compared
    std::string m_difference;
};

}  // namespace rdt::tb
