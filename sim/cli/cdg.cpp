// SPDX-License-Identifier: MIT
// rdt cdg: is the network free of deadlock? Builds the channel dependency graph of all
// pairs, and of full multicasts from all nodes, from the chip's own routing step and bit-map
// generator and looks for a cycle in it. Acks need no buffer and so wait for no channel.
#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/way_around.h"
#include <rdt/net/families/chordal_ring.h>
#include <rdt/net/rdt/multicast.h>
#include <rdt/net/rdt/rdt_faults.h>
#include <rdt/support/output.h>
#include <rdt/support/status_line.h>

namespace rdt::cdg_command {

namespace {

struct Options {
    int side = 0;
    bool without_vct = false;
    bool unicast_only = false;
    unsigned threads = 0;
    std::string json;
};

struct Report {
    UnicastStats unicasts;
    MulticastStats multicasts;
    uint64_t channels = 0;
    uint64_t used = 0;
    uint64_t dependencies = 0;
    DependencyGraph::Order order;
    double seconds = 0;

    double mean_hops() const { return double(unicasts.hops) / double(unicasts.pairs); }
};

Report study(const Geometry& geometry, const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    StatusLine status;
    UnicastOptions unicast;
    unicast.without_vct = options.without_vct;
    unicast.threads = options.threads;
    unicast.progress = [&status](double share) { status.show_share(share); };

    Report r;
    DependencyGraph graph(geometry);
    r.unicasts = add_all_unicasts(graph, geometry, unicast);
    status.clear();
    if (!options.unicast_only)
        r.multicasts = add_all_multicasts(graph, geometry, options.without_vct);
    r.channels = graph.channels();
    r.used = graph.used();
    r.dependencies = graph.dependencies();
    r.order = graph.order();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    r.seconds = took.count();
    return r;
}

std::string json_of(const Report& r, const Geometry& geometry, const Options& options) {
    nlohmann::ordered_json j;
    j["size"] = geometry.side();
    j["without_vct"] = options.without_vct;
    j["multicasts"] = options.unicast_only ? 0 : geometry.nodes();
    j["broadcast_roots"] = broadcast_roots(geometry, 0).size();
    j["multicast_max_steps"] = r.multicasts.max_steps;
    j["channels"] = r.channels;
    j["used"] = r.used;
    j["dependencies"] = r.dependencies;
    j["pairs"] = r.unicasts.pairs;
    j["mean_hops"] = r.mean_hops();
    j["max_hops"] = r.unicasts.max_hops;
    j["acyclic"] = r.order.acyclic;
    j["longest_chain"] = r.order.longest_chain;
    j["cycle"] = nlohmann::ordered_json::array();
    for (const Channel& c : r.order.cycle)
        j["cycle"].push_back({{"x", geometry.x_of(c.node)},
                              {"y", geometry.y_of(c.node)},
                              {"port", to_string(Port(c.port))},
                              {"vc", vc_name(c.vc)}});
    j["seconds"] = r.seconds;
    return j.dump(2) + "\n";
}

void print(const Report& r, const Geometry& geometry) {
    fmt::print("{0} x {0} nodes, ranks up to {1}, {2} pairs\n", geometry.side(),
               geometry.top_rank(), r.unicasts.pairs);
    fmt::print("hops          mean {:.4f}, at most {}\n", r.mean_hops(), r.unicasts.max_hops);
    if (r.multicasts.visits != 0)
        fmt::print("multicasts    from all {} nodes, at most {} steps; {} to reach all nodes\n",
                   geometry.nodes(), r.multicasts.max_steps,
                   broadcast_roots(geometry, 0).size() == 1 ? "one root" : "two roots");
    fmt::print("channels      {} ({} used)\n", r.channels, r.used);
    fmt::print("dependencies  {}\n", r.dependencies);
    if (r.order.acyclic) {
        fmt::print("longest chain {} channels\nacyclic\n", r.order.longest_chain);
        return;
    }
    fmt::print("cyclic: each of these {} channels depends on the next, and the last on the first\n",
               r.order.cycle.size());
    for (const Channel& c : r.order.cycle) fmt::print("  {}\n", to_string(c, geometry));
}

int run(const Options& options) {
    check_writable(options.json.empty() ? "-" : options.json);
    const Geometry geometry(options.side);
    const Report report = study(geometry, options);
    if (options.json != "-") print(report, geometry);
    if (!options.json.empty()) write_file(options.json, json_of(report, geometry, options));
    return report.order.acyclic ? ExitOk : ExitFound;
}

std::string check_side(const std::string& text) {
    for (int side : Geometry::sides)
        if (text == std::to_string(side)) return {};
    return fmt::format("{}: must be {}", text, Geometry::SidesText);
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    CLI::App* cmd = program.add_subcommand(
        "cdg", "Check for deadlock: the channel dependency graph of all pairs of nodes");
    cmd->add_option("N", options->side, fmt::format("nodes per side: {}", Geometry::SidesText))
        ->required()
        ->type_name("")
        ->check(CLI::Validator(check_side, ""));
    cmd->add_flag("--without-vct", options->without_vct,
                  "use VC 0 instead of the transfer channel VC-T for rank changes");
    cmd->add_flag("--unicast-only", options->unicast_only,
                  "analyze unicasts only, without multicasts");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--threads", options->threads, "worker threads, 0 to 256 (0: one per core)")
        ->type_name("COUNT")
        ->check(within(0, 256))
        ->capture_default_str();
    cmd->footer("Exit code 0: acyclic. 1: cyclic; the cycle is printed. 2: wrong option or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"cdg", add};

}  // namespace

}  // namespace rdt::cdg_command

namespace rdt {

namespace {

std::unique_ptr<Routing> around_links(const ChordalRing& ring,
                                      const std::vector<std::string>& faults) {
    BrokenLinks broken;
    for (const std::string& text : faults) {
        const size_t dash = text.find('-');
        const NodeId from = ring.parse(text.substr(0, dash));
        const auto is_link = [&](uint32_t port) {
            return dash != std::string::npos &&
                   ring.neighbor(from, port) == ring.parse(text.substr(dash + 1));
        };
        uint32_t port = 0;
        while (port < ring.ports() && !is_link(port)) ++port;
        if (port == ring.ports())
            throw NetworkError(
                fmt::format("--fault {}: not a link of {}: must be FROM-TO, for example {}-{}",
                            text, ring.name(), from, *ring.neighbor(from, 0)));
        broken.insert({from, port});
    }
    return make_fault_tolerant_greedy(ring, broken);
}

}  // namespace

NamedWay way_around(const Network& network, const std::string& routing, bool is_default,
                    const std::vector<std::string>& faults, const std::vector<NodeId>& ends) {
    if (faults.empty()) return {make_routing(network, routing), routing};
    if (const auto* const rdt = dynamic_cast<const RdtNetwork*>(&network)) {
        const std::string name = is_default ? "floating" : routing;
        const Faults down = parse_faults(*rdt, faults);
        for (NodeId end : ends)
            if (down.nodes.count(end) != 0)
                throw NetworkError(
                    fmt::format("--fault: node {} is an end of the path: must be another node",
                                network.label(end)));
        return {make_routing_around(*rdt, name, down), name};
    }
    const auto* const ring = dynamic_cast<const ChordalRing*>(&network);
    if (ring == nullptr || routing != "greedy")
        throw NetworkError(
            "--fault: not supported here: must be rdt:SIDE, or chordal:... or prc:... with routing "
            "greedy");
    return {around_links(*ring, faults), routing};
}

}  // namespace rdt
