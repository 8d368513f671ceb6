// SPDX-License-Identifier: MIT
// How the program was called, and how it ends.
#pragma once

#include <string>
#include <vector>

namespace rdt {

// Exit codes of every subcommand.
constexpr int ExitOk = 0;
constexpr int ExitFound = 1;  // the run completed and found an error
constexpr int ExitUsage = 2;  // wrong option, unreadable or unwritable file
// A signal ended the run early, with complete files: 128 plus the signal number, as in a shell.
constexpr int ExitSignal = 128;

// Shared libraries that --plugin named, in order.
inline std::vector<std::string>& plugins() {
    static std::vector<std::string> files;
    return files;
}

// The file that --config named; empty if there is none.
inline std::string& config_file() {
    static std::string file;
    return file;
}

// How the program was called, for lines that call it again.
inline std::string& called_as() {
    static std::string name = "rdt";
    return name;
}

}  // namespace rdt
