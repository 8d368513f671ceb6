// SPDX-License-Identifier: MIT
// The routers of one engine at several nodes, driven from outside.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <rdt/cosim/chip_pins.h>
#include <rdt/cosim/inside.h>
#include <rdt/cosim/signals.h>

namespace rdt::machine {

// Routers are numbered in the order of the nodes that the array was made for.
class RouterArray {
public:
    virtual ~RouterArray() = default;

    // In every cycle: the inputs of all routers, and then the rising edge.
    virtual void settle(const std::vector<core::PinsIn>& in, bool rst_n) = 0;
    virtual void edge() = 0;
    // After the edge.
    virtual ChipPins pins(uint32_t router) const = 0;
    virtual SignalView signal_view(uint32_t router) = 0;
    // The first router whose assertions failed.
    virtual std::optional<uint32_t> failed() const { return std::nullopt; }
    virtual size_t bytes() const = 0;

    // Internal signals of a router, requested before the first cycle, for engines that provide
    // them.
    virtual bool has_insides() const { return false; }
    virtual std::vector<Inside> insides(uint32_t /*router*/) { return {}; }
};

}  // namespace rdt::machine
