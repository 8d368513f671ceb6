// SPDX-License-Identifier: MIT
// The options of a subcommand as a file (TOML) and as JSON: what a run depends on, by the names of
// its options, so that the same can be run again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/machine_options.h"

namespace rdt {

// Adds --config and --print-config to a subcommand.
void add_config(CLI::App& cmd, bool& prints);

// Replaces --config FILE by the options in the file; the command line takes precedence. Throws
// std::invalid_argument: one line with the name of the file.
std::vector<std::string> with_config(const CLI::App& program,
                                     const std::vector<std::string>& arguments);

// All options that results depend on, given or not, by name.
nlohmann::ordered_json settings_of(const CLI::App& cmd, const MachineOptions& options);
// The same as such a file.
std::string to_toml(const nlohmann::ordered_json& settings, const std::string& command);

// The line that runs the same again.
std::string command_line(const CLI::App& cmd);

}  // namespace rdt
