// SPDX-License-Identifier: MIT
#pragma once

namespace rdt {

// Loads the Verilated blocks, which are a shared library of their own: to build the program does
// not take the time to build them. Throws std::invalid_argument where they are missing.
void load_rtl_blocks();

}  // namespace rdt
