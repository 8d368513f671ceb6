// SPDX-License-Identifier: MIT
// rdt compare: all networks side by side, under an equal budget of wires.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "cli/deliver.h"
#include <rdt/lab/compare.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/broadcast_traffic.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/support/output.h>
#include <rdt/support/plot.h>
#include <rdt/support/status_line.h>

namespace rdt::compare_command {

namespace {

struct Options {
    std::vector<uint32_t> sizes;
    std::string traffic;
    std::vector<std::string> values;
    std::string output;
    std::string json;
    lab::CompareOptions run;
};

// Rows of earlier runs.
std::vector<lab::Comparison> known_rows(const std::vector<std::string>& files) {
    std::vector<lab::Comparison> rows;
    for (const std::string& file : files) {
        try {
            for (const lab::Comparison& row :
                 lab::from_json(nlohmann::ordered_json::parse(std::ifstream(file))))
                rows.push_back(row);
        } catch (const nlohmann::json::exception&) {
            throw OutputError(file +
                              ": not a result: must be a file that rdt compare --json has written");
        }
    }
    return rows;
}

// The chip has half-duplex links: 18 lines carry both directions, where the lab's have as many for
// each. It thus has half of the pins, and counts as if its lines were twice as many.
constexpr const char* ChipTitle = "RDT chip, half-duplex";

// By bisection, as the lab does it; one seed after the other.
lab::TrafficSaturation saturation_of_chip(const Options& o, uint32_t size) {
    const auto side = uint32_t(std::lround(std::sqrt(double(size))));
    lab::TrafficSaturation t;
    t.contestant = {ChipTitle, fmt::format("rdt:{}", side), "of the chip"};
    t.nodes = side * side;
    t.flits = 16;
    t.width = 2 * double(FlitW);
    const double tolerance = o.run.quick ? lab::QuickTolerance : lab::Tolerance;
    machine::Config config;
    config.side = int(side);
    std::vector<double> loads;
    double widths = 0;
    const uint32_t seeds = o.run.quick ? 2 : 3;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        config.seed = seed;
        const auto carries = [&](double load) {
            machine::SyntheticOptions traffic;
            traffic.pattern = o.traffic;
            traffic.load = load;
            traffic.seed = seed;
            machine::RunOptions run;
            run.warmup = 1000;
            run.cycles = o.run.quick ? 2000 : 9000;
            const auto machine = machine::make_machine(config);
            machine::Synthetic workload(*machine, traffic);
            machine->bring_up();
            const machine::RunResult r = machine::run(*machine, workload, run);
            t.senders = r.workload.value("senders", t.nodes);
            return !r.saturated;
        };
        double low = 0, high = 2;  // two MBPs of a flit per cycle each
        while (high - low > tolerance * high) {
            const double middle = (low + high) / 2;
            (carries(middle) ? low : high) = middle;
        }
        loads.push_back((low + high) / 2);
        widths += (high - low) / 2 / seeds;
    }
    const double bits = t.width * t.senders / t.nodes;
    const lab::Interval load = lab::interval_of(loads);
    t.saturation = {load.mean * bits, (load.half + widths) * bits};
    return t;
}

nlohmann::ordered_json json_of(const lab::TrafficSaturation& t) {
    return {{"title", t.contestant.title},
            {"network", t.contestant.network},
            {"routing", t.contestant.routing},
            {"nodes", t.nodes},
            {"senders", t.senders},
            {"bits", t.width},
            {"flits", t.flits},
            {"saturation", t.saturation.mean},
            {"saturation_half_interval", t.saturation.half},
            {"beyond", t.beyond}};
}

// Which network saturates last under this traffic, all with as many pins.
int run_traffic(const Options& o) {
    StatusLine status;
    lab::CompareOptions options = o.run;
    options.progress = [&status](const std::string& what) { status.show(what); };
    std::string text;
    nlohmann::ordered_json json;
    json["traffic"] = o.traffic;
    json["pins"] = 2 * lab::Wires;
    json["sizes"] = nlohmann::ordered_json::array();
    for (const uint32_t size : o.sizes.empty() ? std::vector<uint32_t>{64} : o.sizes) {
        std::vector<lab::TrafficSaturation> rows;
        std::string left_out;
        for (const lab::Contestant& c : lab::contestants(size)) {
            try {
                rows.push_back(lab::saturation_under(o.traffic, c, options));
            } catch (const NetworkError& e) {
                left_out += fmt::format("left out: {}: {}\n", c.network, e.what());
            }
        }
        if (rows.empty()) throw std::invalid_argument(left_out.substr(0, left_out.find('\n')));
        status.show(ChipTitle);
        rows.push_back(saturation_of_chip(o, size));
        std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
            return a.saturation.mean > b.saturation.mean;
        });
        text += fmt::format(
            "{} traffic, about {} nodes, {:g} data pins per node: saturation in "
            "bits/node/cycle\n{:<22} {:<16} {:>6} {:>6} {:>10}\n",
            o.traffic, size, 2 * lab::Wires, "", "network", "nodes", "bits", "saturation");
        auto list = nlohmann::ordered_json::array();
        for (const lab::TrafficSaturation& t : rows) {
            text += fmt::format("{:<22} {:<16} {:>6} {:>6.1f} {:>10.2f} +- {:.2f}{}\n",
                                t.contestant.title, t.contestant.network, t.nodes, t.width,
                                t.saturation.mean, t.saturation.half,
                                t.beyond ? ", limited by injection" : "");
            list.push_back(json_of(t));
        }
        text += left_out;
        json["sizes"].push_back({{"size", size}, {"networks", list}});
    }
    status.clear();
    deliver(o.json, text, json);
    return ExitOk;
}

int run(const Options& o) {
    if (!o.traffic.empty()) return run_traffic(o);
    if (!o.json.empty()) check_writable(o.json);
    const std::filesystem::path directory = o.output;
    if (!o.output.empty()) {
        make_folder((directory / "images").string());
        check_writable((directory / "comparison.md").string());
    }
    std::vector<uint32_t> wanted = o.sizes;
    if (wanted.empty()) wanted = {64, 1024, 4096};
    if (o.sizes.empty() && o.run.quick) wanted = {64, 1024};
    lab::CompareOptions options = o.run;
    StatusLine status;
    options.progress = [&status](const std::string& what) { status.show(what); };
    const std::vector<lab::Comparison> known = known_rows(o.values);
    std::vector<lab::ComparedSize> sizes;
    for (uint32_t size : wanted) {
        sizes.push_back({size, {}});
        for (const lab::Contestant& c : lab::contestants(size)) {
            std::vector<lab::Comparison>& rows = sizes.back().rows;
            const auto it = std::find_if(known.begin(), known.end(), [&](const auto& row) {
                return row.contestant.network == c.network && row.contestant.routing == c.routing &&
                       row.contestant.lanes == c.lanes && row.contestant.extra_vc == c.extra_vc;
            });
            const auto same = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
                return row.contestant.network == c.network;
            });
            rows.push_back(it != known.end()
                               ? *it
                               : lab::compare(c, options, same != rows.end() ? &*same : nullptr));
        }
    }
    status.clear();
    const std::string page = lab::to_markdown(sizes);
    deliver(o.json, o.output.empty() ? page : "", lab::to_json(sizes));
    if (!o.output.empty()) {
        write_file((directory / "comparison.md").string(), page);
        for (const auto& [name, plot] : lab::plots(sizes))
            write_file((directory / "images" / (name + ".svg")).string(), to_svg(plot));
    }
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    CLI::App* cmd = program.add_subcommand(
        "compare", "Compare all networks at equal wires per node: a page and plots");
    cmd->add_option(
           "SIZE", options->sizes,
           "approximate number of nodes: 64, 1024, 4096, or 65536, which takes hours (default: "
           "64, 1024 and 4096; with --quick 64 and 1024; with --traffic 64)")
        ->type_name("")
        ->check(CLI::IsMember(lab::compared_sizes()).description(""));
    CLI::Option* traffic =
        cmd->add_option("--traffic", options->traffic,
                        "only rank the networks by saturation under this traffic pattern at equal "
                        "pins, including the router chip with half-duplex links (default: none)")
            ->type_name("NAME");
    cmd->add_flag("--quick", options->run.quick, "under a minute: fewer rates and cycles");
    cmd->add_flag("--unloaded", options->run.unloaded,
                  "omit saturation, which takes by far the longest")
        ->excludes(traffic);
    cmd->add_option("--values", options->values, "reuse results from the JSON of an earlier run")
        ->type_name("FILE")
        ->check(CLI::Validator(CLI::ExistingFile).description(""))
        ->excludes(traffic);
    cmd->add_option("--output", options->output, "write comparison.md and images/ to this folder")
        ->type_name("DIR")
        ->excludes(traffic);
    cmd->add_option("--json", options->json, "write the values as JSON; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--threads", options->run.threads,
                    "injection rates simulated in parallel, 1 to 256")
        ->type_name("COUNT")
        ->check(within(1, 256))
        ->capture_default_str();
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"compare", add};

}  // namespace

}  // namespace rdt::compare_command

namespace rdt::ranks_command {

// rdt ranks: what the upper rank buys. The 64-node machine beside a plain 2-D torus of the same
// chips, from hardly any load to saturation, unicasts and broadcasts.
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
    double step;  // step of the injection rate
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
        // Copies that arrive only to be forwarded do not count.
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
    plot.x_label = "accepted throughput [flits/node/cycle]";
    plot.y_label = "mean latency [cycles]";
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
        fmt::print("{:<20}{:>26}{:>26}\n", "", "latency at rate 0.01", "accepted throughput");
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
    cmd->add_option("--cycles", options->cycles, "cycles measured per injection rate, 1 to 2^64-1")
        ->capture_default_str();
    cmd->add_option("--flits", options->flits, "packet length in flits, 5 to 16")
        ->check(within(machine::MinFlits, machine::MaxFlits))
        ->capture_default_str();
    cmd->add_option("--seed", options->seed, "seed for all random number generators, 0 to 2^64-1")
        ->capture_default_str();
    cmd->add_option("--svg", options->svg,
                    "write a plot of latency over accepted throughput, as SVG")
        ->type_name("FILE");
    cmd->add_option("--json", options->json, "write all points as JSON; - is standard output")
        ->type_name("FILE");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"ranks", add};

}  // namespace

}  // namespace rdt::ranks_command
