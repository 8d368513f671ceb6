// SPDX-License-Identifier: MIT
// Registers that no pin shows and that RTL and model both have: those of sim/lint/rdt_public.vlt.
#pragma once

#include <cstdint>
#include <vector>

#include "fast/chip_state.h"

namespace rdt::machine {

// A register of every port, as the model has it.
struct Register {
    const char* block;
    const char* name;
    unsigned width;
    uint64_t (*of_model)(const fast::ChipState&, uint32_t port);
};
const std::vector<Register>& registers();

}  // namespace rdt::machine
