// SPDX-License-Identifier: MIT
// Options of all subcommands that run the machine under load.
#pragma once

#include <string>

#include <rdt/dsm/options.h>
#include <rdt/machine/machine.h>
#include <rdt/machine/traffic/synthetic.h>
#include "cli/command.h"

namespace rdt {

struct MachineOptions {
    machine::Config machine;
    machine::SyntheticOptions traffic;
    dsm::Options memory;
    std::string engine = "fast";
    std::string flits = "16";
    std::vector<std::string> rtl_blocks;

    void add_to(CLI::App& cmd);
    // Makes machine and traffic of what was given as text. Throws std::invalid_argument.
    void resolve();
    // The traffic is that of a shared memory: dsm- and a sharing pattern.
    bool is_memory() const;
    // After resolve(): makes the memory, and gives the chips registers that suit it.
    void resolve_memory();
    // For the end of --help.
    static std::string patterns();
};

// Clocks in which everything has to arrive at the end, where that is asked for.
constexpr uint64_t DrainLimit = 1000000;

// Shows what an option is when it is not given.
void show_defaults(CLI::App& cmd);

}  // namespace rdt
