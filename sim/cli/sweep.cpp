// SPDX-License-Identifier: MIT
// rdt sweep: latency of the machine over load, up to saturation. The load is of packets, or of
// operations on a shared memory.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include <rdt/dsm/memory.h>
#include <rdt/support/complain.h>
#include <rdt/support/output.h>
#include <rdt/support/plot.h>
#include <rdt/support/saturation.h>
#include <rdt/machine/measure/parts.h>
#include <rdt/machine/measure/sweep.h>
#include "cli/command.h"
#include <rdt/support/interrupt.h>
#include "cli/settings.h"
#include "cli/shared_memory.h"
#include <rdt/support/progress.h>

namespace rdt::sweep_command {
namespace {

struct Options : MachineOptions {
    machine::RunOptions run;
    std::optional<uint64_t> warmup;
    std::optional<uint64_t> cycles;
    SweepOptions sweep;
    std::optional<double> from;
    double to = 1;
    std::optional<double> step;
    std::string csv = "sweep.csv";
    std::string svg;
    std::string part_text;
    std::optional<machine::Part> part;
    // Where the points go.
    std::string file() const { return part ? machine::part_file(csv, *part) : csv; }
    bool prints_config = false;
};

constexpr double FirstLoad = 0.02;   // and the step from load to load
constexpr double FirstRate = 0.001;  // of operations
constexpr const char* LoadGroup = "Loads";

machine::Swept swept_of(const Options& o) {
    return o.is_memory() ? machine::Swept::Operations : machine::Swept::Packets;
}

// Everything that a point depends on.
std::string parameters_of(const Options& o) {
    std::string nodes;
    for (const uint32_t n : o.machine.rtl_nodes)
        nodes += fmt::format("{}{}", nodes.empty() ? "" : "+", n);
    const std::string packets =
        fmt::format("flits={}-{} queue={} multicast={} density={} scheme={} acks={}",
                    o.traffic.flits_min, o.traffic.flits_max, o.traffic.queue, o.traffic.multicasts,
                    o.traffic.density, o.scheme, int(o.traffic.acks));
    const std::string memory = fmt::format(
        "protocol={} directory={} lines={} page={} scheme={} reads={} atomics={} "
        "processors={} store_buffer={} cache={}x{} home_cycles={} memory_cycles={} "
        "mbp={} pruning={} operations={}",
        o.protocol, o.directory, o.memory.lines, o.memory.page, o.scheme, o.memory.reads,
        o.memory.atomics, o.memory.processors, o.memory.store_buffer, o.memory.cache_lines,
        o.memory.cache_ways, o.memory.home_cycles, o.memory.memory_cycles, o.mbp, o.machine.pruning,
        o.memory.operations);
    const auto clocks = [&](std::optional<uint64_t> given, uint64_t usual) {
        return given || !o.is_memory() ? std::to_string(given.value_or(usual)) : "operations";
    };
    return fmt::format(
        "size={} engine={} rtl_nodes={} upper_rank={} traffic={} {} t_ent={} t_ack={} timeout={} "
        "{}{}warmup={} cycles={} converge={} seed={}",
        o.machine.side, o.engine, nodes, int(o.machine.upper_rank), o.traffic.pattern,
        o.is_memory() ? memory : packets, o.machine.t_ent, o.machine.t_ack, o.machine.timeout,
        o.machine.reduce_width == 0 ? "" : fmt::format("reduce_width={} ", o.machine.reduce_width),
        o.machine.entries == NumEntries ? "" : fmt::format("entries={} ", o.machine.entries),
        clocks(o.warmup, o.run.warmup), clocks(o.cycles, o.run.cycles), o.run.tolerance,
        o.machine.seed);
}

bool keeps_points(const Options& o) {
    return o.csv != "-" && !std::filesystem::is_character_file(o.csv);
}

// Points that a file already holds; empty without a file.
std::vector<machine::SweepPoint> points_in(const std::string& path, const Options& o) {
    const auto status = std::filesystem::status(path);
    if (!std::filesystem::exists(status)) return {};
    if (!std::filesystem::is_regular_file(status))
        throw std::invalid_argument(
            fmt::format("{}: cannot be read: must be a regular file", path));
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw std::invalid_argument(fmt::format("cannot read {}", path));
    try {
        return machine::from_csv(text, swept_of(o), parameters_of(o));
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument(
            fmt::format("{}: {}: remove it, or name another file with --csv", path, e.what()));
    }
}

// Points of the whole sweep, from its file and the files of its parts.
std::vector<machine::SweepPoint> known_points(const Options& o) {
    if (!keeps_points(o)) return {};
    std::vector<machine::PointsOfFile> files{{o.csv, points_in(o.csv, o)}};
    for (const std::string& part : machine::part_files(o.csv))
        files.push_back({part, points_in(part, o)});
    return machine::merged(files);
}

// Points of this part only; the others are in other files.
std::vector<machine::SweepPoint> known_points_of_part(const Options& o) {
    std::vector<machine::SweepPoint> own;
    for (const machine::SweepPoint& p : known_points(o))
        if (std::binary_search(o.sweep.loads.begin(), o.sweep.loads.end(), p.load))
            own.push_back(p);
    return own;
}

// Before anything is measured.
void begin_part(Options& o) {
    if (!keeps_points(o)) throw std::invalid_argument("--part: needs a file named by --csv");
    if (!o.svg.empty())
        throw std::invalid_argument(
            "--svg: not used with --part: run without --part to draw all points");
    o.sweep.loads = machine::loads_of(o.sweep.loads, *o.part);
    o.sweep.saturated_elsewhere = [&o] { return machine::saturated_in(known_points(o)); };
}

machine::RunResult measured(machine::Machine& machine, machine::Workload& workload,
                            const machine::RunOptions& run) {
    machine.bring_up();
    machine::RunResult r = machine::run(machine, workload, run);
    if (!r.error.empty()) throw machine::MachineError(r.error);
    return r;
}

machine::SweepPoint measure_packets(const Options& o, double load) {
    machine::SyntheticOptions traffic = o.traffic;
    traffic.load = load;
    machine::RunOptions run = o.run;
    run.warmup = o.warmup.value_or(run.warmup);
    run.cycles = o.cycles.value_or(run.cycles);
    const auto machine = machine::make_machine(o.machine);
    const auto workload = machine::make_workload(*machine, traffic);
    return machine::point_of(load, measured(*machine, *workload, run));
}

// As many operations at every rate, since it takes operations, not cycles, to fill the caches. At
// the end all that has begun is done, and the memory checked.
machine::SweepPoint measure_operations(const Options& o, double rate) {
    const auto machine = machine::make_machine(o.machine);
    const auto clocks =
        uint64_t(std::ceil(double(o.memory.operations) / (rate * machine->nodes())));
    machine::RunOptions run = o.run;
    run.warmup = o.warmup.value_or(clocks);
    run.cycles = o.cycles.value_or(clocks);
    run.drain = DrainLimit;
    dsm::Options options = o.memory;
    options.rate = rate;
    options.operations = std::numeric_limits<uint64_t>::max();
    dsm::Memory memory(*machine, options);
    const machine::RunResult r = measured(*machine, memory, run);
    const dsm::Statistics& s = memory.statistics();
    const Latency latency = s.latency.summary();
    return {rate,
            memory.offered(),
            memory.accepted(),
            latency.mean,
            latency.p99,
            latency.max,
            s.processing.summary().mean,
            r.hops_mean,
            s.ended,
            is_saturated(s.issued, s.ended, 0, machine->nodes())};
}

// Wrong options are found here and not in every process.
void check(const Options& o) {
    machine::check_config(o.machine);
    // A machine of the default engine shows the rest as well, and is made at once.
    machine::Config config = o.machine;
    config.engine = machine::Config().engine;
    config.check.clear();
    config.rtl_nodes.clear();
    config.rtl_blocks.clear();
    const auto machine = machine::make_machine(config);
    if (o.is_memory()) {
        if (o.sweep.loads.front() == 0)
            throw std::invalid_argument("--from 0: must be more than 0 for shared-memory traffic");
        if (o.memory.operations == 0)
            throw std::invalid_argument("--operations 0: must be at least 1");
        dsm::Memory(*machine, o.memory);
        return;
    }
    machine::SyntheticOptions traffic = o.traffic;
    traffic.load = o.to;
    machine::make_workload(*machine, traffic);
}

std::string title_of(const Options& o) {
    const std::string what = o.is_memory()
                                 ? fmt::format("{}, {} protocol", o.traffic.pattern, o.protocol)
                                 : o.traffic.pattern + " traffic";
    return fmt::format("{0} x {0} {1}, {2}", o.machine.side, o.machine.upper_rank ? "RDT" : "torus",
                       what);
}

std::string svg_of(const Options& o, const machine::Sweep& sweep) {
    Curve unqueued{o.is_memory() ? "processing" : "network", {}, false};
    Curve total{"with queueing", {}, true};
    double saturated = 0;
    for (const machine::SweepPoint& p : sweep.points) {
        // The latency of a saturated point is one of the run's length.
        if (p.saturated && saturated == 0) saturated = p.accepted;
        if (p.count == 0 || p.saturated) continue;
        total.points.emplace_back(p.accepted, p.latency_mean);
        total.spread.push_back(p.latency_half);
        unqueued.points.emplace_back(p.accepted, p.unqueued_mean);
        unqueued.spread.push_back(p.unqueued_half);
    }
    Plot plot{title_of(o),
              o.is_memory() ? "completed operations [per node per cycle]"
                            : "accepted throughput [flits/node/cycle]",
              "mean latency [cycles]",
              {unqueued, total},
              0};
    plot.saturated = saturated;
    return to_svg(plot);
}

void print(const Options& o, const machine::Sweep& sweep) {
    const int digits = o.is_memory() ? 6 : 4;
    fmt::print("{}\n{:>8} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>10} {:>8}\n", title_of(o), "load",
               "offered", "accepted", "latency", "+- 95 %", "99 %", "max",
               o.is_memory() ? "processing" : "network", "+- 95 %");
    bool is_short = false;
    for (const machine::SweepPoint& p : sweep.points) {
        const auto known = [&p](double value, int after) {
            return p.count == 0 ? std::string("-") : fmt::format("{:.{}f}", value, after);
        };
        const auto half = [](double value) {
            return std::isnan(value) ? std::string("-") : fmt::format("{:.1f}", value);
        };
        const bool lacks = !o.is_memory() && !p.saturated && std::isnan(p.latency_half);
        is_short = is_short || lacks;
        fmt::print("{:>8.4g} {:>9.{}f} {:>9.{}f} {:>9} {:>8} {:>8} {:>8} {:>10} {:>8}{}\n", p.load,
                   p.offered, digits, p.accepted, digits, known(p.latency_mean, 1),
                   half(p.latency_half), known(double(p.latency_p99), 0),
                   known(double(p.latency_max), 0), known(p.unqueued_mean, 1),
                   half(p.unqueued_half),
                   p.saturated ? "  saturated"
                   : lacks     ? "  too short"
                               : "");
    }
    if (is_short) fmt::print("too short: no 95 % confidence interval; use more --cycles\n");
    if (o.part && !sweep.stopped) {
        fmt::print("part {}: {} points; run without --part to merge all parts\n",
                   to_string(*o.part), sweep.points.size());
        return;
    }
    fmt::print("{}\n", sweep.stopped     ? "stopped; the same command continues from here"
                       : sweep.saturated ? "saturated at the last injection rate"
                                         : "not saturated at the last injection rate");
}

int run(Options o) {
    o.resolve();
    if (o.is_memory()) o.resolve_memory();
    o.run.seed = o.machine.seed;
    const double first = o.is_memory() ? FirstRate : FirstLoad;
    o.sweep.loads = loads_between(o.from.value_or(first), o.to, o.step.value_or(first));
    check(o);
    if (!o.part_text.empty()) o.part = machine::read_part(o.part_text);
    if (o.part) begin_part(o);
    std::optional<FileLock> lock;
    if (keeps_points(o)) lock.emplace(o.file());
    const std::vector<machine::SweepPoint> known =
        o.part ? known_points_of_part(o) : known_points(o);

    const InterruptGuard guard;
    ProgressBar bar("points");
    const auto save = [&](const std::vector<machine::SweepPoint>& points) {
        write_file(o.file(), machine::to_csv(points, swept_of(o), parameters_of(o)));
    };
    o.sweep.is_stopped = &InterruptGuard::interrupted;
    o.sweep.progress = [&bar](size_t done, size_t of) {
        bar.show(double(done), double(of), -1, fmt::format(", {} of at most {} points", done, of));
    };
    machine::Sweep sweep;
    try {
        const auto measure = [&o](double load) {
            return o.is_memory() ? measure_operations(o, load) : measure_packets(o, load);
        };
        sweep = machine::sweep(o.sweep, known, measure,
                               o.csv != "-" ? machine::OnPoint(save) : machine::OnPoint());
    } catch (const machine::SweepError& e) {
        bar.clear();
        complain(e.what());
        return ExitFound;
    }
    bar.clear();
    save(sweep.points);
    if (!o.svg.empty()) write_file(o.svg, svg_of(o, sweep));
    if (o.csv != "-" && o.svg != "-") print(o, sweep);
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    Options& o = *options;
    o.sweep.jobs = std::max(1u, std::thread::hardware_concurrency());
    CLI::App* cmd = program.add_subcommand(
        "sweep", "Latency of the machine over the injection rate, up to saturation");
    add_config(*cmd, o.prints_config);
    o.add_to(*cmd);
    const std::string usual = fmt::format("{:g}, with shared memory {:g}", FirstLoad, FirstRate);
    cmd->add_option("--from", o.from,
                    "first injection rate: flits (or memory operations) per node per cycle, 0 to 1")
        ->default_str(usual)
        ->group(LoadGroup);
    cmd->add_option(
           "--to", o.to,
           "last injection rate, --from to 1; the sweep ends earlier if the machine saturates")
        ->group(LoadGroup);
    cmd->add_option("--step", o.step,
                    "step of the injection rate, more than 0 to 1, for at most 10000 points")
        ->default_str(usual)
        ->group(LoadGroup);
    cmd->add_option("--operations", o.memory.operations,
                    "memory operations measured per point, after as many for warm-up, 1 to 2^64-1")
        ->group(MemoryGroup);
    cmd->add_option("--cycles", o.cycles, "cycles to measure per point, at most, 0 to 2^64-1")
        ->default_str(fmt::format("{}, with shared memory by --operations", o.run.cycles))
        ->group(TimeGroup);
    cmd->add_option("--warmup", o.warmup, "cycles before the measurement, 0 to 2^64-1")
        ->default_str(fmt::format("{}, with shared memory by --operations", o.run.warmup))
        ->group(TimeGroup);
    cmd->add_option("--converge", o.run.tolerance,
                    "end a point when the 95 % confidence intervals are within this fraction, 0 to "
                    "1, for example 0.01 (0: off)")
        ->check(within(0.0, 1.0))
        ->group(TimeGroup);
    cmd->add_option("--jobs", o.sweep.jobs, "points measured in parallel, 1 to 256")
        ->check(within(1, 256))
        ->group(TimeGroup);
    cmd->add_option("--csv", o.csv,
                    "CSV file to write; an existing file of the same sweep is continued")
        ->type_name("FILE")
        ->capture_default_str()
        ->group(OutputGroup);
    cmd->add_option("--part", o.part_text,
                    "measure only points K, K+N, K+2N, ... into a separate file beside --csv, as "
                    "one of N tasks of a batch system; the same command without --part merges the "
                    "files and measures the missing points (default: none)")
        ->type_name("K/N")
        ->group(OutputGroup);
    cmd->add_option("--svg", o.svg, "write a plot of latency over accepted throughput, as SVG")
        ->type_name("FILE")
        ->group(OutputGroup);
    show_defaults(*cmd);
    cmd->footer(MachineOptions::patterns() +
                "A point is saturated when less than 95 % of the offered load is accepted in the "
                "measured\ncycles, or when source queues overflow; it is the last point. Ctrl-C "
                "stops the sweep, and\nthe same command continues it.\n"
                "Exit code 0: done. 1: models differ, or the memory was wrong. 2: wrong option or "
                "file.");
    cmd->callback([options, cmd, &action] {
        options->check_given(*cmd);
        // A task of a batch system has a core of its own, whatever else the machine has.
        if (cmd->count("--part") > 0 && cmd->count("--jobs") == 0) options->sweep.jobs = 1;
        if (options->prints_config)
            action = [options, cmd] {
                fmt::print("{}", to_toml(settings_of(*cmd, *options), "sweep"));
                return ExitOk;
            };
        else action = [options] { return run(*options); };
    });
}

const Command command{"sweep", add};

const bool has_shared_memory = [] {
    shared_memory() = {[](const machine::Machine& machine,
                          const dsm::Options& options) -> std::unique_ptr<machine::Workload> {
                           return std::make_unique<dsm::Memory>(machine, options);
                       },
                       [](const machine::Workload& memory) {
                           return uint64_t(dynamic_cast<const dsm::Memory&>(memory).operations());
                       }};
    return true;
}();

}  // namespace
}  // namespace rdt::sweep_command
