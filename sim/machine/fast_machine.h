// SPDX-License-Identifier: MIT
// The fast engine: core::Router without a kernel.
#pragma once

#include "machine/machine.h"

namespace rdt::machine {

class FastMachine : public Machine {
public:
    explicit FastMachine(const Config& config);

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_chips[node].pins(port);
    }
    bool err(uint32_t node) const override { return m_chips[node].err(); }
    const core::Router* state(uint32_t node) const override { return &m_chips[node]; }
    std::vector<NodeSide> sides(uint32_t node) override {
        return {model_side("fast", m_chips[node])};
    }
    size_t bytes() const override;

protected:
    void step(bool rst_n) override;

private:
    std::vector<core::Router> m_chips;
    std::vector<core::Router::PinsIn> m_in;
};

}  // namespace rdt::machine
