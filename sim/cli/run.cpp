// SPDX-License-Identifier: MIT
// rdt run: the machine under load, on any engine.
#include <fmt/core.h>

#include <array>
#include <fstream>
#include <limits>
#include <memory>

#include <rdt/dsm/memory.h>
#include <rdt/support/output.h>
#include <rdt/machine/measure/packet_log.h>
#include <rdt/machine/measure/recorder.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/trace.h>
#include "cli/command.h"
#include <rdt/support/interrupt.h>
#include "cli/machine_options.h"
#include <rdt/support/status_line.h>

namespace rdt {
namespace {

struct Options : MachineOptions {
    machine::RunOptions run;
    bool has_cycles = false;
    bool has_warmup = false;
    std::string trace;
    bool drain = false;
    std::vector<std::string> cut;
    std::string json;
    std::string packet_log;
    machine::WaveOptions wave;
};

bool runs_memory(const Options& o) { return o.trace.empty() && o.is_memory(); }
// It ends with its operations.
void prepare_memory(Options& o) {
    o.resolve_memory();
    if (!o.has_warmup) o.run.warmup = 0;
    if (!o.has_cycles) o.run.cycles = std::numeric_limits<uint64_t>::max();
    o.run.drain = DrainLimit;
}

// What is done of what is to do.
std::string bar_of(uint64_t done, uint64_t of) {
    constexpr int Width = 40;
    const int percent = int(100 * std::min(done, of) / std::max<uint64_t>(of, 1));
    const int filled = percent * Width / 100;
    return fmt::format("[{:#<{}}{:.<{}}] {:3} %", "", filled, "", Width - filled, percent);
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
        if (node >= machine.nodes()) break;
        machine.cut(node, port);
        return;
    }
    throw std::invalid_argument(
        fmt::format("there is no link {}; it is node.port, as 9.E0, nodes up to {}", text,
                    machine.nodes() - 1));
}

std::unique_ptr<machine::Workload> make_workload(const Options& o,
                                                 const machine::Machine& machine) {
    if (!o.trace.empty())
        return std::make_unique<machine::Trace>(
            machine::read_trace_file(o.trace, machine.geometry()), o.trace);
    if (runs_memory(o)) return std::make_unique<dsm::Memory>(machine, o.memory);
    return std::make_unique<machine::Synthetic>(machine, o.traffic);
}

// Waveform and packet log, if they are asked for.
class Observers {
public:
    Observers(machine::Machine& machine, const Options& o) : m_machine(machine) {
        if (!o.wave.path.empty()) m_recorder = std::make_unique<machine::Recorder>(machine, o.wave);
        if (!o.packet_log.empty())
            m_log = std::make_unique<machine::PacketLog>(machine, o.packet_log);
    }
    void attach(machine::RunOptions& run) {
        if (m_recorder || m_log)
            run.after_clock = [this](const machine::Transport& transport) {
                if (m_recorder) m_recorder->clock();
                if (m_log) m_log->clock(transport);
            };
        if (m_log)
            run.after_packet = [this](const machine::Packet& packet) {
                m_log->done(packet, m_machine.now());
            };
    }
    // Of the models in the waveform.
    std::string difference() const { return m_recorder ? m_recorder->difference() : ""; }
    // Returns the path of the waveform's save file.
    std::string finish() {
        if (m_log) m_log->finish();
        return m_recorder ? m_recorder->finish() : "";
    }

private:
    machine::Machine& m_machine;
    std::unique_ptr<machine::Recorder> m_recorder;
    std::unique_ptr<machine::PacketLog> m_log;
};

int run(Options o, const std::string& rerun) {
    o.machine.rerun = rerun;
    o.resolve();
    if (!(o.run.flips >= 0))
        throw std::invalid_argument(fmt::format("--flips is 0 or more, not {:g}", o.run.flips));
    if (o.json == "-" && o.packet_log == "-")
        throw std::invalid_argument("--json and --packet-log cannot both be standard output");
    for (const std::string& file : {o.json, o.packet_log, o.wave.path})
        if (!file.empty()) check_writable(file);
    o.run.seed = o.machine.seed;
    if (o.wave.nodes.empty()) o.wave.nodes = {0, 1, 2, 3};
    o.run.drain = o.drain || !o.trace.empty() ? DrainLimit : 0;
    if (runs_memory(o)) prepare_memory(o);
    if (!o.trace.empty()) {  // all of it is measured
        o.run.warmup = 0;
        o.run.cycles = std::numeric_limits<uint64_t>::max();
    }
    const auto machine = machine::make_machine(o.machine);
    const auto workload = make_workload(o, *machine);
    for (const std::string& link : o.cut) cut_link(*machine, link);

    const InterruptGuard guard;
    Observers observers(*machine, o);
    machine->bring_up();
    StatusLine status;
    observers.attach(o.run);
    const auto* memory = dynamic_cast<const dsm::Memory*>(workload.get());
    const auto* trace = dynamic_cast<const machine::Trace*>(workload.get());
    o.run.progress = [&status, memory, trace, &o](uint64_t done, uint64_t of) {
        if (trace != nullptr) of = trace->last_clock();
        status.show(memory == nullptr ? bar_of(done, of)
                                      : bar_of(memory->operations(), o.memory.operations));
        return !InterruptGuard::interrupted();
    };
    const machine::RunResult result = machine::run(*machine, *workload, o.run);
    status.clear();

    if (!result.error.empty()) fmt::print(stderr, "rdt: {}\n", result.error);
    if (o.json != "-") fmt::print("{}", machine::to_table(result, o.machine));
    const std::string save = observers.finish();
    const std::string difference = observers.difference();
    if (!difference.empty()) fmt::print(stderr, "rdt: {}\n", difference);
    if (!save.empty() && o.json != "-") fmt::print("  {:<24}gtkwave {}\n", "waveform", save);
    if (!o.json.empty()) write_file(o.json, machine::to_json(result, o.machine).dump(2) + "\n");
    if (save.empty() && !o.wave.path.empty() && !result.stopped)
        throw std::invalid_argument(
            fmt::format("no waveform: the run ended with clock {}, before --wave-from {}",
                        machine->now(), o.wave.from));
    const bool lost = o.run.drain != 0 && !result.drained && !result.stopped;
    const bool disturbed = o.run.flips > 0 || !o.cut.empty();
    return result.error.empty() && difference.empty() &&
                   (disturbed || (!lost && result.damaged == 0))
               ? ExitOk
               : ExitFound;
}

// The values given to an option, as they were written.
std::string joined(const CLI::Option* option) {
    std::string text;
    for (const std::string& value : option->results()) text += (text.empty() ? "" : ",") + value;
    return text;
}

constexpr std::array<const char*, 5> OfMemory{"--protocol", "--lines", "--reads", "--operations",
                                              "--rate"};

// Other traffic would ignore options of a shared memory.
void check_memory(const CLI::App& cmd, const Options& o) {
    for (const char* name : OfMemory)
        if (cmd.count(name) > 0 && !o.is_memory())
            throw CLI::ValidationError(name,
                                       "needs the traffic of a shared memory, as --traffic "
                                       "dsm-stencil");
    if (cmd.count("--rate") > 0 && !(o.memory.rate > 0 && o.memory.rate <= 1))
        throw CLI::ValidationError(
            "--rate", fmt::format("more than 0 and at most 1, not {:g}", o.memory.rate));
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    Options& o = *options;
    CLI::App* cmd = program.add_subcommand("run", "Run the machine under load, on any engine");
    o.add_to(*cmd);
    cmd->add_option("--load", o.traffic.load, "flits per node and clock");
    cmd->add_option("--outstanding", o.traffic.outstanding,
                    "closed loop: packets a node keeps under way, whatever the load");
    CLI::Option* trace =
        cmd->add_option("--trace", o.trace, "packets from a file instead (docs/machine.md)")
            ->type_name("FILE");
    cmd->add_option("--operations", o.memory.operations, "of a shared memory, by all nodes");
    cmd->add_option("--rate", o.memory.rate,
                    "of a shared memory: operations that a node issues a clock, at most 1")
        ->default_str("the next as the last ends");
    cmd->add_option("--cycles", o.run.cycles, "clocks measured, at most")
        ->each([&o](const std::string&) { o.has_cycles = true; });
    cmd->add_option("--warmup", o.run.warmup, "clocks before that")->each([&o](const std::string&) {
        o.has_warmup = true;
    });
    cmd->add_option("--converge", o.run.tolerance,
                    "end when throughput and latency are known to this share, as 0.01")
        ->check(CLI::Range(0.0, 1.0));
    cmd->add_flag("--drain", o.drain, "run on until everything has arrived");
    cmd->add_option("--flips", o.run.flips, "pins inverted a clock in the whole machine");
    cmd->add_option("--cut", o.cut, "links that are cut, as 9.E0")->type_name("LINK");
    cmd->add_flag("--sink", o.machine.sink,
                  "outputs whose other end is gone consume packets and report them")
        ->needs("--timeout");
    cmd->add_flag("--no-guard", "registers may be written from any node, not by MBP 0 alone")
        ->each([&o](const std::string&) { o.machine.guard = false; });
    CLI::Option* wave =
        cmd->add_option("--wave", o.wave.path,
                        "write a waveform, .fst or .vcd, with a .gtkw save file beside it")
            ->type_name("FILE");
    cmd->add_option("--wave-nodes", o.wave.nodes, "nodes in it, as 0,9 (the first four)")
        ->needs(wave)
        ->delimiter(',')
        ->type_name("NODES");
    cmd->add_option("--wave-from", o.wave.from, "first clock in it, counted from reset")
        ->needs(wave);
    cmd->add_option("--wave-to", o.wave.to, "last clock in it")
        ->needs(wave)
        ->default_str("the end");
    cmd->add_option("--packet-log", o.packet_log,
                    "write the life of every packet, hop by hop; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--json", o.json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    // A trace says all of this itself.
    for (const char* other : {"--traffic", "--load", "--queue", "--flits", "--multicast",
                              "--density", "--acks", "--outstanding", "--cycles", "--warmup"})
        trace->excludes(cmd->get_option(other));
    for (const char* other : OfMemory) trace->excludes(cmd->get_option(other));
    show_defaults(*cmd);
    cmd->footer(MachineOptions::patterns() +
                "Exit code 0: done. 1: models differ, or packets were lost. 2: wrong option or "
                "file.");
    cmd->callback([options, cmd, &action] {
        check_memory(*cmd, *options);
        std::string rerun = "build/bin/rdt run";
        for (const CLI::Option* option : cmd->parse_order())
            rerun += fmt::format(" --{}{}", option->get_lnames()[0],
                                 option->get_type_size() == 0 ? "" : " " + joined(option));
        action = [options, rerun] { return run(*options, rerun); };
    });
}

const Command command{"run", add};

}  // namespace
}  // namespace rdt
