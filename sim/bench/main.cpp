// SPDX-License-Identifier: MIT
// rdt_bench: how fast the models and the lab run. All figures come from one run; bench.json is one
// flat object of named figures.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "bench/group.h"
#include <rdt/support/output.h>

namespace rdt::bench {
namespace {

// One line of progress a benchmark.
class Collector : public benchmark::BenchmarkReporter {
public:
    Rates rates;

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        const std::string name = runs.front().run_name.function_name;
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            double& best = rates[name];
            best = std::max(best, double(run.counters.at("rate")));
        }
        // Mean and deviation of the repetitions come separately.
        if (runs.front().run_type == Run::RT_Iteration) fmt::print(stderr, "measured {}\n", name);
    }
};

int measure(const std::string& json, const std::string& only) {
    const auto wanted = [&](const std::string& name) { return only.empty() || only == name; };
    for (const auto& [name, group] : Group::all())
        if (wanted(name)) group->add();
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector);
    nlohmann::ordered_json figures;
    for (const auto& [name, group] : Group::all())
        if (wanted(name)) group->report(collector.rates, figures);
    if (!json.empty()) write_file(json, figures.dump(2) + "\n");
    return 0;
}

}  // namespace
}  // namespace rdt::bench

int main(int argc, char** argv) {
    CLI::App app("Measure the simulation speed of all models.", "rdt_bench");
    std::string json;
    app.add_option("--json", json, "write the figures as JSON to this file; - is standard output")
        ->type_name("FILE");
    std::string only;
    std::vector<std::string> groups;
    for (const auto& entry : rdt::bench::Group::all()) groups.push_back(entry.first);
    app.add_option("--only", only, "measure one group only")
        ->type_name("GROUP")
        ->check(CLI::IsMember(groups));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);
        fmt::print(stderr, "rdt_bench: {} (see rdt_bench --help)\n", e.what());
        return 2;
    }
    try {
        if (!json.empty()) rdt::check_writable(json);
        return rdt::bench::measure(json, only);
    } catch (const std::exception& e) {
        fmt::print(stderr, "rdt_bench: {}\n", e.what());
        return 2;
    }
}
