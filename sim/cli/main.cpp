// SPDX-License-Identifier: MIT
// The program `rdt`: one subcommand for each thing one can do with the machine.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/command.h"

#ifndef RDT_VERSION
#define RDT_VERSION "0.1.0"
#endif

namespace {

int fail(const std::string& what) {
    fmt::print(stderr, "rdt: {}\n", what);
    return rdt::ExitUsage;
}

// The library takes -5 for a number without sign, and "" for a file.
void refuse_what_cannot_be_meant(CLI::App& app) {
    const CLI::Validator unsigned_number(
        [](const std::string& text) {
            return text.find('-') == std::string::npos ? "" : text + " is less than 0";
        },
        "");
    const CLI::Validator file_name(
        [](const std::string& text) { return text.empty() ? "needs a name" : ""; }, "");
    for (CLI::Option* option : app.get_options({})) {
        if (option->get_type_name().rfind("UINT", 0) == 0) option->check(unsigned_number);
        if (option->get_type_name() == "FILE") option->check(file_name);
    }
    for (CLI::App* subcommand : app.get_subcommands({})) refuse_what_cannot_be_meant(*subcommand);
}

// What was written has arrived; else one line about it and its exit code.
int delivered(int code) {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush()) return code;
    return fail(std::string("cannot write standard output: ") +
                std::strerror(errno != 0 ? errno : EIO));
}

// "rdt run", as far as the subcommands were understood.
std::string chosen(const CLI::App& app) {
    const auto subcommands = app.get_subcommands();
    return app.get_name() + (subcommands.empty() ? "" : " " + chosen(*subcommands.front()));
}

}  // namespace

// libsystemc calls sc_main() from a main() of its own; this program has its own main().
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
    CLI::App program("The RDT network of the JUMP-1 machine and its router chip.", "rdt");
    program.set_version_flag("--version", "rdt " RDT_VERSION);
    program.require_subcommand(1);
    rdt::Action action;
    for (const auto& [name, add] : rdt::Command::all()) add(program, action);
    refuse_what_cannot_be_meant(program);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        // --help and --version arrive here too.
        if (e.get_exit_code() == 0) return delivered(program.exit(e));
        if (argc > 1 && argv[1][0] != '-' && rdt::Command::all().count(argv[1]) == 0)
            return fail(fmt::format("there is no subcommand {} (see rdt --help)", argv[1]));
        return fail(fmt::format("{} (see {} --help)", e.what(), chosen(program)));
    }
    try {
        return delivered(action());
    } catch (const std::exception& e) {
        return fail(e.what());
    }
}
