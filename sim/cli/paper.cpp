// SPDX-License-Identifier: MIT
// rdt paper: every table and figure of the RDT paper, and of papers on other networks, computed
// again.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.h"
#include <rdt/paper/report.h>
#include <rdt/support/output.h>
#include <rdt/support/status_line.h>
#include <rdt/traces/mpi.h>
#include <rdt/traces/netrace.h>

namespace rdt::paper_command {

namespace {

struct PaperOptions {
    std::vector<std::string> items;
    std::string output;
    std::string json;
    paper::Options run;
};

bool is_wanted(const PaperOptions& o, const std::string& id) {
    if (o.items.empty()) return true;
    for (const std::string& item : o.items)
        if (item == id || item == "all") return true;
    return false;
}

void write_plots(const paper::Report& report, const std::filesystem::path& directory) {
    for (const auto& [name, plot] : report.plots)
        write_file((directory / (name + ".svg")).string(), to_svg(plot));
    for (const auto& [name, svg] : report.pictures)
        write_file((directory / (name + ".svg")).string(), svg);
}

int run(const PaperOptions& o) {
    if (!o.json.empty()) check_writable(o.json);
    const std::filesystem::path directory = o.output;
    if (!o.output.empty()) {
        make_folder(o.output);
        check_writable((directory / "paper.json").string());
    }
    paper::Options options = o.run;
    StatusLine status;
    options.progress = [&status](const std::string& what) { status.show(what); };
    const auto start = std::chrono::steady_clock::now();
    std::string text;
    nlohmann::ordered_json json;
    json["quick"] = options.quick;
    json["items"] = nlohmann::ordered_json::array();
    for (const paper::Entry& entry : paper::entries()) {
        if (!is_wanted(o, entry.id)) continue;
        const paper::Report report = entry.make(options);
        const std::string part = paper::to_text(report) + "\n";
        status.clear();
        if (o.json != "-") {
            fmt::print("{}", part);
            std::fflush(stdout);
        }
        text += part;
        json["items"].push_back(paper::to_json(report));
        if (!o.output.empty()) write_plots(report, directory);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    json["seconds"] = took.count();
    if (!o.json.empty()) write_file(o.json, json.dump(2) + "\n");
    if (!o.output.empty()) {
        write_file((directory / "paper.json").string(), json.dump(2) + "\n");
        write_file((directory / "paper.txt").string(), text);
    }
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<PaperOptions>();
    CLI::App* cmd =
        program.add_subcommand("paper", "Reproduce the tables and figures of the papers");
    std::vector<std::string> known{"all"};
    std::string about = "Items (all, if none is named):\n";
    for (const paper::Entry& entry : paper::entries()) {
        known.emplace_back(entry.id);
        about += fmt::format("  {:<10} {}\n", entry.id, entry.about);
    }
    cmd->add_option(
           "ITEM", options->items,
           "table1 ... table8, fig6, fig9, fig10, fig11, depths, theorems, properties, schemes, "
           "combining, jump-1, rcc, rhsn, scc, prc")
        ->check(CLI::IsMember(known).description(""))
        ->type_name("");
    cmd->add_flag("--quick", options->run.quick,
                  "under a minute: few loads and clocks, no network that takes seconds");
    cmd->add_option("--output", options->output, "write paper.txt, paper.json and plots there")
        ->type_name("DIR");
    cmd->add_option("--json", options->json, "write the values as JSON; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--threads", options->run.threads, "loads simulated at a time")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    cmd->add_option("--buffer", options->run.buffer,
                    "flits of an input buffer in figures 9 to 11, which the paper does not give")
        ->type_name("COUNT")
        ->check(CLI::Range(2, 255))
        ->capture_default_str();
    cmd->add_option("--out-buffer", options->run.out_buffer, "the same of an output buffer")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 3))
        ->capture_default_str();
    cmd->add_option("--seeds", options->run.seeds, "of every load in figures 9 to 11")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    CLI::Option* synth =
        cmd->add_option("--synth", options->run.synthesis, "result of make synth, for the gates")
            ->type_name("FILE")
            ->capture_default_str();
    cmd->add_option("--pruning", options->run.pruning,
                    "entries of a router's pruning cache in the table of schemes (default: 16, 64)")
        ->type_name("ENTRIES")
        ->check(CLI::Range(0, 4096));
    cmd->add_flag("--signed-off", options->run.signed_off,
                  "tables VII and VIII by the recorded figures of the last sign-off")
        ->excludes(synth);
    cmd->footer(about);
    cmd->callback([options, synth, &action] {
        // Without the option it may be missing; a file that was named has to be what it should.
        if (synth->count() > 0 && !paper::is_synthesis_result(options->run.synthesis))
            throw CLI::ValidationError("--synth",
                                       options->run.synthesis + " is no result of make synth");
        action = [options] { return run(*options); };
    });
}

const Command command{"paper", add};

}  // namespace

}  // namespace rdt::paper_command

namespace rdt::trace_command {

// rdt trace: traces of other programs as traces for rdt run, with what waits for what.
namespace {

struct TraceOptions {
    std::string input;
    std::string output = "-";
    uint32_t side = 8;
    traces::NetraceOptions netrace;
};

// Line by line to the file, which is there once all are written.
template <typename Convert>
auto convert(const TraceOptions& o, Convert&& convert_to) {
    OutputFile file(o.output);
    const auto figures = convert_to([&file](const std::string& line) { file.write(line); });
    file.commit();
    return figures;
}

int run_netrace(TraceOptions o) {
    check_files({{"INPUT", o.input, true}, {"--output", o.output, false}});
    traces::NetraceReader reader(o.input);
    o.netrace.nodes = o.side * o.side;
    const auto figures = convert(o, [&](const traces::WriteLine& write) {
        return traces::convert(reader, o.netrace, write);
    });
    if (o.output != "-")
        fmt::print("{} messages as {} packets; {} wait for another, {} beyond the end\n",
                   figures.messages, figures.packets, figures.waits, figures.beyond);
    return ExitOk;
}

int run_mpi(const TraceOptions& o) {
    const auto figures = convert(o, [&](const traces::WriteLine& write) {
        return traces::convert_mpi(o.input, o.side * o.side, write);
    });
    if (o.output != "-")
        fmt::print("{} ranks, {} messages of {} bytes as {} packets\n", figures.ranks,
                   figures.messages, figures.bytes, figures.packets);
    return ExitOk;
}

void add_common(CLI::App& cmd, TraceOptions& o) {
    cmd.add_option("--output,-o", o.output, "the trace; - is standard output")
        ->type_name("FILE")
        ->group("Output");
    cmd.add_option("--size", o.side, "nodes on a side of the machine that it is for")
        ->check(CLI::IsMember({4, 8, 16, 32, 64, 128, 256}).description(""))
        ->capture_default_str();
    cmd.footer("Exit code 0: done. 2: wrong option or file.");
}

void add(CLI::App& program, Action& action) {
    CLI::App* cmd =
        program.add_subcommand("trace", "Convert traces of other programs to traces of rdt run");
    cmd->require_subcommand(1);
    const auto options = std::make_shared<TraceOptions>();
    TraceOptions& o = *options;

    CLI::App* netrace = cmd->add_subcommand(
        "netrace", "Messages of caches and memory controllers, with their dependencies");
    netrace->add_option("INPUT", o.input, "a file of netrace 1.0, packed by bzip2 or not")
        ->required()
        ->type_name("");
    netrace->add_option("--region", o.netrace.region, "only this region of the program, from 0 on")
        ->type_name("NUMBER");
    netrace->add_option("--packets", o.netrace.packets, "only so many of the file's packets")
        ->type_name("COUNT")
        ->check(within<uint64_t>(1, ~uint64_t(0)));
    netrace
        ->add_option("--delay", o.netrace.delay,
                     "clocks that a packet leaves after those it waits for, as a cache takes them")
        ->check(within(0, 1000000))
        ->capture_default_str();
    add_common(*netrace, o);
    netrace->callback([options, &action] { action = [options] { return run_netrace(*options); }; });

    CLI::App* mpi =
        cmd->add_subcommand("mpi", "Messages of an MPI program, as librdt_mpi.so noted them");
    mpi->add_option("INPUT", o.input, "the folder that RDT_MPI_TRACE named")
        ->required()
        ->type_name("");
    add_common(*mpi, o);
    mpi->callback([options, &action] { action = [options] { return run_mpi(*options); }; });
}

const Command command{"trace", add};

}  // namespace

}  // namespace rdt::trace_command
