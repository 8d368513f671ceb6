// SPDX-License-Identifier: MIT
// Finds the block to blame for a difference between models of a router. The router runs again by
// itself on the pins that it read: as readable RTL, as SystemC design and as fast engine. Beside
// the RTL runs every block of the SystemC design alone, on the inputs that its block has in the
// RTL. The first output that differs is that of the block with the bug.
#pragma once

#include <string>

#include <rdt/blocks.h>
#include <rdt/cosim/pin_record.h>

namespace rdt::machine {

// Lines of a report, each with two spaces before it: the first block and signal that differ, with
// the block's inputs; or that all blocks match their RTL, and what differs then. `parts` are the
// blocks of the SystemC router. The last cycles of RTL and SystemC go to `wave`, if it has a name.
std::string blame(PinRecord& record, uint32_t chip, const blocks& parts = {},
                  const std::string& wave = "");

}  // namespace rdt::machine
