// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace rdt {

// Arguments in which engines that have another name now have that, each with a warning. Version 1.2
// knows the old names for the last time.
std::vector<std::string> with_new_names(const std::vector<std::string>& arguments);

}  // namespace rdt
