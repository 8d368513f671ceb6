// SPDX-License-Identifier: MIT
// The kinds of blocks that a chip is made of.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace rdt::machine {

const std::vector<std::string>& block_kinds();
// Throws std::invalid_argument for a name that is none, with those that are.
void check_kinds(const std::set<std::string>& kinds);

}  // namespace rdt::machine
