// SPDX-License-Identifier: MIT
// Which block is to blame for a difference between models of a chip: the chip runs again by itself
// on the pins that it saw, as SystemC blocks with the RTL of each beside it (twins.h).
#pragma once

#include <string>

#include <rdt/blocks.h>
#include <rdt/machine/cosim/pin_record.h>

namespace rdt::machine {

// Lines of a report, each with two spaces before it: the first block and signal that differ with
// its inputs in that clock; or that all blocks are as their RTL, and what differs then.
// `parts` are the blocks of the SystemC chip.
std::string blame(PinRecord& record, uint32_t chip, const blocks& parts = {});

}  // namespace rdt::machine
