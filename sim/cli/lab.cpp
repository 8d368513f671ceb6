// SPDX-License-Identifier: MIT
// rdt lab: the flit-level simulator. One point of load, with one seed or several, a curve over
// loads, or the load at which packets begin to pile up.
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/lab_options.h"
#include <rdt/lab/lanes.h>
#include <rdt/lab/loads.h>
#include <rdt/lab/replicas.h>
#include <rdt/lab/result_text.h>
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/facts.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/net/rdt/rdt_faults.h>
#include <rdt/support/complain.h>
#include <rdt/support/interrupt.h>
#include <rdt/support/output.h>
#include <rdt/support/progress.h>

namespace rdt::lab_command {

namespace {

nlohmann::ordered_json interval_json(const lab::Interval& i) {
    return {{"mean", i.mean}, {"half_interval", i.half}};
}

// Shows the progress of a simulation of about this many cycles, and ends it after a signal.
void watch(lab::Options& options, ProgressBar& bar, double cycles) {
    options.progress = [&bar, cycles](uint64_t done) {
        bar.show(double(done), cycles);
        return !InterruptGuard::interrupted();
    };
}

int run_replicas(Subject& s, const LabOptions& o) {
    const InterruptGuard guard;
    ProgressBar bar("cycles");
    watch(s.options, bar, double(s.options.cycles) * o.seeds);
    const lab::Replicas r = lab::replicate(*s.network, *s.routing, s.options, o.seeds,
                                           o.shared_by.value_or(o.saturation.jobs));
    bar.clear();
    if (o.json != "-")
        fmt::print(
            "{}, injection rate {:g}, seeds {} to {}, {} cycles, the first {} not measured\n"
            "accepted       {:.4f} +- {:.4f} flits/node/cycle\n"
            "latency        {:.2f} +- {:.2f} cycles\n"
            "network        {:.2f} +- {:.2f} cycles\n"
            "saturated      {} of {} runs\n",
            s.title(), s.options.load, s.options.seed, s.options.seed + o.seeds - 1,
            s.options.cycles, s.options.warmup, r.accepted.mean, r.accepted.half, r.total.mean,
            r.total.half, r.latency.mean, r.latency.half, r.saturated, r.runs.size());
    if (o.json != "-" && r.saturated > 0)
        fmt::print(
            "               latencies of saturated runs grow with --cycles and have no meaning\n");
    if (o.json != "-" && r.stopped)
        fmt::print("stopped        with {} of {} seeds\n", r.runs.size(), o.seeds);
    if (!o.json.empty()) {
        auto json = lab::settings_json(*s.network, s.routing_name, s.options);
        json["load"] = s.options.load;
        json["seeds"] = o.seeds;
        json["accepted"] = interval_json(r.accepted);
        json["latency"] = interval_json(r.total);
        json["network_latency"] = interval_json(r.latency);
        json["saturated"] = r.saturated;
        json["stopped"] = r.stopped;
        json["runs"] = nlohmann::ordered_json::array();
        for (const lab::SimulationResult& run : r.runs)
            json["runs"].push_back(lab::result_json(run, *s.network));
        write_file(o.json, json.dump(2) + "\n");
    }
    return r.deadlock() ? ExitFound : ExitOk;
}

int run_saturation(const LabOptions& o) {
    Subject s(o);
    const InterruptGuard guard;
    ProgressBar bar("cycles");
    // Runs that saturate end early, so there will not be more cycles than these.
    const double runs = std::log2(1 / o.saturation.tolerance) + 1 + 4. * (o.saturation.seeds - 1);
    const bool by_accuracy = o.saturation.by_accuracy && s.network->nodes() >= lab::AccuracyNodes;
    // With runs by accuracy, the search of the first seed takes most of the cycles.
    watch(s.options, bar,
          by_accuracy ? 6000. + 1500 * o.saturation.seeds : double(s.options.cycles) * runs);
    const lab::Saturation r = lab::find_saturation(*s.network, *s.routing, s.options, o.saturation);
    bar.clear();
    if (o.json != "-") {
        fmt::print(
            "{}, seeds {} to {}, {}\n"
            "saturates at   {}{:.4f} +- {:.4f} flits/{}node/cycle\n"
            "accepted       {:.4f} +- {:.4f} flits/node/cycle at the highest rate below "
            "saturation\n"
            "by seed       ",
            s.title(), s.options.seed, s.options.seed + o.saturation.seeds - 1,
            r.by_accuracy ? fmt::format("{} cycles in all, as accuracy requires", r.cycles)
                          : fmt::format("{} cycles, the first {} not measured", s.options.cycles,
                                        s.options.warmup),
            r.beyond ? "more than " : "", r.load.mean, r.load.half,
            r.senders < s.network->nodes() ? "sending " : "", r.accepted.mean, r.accepted.half);
        for (const double load : r.by_seed) fmt::print(" {:.4f}", load);
        fmt::print("\nruns           {}\n", r.runs);
        if (r.stopped)
            fmt::print("stopped        with {} of {} seeds\n", r.by_seed.size(),
                       o.saturation.seeds);
    }
    if (!o.json.empty()) {
        auto json = lab::settings_json(*s.network, s.routing_name, s.options);
        json["seeds"] = o.saturation.seeds;
        json["saturation"] = interval_json(r.load);
        json["senders"] = r.senders;
        json["accepted"] = interval_json(r.accepted);
        json["by_seed"] = r.by_seed;
        json["beyond"] = r.beyond;
        if (r.by_accuracy) {
            json["cycles_in_all"] = r.cycles;
            for (const char* unused : {"cycles", "warmup"}) json.erase(unused);
        }
        json["runs"] = r.runs;
        json["stopped"] = r.stopped;
        write_file(o.json, json.dump(2) + "\n");
    }
    return ExitOk;
}

int run_point(const LabOptions& o) {
    Subject s(o);
    if (o.seeds > 1) return run_replicas(s, o);
    s.options.threads = o.shared_by.value_or(1);
    const InterruptGuard guard;
    ProgressBar bar("cycles");
    watch(s.options, bar, double(s.options.cycles));
    const lab::SimulationResult result = lab::simulate(*s.network, *s.routing, s.options);
    bar.clear();
    if (o.json != "-")
        fmt::print("{}, injection rate {:g}\n{}", s.title(), s.options.load,
                   lab::to_text(result, *s.network));
    if (!o.json.empty()) {
        auto json = lab::settings_json(*s.network, s.routing_name, s.options);
        json["load"] = s.options.load;
        json.update(lab::result_json(result, *s.network));
        write_file(o.json, json.dump(2) + "\n");
    }
    return result.deadlock.empty() ? ExitOk : ExitFound;
}

std::string json_of(const Subject& s, const std::vector<lab::LoadPoint>& points) {
    auto json = lab::settings_json(*s.network, s.routing_name, s.options);
    double most = 0;
    json["points"] = nlohmann::ordered_json::array();
    for (const lab::LoadPoint& p : points) {
        nlohmann::ordered_json point;
        point["load"] = p.load;
        point.update(lab::result_json(p.result, *s.network));
        json["points"].push_back(point);
        most = std::max(most, p.result.accepted);
    }
    json["accepted_max"] = most;
    return json.dump(2) + "\n";
}

// The settings a point of the CSV depends on.
std::string settings_of(const LabOptions& o, const Subject& s) {
    auto json = lab::settings_json(*s.network, s.routing_name, s.options);
    json["reuse"] = o.reuse;
    json["drain"] = o.point.drain;
    json["faults"] = o.faults;
    return json.dump();
}

// JSON has more of a point than the CSV, so all of them are simulated for it.
std::vector<lab::LoadPoint> known_points(const LabOptions& o, const std::string& settings) {
    if (o.csv.empty() || o.csv == "-" || !std::filesystem::is_regular_file(o.csv)) return {};
    std::ifstream file(o.csv, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
        const std::vector<lab::LoadPoint> points = lab::from_csv(text, settings);
        return o.json.empty() ? points : std::vector<lab::LoadPoint>{};
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument(
            fmt::format("{}: {}: remove it, or name another file with --csv", o.csv, e.what()));
    }
}

int run_sweep(const LabOptions& o) {
    const Subject s(o);
    const std::string settings = settings_of(o, s);
    const bool keeps = !o.csv.empty() && o.csv != "-" && !std::filesystem::is_character_file(o.csv);
    std::optional<FileLock> lock;
    if (keeps) lock.emplace(o.csv);
    const InterruptGuard guard;
    SweepOptions sweep;
    sweep.loads = loads_between(o.from, o.to, o.step);
    sweep.past_saturation = o.past_saturation;
    sweep.jobs = o.threads;
    ProgressBar bar("points");
    sweep.progress = [&bar](size_t done, size_t of) {
        bar.show(double(done), double(of), -1, fmt::format(", {} of at most {} points", done, of));
    };
    sweep.is_stopped = &InterruptGuard::interrupted;
    const auto save = [&](const std::vector<lab::LoadPoint>& all) {
        write_file(o.csv, lab::to_csv(all, settings));
    };
    const auto points =
        lab::simulate_loads(*s.network, *s.routing, s.options, sweep, known_points(o, settings),
                            keeps ? lab::OnLoadPoint(save) : lab::OnLoadPoint());
    bar.clear();
    if (points.empty()) {
        complain("stopped before the first point");
        return ExitOk;
    }
    const lab::SimulationResult& last = points.back().result;
    if (o.json != "-" && o.csv != "-" && o.svg != "-")
        fmt::print("{}\n{}{}{}", s.title(), lab::to_table(points),
                   lab::deadlock_text(last, *s.network),
                   InterruptGuard::interrupted()
                       ? "stopped; with --csv the same command continues from here\n"
                       : "");
    if (!o.json.empty()) write_file(o.json, json_of(s, points));
    if (!o.csv.empty()) save(points);
    if (!o.svg.empty()) write_file(o.svg, lab::to_svg(points, s.title()));
    return last.deadlock.empty() ? ExitOk : ExitFound;
}

std::string footer() {
    return listed("Traffic patterns", Traffic::patterns()) +
           "Exit code 0: done. 1: deadlock; the channels are listed. 2: wrong option or file.";
}

CLI::App* add_saturation(CLI::App* cmd, LabOptions& o) {
    CLI::App* saturation = cmd->add_subcommand(
        "saturation", "Find the saturation injection rate by bisection, per seed");
    add_lab_options(saturation, o);
    saturation
        ->add_option("--seeds", o.saturation.seeds,
                     "number of seeds, 2 to 1000; the result is a 95 % confidence interval")
        ->type_name("COUNT")
        ->check(within(2, 1000))
        ->capture_default_str();
    saturation
        ->add_option("--tolerance", o.saturation.tolerance,
                     "relative width of the bracket at which bisection stops, 0.001 to 0.5")
        ->type_name("F")
        ->check(within(0.001, 0.5))
        ->capture_default_str();
    saturation
        ->add_option("--most", o.saturation.most,
                     "highest injection rate tried, flits/node/cycle, 0.0001 to 1")
        ->type_name("F")
        ->check(within(0.0001, 1.0))
        ->capture_default_str();
    saturation->add_option("--threads", o.saturation.jobs, "seeds simulated in parallel, 1 to 256")
        ->type_name("COUNT")
        ->check(within(1, 256))
        ->capture_default_str();
    saturation->footer(
        "On networks of 10,000 nodes or more, accuracy determines the length of the runs, unless\n"
        "--cycles or --warmup is given.\n\n" +
        footer());
    return saturation;
}

CLI::App* add_sweep(CLI::App* cmd, LabOptions& o) {
    CLI::App* curve = cmd->add_subcommand(
        "sweep", "Latency and throughput over the injection rate, up to saturation");
    add_lab_options(curve, o);
    curve->add_option("--from", o.from, "first injection rate, flits/node/cycle, 0 to 1")
        ->type_name("F")
        ->capture_default_str();
    curve
        ->add_option(
            "--to", o.to,
            "last injection rate, --from to 1; the sweep ends earlier if the network saturates")
        ->type_name("F")
        ->capture_default_str();
    curve
        ->add_option(
            "--step", o.step,
            "step of the injection rate, flits/node/cycle, more than 0 to 1, for at most 10000 "
            "points")
        ->type_name("F")
        ->capture_default_str();
    curve->add_flag("--past-saturation", o.past_saturation,
                    "continue to the last injection rate after saturation");
    curve->add_option("--threads", o.threads, "points simulated in parallel, 1 to 256")
        ->type_name("COUNT")
        ->check(within(1, 256))
        ->capture_default_str();
    curve
        ->add_option("--csv", o.csv,
                     "write a CSV table after every point; an existing file of the same sweep is "
                     "continued; - is standard output")
        ->type_name("FILE");
    curve->add_option("--svg", o.svg, "write a plot of latency over accepted throughput, as SVG")
        ->type_name("FILE");
    curve->footer(footer());
    return curve;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<LabOptions>();
    CLI::App* cmd = program.add_subcommand(
        "lab", "Simulate a network flit by flit: latency and accepted throughput");
    add_lab_options(cmd, *options);
    cmd->add_option("--load", options->point.load, "injection rate, flits/node/cycle, 0 to 1")
        ->type_name("F")
        ->capture_default_str();
    cmd->add_option("--threads", options->shared_by,
                    "threads for one run of a large network, or for runs in parallel with --seeds "
                    "(1 to 64; default: as many as pay off)")
        ->type_name("COUNT")
        ->check(within(1, 64));
    cmd->add_option(
           "--seeds", options->seeds,
           "number of runs with consecutive seeds, 1 to 1000; more than 1 gives 95 % confidence "
           "intervals")
        ->type_name("COUNT")
        ->check(within(1, 1000))
        ->capture_default_str();
    cmd->footer(footer());

    CLI::App* saturation = add_saturation(cmd, *options);
    CLI::App* curve = add_sweep(cmd, *options);
    cmd->callback([options, cmd, curve, saturation, &action] {
        if (options->net.empty()) throw CLI::RequiredError("--net");
        if (curve->parsed() && cmd->count("--load") > 0)
            throw CLI::ValidationError("--load", "not used by sweep: use --from, --to and --step");
        if (saturation->parsed() && cmd->count("--load") > 0)
            throw CLI::ValidationError("--load", "not used by saturation: use --most");
        if ((curve->parsed() || saturation->parsed()) && cmd->count("--seeds") > 0)
            throw CLI::ValidationError("--seeds", "must follow the subcommand sweep or saturation");
        if ((curve->parsed() || saturation->parsed()) && cmd->count("--threads") > 0)
            throw CLI::ValidationError("--threads",
                                       "must follow the subcommand sweep or saturation");
        options->saturation.by_accuracy = true;
        for (const char* length : {"--cycles", "--warmup"})
            if (cmd->count(length) + saturation->count(length) > 0)
                options->saturation.by_accuracy = false;
        const auto run = curve->parsed()        ? run_sweep
                         : saturation->parsed() ? run_saturation
                                                : run_point;
        action = [options, run] { return run(*options); };
    });
}

const Command command{"lab", add};

}  // namespace

}  // namespace rdt::lab_command

namespace rdt {

Subject::Subject(const LabOptions& o) : options(o.point) {
    network = make_network(o.net);
    routing_name = rdt::routing_name(*network, o.routing);
    if (o.faults.empty()) routing = make_routing(*network, o.routing);
    else bypass(o);
    options.reuse = o.reuse == "tail"    ? lab::Reuse::Tail
                    : o.reuse == "empty" ? lab::Reuse::Empty
                                         : lab::Reuse::Auto;
    options.ties = o.ties == "random" ? lab::Ties::Random : lab::Ties::Rule;
    if (o.lanes > 1) {
        routing = std::make_unique<lab::Lanes>(std::move(routing), o.lanes);
        routing_name += fmt::format(" in {} lanes", o.lanes);
    }
    if (o.extra_vc >= 0) {
        if (uint32_t(o.extra_vc) >= routing->vcs())
            throw lab::OptionError(
                fmt::format("--extra-vc {}: must be 0 to {}", o.extra_vc, routing->vcs() - 1));
        routing = std::make_unique<lab::ExtraVc>(std::move(routing), uint32_t(o.extra_vc));
        routing_name += fmt::format(" with an extra VC beside VC {}", o.extra_vc);
    }
    set_warmup(o.warmup);
}

std::string Subject::title() const {
    return fmt::format("{}, routing {}, {} traffic, {} flits", network->name(), routing_name,
                       options.traffic, options.flits);
}

// "auto": a run of its own detects.
void Subject::set_warmup(const std::string& text) {
    if (text == "auto") {
        options.warmup = 0;
        options.warmup = lab::warmup_by_mser(*network, *routing, options);
        return;
    }
    const bool number = !text.empty() && text.size() <= 10 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    if (!number)
        throw lab::OptionError("--warmup " + text + ": must be a number of cycles or auto");
    options.warmup = std::stoull(text);
}

// All pairs that are not down have to be reached: that is what counting VCs detects.
void Subject::bypass(const LabOptions& o) {
    constexpr uint32_t MostNodes = 4096;
    const RdtNetwork& rdt = rdt_with_faults(*network);
    if (network->nodes() > MostNodes)
        throw NetworkError("--fault: " + network->name() +
                           " is too large: must be rdt:64 or smaller");
    const Faults faults = parse_faults(rdt, o.faults);
    options.down.assign(faults.nodes.begin(), faults.nodes.end());
    make_routing_around(rdt, RoutingAroundFaults, faults)->vcs();
    routing_name = o.routing.empty() ? RoutingAroundFaults : o.routing;
    routing = make_routing_around(rdt, routing_name, faults);
}

void add_lab_options(CLI::App* cmd, LabOptions& o) {
    cmd->add_option("--net", o.net,
                    "network name, required, for example rdt:64 or torus:8x8 (see rdt net list)")
        ->type_name("NAME");
    cmd->add_option("--routing", o.routing,
                    "routing algorithm (default: the first of rdt net info; dor-balanced for tori)")
        ->type_name("NAME");
    cmd->add_option("--lanes", o.lanes, "virtual channels for each VC of the routing, 1 to 16")
        ->type_name("COUNT")
        ->check(within(1, 16));
    cmd->add_option(
           "--extra-vc", o.extra_vc,
           "add a virtual channel with the same routing rules as VC, 0 to 255 (default: none)")
        ->type_name("VC")
        ->check(within(0, 255));
    cmd->add_option("--fault", o.faults,
                    "failed link or node of an RDT; may be given several times")
        ->type_name("FROM-TO|NODE")
        ->allow_extra_args(false);
    cmd->add_option("--traffic", o.point.traffic, "traffic pattern (listed below), or table:FILE")
        ->type_name("NAME");
    cmd->add_option("--flits", o.point.flits, "packet length in flits, 1 to 4096")
        ->type_name("COUNT");
    cmd->add_option("--header", o.point.header,
                    "header length in flits, 1 to --flits: flits a router needs to route a packet")
        ->type_name("COUNT");
    cmd->add_option("--buffer", o.point.buffer,
                    "input buffer depth per virtual channel in flits, 1 to 255")
        ->type_name("COUNT");
    cmd->add_option("--out-buffer", o.point.out_buffer,
                    "output buffer depth per virtual channel in flits, 1 to 3")
        ->type_name("COUNT");
    cmd->add_option("--injection", o.point.injection,
                    "injection channels per node, used round-robin, 1 to 4")
        ->type_name("COUNT");
    cmd->add_option("--ties", o.ties,
                    "choice between two equally long paths (tori with even sides): random, or "
                    "rule: up from even coordinates, down from odd ones, as in rdt paper and rdt "
                    "compare; with rule, transpose loses 1/8 of its capacity")
        ->type_name("random|rule")
        ->check(CLI::IsMember({"random", "rule"}).description(""));
    cmd->add_option("--cycles", o.point.cycles,
                    "cycles to simulate, warm-up included, 1 to 1000000000")
        ->type_name("COUNT");
    cmd->add_option(
           "--warmup", o.warmup,
           "cycles before the measurement, 0 to --cycles; auto: chosen by the MSER rule from a "
           "separate run")
        ->type_name("COUNT|auto");
    cmd->add_option("--queue", o.point.queue,
                    "source queue length in packets, 0 to 2^32-1 (0: unlimited)")
        ->type_name("COUNT");
    cmd->add_option("--reuse", o.reuse,
                    "when a virtual channel can be allocated again: after the tail flit, or once "
                    "it is empty; auto: empty for adaptive routings")
        ->type_name("tail|empty|auto")
        ->check(CLI::IsMember({"tail", "empty", "auto"}).description(""));
    cmd->add_option("--seed", o.point.seed, "seed for all random number generators, 0 to 2^64-1")
        ->type_name("NUMBER");
    cmd->add_flag("--drain", o.point.drain,
                  "after the measurement, run until all packets are delivered");
    cmd->add_option("--json", o.json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    for (CLI::Option* option : cmd->get_options())
        if (option->get_type_size() > 0 && option->get_items_expected_max() == 1)
            option->capture_default_str();
    cmd->get_option("--extra-vc")->default_str("");  // not the -1 that stands for none
}

}  // namespace rdt
