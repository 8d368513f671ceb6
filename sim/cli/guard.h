// SPDX-License-Identifier: MIT
// Checks for all options of all subcommands, stricter than those of the option library.
#pragma once

#include <string>
#include <vector>

#include <rdt/support/output.h>
#include "cli/command.h"

namespace rdt {

// Rejects, for every option of every subcommand: an empty value, a signed number, a number in
// another base or above 64 bits, a number that is not finite, and a value for a flag.
void refuse_what_cannot_be_meant(CLI::App& program);

// No line of an option in --help is longer than a page is wide.
void fold_help(CLI::App& program);

// Lists with an empty part, as 0,,1: the library leaves that out. One line, or nothing.
std::string wrong_list(const CLI::App& program, const std::vector<std::string>& arguments);

// A word that can only be an option, as --drain or -o, and no value.
bool looks_like_option(const std::string& word);

// All files that the command line names, inputs and results, for check_files(): also --config,
// --plugin, and inputs within a value, as table:FILE.
std::vector<NamedFile> files_of(const CLI::App& program);

// One line that names the error and where to read more.
std::string explain(const CLI::App& program, const CLI::ParseError& error);

}  // namespace rdt
