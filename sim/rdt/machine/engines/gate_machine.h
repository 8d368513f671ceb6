// SPDX-License-Identifier: MIT
// A machine whose routers are gates of the RTL.
#pragma once

#include <rdt/machine/engines/gate_routers.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

class GateMachine : public Machine {
public:
    explicit GateMachine(const Config& config);

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_routers.pins(node, port);
    }
    bool err(uint32_t node) const override { return m_routers.err(node); }
    RouterArray* routers() override { return &m_routers; }
    size_t bytes() const override {
        return m_routers.bytes() + m_links.bytes() + nodes() * 2 * sizeof(Endpoint);
    }

protected:
    SignalView signal_view(uint32_t node) override { return m_routers.signal_view(node); }
    void step(bool rst_n) override;

private:
    void drive_links();
    void clock_mbps();
    void count_flits();

    GateRouters m_routers;
    PinWordLinks m_links;
};

}  // namespace rdt::machine
