// SPDX-License-Identifier: MIT
// Blocks of the SystemC chip that are Verilated RTL.
#pragma once

#include <verilated.h>

#include <set>
#include <string>
#include <vector>

#include "blocks.h"

namespace rdt::machine {

// link_io, input_unit, output_unit, arbiter, crossbar, local, ack, inject.
const std::vector<std::string>& block_kinds();

// A chip of which these kinds of blocks are the RTL, all ten of a kind. The context has to live as
// long as the chip. Throws std::invalid_argument for a name that is none.
blocks with_rtl(const std::set<std::string>& kinds, VerilatedContext* context);

}  // namespace rdt::machine
