// SPDX-License-Identifier: MIT
// rdt compare: all networks side by side, under an equal budget of wires.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <rdt/support/output.h>
#include <rdt/lab/compare.h>
#include "cli/command.h"
#include "cli/deliver.h"
#include <rdt/support/status_line.h>

namespace rdt::compare_command {

namespace {

struct Options {
    std::vector<uint32_t> sizes;
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
            throw OutputError(file + " is not what rdt compare --json has written");
        }
    }
    return rows;
}

int run(const Options& o) {
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
        "compare", "Compare all networks at the same number of wires per node: a page and plots");
    cmd->add_option("SIZE", options->sizes,
                    "about so many nodes: 64, 1024, 4096; or 65536, which takes hours")
        ->type_name("")
        ->check(CLI::IsMember(lab::compared_sizes()));
    cmd->add_flag("--quick", options->run.quick,
                  "under a minute: few loads and clocks; 64 and 1024 nodes unless named");
    cmd->add_flag("--unloaded", options->run.unloaded,
                  "leave out the loads that saturate, which take by far the longest");
    cmd->add_option("--values", options->values,
                    "take what is there from the JSON of an earlier run")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    cmd->add_option("--output", options->output, "write comparison.md and images/ there")
        ->type_name("DIR");
    cmd->add_option("--json", options->json, "write the values as JSON; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--threads", options->run.threads, "loads simulated at a time")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"compare", add};

}  // namespace

}  // namespace rdt::compare_command
