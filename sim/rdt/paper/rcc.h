// SPDX-License-Identifier: MIT
// Parts of the report on RCC-FULL.
#pragma once

#include <fmt/core.h>

#include <rdt/paper/report.h>

namespace rdt::paper {

// "(4,2)", as the paper has it.
inline std::string name_of(uint32_t atom, uint32_t level) {
    return fmt::format("({},{})", atom, level);
}

void add_rcc_algorithms(Report& report, const Options& options);  // sections 2.4 and 3, figure 9
void add_rcc_pins(Report& report, const Options& options);        // section 4, figures 11 and 13

}  // namespace rdt::paper
