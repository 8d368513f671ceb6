// SPDX-License-Identifier: MIT
// Options of all subcommands that run the machine under load.
#pragma once

#include <string>

#include "machine/machine.h"
#include "machine/synthetic.h"
#include "rdt/command.h"

namespace rdt {

struct MachineOptions {
    machine::Config machine;
    machine::SyntheticOptions traffic;
    std::string engine = "fast";
    std::string flits = "16";

    void add_to(CLI::App& cmd);
    // Makes machine and traffic of what was given as text. Throws std::invalid_argument.
    void resolve();
    // For the end of --help.
    static std::string patterns();
};

// Shows what an option is when it is not given.
void show_defaults(CLI::App& cmd);

}  // namespace rdt
