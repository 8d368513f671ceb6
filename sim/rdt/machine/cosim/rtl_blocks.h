// SPDX-License-Identifier: MIT
// Blocks of the SystemC chip that are Verilated RTL, or have it beside them.
#pragma once

#include <verilated.h>

#include <set>
#include <string>
#include <vector>

#include <rdt/blocks.h>
#include <rdt/machine/cosim/block_kinds.h>
#include <rdt/machine/cosim/twins.h>

namespace rdt::machine {

// A chip of which these kinds of blocks are the RTL, all ten of a kind, and the others are those of
// `parts`. The context has to live as long as the chip. Throws as check_kinds().
blocks with_rtl(const std::set<std::string>& kinds, VerilatedContext* context, blocks parts = {});

// A chip in which every block has its RTL beside it, on the same inputs. The twins have to live as
// long as the chip.
blocks with_twins(Twins& twins, blocks parts = {});

}  // namespace rdt::machine
