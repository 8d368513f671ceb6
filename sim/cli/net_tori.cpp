// SPDX-License-Identifier: MIT
// rdt net tori: the tori of an RDT, rank by rank, and where a node lies on them.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/deliver.h"
#include <rdt/net/rdt/multicast.h>
#include <rdt/net/rdt/rdt_family.h>
#include <rdt/net/rdt/rdt_network.h>
#include <rdt/support/colors.h>
#include <rdt/support/output.h>

namespace rdt::net_tori_command {

namespace {

using Json = nlohmann::ordered_json;

struct TorusOptions {
    std::string name;
    std::string node;
    std::string json;
};

std::string ranks_table(const RdtFamily& rdt, Json& json) {
    const RankTori& tori = rdt.tori();
    std::string text = fmt::format("{:<6}{:>13}{:>13}{:>24}{:>13}\n", "rank", "torus",
                                   "independent", "per torus below", "in use");
    json["ranks"] = Json::array();
    for (uint32_t rank = 0; rank <= rdt.ranks(); ++rank) {
        const RankTori::Size size = tori.size(rank);
        const uint64_t in_use = rank == 0 ? 1 : rdt.tori_in_use(rank);
        const uint64_t on_lower = rank == 0 ? 1 : tori.count_on_lower(rank);
        text += fmt::format("{:<6}{:>13}{:>13}{:>24}{:>13}\n", rank,
                            fmt::format("{} x {}", size.x, size.y), tori.count(rank),
                            rank == 0 ? "-" : std::to_string(on_lower), in_use);
        json["ranks"].push_back({{"rank", rank},
                                 {"size", {size.x, size.y}},
                                 {"independent", tori.count(rank)},
                                 {"on_lower", on_lower},
                                 {"in_use", in_use}});
    }
    const int most = 2 * tori.n() * tori.n();
    if (!tori.has_names(rdt.ranks()))
        text += fmt::format(
            "Theorem 1 gives {} tori per torus of the rank below if the side is c(2n)^k with k "
            "large enough.\nWhere there are fewer, definition 5 gives tori no names.\n",
            most);
    return text;
}

std::string places(const RdtFamily& rdt, NodeId node, Json& json) {
    std::string text = fmt::format("node {}\n", rdt.label(node));
    json["node"] = rdt.label(node);
    json["places"] = Json::array();
    const std::vector<uint32_t>& own = rdt.ranks_of(node);
    for (uint32_t rank = 1; rank <= rdt.ranks(); ++rank) {
        if (!rdt.tori().has_names(rank)) {
            text += fmt::format("rank {}  no name: theorem 1 does not hold there\n", rank);
            continue;
        }
        const RankTori::Place p = rdt.tori().place(rdt.at(node), rank);
        const bool has = std::find(own.begin(), own.end(), rank) != own.end();
        text += fmt::format("rank {}  torus {:<32} coordinates ({},{}){}\n", rank,
                            to_string(p.name), p.x, p.y, has ? ", has its links" : "");
        json["places"].push_back({{"rank", rank},
                                  {"torus", to_string(p.name)},
                                  {"coordinates", {p.x, p.y}},
                                  {"has_links", has}});
    }
    return text;
}

int run(const TorusOptions& options) {
    if (!options.json.empty()) check_writable(options.json);
    const auto network = make_network(options.name);
    const auto rdt = as_family(*network);
    Json json;
    json["network"] = network->name();
    json["n"] = rdt->tori().n();
    json["R"] = rdt->ranks();
    json["m"] = rdt->upper();
    json["max_rank"] = rdt->tori().max_rank();
    std::string text =
        fmt::format("{}: RDT({},{},{}) of {} x {} nodes; definition 3 forms ranks up to {}\n",
                    network->name(), rdt->tori().n(), rdt->ranks(), rdt->upper(), rdt->side(),
                    rdt->side(), rdt->tori().max_rank());
    text += options.node.empty() ? ranks_table(*rdt, json)
                                 : places(*rdt, network->parse(options.node), json);
    deliver(options.json, text, json);
    return ExitOk;
}

// Comes after "net" in the order of names, so that command is there already.
void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<TorusOptions>();
    CLI::App* cmd = program.get_subcommand("net")->add_subcommand(
        "tori", "List the tori of an RDT, or a node's coordinates on them");
    cmd->add_option("NAME", options->name,
                    "network name, for example rdt:128, prdt:64 or rdt:72,3,2,1")
        ->required()
        ->type_name("");
    cmd->add_option("NODE", options->node, "node, by index or label (default: none: list all tori)")
        ->type_name("");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    cmd->footer("Exit code 0: done. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net tori", add};

}  // namespace

}  // namespace rdt::net_tori_command

namespace rdt::net_territory_command {

// rdt net territory: the nodes a multicast of each level reaches (figure 14 of the RDT paper).
namespace {

using Json = nlohmann::ordered_json;

struct TerritoryOptions {
    std::string name;
    std::string node;
    uint32_t level = 1;
    std::string svg;
    std::string json;
};

constexpr int Outside = -1;

// For every node the lowest level whose multicast reaches it, by the router's own bit maps.
struct Territories {
    std::vector<int> lowest;
    std::vector<uint64_t> nodes;     // by level
    std::vector<uint32_t> receipts;  // by level: the most that one node gets
};

Territories territories(const Geometry& g, NodeId source, uint32_t level) {
    Territories t{std::vector<int>(g.nodes(), Outside), {}, {}};
    for (uint32_t l = level + 1; l-- > 0;) {
        const std::vector<uint32_t> count = receipts(g, source, maps_below(l + 1));
        for (NodeId node = 0; node < g.nodes(); ++node)
            if (count[node] != 0) t.lowest[node] = int(l);
        t.nodes.insert(t.nodes.begin(),
                       uint64_t(g.nodes()) - uint64_t(std::count(count.begin(), count.end(), 0)));
        t.receipts.insert(t.receipts.begin(), *std::max_element(count.begin(), count.end()));
    }
    return t;
}

std::string map_of(const Geometry& g, NodeId source, const Territories& t) {
    constexpr int Widest = 64;
    if (g.side() > Widest)
        return fmt::format("no map above {} nodes per side; use --svg\n", Widest);
    std::string text;
    for (int y = 0; y < g.side(); ++y) {
        for (int x = 0; x < g.side(); ++x) {
            const NodeId node = g.index(x, y);
            const int level = t.lowest[node];
            text += node == source ? "*" : level == Outside ? "." : std::to_string(level);
            text += x + 1 < g.side() ? " " : "\n";
        }
    }
    return text + "*: source; digit: lowest level that reaches the node; .: not reached\n";
}

std::string svg_of(const Geometry& g, NodeId source, const Territories& t,
                   const std::string& title) {
    constexpr int Cell = 12, Top = 36;
    const int wide = Cell * g.side() + 24;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"12\" "
        "y=\"22\">{2}</text>\n",
        wide, wide + Top, title);
    for (NodeId node = 0; node < g.nodes(); ++node) {
        const int level = t.lowest[node];
        text += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"white\"/>\n",
            12 + Cell * g.x_of(node), Top + Cell * g.y_of(node), Cell, Cell,
            node == source     ? "black"
            : level == Outside ? "#eeeeee"
                               : series_color(size_t(level)));
    }
    return text + "</svg>\n";
}

int run(const TerritoryOptions& o) {
    for (const std::string& file : {o.svg, o.json})
        if (!file.empty()) check_writable(file);
    const auto network = make_network(o.name);
    const auto* const rdt = dynamic_cast<const RdtNetwork*>(network.get());
    if (rdt == nullptr) throw NetworkError(network->name() + ": must be rdt:SIDE");
    const Geometry& g = rdt->geometry();
    if (o.level > g.top_rank())
        throw NetworkError(
            fmt::format("--level {2}: must be 0 to {1} for {0}", o.name, g.top_rank(), o.level));
    const NodeId source =
        o.node.empty() ? g.index(g.side() / 2, g.side() / 2) : network->parse(o.node);
    const Territories t = territories(g, source, o.level);
    const std::string title = fmt::format("{}, multicasts of node {} up to level {}",
                                          network->name(), network->label(source), o.level);
    std::string text = title + "\n";
    Json json;
    json["network"] = network->name();
    json["source"] = network->label(source);
    json["levels"] = Json::array();
    for (uint32_t level = 0; level <= o.level; ++level) {
        text += fmt::format("level {}  {} nodes, each receives it {}\n", level, t.nodes[level],
                            t.receipts[level] == 1 ? "once" : "up to several times");
        json["levels"].push_back(
            {{"level", level}, {"nodes", t.nodes[level]}, {"receipts_at_most", t.receipts[level]}});
    }
    json["lowest_level"] = t.lowest;
    if (!o.svg.empty()) write_file(o.svg, svg_of(g, source, t, title));
    if (o.svg != "-") deliver(o.json, text + map_of(g, source, t), json);
    return ExitOk;
}

// Comes after "net" in the order of names, so that command is there already.
void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<TerritoryOptions>();
    CLI::App* cmd = program.get_subcommand("net")->add_subcommand(
        "territory", "Show which nodes a multicast of each level reaches on an RDT");
    cmd->add_option("NAME", options->name, "network name, for example rdt:32")
        ->required()
        ->type_name("");
    cmd->add_option("NODE", options->node,
                    "source node, by index or label (default: the middle node)")
        ->type_name("");
    cmd->add_option("--level", options->level, "highest level shown, 0 to 4")
        ->type_name("RANK")
        ->check(within(0, 4))
        ->capture_default_str();
    cmd->add_option("--svg", options->svg, "write a map as SVG; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    cmd->footer("Exit code 0: done. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net territory", add};

}  // namespace

}  // namespace rdt::net_territory_command
