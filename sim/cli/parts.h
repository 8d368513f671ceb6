// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rdt {

// Loads a part of the program that is a shared library of its own, as rtl_blocks.so, so that the
// program builds without it. `option` uses it, `needs` are the tools that it is built with. Throws
// std::invalid_argument where it is missing.
void load_part(const std::string& file, const std::string& option, const std::string& needs);

}  // namespace rdt
