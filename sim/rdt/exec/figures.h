// SPDX-License-Identifier: MIT
// The results of a run: figures for --json, and the table.
#pragma once

#include <rdt/exec/programs.h>

namespace rdt::exec {

void add_figures(const Programs& programs, nlohmann::ordered_json& json);
std::string table_of(const Programs& programs);

}  // namespace rdt::exec
