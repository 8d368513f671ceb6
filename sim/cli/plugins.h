// SPDX-License-Identifier: MIT
// Shared libraries that --plugin names.
#pragma once

#include <exception>
#include <string>

namespace rdt {

// Loads the file, whose static objects make their networks, algorithms, workloads and traffic
// patterns known. Refuses a file that was built with other headers before anything in it runs;
// make_network() checks networks of the file. Throws std::invalid_argument. An exception of a
// static object cannot be caught: it ends the program with one line and exit code 2.
void load_plugin(const std::string& file);

// what(), or the type of an exception without a message.
std::string text_of(const std::exception& error);

}  // namespace rdt
