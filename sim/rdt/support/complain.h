// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>

namespace rdt {

// Reports an error on standard error. If standard error is closed or full, the message is lost.
inline void complain(const std::string& what) { std::fprintf(stderr, "rdt: %s\n", what.c_str()); }

// The same on one line: what comes from a file of the user may hold anything, of any length.
inline std::string one_line(const std::string& what) {
    constexpr size_t Longest = 1000;
    constexpr size_t LongestWord = 255;  // longest file name
    constexpr size_t Shown = 40;         // characters of a longer one
    std::string line;
    for (size_t at = 0; at < what.size() && line.size() <= Longest;) {
        size_t end = at;
        while (end < what.size() && static_cast<unsigned char>(what[end]) > ' ') ++end;
        line += end - at > LongestWord ? what.substr(at, Shown) + "..." : what.substr(at, end - at);
        if (end < what.size()) line += ' ';
        at = end + 1;
    }
    return line.size() > Longest ? line.substr(0, Longest) + " ..." : line;
}

}  // namespace rdt
