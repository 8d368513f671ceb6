// SPDX-License-Identifier: MIT
// Everything inside a chip of SystemC modules.
#pragma once

#include <systemc>

#include <rdt/cosim/inside.h>

namespace rdt::machine {

// All ports and signals below the module, and the registers of the modules that list theirs. It has
// to be elaborated before anything is read.
Inside systemc_inside(const sc_core::sc_module& chip);

}  // namespace rdt::machine
