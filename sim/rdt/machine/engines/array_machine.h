// SPDX-License-Identifier: MIT
// A machine whose routers are simulated one by one: the SystemC design or the Verilated RTL.
#pragma once

#include <rdt/machine/router_array.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

class ArrayMachine : public Machine {
public:
    ArrayMachine(const Config& config, std::unique_ptr<RouterArray> routers)
        : Machine(config), m_routers(std::move(routers)), m_in(nodes()), m_out(nodes()) {}

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_out[node].link[port];
    }
    bool err(uint32_t node) const override { return m_out[node].err; }
    bool slice(uint32_t node) const { return m_out[node].slice; }
    RouterArray* routers() override { return m_routers.get(); }
    size_t bytes() const override {
        return m_routers->bytes() +
               nodes() * (sizeof(core::PinsIn) + sizeof(ChipPins) + 2 * sizeof(Endpoint));
    }

protected:
    SignalView signal_view(uint32_t node) override { return m_routers->signal_view(node); }
    void step(bool rst_n) override;

private:
    std::unique_ptr<RouterArray> m_routers;
    std::vector<core::PinsIn> m_in;
    std::vector<ChipPins> m_out;
};

}  // namespace rdt::machine
