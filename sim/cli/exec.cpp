// SPDX-License-Identifier: MIT
// rdt exec: a RISC-V program on the machine, a hart at each of the first nodes.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include <rdt/exec/flat.h>
#include <rdt/exec/gdb.h>
#include <rdt/exec/programs.h>
#include <rdt/machine/measure/heatmap.h>
#include <rdt/machine/measure/step_run.h>
#include <rdt/support/complain.h>
#include <rdt/support/interrupt.h>
#include <rdt/support/status_line.h>
#include <rdt/version.h>
#include "cli/command.h"
#include "cli/observers.h"
#include "cli/other_program.h"
#include "cli/settings.h"

namespace rdt::exec_command {
namespace {

constexpr const char* ProgramGroup = "Program";

struct Options : MachineOptions, ObserverOptions {
    Options() { traffic.pattern = "dsm-" + memory.pattern; }  // so that options of the memory count

    std::string program;
    exec::Options exec;
    bool is_flat = false;
    std::optional<uint16_t> gdb;
    uint64_t cycles = std::numeric_limits<uint64_t>::max();
    double flips = 0;
    std::string json;
};

// Lines of the program go to standard output, unless the result does.
exec::Console::Write console_of(const Options& o, StatusLine& status) {
    std::FILE* const to = o.json == "-" ? stderr : stdout;
    return [to, &status](const std::string& text) {
        status.clear();
        std::fwrite(text.data(), 1, text.size(), to);
        std::fflush(to);
    };
}

int run_flat(const Options& o, StatusLine& status) {
    constexpr uint64_t Part = 100'000;
    exec::FlatRun run(exec::read_elf(o.program), o.exec.harts, o.exec.arguments,
                      console_of(o, status));
    const InterruptGuard guard;
    uint64_t left = o.cycles;
    while (left > 0 && !InterruptGuard::interrupted()) {
        const uint64_t part = std::min(left, Part);
        left -= part;
        if (!run.run(part)) continue;
        if (!run.error().empty()) complain(run.error());
        return run.error().empty() ? run.exit_code() : ExitFound;
    }
    complain(
        InterruptGuard::interrupted()
            ? "interrupted"
            : fmt::format("the program did not end within {} instructions per node", o.cycles));
    return ExitFound;
}

class Progress {
public:
    Progress(StatusLine& status, const exec::Programs& programs)
        : m_status(status), m_programs(programs) {}
    void show() {
        const auto now = Clock::now();
        if (now - m_shown < std::chrono::milliseconds(200)) return;
        m_shown = now;
        const double seconds = std::chrono::duration<double>(now - m_start).count();
        const double instructions = double(m_programs.instructions());
        m_status.show(
            fmt::format("{} cycles, {:.3g} million instructions, {:.3g} million per "
                        "second",
                        m_programs.cycles(), instructions / 1e6, instructions / 1e6 / seconds));
    }

private:
    using Clock = std::chrono::steady_clock;
    StatusLine& m_status;
    const exec::Programs& m_programs;
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_shown = m_start;
};

nlohmann::ordered_json json_of(const machine::RunResult& result, const Options& o,
                               const nlohmann::ordered_json& settings) {
    nlohmann::ordered_json json;
    json["version"] = RDT_VERSION;
    json["command"] = o.machine.rerun;
    json["program"] = o.program;
    json["parameters"] = settings;
    json.update(result.workload);
    nlohmann::ordered_json machine = machine::to_json(result, o.machine);
    machine.erase("workload");
    json["machine"] = std::move(machine);
    return json;
}

std::string end_of(const machine::RunResult& result, const exec::Programs& programs,
                   const Options& o) {
    if (!result.error.empty() || programs.has_ended()) return result.error;
    if (result.stopped) return fmt::format("interrupted: {}", programs.places());
    return fmt::format("the program did not end within {} cycles: {}", o.cycles, programs.places());
}

int run(Options o, const std::string& rerun, const nlohmann::ordered_json& settings) {
    StatusLine status;
    if (o.is_flat) return run_flat(o, status);
    o.machine.rerun = rerun;
    o.machine.faults = o.flips > 0;
    o.resolve();
    o.set_default_threads();
    o.resolve_memory();
    if (o.wave.nodes.empty()) o.wave.nodes = {0, 1, 2, 3};
    o.exec.memory = o.memory;
    o.exec.console = console_of(o, status);
    exec::Elf elf = exec::read_elf(o.program);
    std::optional<exec::GdbServer> server;
    if (o.gdb) {
        server.emplace(*o.gdb);
        o.exec.sleeps = o.exec.runs_ahead = false;
        complain(fmt::format("gdb-multiarch {} -ex 'target remote 127.0.0.1:{}'", o.program,
                             server->port()));
    }
    const auto machine = machine::make_machine(o.machine);
    exec::Programs programs(*machine, std::move(elf), o.exec);

    const InterruptGuard guard;
    Observers observers(*machine, o);
    machine->bring_up();
    machine::RunOptions run;
    run.warmup = 0;
    run.cycles = o.cycles;
    run.drain = DrainLimit;
    run.flips = o.flips;
    run.seed = o.machine.seed;
    observers.attach(run);
    Progress progress(status, programs);
    run.progress = [&](uint64_t, uint64_t) {
        progress.show();
        return !InterruptGuard::interrupted();
    };
    machine::StepRun steps(*machine, programs, run);
    if (server) {
        server->serve(
            programs, [&steps] { return steps.step(); }, InterruptGuard::interrupted);
        if (server->is_killed()) programs.stop();
    }
    while (steps.step()) {
    }
    machine::RunResult result = steps.result();
    status.clear();
    // A program that was cut short leaves its operations in flight.
    const std::string error = end_of(result, programs, o);
    result.error = error;
    if (!error.empty()) complain(error);
    if (o.json != "-") {
        fmt::print("{}", result.workload_table);
        fmt::print("{}", machine::table_row(
                             "simulation",
                             fmt::format("{}, {:.2f} s of CPU time, {:.3g} million instructions "
                                         "per second",
                                         machine::title_of(o.machine), result.cpu_seconds,
                                         double(programs.instructions()) / 1e6 /
                                             std::max(result.cpu_seconds, 1e-9))));
    }
    const std::string save = observers.finish();
    const std::string difference = observers.difference();
    if (!difference.empty()) complain(difference);
    if (!save.empty() && o.json != "-") fmt::print("  {:<24}gtkwave {}\n", "waveform", save);
    if (observers.page() != nullptr) {
        observers.page()->write(*machine, result, o.machine);
        if (o.json != "-") fmt::print("  {:<24}{}\n", "report", observers.page()->path());
    }
    if (!o.heatmap.empty()) write_file(o.heatmap, machine::draw_heatmap(*machine, result));
    if (!o.json.empty()) write_file(o.json, json_of(result, o, settings).dump(2) + "\n");
    return error.empty() && difference.empty() ? programs.exit_code() : ExitFound;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    Options& o = *options;
    CLI::App* cmd = program.add_subcommand(
        "exec", "Run a RISC-V program on the machine: harts over the shared memory");
    cmd->add_option("PROGRAM", o.program, "ELF file of RV64IMAFDC (docs/programs.md)")->required();
    cmd->add_option("--nodes", o.exec.harts,
                    "nodes with a hart, the first of the machine, 1 to 256")
        ->group(ProgramGroup);
    cmd->add_option("--args", o.exec.arguments,
                    "words that the program reads by rdt_argument() (default: none)")
        ->type_name("TEXT")
        ->group(ProgramGroup);
    cmd->add_option("--cycles", o.cycles, "end the program after so many cycles, 1 to 2^63-1")
        ->default_str("any number")
        ->check(within<uint64_t>(1, std::numeric_limits<int64_t>::max()))
        ->group(ProgramGroup);
    cmd->add_flag("--prefix", o.exec.has_prefix, "lines of the console begin with their node")
        ->group(ProgramGroup);
    cmd->add_flag("--flat", o.is_flat,
                  "no machine: all harts on one memory, one by one, as a reference for the output")
        ->group(ProgramGroup);
    cmd->add_flag("--no-sleep", "execute every instruction of spin loops")
        ->each([&o](const std::string&) { o.exec.sleeps = false; })
        ->group(ProgramGroup);
    cmd->add_option(
           "--gdb", o.gdb,
           "wait for gdb at this port of 127.0.0.1, 0 to 65535 (0: a free one; default: no gdb)")
        ->type_name("UINT")
        ->check(within(0, 65535))
        ->group(ProgramGroup);
    o.add_machine_to(*cmd);
    o.add_memory_to(*cmd);
    cmd->add_option("--scheme", o.scheme, "encoding of the receivers of the directory's multicasts")
        ->check(CLI::IsMember({"sm", "lpra", "larp"}).description(""))
        ->type_name("sm|lpra|larp")
        ->group(MemoryGroup);
    cmd->add_option("--flips", o.flips,
                    "fault injection: pins inverted per cycle in the whole machine, 0 to 1000000")
        ->check(within(0.0, 1e6))
        ->group(FaultGroup);
    o.add_observers_to(*cmd);
    cmd->add_option("--json", o.json, "write the result as JSON; - is standard output")
        ->type_name("FILE")
        ->group(OutputGroup);
    show_defaults(*cmd);
    cmd->footer(
        "Exit code: that of the program. 1 also: a trap, an endless loop, a wrong value of "
        "the memory, models that differ. 2: wrong option or file.");
    cmd->callback([options, cmd, &action] {
        options->check_given(*cmd);
        action = [options, cmd] {
            return run(*options, command_line(*cmd), settings_of(*cmd, *options));
        };
    });
}

const Command command{"exec", add};

}  // namespace
}  // namespace rdt::exec_command
