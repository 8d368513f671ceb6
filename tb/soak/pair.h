// SPDX-License-Identifier: MIT
// A Verilated router without assertions or readable registers, evaluated once per cycle, beside
// another model of the router: the minimum for a comparison of all pins in every cycle.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <string>

#include "Vrdt_router_once.h"
#include <rdt/cosim/rtl_chip.h>
#include <rdt/cosim/signals.h>

namespace rdt::tb::soak {

using Rtl = machine::OnceChip<Vrdt_router_once>;

// The first pin that differs; empty if none does.
inline std::string difference(const machine::ChipPins& rtl, const machine::ChipPins& model) {
    if (rtl == model) return {};
    for (const machine::NamedSignal& s : machine::chip_signals()) {
        if (s.signal->of_pins == nullptr) continue;
        const uint64_t is = s.signal->of_pins(rtl, s.port);
        const uint64_t other = s.signal->of_pins(model, s.port);
        if (is != other) return fmt::format("{} rtl={:#x} model={:#x}", s.name, is, other);
    }
    return "pins that are in no list";
}

}  // namespace rdt::tb::soak
