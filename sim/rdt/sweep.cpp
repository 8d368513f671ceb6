// SPDX-License-Identifier: MIT
// rdt sweep: latency of the machine over load, up to saturation.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include "io/output.h"
#include "lab/plot.h"
#include "lab/sweep.h"
#include "machine/sweep.h"
#include "rdt/command.h"
#include "rdt/interrupt.h"
#include "rdt/machine_options.h"

namespace rdt {
namespace {

struct Options : MachineOptions {
    machine::RunOptions run;
    machine::SweepOptions sweep;
    double from = 0.02;
    double to = 1;
    double step = 0.02;
    std::string csv = "sweep.csv";
    std::string svg;
};

// Everything that a point depends on.
std::string parameters_of(const Options& o) {
    std::string nodes;
    for (const uint32_t n : o.machine.rtl_nodes)
        nodes += fmt::format("{}{}", nodes.empty() ? "" : "+", n);
    return fmt::format(
        "size={} engine={} rtl_nodes={} upper_rank={} traffic={} flits={}-{} queue={} multicast={} "
        "density={} acks={} t_ent={} t_ack={} timeout={} warmup={} cycles={} converge={} seed={}",
        o.machine.side, o.engine, nodes, int(o.machine.upper_rank), o.traffic.pattern,
        o.traffic.flits_min, o.traffic.flits_max, o.traffic.queue, o.traffic.multicasts,
        o.traffic.density, int(o.traffic.acks), o.machine.t_ent, o.machine.t_ack, o.machine.timeout,
        o.run.warmup, o.run.cycles, o.run.tolerance, o.machine.seed);
}

// What the file holds already; nothing, if there is none.
std::vector<machine::SweepPoint> known_points(const Options& o) {
    if (!std::filesystem::exists(o.csv)) return {};
    std::ifstream file(o.csv, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw std::invalid_argument(fmt::format("cannot read {}", o.csv));
    try {
        return machine::from_csv(text, parameters_of(o));
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument(
            fmt::format("{} {} (remove it, or name another with --csv)", o.csv, e.what()));
    }
}

machine::SweepPoint measure(const Options& o, double load) {
    machine::SyntheticOptions traffic = o.traffic;
    traffic.load = load;
    const auto machine = machine::make_machine(o.machine);
    machine::Synthetic workload(*machine, traffic);
    machine->bring_up();
    const machine::Result r = machine::run(*machine, workload, o.run);
    if (!r.error.empty()) throw machine::MachineError(r.error);
    return machine::point_of(load, r);
}

// Wrong options are found here and not in every process.
void check(const Options& o) {
    machine::Config config = o.machine;
    if (config.rtl_nodes.empty()) config.engine = machine::Engine::Fast;
    const auto machine = machine::make_machine(config);
    machine::SyntheticOptions traffic = o.traffic;
    traffic.load = o.to;
    machine::Synthetic(*machine, traffic);
}

std::string title_of(const Options& o) {
    return fmt::format("{0} x {0} {1}, {2} traffic", o.machine.side,
                       o.machine.upper_rank ? "RDT" : "torus", o.traffic.pattern);
}

std::string svg_of(const Options& o, const machine::Sweep& sweep) {
    lab::Curve total{"with queueing", {}, false};
    lab::Curve network{"network", {}, true};
    for (const machine::SweepPoint& p : sweep.points) {
        total.points.emplace_back(p.accepted, p.latency_mean);
        network.points.emplace_back(p.accepted, p.network_mean);
    }
    return lab::to_svg(lab::Plot{title_of(o),
                                 "accepted traffic [flits per node and clock]",
                                 "mean latency [clocks]",
                                 {total, network},
                                 0});
}

void print(const Options& o, const machine::Sweep& sweep) {
    fmt::print("{}\n{:>8} {:>9} {:>9} {:>9} {:>8} {:>8} {:>9}\n", title_of(o), "load", "offered",
               "accepted", "latency", "99 %", "max", "network");
    for (const machine::SweepPoint& p : sweep.points)
        fmt::print("{:>8.4g} {:>9.4f} {:>9.4f} {:>9.1f} {:>8} {:>8} {:>9.1f}\n", p.load, p.offered,
                   p.accepted, p.latency_mean, p.latency_p99, p.latency_max, p.network_mean);
    fmt::print("{}\n", sweep.stopped     ? "stopped; the same command goes on from here"
                       : sweep.saturated ? "saturated at the last load"
                                         : "not saturated at the last load");
}

int run(Options o) {
    for (const std::string& file : {o.csv, o.svg})
        if (!file.empty()) check_writable(file);
    o.resolve();
    o.run.seed = o.machine.seed;
    o.sweep.loads = lab::loads_between(o.from, o.to, o.step);
    o.sweep.has_multicasts = o.traffic.multicasts > 0;
    check(o);
    const std::vector<machine::SweepPoint> known = known_points(o);

    const InterruptGuard guard;
    const bool watched = isatty(STDERR_FILENO) != 0;
    const auto save = [&](const std::vector<machine::SweepPoint>& points) {
        write_file(o.csv, machine::to_csv(points, parameters_of(o)));
    };
    if (o.csv != "-") o.sweep.on_point = save;
    o.sweep.is_stopped = &InterruptGuard::interrupted;
    o.sweep.progress = [watched](size_t done, size_t of) {
        if (watched) fmt::print(stderr, "\r{} of at most {} points ", done, of);
    };
    machine::Sweep sweep;
    try {
        sweep = machine::sweep(o.sweep, known, [&o](double load) { return measure(o, load); });
    } catch (const machine::SweepError& e) {
        fmt::print(stderr, "rdt: {}\n", e.what());
        return ExitFound;
    }
    if (watched) fmt::print(stderr, "\r{:40}\r", "");
    save(sweep.points);
    if (!o.svg.empty()) write_file(o.svg, svg_of(o, sweep));
    if (o.csv != "-" && o.svg != "-") print(o, sweep);
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    Options& o = *options;
    o.sweep.jobs = std::max(1u, std::thread::hardware_concurrency());
    CLI::App* cmd =
        program.add_subcommand("sweep", "Latency of the machine over load, up to saturation");
    o.add_to(*cmd);
    cmd->add_option("--from", o.from, "first load, flits per node and clock");
    cmd->add_option("--to", o.to, "last load, if the machine does not saturate before");
    cmd->add_option("--step", o.step, "from load to load");
    cmd->add_option("--cycles", o.run.cycles, "clocks measured at every load, at most");
    cmd->add_option("--warmup", o.run.warmup, "clocks before that");
    cmd->add_option("--converge", o.run.tolerance,
                    "end a point when throughput and latency are known to this share, as 0.01");
    cmd->add_option("--saturated", o.sweep.latency_factor,
                    "a point is, when its latency is this many times that of the first");
    cmd->add_option("--jobs", o.sweep.jobs, "points measured at a time")->check(CLI::Range(1, 256));
    cmd->add_option("--csv", o.csv, "the points; a file that has some of them is continued");
    cmd->add_option("--svg", o.svg, "draw latency over accepted traffic")->type_name("FILE");
    show_defaults(*cmd);
    cmd->footer(MachineOptions::patterns() +
                "A point is saturated when less than 95 % of what is offered is accepted, or by\n"
                "--saturated; it is the last one. Ctrl-C stops, and the same command goes on.\n"
                "Exit code 0: done. 1: models differ. 2: wrong option or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"sweep", add};

}  // namespace
}  // namespace rdt
