// SPDX-License-Identifier: MIT
// What no option of any subcommand takes, whatever it is for: the library that reads options is
// more forgiving than a user of results can want.
#pragma once

#include <string>
#include <vector>

#include <rdt/support/output.h>
#include "cli/command.h"

namespace rdt {

// Of all options of all subcommands: an empty value; a number with a sign, of another base or too
// large for 64 bits, where there can be none; one that is not finite; a value for a flag.
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

// What is wrong in one line, by name, with where to read more.
std::string explain(const CLI::App& program, const CLI::ParseError& error);

}  // namespace rdt
