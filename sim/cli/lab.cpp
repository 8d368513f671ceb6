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

// Shows how far a simulation of about so many cycles is, and ends it after a signal.
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
            "{}, load {:g}, seeds {} to {}, {} clocks of which {} are dropped\n"
            "accepted       {:.4f} +- {:.4f} flits per node and clock\n"
            "latency        {:.2f} +- {:.2f} clocks\n"
            "network        {:.2f} +- {:.2f} clocks\n"
            "saturated      {} of {}\n",
            s.title(), s.options.load, s.options.seed, s.options.seed + o.seeds - 1,
            s.options.cycles, s.options.warmup, r.accepted.mean, r.accepted.half, r.total.mean,
            r.total.half, r.latency.mean, r.latency.half, r.saturated, r.runs.size());
    if (o.json != "-" && r.saturated > 0)
        fmt::print("               latencies of those grow with the length of the run\n");
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
    watch(s.options, bar, double(s.options.cycles) * runs);
    const lab::Saturation r = lab::find_saturation(*s.network, *s.routing, s.options, o.saturation);
    bar.clear();
    if (o.json != "-") {
        fmt::print(
            "{}, seeds {} to {}, {} clocks of which {} are dropped\n"
            "saturates at   {}{:.4f} +- {:.4f} flits per {}node and clock\n"
            "accepted       {:.4f} +- {:.4f} per node at the highest load carried\n"
            "by seed       ",
            s.title(), s.options.seed, s.options.seed + o.saturation.seeds - 1, s.options.cycles,
            s.options.warmup, r.beyond ? "more than " : "", r.load.mean, r.load.half,
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
        fmt::print("{}, load {:g}\n{}", s.title(), s.options.load,
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

// What a point of the CSV depends on.
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
            fmt::format("{} {} (remove it, or name another with --csv)", o.csv, e.what()));
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
    ProgressBar bar("");
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
                       ? "stopped; with --csv the same command goes on from here\n"
                       : "");
    if (!o.json.empty()) write_file(o.json, json_of(s, points));
    if (!o.csv.empty()) save(points);
    if (!o.svg.empty()) write_file(o.svg, lab::to_svg(points, s.title()));
    return last.deadlock.empty() ? ExitOk : ExitFound;
}

std::string footer() {
    return listed("Traffic patterns", Traffic::patterns()) +
           "Exit code 0: done. 1: deadlock, the channels are named. 2: wrong option or file.";
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<LabOptions>();
    CLI::App* cmd = program.add_subcommand(
        "lab", "Simulate a network flit by flit under load: latency and throughput");
    add_lab_options(cmd, *options);
    cmd->add_option("--load", options->point.load, "flits each node generates a clock")
        ->type_name("F")
        ->capture_default_str();
    cmd->add_option("--threads", options->shared_by,
                    "that share the run of a large network while that makes it faster; with "
                    "--seeds, seeds simulated at a time")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 64));
    cmd->add_option("--seeds", options->seeds,
                    "runs, each with the next seed; the result is an interval of 95 %")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    cmd->footer(footer());

    CLI::App* saturation = cmd->add_subcommand(
        "saturation", "The load at which packets begin to pile up, by bisection for each seed");
    add_lab_options(saturation, *options);
    saturation
        ->add_option("--seeds", options->saturation.seeds, "runs at each load, 95 % over these")
        ->type_name("COUNT")
        ->check(CLI::Range(2, 1000))
        ->capture_default_str();
    saturation
        ->add_option("--tolerance", options->saturation.tolerance,
                     "share of the load at which bisection stops")
        ->type_name("F")
        ->check(CLI::Range(0.001, 0.5))
        ->capture_default_str();
    saturation->add_option("--most", options->saturation.most, "no load above this is tried")
        ->type_name("F")
        ->check(CLI::Range(0.0001, 1.0))
        ->capture_default_str();
    saturation->add_option("--threads", options->saturation.jobs, "seeds simulated at a time")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    saturation->footer(footer());

    CLI::App* curve = cmd->add_subcommand("sweep", "A curve over loads, up to saturation");
    add_lab_options(curve, *options);
    curve->add_option("--from", options->from, "first load")->type_name("F")->capture_default_str();
    curve->add_option("--to", options->to, "last load, if the network does not saturate before")
        ->type_name("F")
        ->capture_default_str();
    curve->add_option("--step", options->step, "from load to load")
        ->type_name("F")
        ->capture_default_str();
    curve->add_flag("--past-saturation", options->past_saturation, "go on to the last load");
    curve->add_option("--threads", options->threads, "points simulated at a time")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    curve
        ->add_option("--csv", options->csv,
                     "write a table, point by point; a file that has some of them is continued; "
                     "- is standard output")
        ->type_name("FILE");
    curve->add_option("--svg", options->svg, "draw latency over accepted traffic")
        ->type_name("FILE");
    curve->footer(footer());

    cmd->callback([options, cmd, curve, saturation, &action] {
        if (options->net.empty()) throw CLI::RequiredError("--net");
        if (curve->parsed() && cmd->count("--load") > 0)
            throw CLI::ValidationError("--load", "does nothing with sweep, which has --from");
        if (saturation->parsed() && cmd->count("--load") > 0)
            throw CLI::ValidationError("--load", "does nothing with saturation, which has --most");
        if ((curve->parsed() || saturation->parsed()) && cmd->count("--seeds") > 0)
            throw CLI::ValidationError("--seeds", "is an option of what follows, not of lab");
        if ((curve->parsed() || saturation->parsed()) && cmd->count("--threads") > 0)
            throw CLI::ValidationError("--threads", "is an option of what follows, not of lab");
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
                fmt::format("--extra-vc is 0 to {}, not {}", routing->vcs() - 1, o.extra_vc));
        routing = std::make_unique<lab::ExtraVc>(std::move(routing), uint32_t(o.extra_vc));
        routing_name += fmt::format(" with one more beside VC {}", o.extra_vc);
    }
    set_warmup(o.warmup);
}

std::string Subject::title() const {
    return fmt::format("{}, routing {}, {} traffic, {} flits", network->name(), routing_name,
                       options.traffic, options.flits);
}

// "auto": a run of its own finds out.
void Subject::set_warmup(const std::string& text) {
    if (text == "auto") {
        options.warmup = 0;
        options.warmup = lab::warmup_by_mser(*network, *routing, options);
        return;
    }
    const bool number = !text.empty() && text.size() <= 10 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    if (!number) throw lab::OptionError("--warmup takes a number of clocks or auto, not " + text);
    options.warmup = std::stoull(text);
}

// All pairs that are not down have to be reached: that is what counting VCs finds out.
void Subject::bypass(const LabOptions& o) {
    constexpr uint32_t MostNodes = 4096;
    const RdtNetwork& rdt = rdt_with_faults(*network);
    if (network->nodes() > MostNodes)
        throw NetworkError("--fault takes networks up to rdt:64 here, not " + network->name());
    const Faults faults = parse_faults(rdt, o.faults);
    options.down.assign(faults.nodes.begin(), faults.nodes.end());
    make_routing_around(rdt, RoutingAroundFaults, faults)->vcs();
    routing_name = o.routing.empty() ? RoutingAroundFaults : o.routing;
    routing = make_routing_around(rdt, routing_name, faults);
}

void add_lab_options(CLI::App* cmd, LabOptions& o) {
    cmd->add_option("--net", o.net, "network, as rdt net list shows them")->type_name("NAME");
    cmd->add_option("--routing", o.routing,
                    "routing; if none is named the network's first, of tori dor-balanced")
        ->type_name("NAME");
    cmd->add_option("--lanes", o.lanes, "virtual channels in the place of each of the routing's")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 16));
    cmd->add_option("--extra-vc", o.extra_vc, "one virtual channel more, for who may take this one")
        ->type_name("VC")
        ->check(CLI::Range(0, 255));
    cmd->add_option("--fault", o.faults,
                    "a link or a node of an RDT that is down; may be given several times")
        ->type_name("FROM-TO|NODE")
        ->allow_extra_args(false);
    cmd->add_option("--traffic", o.point.traffic, "traffic pattern, or table:FILE")
        ->type_name("NAME");
    cmd->add_option("--flits", o.point.flits, "flits of a packet")->type_name("COUNT");
    cmd->add_option("--header", o.point.header, "flits a router needs before it can route")
        ->type_name("COUNT");
    cmd->add_option("--buffer", o.point.buffer, "flits of a virtual channel's input buffer")
        ->type_name("COUNT");
    cmd->add_option("--out-buffer", o.point.out_buffer, "flits of its output buffer")
        ->type_name("COUNT");
    cmd->add_option("--injection", o.point.injection,
                    "input buffers for the packets of a node's own processor, in turn")
        ->type_name("COUNT");
    cmd->add_option(
           "--ties", o.ties,
           "of two ways that are as long (tori of even sides) a packet takes one at random, "
           "or by a rule: up from even coordinates, down from odd ones, as the tables of "
           "rdt paper and rdt compare have it; transpose then loses an eighth of its "
           "capacity")
        ->type_name("random|rule")
        ->check(CLI::IsMember({"random", "rule"}).description(""));
    cmd->add_option("--cycles", o.point.cycles, "clocks to simulate")->type_name("COUNT");
    cmd->add_option("--warmup", o.warmup,
                    "of these, clocks before the measurement; auto: a run before finds out from "
                    "when on its latency is known best (MSER)")
        ->type_name("COUNT|auto");
    cmd->add_option("--queue", o.point.queue, "packets a node may have waiting (0: any number)")
        ->type_name("COUNT");
    cmd->add_option(
           "--reuse", o.reuse,
           "when a channel can be taken again: behind the tail, once it is empty, or auto: "
           "empty for routings with a choice of ports")
        ->type_name("tail|empty|auto")
        ->check(CLI::IsMember({"tail", "empty", "auto"}).description(""));
    cmd->add_option("--seed", o.point.seed, "of the random numbers")->type_name("NUMBER");
    cmd->add_flag("--drain", o.point.drain, "run on until all packets have arrived");
    cmd->add_option("--json", o.json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    for (CLI::Option* option : cmd->get_options())
        if (option->get_type_size() > 0) option->capture_default_str();
}

}  // namespace rdt
