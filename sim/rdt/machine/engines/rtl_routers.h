// SPDX-License-Identifier: MIT
// Verilated routers: one Verilated model, as many objects as nodes.
#pragma once

#include <fmt/core.h>

#include <type_traits>

#include "Vrdt_router.h"
#include "Vrdt_router___024root.h"
#include <rdt/cosim/rtl_chip.h>
#include <rdt/cosim/rtl_signals.h>
#include <rdt/machine/router_array.h>

namespace rdt::machine {

// `Model` is a Verilated rdt_router, whose root class is included; `Chip` is how it is clocked.
template <typename Model, typename Chip = RtlChip<Model>>
class RtlRouters : public RouterArray {
public:
    explicit RtlRouters(const std::vector<uint32_t>& nodes) : m_nodes(nodes) {
        const ContextScope scope(m_context.get());
        for (const uint32_t n : nodes)
            m_chips.push_back(std::make_unique<Chip>(&m_context.get(), fmt::format("n{}", n)));
    }
    ~RtlRouters() override {
        const ContextScope scope(m_context.get());
        m_chips.clear();
    }

    void settle(const std::vector<core::PinsIn>& in, bool rst_n) override {
        for (size_t i = 0; i < m_chips.size(); ++i) m_chips[i]->drive(in[i], rst_n);
    }
    void edge() override {
        const ContextScope scope(m_context.get());
        for (size_t i = 0; i < m_chips.size(); ++i) {
            m_chips[i]->edge();
            if (!m_failed && m_context.get().gotError()) m_failed = uint32_t(i);
        }
    }
    ChipPins pins(uint32_t router) const override { return m_chips[router]->pins(); }
    SignalView signal_view(uint32_t router) override {
        if constexpr (std::is_same_v<Model, Vrdt_router>)
            return rtl_signal_view(*m_chips[router], m_context.get(),
                                   fmt::format("n{}", m_nodes[router]));
        else return pins_signal_view("rtl", *m_chips[router]);
    }
    std::optional<uint32_t> failed() const override { return m_failed; }
    size_t bytes() const override {
        return m_chips.size() * (sizeof(Model) + sizeof(*m_chips[0]->model().rootp));
    }

    // For tests that inject a bug into it.
    Model& model(uint32_t router) { return m_chips[router]->model(); }

private:
    const std::vector<uint32_t> m_nodes;
    OwnContext m_context;
    std::vector<std::unique_ptr<Chip>> m_chips;
    std::optional<uint32_t> m_failed;
};

}  // namespace rdt::machine
