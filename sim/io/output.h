// SPDX-License-Identifier: MIT
// Result files that are either complete or not there.
#pragma once

#include <stdexcept>
#include <string>

namespace rdt {

// what() is one line for the user; the program ends with ExitUsage.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Fails before a long run instead of after it. "-" is always writable.
void check_writable(const std::string& path);

// Writes the whole text under a temporary name beside `path`, then renames it.
// "-" is standard output; a path that is no regular file, as /dev/null, is written directly.
void write_file(const std::string& path, const std::string& text);

}  // namespace rdt
