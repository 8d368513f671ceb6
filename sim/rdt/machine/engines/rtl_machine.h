// SPDX-License-Identifier: MIT
// The Verilated RTL at every node: one Verilated chip, as many objects as nodes.
#pragma once

#include <fmt/core.h>

#include <type_traits>

#include "Vrdt_router.h"
#include "Vrdt_router___024root.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/cosim/rtl_chip.h>
#include <rdt/machine/cosim/rtl_signals.h>

namespace rdt::machine {

// `Model` is a Verilated rdt_router; whoever takes another one includes its root class. `Chip` is
// how it is clocked.
template <typename Model, typename Chip = RtlChip<Model>>
class RtlMachine : public Machine {
public:
    explicit RtlMachine(const Config& config) : Machine(config), m_out(nodes()) {
        for (uint32_t n = 0; n < nodes(); ++n)
            m_chips.push_back(std::make_unique<Chip>(&m_context, fmt::format("n{}", n)));
    }

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_out[node].link[port];
    }
    bool err(uint32_t node) const override { return m_out[node].err; }
    const fast::ChipState* state(uint32_t) const override { return nullptr; }
    std::vector<Face> faces(uint32_t node) override {
        if constexpr (std::is_same_v<Model, Vrdt_router>)
            return {rtl_face(*m_chips[node], m_context, fmt::format("n{}", node))};
        else return {pins_face("rtl", *m_chips[node])};
    }
    size_t bytes() const override {
        return nodes() * (sizeof(Model) + sizeof(*m_chips[0]->model().rootp) + sizeof(ChipPins) +
                          2 * sizeof(Endpoint));
    }

protected:
    void step(bool rst_n) override {
        core::PinsIn in;
        for (uint32_t n = 0; n < nodes(); ++n) {
            for (uint32_t p = 0; p < NumPorts; ++p) in.link[p] = seen(n, p, far_pins(n, p));
            m_chips[n]->drive(in, rst_n);
        }
        for (uint32_t n = 0; n < nodes(); ++n) {
            if (rst_n)
                for (uint32_t m = 0; m < 2; ++m)
                    mbp(n, m).clock(seen_by_mbp(n, m, m_out[n].link[PortM0 + m]), now());
            m_chips[n]->edge();
            m_out[n] = m_chips[n]->pins();
        }
        if (m_context.gotError()) throw MachineError("assertion in the RTL");
    }

private:
    VerilatedContext m_context;
    std::vector<std::unique_ptr<Chip>> m_chips;
    std::vector<ChipPins> m_out;
};

}  // namespace rdt::machine
