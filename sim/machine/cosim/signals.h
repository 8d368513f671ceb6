// SPDX-License-Identifier: MIT
// The signals of a node that are compared and recorded: output pins and the registers of
// model_registers.h, under the same names for RTL (rtl_signals.h) and model.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fast/chip_state.h"

namespace rdt::machine {

struct Signal {
    std::string name;  // as E0.d_o
    unsigned width;
    std::function<uint64_t()> read;
};

// One model of a node.
struct NodeSide {
    std::string name;  // rtl, systemc or fast
    std::vector<Signal> signals;
};

// The chip has to stay where it is.
NodeSide model_side(const std::string& name, const fast::ChipState& chip);

}  // namespace rdt::machine
