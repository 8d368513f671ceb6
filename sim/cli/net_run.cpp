// SPDX-License-Identifier: MIT
// rdt net run: an algorithm on a network, as movements over its links, in counted steps.
#include <fmt/core.h>

#include <memory>

#include <rdt/algo/algorithm.h>
#include <rdt/support/output.h>
#include "cli/command.h"
#include "cli/deliver.h"

namespace rdt::net_run_command {

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
    cmd->add_option("NAME", options->name, "the network, as rcc:4,2 (rdt net list)")
        ->required()
        ->type_name("");
    cmd->add_option("ALGORITHM", options->algorithm, "what to run")->required()->type_name("");
    cmd->add_option("PARAMETER", options->parameters, "NAME=VALUE, as seed=1")->type_name("");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    std::string about = "Algorithms:\n";
    for (const auto& [kind, entries] : algo::Algorithm::all())
        for (const auto& [name, entry] : entries) {
            about += fmt::format("  {:<8} {:<12} {}\n", kind, name, entry.about);
            for (const algo::Parameter& p : entry.parameters)
                about += fmt::format("  {:<21} {}={}  {}\n", "", p.name, p.value, p.about);
        }
    cmd->footer(about +
                "Exit code 0: the result is right. 1: it is wrong. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net run", add};

}  // namespace

}  // namespace rdt::net_run_command
