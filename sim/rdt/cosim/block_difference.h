// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rdt::machine {

// An output of a block that differs from its RTL on equal inputs.
struct BlockDifference {
    std::string block;  // as u_input_unit_3
    std::string kind;   // as input_unit
    std::string signal;
    uint64_t rtl = 0;
    uint64_t systemc = 0;
    // Inputs that are not 0, at the edge before and now.
    std::vector<std::pair<std::string, uint64_t>> before;
    std::vector<std::pair<std::string, uint64_t>> inputs;
};

}  // namespace rdt::machine
