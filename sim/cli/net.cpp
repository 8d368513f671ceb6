// SPDX-License-Identifier: MIT
// rdt net: lists, analyzes, routes, checks for deadlock and draws the networks of the lab.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/deliver.h"
#include "cli/way_around.h"
#include <rdt/algo/algorithm.h>
#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/drawing.h>
#include <rdt/net/graph/facts.h>
#include <rdt/support/output.h>
#include <rdt/support/status_line.h>

namespace rdt::net_command {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string name;
    std::string routing;
    std::string from;
    std::string to;
    std::vector<std::string> faults;
    std::string json;
    std::string output = "-";
    unsigned threads = 0;
};

// Runs something long, with the share done on the terminal if there is one.
template <class F>
auto watched(const Options& options, F&& f) {
    WorkOptions work;
    work.threads = options.threads;
    StatusLine status;
    work.progress = [&status](double share) { status.show_share(share); };
    return f(work);
}

int list(const Options& options) {
    std::string text;
    Json json;
    json["networks"] = Json::array();
    for (const auto& [kind, entry] : NetworkKind::all()) {
        text += fmt::format("{:20} {}\n", entry.form, entry.about);
        json["networks"].push_back({{"kind", kind}, {"form", entry.form}, {"about", entry.about}});
    }
    deliver(options.json, text, json);
    return ExitOk;
}

int info(const Options& options) {
    const auto network = make_network(options.name);
    const auto start = std::chrono::steady_clock::now();
    const NetworkFacts f =
        watched(options, [&](const WorkOptions& work) { return facts_of(*network, work); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::string names;
    for (const std::string& r : network->routings()) names += r + ", ";

    const Distances& d = f.distances;
    const Bisection& b = f.bisection;
    const std::string text = fmt::format(
        "{}\nnodes          {}\ndegree         {}\nlinks          {}\ndiameter       {}\n"
        "mean distance  {:.4f} over all pairs, {:.4f} over distinct pairs\n"
        "bisection      {}{} links ({})\nroutings       {}shortest\n",
        network->name(), d.nodes, f.size.degree, f.size.links, d.diameter, d.mean(),
        d.mean_distinct(),
        f.bisection_at_least == 0 || f.bisection_at_least == b.links
            ? ""
            : fmt::format("{} to ", f.bisection_at_least),
        b.links, b.method, names);
    Json json = to_json(f, *network);
    json["seconds"] = took.count();
    deliver(options.json, text, json);
    return ExitOk;
}

int route(const Options& options) {
    const auto network = make_network(options.name);
    const NodeId from = network->parse(options.from);
    const NodeId to = network->parse(options.to);
    const NamedWay way = way_around(*network, routing_name(*network, options.routing),
                                    options.routing.empty(), options.faults, {from, to});
    const std::vector<NodeId> nodes = path(*network, *way.routing, from, to);
    std::string text = fmt::format("{} hop{}\n", nodes.size() - 1, nodes.size() == 2 ? "" : "s");
    Json labels = Json::array();
    for (NodeId node : nodes) {
        text += fmt::format("{:>8}  {}\n", node, network->label(node));
        labels.push_back(network->label(node));
    }
    Json json;
    json["name"] = network->name();
    json["routing"] = way.name;
    json["from"] = from;
    json["to"] = to;
    json["hops"] = nodes.size() - 1;
    json["path"] = nodes;
    json["labels"] = labels;
    deliver(options.json, text, json);
    return ExitOk;
}

int loads(const Options& options) {
    const auto network = make_network(options.name);
    const auto routing = make_routing(*network, options.routing);
    const LinkLoads l = watched(
        options, [&](const WorkOptions& work) { return link_loads(*network, *routing, work); });
    const uint32_t nodes = network->nodes();
    const double pairs = double(nodes) * nodes;
    std::vector<uint64_t> by_port(l.ports);
    for (size_t i = 0; i < l.packets.size(); ++i)
        by_port[i % l.ports] = std::max(by_port[i % l.ports], l.packets[i]);
    const std::string text = fmt::format(
        "{}, {}: one packet from every node to every node\n"
        "hops           {:.4f} on average\n"
        "link loads     mean {:.1f}, largest {} packets\n"
        "by port        largest {}\n"
        "saturation     {:.4f} flits/node/cycle at most\n",
        network->name(), routing_name(*network, options.routing), double(l.hops) / pairs, l.mean,
        l.max, fmt::join(by_port, ", "), l.saturation(nodes));
    Json json;
    json["name"] = network->name();
    json["routing"] = routing_name(*network, options.routing);
    json["mean_hops"] = double(l.hops) / pairs;
    json["load_mean"] = l.mean;
    json["load_max"] = l.max;
    json["load_max_by_port"] = by_port;
    json["saturation"] = l.saturation(nodes);
    deliver(options.json, text, json);
    return ExitOk;
}

std::string text_of(const RoutingCheck& c, const Network& network) {
    std::string text = fmt::format("hops          mean {:.4f}, ", c.mean_hops);
    text += c.bounded ? fmt::format("at most {}\n", c.max_hops) : "without bound\n";
    text += fmt::format("channels      {} ({} {}used)\ndependencies  {}\n", c.channels, c.used,
                        c.by_escape ? "for escape " : "", c.dependencies);
    if (c.deadlock_free)
        return text + fmt::format("longest chain {} channels\nacyclic{}\n", c.longest_chain,
                                  c.by_escape ? " for the escape channels" : "");
    text += fmt::format(
        "cyclic: each of these {} channels depends on the next, and the last on the first\n",
        c.cycle.size());
    for (const Channel& channel : c.cycle) text += "  " + to_string(channel, network) + "\n";
    return text;
}

int cdg(const Options& options) {
    const auto network = make_network(options.name);
    const auto routing = make_routing(*network, options.routing);
    const auto start = std::chrono::steady_clock::now();
    const RoutingCheck c = watched(
        options, [&](const WorkOptions& work) { return check_routing(*network, *routing, work); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const std::string name = routing_name(*network, options.routing);
    Json json = to_json(c, *network, name, *routing);
    json["seconds"] = took.count();
    deliver(
        options.json,
        fmt::format("{}, {}, {} pairs\n", network->name(), name, c.pairs) + text_of(c, *network),
        json);
    return c.deadlock_free ? ExitOk : ExitFound;
}

int drawn(const Options& options) {
    const auto network = make_network(options.name);
    const std::string svg = draw(*network);
    // JSON on standard output takes its place there.
    if (options.json != "-" || options.output != "-") write_file(options.output, svg);
    if (!options.json.empty()) {
        Json json;
        json["name"] = network->name();
        json["output"] = options.output;
        json["svg"] = svg;
        write_file(options.json, json.dump(2) + "\n");
    }
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    CLI::App* net =
        program.add_subcommand("net", "List, analyze, draw and export the networks of the lab");
    net->require_subcommand(1);
    const auto add_one = [&](const char* name, const char* about, int (*run)(const Options&)) {
        const auto options = std::make_shared<Options>();
        CLI::App* cmd = net->add_subcommand(name, about);
        cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
            ->type_name("FILE");
        cmd->callback([options, run, &action] {
            action = [options, run] {
                check_writable(options->json.empty() ? "-" : options->json);
                check_writable(options->output);
                return run(*options);
            };
        });
        return std::pair(cmd, options);
    };
    const auto takes_name = [](const auto& c) {
        c.first
            ->add_option("NAME", c.second->name,
                         "network name, for example torus:8x8 or rdt:64 (see rdt net list)")
            ->required()
            ->type_name("");
        c.first->footer("Exit code 0: done. 1: cyclic dependency. 2: wrong option, name or file.");
        return c;
    };
    const auto takes_routing = [](const auto& c) {
        c.first
            ->add_option("--routing", c.second->routing,
                         "routing algorithm (default: the network's first)")
            ->type_name("NAME");
        return c;
    };
    const auto takes_threads = [](const auto& c) {
        c.first
            ->add_option("--threads", c.second->threads,
                         "worker threads, 0 to 256 (0: one per core)")
            ->type_name("COUNT")
            ->check(within(0, 256))
            ->capture_default_str();
        return c;
    };

    add_one("list", "List network families and the form of their names", list);
    takes_threads(takes_name(add_one("info", "Print size, distances and bisection", info)));
    const auto r =
        takes_routing(takes_name(add_one("route", "Print the path of one packet", route)));
    r.first->add_option("FROM", r.second->from, "node, by index or label")
        ->required()
        ->type_name("");
    r.first->add_option("TO", r.second->to, "node, by index or label")->required()->type_name("");
    r.first
        ->add_option("--fault", r.second->faults,
                     "failed link, or on an RDT also a failed node; may be given several times")
        ->type_name("FROM-TO|NODE")
        ->allow_extra_args(false);
    takes_threads(takes_routing(
        takes_name(add_one("loads", "Compute link loads under uniform traffic", loads))));
    takes_threads(takes_routing(takes_name(
        add_one("cdg", "Check for deadlock: the channel dependency graph of a routing", cdg))));
    const auto d = takes_name(add_one("draw", "Draw the network as SVG", drawn));
    d.first
        ->add_option("--output,-o", d.second->output,
                     "SVG file to write (default: -, standard output)")
        ->type_name("FILE");
}

const Command command{"net", add};

}  // namespace

}  // namespace rdt::net_command

namespace rdt::net_export_command {

// rdt net export: a network of the lab as a file for other programs, or for file:PATH.
namespace {

struct ExportOptions {
    std::string name;
    std::string output = "-";
    std::string format;
};

bool has_ending(const std::string& path, const std::string& ending) {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

int run(const ExportOptions& o) {
    check_writable(o.output);
    const bool is_anynet =
        o.format.empty() ? has_ending(o.output, ".anynet") : o.format == "anynet";
    const auto network = make_network(o.name);
    write_file(o.output, is_anynet ? to_anynet(*network) : to_graphml(*network));
    return ExitOk;
}

// Comes after "net" in the order of names, so that command is there already.
void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* cmd = program.get_subcommand("net")->add_subcommand(
        "export", "Write the network as GraphML or as BookSim's anynet");
    cmd->add_option("NAME", options->name,
                    "network name, for example torus:8x8 or rdt:64 (see rdt net list)")
        ->required()
        ->type_name("");
    cmd->add_option("--output,-o", options->output, "file to write (default: -, standard output)")
        ->type_name("FILE");
    cmd->add_option("--format", options->format,
                    "file format (default: by the file name extension, else graphml)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"graphml", "anynet"}).description(""));
    cmd->footer("Exit code 0: done. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net export", add};

}  // namespace

}  // namespace rdt::net_export_command

namespace rdt::net_run_command {

// rdt net run: an algorithm on a network, as movements over its links, in counted steps.
namespace {

struct RunOptions {
    std::string name;
    std::string algorithm;
    std::vector<std::string> parameters;
    std::string json;
};

int run(const RunOptions& options) {
    if (!options.json.empty()) check_writable(options.json);
    const auto network = make_network(options.name);
    const algo::Algorithm::Entry& entry = algo::find_algorithm(*network, options.algorithm);
    const algo::Parameters parameters(entry.parameters, options.parameters);
    const algo::Outcome outcome = entry.run(*network, parameters);

    std::string text = fmt::format("{}, {}: {}\n", network->name(), options.algorithm, entry.about);
    nlohmann::ordered_json json;
    json["network"] = network->name();
    json["algorithm"] = options.algorithm;
    json["parameters"] = nlohmann::ordered_json::object();
    for (const algo::Parameter& p : parameters.all()) json["parameters"][p.name] = p.value;
    json["steps"] = outcome.steps;
    json["bound"] = outcome.bound ? nlohmann::ordered_json(*outcome.bound) : nullptr;
    json["correct"] = outcome.correct;
    text += fmt::format("steps          {}\n", outcome.steps);
    text +=
        fmt::format("bound          {}\n", outcome.bound ? std::to_string(*outcome.bound) : "-");
    text += fmt::format("correct        {}\n", outcome.correct ? "yes" : "no");
    for (const auto& [name, count] : outcome.counts) {
        json[name] = count;
        text += fmt::format("{:<14} {}\n", name, count);
    }
    deliver(options.json, text + outcome.text, json);
    return outcome.correct ? ExitOk : ExitFound;
}

// Comes after "net" in the order of names, so that command is there already.
void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App* cmd = program.get_subcommand("net")->add_subcommand(
        "run", "Run an algorithm as data movements over the links");
    cmd->add_option("NAME", options->name, "network name, for example rcc:4,2 (see rdt net list)")
        ->required()
        ->type_name("");
    cmd->add_option("ALGORITHM", options->algorithm, "algorithm, listed below")
        ->required()
        ->type_name("");
    cmd->add_option("PARAMETER", options->parameters,
                    "algorithm parameter NAME=VALUE, for example seed=1")
        ->type_name("");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    std::string about = "Algorithms:\n";
    for (const auto& [kind, entries] : algo::Algorithm::all())
        for (const auto& [name, entry] : entries) {
            about += fmt::format("  {:<8} {:<12} {}\n", kind, name, entry.about);
            for (const algo::Parameter& p : entry.parameters)
                about += fmt::format("  {:<21} {}={}  {}\n", "", p.name, p.value, p.about);
        }
    cmd->footer(
        about +
        "Exit code 0: the result is correct. 1: it is wrong. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net run", add};

}  // namespace

}  // namespace rdt::net_run_command
