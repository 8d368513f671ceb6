// SPDX-License-Identifier: MIT
// rdt net tori: the tori of an RDT, rank by rank, and where a node lies on them.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include <rdt/support/output.h>
#include <rdt/net/rdt/rdt_family.h>
#include "cli/command.h"
#include "cli/deliver.h"

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
                                   "independent", "on one of rank below", "in use");
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
            "Theorem 1's {} tori on every one below need a side c(2n)^k with k large enough; where "
            "there\nare fewer, tori have no names by definition 5.\n",
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
        "tori", "The tori of an RDT, and a node's coordinates on them");
    cmd->add_option("NAME", options->name, "the network, as rdt:128, prdt:64 or rdt:72,3,2,1")
        ->required()
        ->type_name("");
    cmd->add_option("NODE", options->node, "a node, by index or label")->type_name("");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    cmd->footer("Exit code 0: done. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net tori", add};

}  // namespace

}  // namespace rdt::net_tori_command
