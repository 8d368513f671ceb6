// SPDX-License-Identifier: MIT
// A program of examples/program on a machine, from its start to its end.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <rdt/exec/programs.h>
#include <rdt/machine/measure/run.h>

namespace rdt::tb {

inline std::string example(const std::string& name) {
    return std::string(RDT_SOURCE_DIR) + "/examples/program/" + name + ".elf";
}

inline exec::Options options(uint32_t harts) {
    exec::Options o;
    o.harts = harts;
    return o;
}

struct ProgramRun {
    ProgramRun(const std::string& name, machine::Config config, exec::Options options,
               uint64_t cycles = 20'000'000, double flips = 0, uint64_t seed = 1) {
        config.t_ent = dsm::DefaultTEnt;
        config.t_ack = dsm::DefaultTAck;
        options.console = [this](const std::string& text) { console += text; };
        const auto machine = machine::make_machine(config);
        exec::Programs programs(*machine, exec::read_elf(example(name)), options);
        machine->bring_up();
        machine::RunOptions run;
        run.warmup = 0;
        run.cycles = cycles;
        run.drain = 1'000'000;
        run.flips = flips;
        run.seed = seed;
        const machine::RunResult result = machine::run(*machine, programs, run);
        error = result.error;
        json = result.workload;
        has_ended = programs.has_ended();
        sleeps = programs.sleeps();
        hits_taken_back = programs.hits_taken_back();
        figures = json.dump(1);
    }
    std::string console;
    std::string error;
    nlohmann::ordered_json json;
    std::string figures;  // all of them
    bool has_ended = false;
    uint64_t sleeps = 0;
    uint64_t hits_taken_back = 0;
};

}  // namespace rdt::tb
