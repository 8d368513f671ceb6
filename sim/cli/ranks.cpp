// SPDX-License-Identifier: MIT
// rdt ranks: what the upper rank buys. The 64-node machine beside a plain 2-D torus of the same
// chips, from hardly any load to saturation, unicasts and broadcasts.
#include <fmt/core.h>

#include <memory>

#include <rdt/support/output.h>
#include <rdt/support/plot.h>
#include <rdt/machine/traffic/broadcast_traffic.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>
#include "cli/command.h"
#include <rdt/support/status_line.h>

namespace rdt::ranks_command {
namespace {

struct Options {
    uint64_t cycles = 20000;
    uint64_t seed = 1;
    uint32_t flits = 16;
    std::string svg;
    std::string json;
};

struct Point {
    double load;
    double accepted;
    double latency;
};

struct Subject {
    const char* name;
    bool upper_rank;
    bool broadcasts;
    double step;  // of load
};
constexpr Subject Subjects[] = {
    {"RDT, unicasts", true, false, 0.05},
    {"torus, unicasts", false, false, 0.025},
    {"RDT, broadcasts", true, true, 0.1},
    {"torus, broadcasts", false, true, 0.05},
};
constexpr double LowLoad = 0.01;

Point measure(const Subject& s, double load, const Options& o) {
    machine::Config config;
    config.upper_rank = s.upper_rank;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::RunOptions run;
    run.cycles = o.cycles;
    if (s.broadcasts) {
        run.cycles *= 5;  // they are few, each of many flits
        machine::BroadcastTraffic workload(*machine, load, o.flits, o.seed);
        const machine::RunResult r = machine::run(*machine, workload, run);
        // What arrives only to be passed on does not count.
        const double passed_on = s.upper_rank ? 0 : 7.0 / 71.0;
        return {load, r.accepted * (1 - passed_on), workload.mean_latency()};
    }
    machine::SyntheticOptions traffic;
    traffic.load = load;
    traffic.flits_min = traffic.flits_max = o.flits;
    traffic.seed = o.seed;
    machine::Synthetic workload(*machine, traffic);
    const machine::RunResult r = machine::run(*machine, workload, run);
    return {load, r.accepted, r.total.mean};
}

// Up to the first load that is not carried.
std::vector<Point> curve(const Subject& s, const Options& o) {
    constexpr double Carried = 0.92;
    StatusLine status;
    std::vector<Point> points{measure(s, LowLoad, o)};
    for (double load = s.step;; load += s.step) {
        status.show(fmt::format("{} at {:.3f} ", s.name, load));
        points.push_back(measure(s, load, o));
        if (points.back().accepted < Carried * load) break;
    }
    // Far above it, to see where it ends.
    points.push_back(measure(s, 1.5 * points.back().load, o));
    return points;
}

double most(const std::vector<Point>& points) {
    double most = 0;
    for (const Point& p : points) most = std::max(most, p.accepted);
    return most;
}

std::string svg_of(const std::vector<std::vector<Point>>& curves) {
    Plot plot;
    plot.title = "64 nodes of the same chips, with and without the upper rank";
    plot.x_label = "accepted flits per node and clock";
    plot.y_label = "mean latency in clocks";
    plot.y_max = 600;
    for (size_t i = 0; i < curves.size(); ++i) {
        Curve c{Subjects[i].name, {}, Subjects[i].broadcasts};
        for (const Point& p : curves[i]) c.points.emplace_back(p.accepted, p.latency);
        plot.curves.push_back(c);
    }
    return to_svg(plot);
}

std::string json_of(const std::vector<std::vector<Point>>& curves) {
    auto json = nlohmann::ordered_json::array();
    for (size_t i = 0; i < curves.size(); ++i) {
        nlohmann::ordered_json c;
        c["name"] = Subjects[i].name;
        c["zero_load_latency"] = curves[i][0].latency;
        c["saturation"] = most(curves[i]);
        for (const Point& p : curves[i])
            c["points"].push_back(
                {{"load", p.load}, {"accepted", p.accepted}, {"latency", p.latency}});
        json.push_back(c);
    }
    return json.dump(2) + "\n";
}

int run(const Options& o) {
    for (const std::string& file : {o.svg, o.json})
        if (!file.empty()) check_writable(file);
    std::vector<std::vector<Point>> curves;
    for (const Subject& s : Subjects) curves.push_back(curve(s, o));
    if (o.json != "-" && o.svg != "-") {
        fmt::print("{:<20}{:>26}{:>26}\n", "", "latency at load 0.01", "most that is accepted");
        for (size_t i = 0; i < curves.size(); ++i)
            fmt::print("{:<20}{:>26.1f}{:>26.3f}\n", Subjects[i].name, curves[i][0].latency,
                       most(curves[i]));
    }
    if (!o.svg.empty()) write_file(o.svg, svg_of(curves));
    if (!o.json.empty()) write_file(o.json, json_of(curves));
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    CLI::App* cmd =
        program.add_subcommand("ranks", "Compare 64 nodes with and without the upper rank");
    cmd->add_option("--cycles", options->cycles, "clocks measured at every load")
        ->capture_default_str();
    cmd->add_option("--flits", options->flits, "flits of a packet")
        ->check(CLI::Range(machine::MinFlits, machine::MaxFlits))
        ->capture_default_str();
    cmd->add_option("--seed", options->seed, "of the random numbers")->capture_default_str();
    cmd->add_option("--svg", options->svg, "draw latency over accepted traffic")->type_name("FILE");
    cmd->add_option("--json", options->json, "write all points as JSON; - is standard output")
        ->type_name("FILE");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"ranks", add};

}  // namespace
}  // namespace rdt::ranks_command
