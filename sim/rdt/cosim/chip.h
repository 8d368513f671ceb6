// SPDX-License-Identifier: MIT
// One chip behind one interface, whatever models it: the Verilated RTL, the SystemC design of
// blocks, or the quick SystemC module.
#pragma once

#include <rdt/cosim/module_chip.h>
#include <rdt/cosim/rtl_chip.h>
#include <rdt/quick_router.h>

namespace rdt::machine {

using ScChip = ModuleChip<quick_router>;

}  // namespace rdt::machine
