// SPDX-License-Identifier: MIT
// Registers of the Verilated chip that no pin shows (those of
// sim/lint/rdt_public.vlt), each with its twin in the model.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine/cosim/model_registers.h"

namespace rdt::machine {

struct RtlProbe {
    std::string name;
    unsigned width;
    std::function<uint64_t()> read;
    uint64_t (*of_model)(const fast::ChipState&, uint32_t port);
};

// The probes of one port of the chip that was made with this instance name.
// Throws std::runtime_error if the RTL has lost a register.
std::vector<RtlProbe> probes_of(const VerilatedContext& context, const std::string& instance,
                                uint32_t port);

}  // namespace rdt::machine
