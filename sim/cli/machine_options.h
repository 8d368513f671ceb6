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
    std::string engine = machine::EngineKind::of(machine::Config().engine).name;
    std::vector<std::string> check;
    std::vector<std::string> check_blocks;
    std::string flits = "16";
    std::string protocol = "invalidate";
    std::string directory = "multicast";
    std::string scheme = "sm";
    std::string preset = "none";  // --machine
    std::string mbp = "none";
    std::vector<std::string> rtl_blocks;
    bool has_threads = false;  // --threads is given
    std::string trace;         // option of rdt run: replaces all other traffic

    void add_to(CLI::App& cmd);
    // Parts of it: the machine alone, and the memory without its sharing patterns.
    void add_machine_to(CLI::App& cmd);
    void add_memory_to(CLI::App& cmd);
    // The reason why an option has no effect beside the others; empty if it has one.
    std::string in_vain(const std::string& option) const;
    // Where --threads has an effect.
    bool can_have_threads() const;
    // Without --threads a check of RTL and SystemC uses two, if the computer has as many cores.
    void set_default_threads();
    // Throws CLI::ValidationError for an option that was given and would be ignored.
    void check_given(const CLI::App& cmd) const;
    // Converts the text options into machine and traffic settings. Throws std::invalid_argument.
    void resolve();
    // Barriers or all-reduces.
    bool is_barrier() const;
    // The traffic is, or may be, one of reductions by routers.
    bool has_reductions() const;
    // The traffic is that of a shared memory: dsm- and a sharing pattern.
    bool is_memory() const;
    // After resolve(): makes the memory, and gives the chips registers that suit it.
    void resolve_memory();
    // For the end of --help.
    static std::string patterns();
};

// Cycles allowed for draining, where requested.
constexpr uint64_t DrainLimit = 1000000;

// Shows what an option is when it is not given.
void show_defaults(CLI::App& cmd);

// Groups of --help.
constexpr const char* MachineGroup = "Machine";
constexpr const char* TrafficGroup = "Traffic";
constexpr const char* MemoryGroup = "Shared memory (--traffic dsm-...)";
constexpr const char* TimeGroup = "Time";
constexpr const char* FaultGroup = "Faults";
constexpr const char* OutputGroup = "Output";

}  // namespace rdt
