// SPDX-License-Identifier: MIT
// rdt net search: looks for a network of a family with a smaller diameter.
#include <fmt/core.h>

#include <memory>

#include <rdt/net/families/chordal_ring.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/support/output.h>
#include "cli/command.h"
#include "cli/deliver.h"

namespace rdt::net_search_command {

namespace {

struct SearchOptions {
    std::string name;
    std::string json;
    uint32_t starts = 40;
    uint64_t seed = 1;
};

int run(const SearchOptions& o) {
    if (!o.json.empty()) check_writable(o.json);
    if (o.name.rfind("prc:", 0) != 0)
        throw NetworkError(o.name + ": must be prc:N, a periodically regular chordal ring");
    const uint32_t nodes = parse_number(o.name.substr(4), "prc:N", 4, 1u << 16);
    const FoundRing found = search_skips(nodes, o.starts, o.seed);
    const ChordalRing ring(ChordalRing::Kind::Periodic, nodes, found.skips);
    const Distances d = distances(ring);
    const auto divisible = best_skips(nodes, Least::Diameter);
    nlohmann::ordered_json json;
    json["network"] = ring.name();
    json["diameter"] = d.diameter;
    json["mean"] = d.mean();
    std::string text = fmt::format("{}\ndiameter       {}\nmean distance  {:.4f} over all pairs\n",
                                   ring.name(), d.diameter, d.mean());
    if (divisible) {
        const ChordalRing best(ChordalRing::Kind::Periodic, nodes, *divisible);
        json["divisible"] = {{"network", best.name()}, {"diameter", *diameter_formula(best)}};
        text += fmt::format(
            "divisible      {} has the smallest diameter if skips divide each other, {}\n",
            best.name(), *diameter_formula(best));
    }
    deliver(o.json, text, json);
    return ExitOk;
}

// Comes after "net" in the order of names, so that command is there already.
void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<SearchOptions>();
    CLI::App* cmd = program.get_subcommand("net")->add_subcommand(
        "search", "Search for a chordal ring with a small diameter");
    cmd->add_option("NAME", options->name, "family and number of nodes, for example prc:1024")
        ->required()
        ->type_name("");
    cmd->add_option("--starts", options->starts, "random starts per group size, 1 to 100000")
        ->type_name("COUNT")
        ->check(within(1, 100000))
        ->capture_default_str();
    cmd->add_option("--seed", options->seed, "seed for all random number generators, 0 to 2^64-1")
        ->type_name("NUMBER")
        ->capture_default_str();
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    cmd->footer(
        "The diameter found is an upper bound on the smallest one.\n"
        "Exit code 0: done. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net search", add};

}  // namespace

}  // namespace rdt::net_search_command
