// SPDX-License-Identifier: MIT
// The program `rdt`: one subcommand for each thing one can do with the machine.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "rdt/command.h"

#ifndef RDT_VERSION
#define RDT_VERSION "0.1.0"
#endif

namespace {

int fail(const std::string& what) {
    fmt::print(stderr, "rdt: {}\n", what);
    return rdt::ExitUsage;
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
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        // --help and --version arrive here too.
        if (e.get_exit_code() == 0) return program.exit(e);
        if (argc > 1 && argv[1][0] != '-' && rdt::Command::all().count(argv[1]) == 0)
            return fail(fmt::format("there is no subcommand {} (see rdt --help)", argv[1]));
        return fail(std::string(e.what()) + " (see rdt --help)");
    }
    try {
        const int code = action();
        errno = 0;
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return fail(std::string("cannot write standard output: ") +
                        std::strerror(errno != 0 ? errno : EIO));
        return code;
    } catch (const std::exception& e) {
        return fail(e.what());
    }
}
