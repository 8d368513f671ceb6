// SPDX-License-Identifier: MIT
// Programs that do what they should not, each in one way (fuzz_cli.cpp).
#pragma once

#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <rdt/support/output.h>

namespace rdt::tb {

// A program that a signal has ended; SIGXCPU comes to one that takes too long.
inline std::string said_of(int signal) {
    return signal == SIGXCPU ? "it does not end" : "signal " + std::to_string(signal);
}

using Program = std::function<int(int, char**)>;

// Forbidden behavior of a program, and the expected report.
struct Wrong {
    const char* said;
    Program program;
};
inline std::vector<Wrong> wrongs() {
    return {
        {"signal 11", [](int, char**) { return raise(SIGSEGV); }},
        {"it does not end",
         [](int, char**) {
             for (volatile bool on = true; on;) {
             }
             return 0;
         }},
        {"exit code 3", [](int, char**) { return 3; }},
        {"not one line",
         [](int, char**) {
             std::fputs("rdt: one\nand another\n", stderr);
             return 2;
         }},
        {"a complaint", [](int, char**) { return std::fputs("rdt: but\n", stderr) < 0 ? 1 : 0; }},
        {"left behind: x.tmp1",
         [](int, char**) {
             write_file("x.tmp1", "");
             return 0;
         }},
        {"half a file: x.json",
         [](int, char**) {
             write_file("x.json", "{\"engine\":");
             return 0;
         }},
        {"input changed: t",
         [](int, char**) {
             if (std::FILE* const file = std::fopen("t", "r+")) {
                 std::fputs("x", file);
                 std::fclose(file);
             }
             return 0;
         }},
        // Found by the sanitizers, which end the program with a code of their own.
        {"exit code 99",
         [](int, char** argv) {
             std::vector<char> word(argv[0], argv[0] + 3);
             volatile size_t behind = word.size();
             return word.data()[behind] == 'x' ? 1 : 0;
         }},
        {"exit code 99", [](int argc, char**) {
             volatile int largest = 0x7FFFFFFF;
             return largest + argc > 0 ? 1 : 0;
         }}};
}

}  // namespace rdt::tb
