// SPDX-License-Identifier: MIT
// Outputs that are not valid while another signal of their module is 0. The SystemC modules hold
// them then; the RTL may drive any value. The benches of tb/block know the same of the blocks'
// outputs by their out_while(). Inside of the blocks it is signals and registers, too.
#pragma once

#include <cstdint>
#include <vector>

namespace rdt::machine {

struct Meaning {
    const char* kind;  // kind of the module
    const char* output;
    const char* strobe;
    uint64_t mask = ~uint64_t(0);  // mask of its bits
};
// An output that is in the list several times needs all of its strobes.
const std::vector<Meaning>& meanings();

}  // namespace rdt::machine
