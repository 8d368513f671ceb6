// SPDX-License-Identifier: MIT
// rdt run: the machine under load, on any engine.
#include <fmt/core.h>

#include <limits>
#include <memory>

#include <rdt/support/complain.h>
#include <rdt/support/output.h>
#include <rdt/machine/measure/heatmap.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/trace.h>
#include <rdt/version.h>
#include "cli/command.h"
#include "cli/observers.h"
#include "cli/other_program.h"
#include <rdt/support/interrupt.h>
#include "cli/settings.h"
#include "cli/shared_memory.h"
#include <rdt/support/progress.h>

namespace rdt::run_command {
namespace {

struct Options : MachineOptions, ObserverOptions {
    machine::RunOptions run;
    bool has_cycles = false;
    bool has_warmup = false;
    bool has_load = false;
    bool prints_config = false;
    bool drain = false;
    std::vector<std::string> cut;
    std::string json;
};

bool runs_memory(const Options& o) { return o.trace.empty() && o.is_memory(); }
// It ends with its operations.
void prepare_memory(Options& o) {
    o.resolve_memory();
    if (!o.has_warmup) o.run.warmup = 0;
    if (!o.has_cycles) o.run.cycles = std::numeric_limits<uint64_t>::max();
    o.run.drain = DrainLimit;
}

// "9.E0": the link at port E0 of node 9.
void cut_link(machine::Machine& machine, const std::string& text) {
    const size_t dot = text.find('.');
    for (uint32_t port = 0; port < NumNetworkPorts && dot != std::string::npos; ++port) {
        if (text.substr(dot + 1) != to_string(Port(port))) continue;
        const std::string number = text.substr(0, dot);
        if (number.empty() || number.size() > 6 ||
            number.find_first_not_of("0123456789") != std::string::npos)
            break;
        const auto node = uint32_t(std::stoul(number));
        if (node >= machine.nodes() || !machine.has_link(port)) break;
        machine.cut(node, port);
        return;
    }
    throw std::invalid_argument(
        fmt::format("--cut {}: must be NODE.PORT of a link, for example 9.E0, with node 0 to {}",
                    text, machine.nodes() - 1));
}

std::unique_ptr<machine::Workload> make_workload(const Options& o,
                                                 const machine::Machine& machine) {
    if (!o.trace.empty())
        return machine::Trace::open(o.trace, machine.geometry(), o.machine.upper_rank,
                                    o.machine.reduce_width);
    if (runs_memory(o)) return shared_memory().make(machine, o.memory);
    return machine::make_workload(machine, o.traffic);
}

// A run that does not come so far is not begun.
void check_wave(const Options& o, uint64_t now) {
    if (o.wave.path.empty() || o.run.drain != 0 || o.wave.from <= now) return;
    const uint64_t left = o.wave.from - now;
    if (o.run.cycles < left && o.run.warmup < left - o.run.cycles)
        throw std::invalid_argument(
            fmt::format("--wave-from {1}: must be at most {0}, the last cycle of the run",
                        now + o.run.warmup + o.run.cycles, o.wave.from));
}

// Everything that the results depend on comes first.
nlohmann::ordered_json json_of(const machine::RunResult& result, const Options& o,
                               const nlohmann::ordered_json& settings) {
    nlohmann::ordered_json json;
    json["version"] = RDT_VERSION;
    json["command"] = o.machine.rerun;
    json["plugins"] = plugins();
    json["parameters"] = settings;
    json.update(machine::to_json(result, o.machine));
    return json;
}

// For engines and workloads that are not in this program.
void start_other_program_if_needed(const Options& o) {
    std::vector<machine::Engine> engines = o.machine.check;
    engines.push_back(o.machine.engine);
    for (const machine::Engine engine : engines) {
        const machine::EngineKind& kind = machine::EngineKind::of(engine);
        if (!kind.is_linked()) start_other_program_for(fmt::format("--engine {}", kind.name));
    }
    if (runs_memory(o) && shared_memory().make == nullptr)
        start_other_program_for("--traffic " + o.traffic.pattern);
}

int run(Options o, const std::string& rerun, const nlohmann::ordered_json& settings) {
    o.machine.rerun = rerun;
    o.machine.faults = o.run.flips > 0 || !o.cut.empty();
    o.resolve();
    o.set_default_threads();
    o.run.seed = o.machine.seed;
    if (o.wave.nodes.empty()) o.wave.nodes = {0, 1, 2, 3};
    o.run.drain = o.drain || !o.trace.empty() ? DrainLimit : 0;
    if (runs_memory(o)) prepare_memory(o);
    if (o.is_barrier() && !o.has_load) o.traffic.load = 0;
    if (!o.trace.empty()) {  // all of it is measured
        o.run.warmup = 0;
        o.run.cycles = std::numeric_limits<uint64_t>::max();
    }
    start_other_program_if_needed(o);
    const auto machine = machine::make_machine(o.machine);
    const auto workload = make_workload(o, *machine);
    for (const std::string& link : o.cut) cut_link(*machine, link);

    const InterruptGuard guard;
    Observers observers(*machine, o);
    machine->bring_up();
    check_wave(o, machine->now());
    ProgressBar bar("cycles");
    observers.attach(o.run);
    const auto* trace = dynamic_cast<const machine::Trace*>(workload.get());
    o.run.progress = [&bar, &workload, trace, &o](uint64_t done, uint64_t of) {
        if (trace != nullptr) of = trace->last_clock();
        const double operations =
            runs_memory(o) ? double(shared_memory().operations(*workload)) : 0;
        const auto all = double(o.memory.operations);
        if (runs_memory(o) ? operations >= all : workload->finished())
            bar.show_waiting(fmt::format("packets in flight, at most {} cycles", o.run.drain));
        else if (runs_memory(o)) bar.show(operations, all, double(done));
        else bar.show(double(done), double(of));
        return !InterruptGuard::interrupted();
    };
    const machine::RunResult result = machine::run(*machine, *workload, o.run);
    bar.clear();

    if (!result.error.empty()) complain(result.error);
    if (o.json != "-") fmt::print("{}", machine::to_table(result, o.machine));
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
    if (save.empty() && !o.wave.path.empty() && !result.stopped)
        throw std::invalid_argument(
            fmt::format("--wave-from {1}: must be at most {0}, the last cycle of the run",
                        machine->now(), o.wave.from));
    const bool lost = o.run.drain != 0 && !result.drained && !result.stopped;
    const bool disturbed = o.run.flips > 0 || !o.cut.empty();
    return result.error.empty() && difference.empty() &&
                   (disturbed || (!lost && result.damaged == 0))
               ? ExitOk
               : ExitFound;
}

void add_traffic(CLI::App* cmd, Options& o) {
    cmd->add_option("--load", o.traffic.load,
                    "injection rate, flits/node/cycle, 0 to 2 (default with --traffic barrier or "
                    "all-reduce: 0)")
        ->each([&o](const std::string&) { o.has_load = true; })
        ->group(TrafficGroup);
    cmd->add_option(
           "--outstanding", o.traffic.outstanding,
           "closed loop: packets each node keeps in flight, independent of --load, 0 to 1024 (0: "
           "off)")
        ->check(within(0u, machine::MostOutstanding))
        ->group(TrafficGroup);
    cmd->add_option("--trace", o.trace,
                    "read packets from a trace file instead; - is standard input (docs/machine.md)")
        ->type_name("FILE")
        ->group(TrafficGroup);
    cmd->add_option("--operations", o.memory.operations,
                    "memory operations, sum over all nodes, 0 to 2^64-1")
        ->group(MemoryGroup);
    cmd->add_option("--rate", o.memory.rate, "operations per node per cycle, 1e-12 to 1")
        ->default_str("back to back")
        ->check(CLI::Validator(
            [](const std::string& rate) {
                const bool fits = within(dsm::LeastRate, 1.0)(rate).empty();
                return fits ? "" : fmt::format("{}: must be {} to 1", rate, dsm::LeastRate);
            },
            ""))
        ->group(MemoryGroup);
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    Options& o = *options;
    CLI::App* cmd =
        program.add_subcommand("run", "Simulate the machine with a given traffic, on any engine");
    add_config(*cmd, o.prints_config);
    o.add_to(*cmd);
    add_traffic(cmd, o);
    cmd->add_option("--cycles", o.run.cycles, "cycles to measure, at most, 0 to 2^64-1")
        ->each([&o](const std::string&) { o.has_cycles = true; })
        ->group(TimeGroup);
    cmd->add_option("--warmup", o.run.warmup, "cycles before the measurement, 0 to 2^64-1")
        ->each([&o](const std::string&) { o.has_warmup = true; })
        ->group(TimeGroup);
    cmd->add_option("--converge", o.run.tolerance,
                    "stop when the 95 % confidence intervals of throughput and latency are within "
                    "this fraction, 0 to 1, for example 0.01 (0: off)")
        ->check(within(0.0, 1.0))
        ->group(TimeGroup);
    cmd->add_flag("--drain", o.drain, "after the measurement, run until all packets are delivered")
        ->group(TimeGroup);
    cmd->add_option("--flips", o.run.flips,
                    "fault injection: pins inverted per cycle in the whole machine, 0 to 1000000")
        ->check(within(0.0, 1e6))
        ->group(FaultGroup);
    cmd->add_option("--cut", o.cut, "fault injection: links cut from the start, for example 9.E0")
        ->type_name("LINK")
        ->group(FaultGroup);
    cmd->add_flag("--sink", o.machine.sink,
                  "outputs without a live neighbor consume packets and report them")
        ->needs("--timeout")
        ->group(FaultGroup);
    cmd->add_flag("--drop", o.machine.drop,
                  "packets that wait for two ticks of Timeout are dropped and reported")
        ->needs("--timeout")
        ->group(FaultGroup);
    cmd->add_flag("--no-guard", "allow any node to write registers, not only the local MBP 0")
        ->each([&o](const std::string&) { o.machine.guard = false; })
        ->group(FaultGroup);
    o.add_observers_to(*cmd);
    CLI::Option* timeline =
        cmd->add_option("--timeline", o.timeline,
                        "write throughput, latency and link utilization over time, as CSV")
            ->type_name("FILE")
            ->group(OutputGroup);
    cmd->add_option("--interval", o.interval, "cycles per row of the timeline, 1 to 1000000000")
        ->needs(timeline)
        ->check(within<uint64_t>(1, 1000000000))
        ->group(OutputGroup);
    cmd->add_option("--json", o.json, "write the result as JSON; - is standard output")
        ->type_name("FILE")
        ->group(OutputGroup);
    show_defaults(*cmd);
    cmd->footer(MachineOptions::patterns() +
                "Exit code 0: done. 1: models differ, or packets were lost. 2: wrong option or "
                "file.");
    cmd->callback([options, cmd, &action] {
        options->check_given(*cmd);
        if (options->prints_config) {
            action = [options, cmd] {
                fmt::print("{}", to_toml(settings_of(*cmd, *options), "run"));
                return ExitOk;
            };
            return;
        }
        action = [options, cmd] {
            return run(*options, command_line(*cmd), settings_of(*cmd, *options));
        };
    });
}

const Command command{"run", add};

}  // namespace
}  // namespace rdt::run_command
