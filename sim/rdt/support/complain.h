// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>

namespace rdt {

// What went wrong, on standard error. Where that is closed or full there is nobody left to tell.
inline void complain(const std::string& what) { std::fprintf(stderr, "rdt: %s\n", what.c_str()); }

// The same on one line: what comes from a file of the user may hold anything, of any length.
inline std::string one_line(const std::string& what) {
    constexpr size_t Longest = 1000;
    std::string line = what.size() > Longest ? what.substr(0, Longest) + " ..." : what;
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return line;
}

}  // namespace rdt
