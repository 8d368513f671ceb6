// SPDX-License-Identifier: MIT
// What the Verilated chip shows of the list of signals.
#pragma once

#include <verilated.h>

#include <rdt/cosim/signals.h>

namespace rdt::machine {

// The registers of the chip that was made with this instance name, which nothing but its RTL has.
// Throws std::runtime_error if the RTL has lost one.
Registers rtl_registers(const VerilatedContext& context, const std::string& instance);

// `Chip` is an RtlChip.
template <typename Chip>
SignalView rtl_signal_view(const Chip& chip, const VerilatedContext& context,
                           const std::string& instance) {
    return {"rtl", [&chip] { return chip.pins(); }, rtl_registers(context, instance)};
}

}  // namespace rdt::machine
