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
#include <rdt/net/rdt/barrier_roots.h>
#include <rdt/net/rdt/rdt_geometry.h>
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
    std::string about = "Items (default: all):\n";
    for (const paper::Entry& entry : paper::entries()) {
        known.emplace_back(entry.id);
        about += fmt::format("  {:<10} {}\n", entry.id, entry.about);
    }
    cmd->add_option(
           "ITEM", options->items,
           "table1 ... table8, fig6, fig9, fig10, fig11, depths, theorems, properties, schemes, "
           "combining, jump-1, rcc, rhsn, scc, prc (default: all)")
        ->check(CLI::IsMember(known).description(""))
        ->type_name("");
    cmd->add_flag("--quick", options->run.quick,
                  "under a minute: fewer rates and cycles, no large networks");
    cmd->add_option("--output", options->output,
                    "write paper.txt, paper.json and plots to this folder")
        ->type_name("DIR");
    cmd->add_option("--json", options->json, "write the values as JSON; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--threads", options->run.threads,
                    "injection rates simulated in parallel, 1 to 256")
        ->type_name("COUNT")
        ->check(within(1, 256))
        ->capture_default_str();
    cmd->add_option(
           "--buffer", options->run.buffer,
           "input buffer depth in flits for figures 9 to 11 (not stated in the paper), 2 to 255")
        ->type_name("COUNT")
        ->check(within(2, 255))
        ->capture_default_str();
    cmd->add_option("--out-buffer", options->run.out_buffer,
                    "output buffer depth in flits for figures 9 to 11, 1 to 3")
        ->type_name("COUNT")
        ->check(within(1, 3))
        ->capture_default_str();
    cmd->add_option("--seeds", options->run.seeds,
                    "seeds per injection rate in figures 9 to 11, 1 to 100")
        ->type_name("COUNT")
        ->check(within(1, 100))
        ->capture_default_str();
    CLI::Option* synth = cmd->add_option("--synth", options->run.synthesis,
                                         "result file of make synth, for gate counts")
                             ->type_name("FILE")
                             ->capture_default_str();
    cmd->add_option("--pruning", options->run.pruning,
                    "pruning cache entries per router in the table of schemes, 0 to 4096 (default: "
                    "16 and 64)")
        ->type_name("ENTRIES")
        ->check(within(0, 4096));
    cmd->add_flag("--signed-off", options->run.signed_off,
                  "take tables VII and VIII from the recorded figures of the last sign-off")
        ->excludes(synth);
    cmd->footer(about);
    cmd->callback([options, synth, &action] {
        // Without the option it may be missing; a file that was named has to be what it should.
        if (synth->count() > 0 && !paper::is_synthesis_result(options->run.synthesis))
            throw CLI::ValidationError(
                "--synth", options->run.synthesis + ": must be a result file of make synth");
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
    std::string collectives = "trees";
    uint32_t reduce_width = 0;
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
        fmt::print(
            "{} messages as {} packets; {} depend on another packet, {} on packets outside the "
            "trace\n",
            figures.messages, figures.packets, figures.waits, figures.beyond);
    return ExitOk;
}

int run_mpi(const TraceOptions& o) {
    traces::MpiOptions options;
    options.nodes = o.side * o.side;
    if (o.collectives == "chip") {
        const uint32_t levels = Geometry(int(o.side)).top_rank() + 1;
        for (uint32_t level = 0; level < levels; ++level)
            options.broadcast_maps += level == 0 ? "ff" : ":ff";
    }
    if (o.reduce_width != 0) {
        if (o.collectives != "chip")
            throw std::invalid_argument("--reduce-width: needs --collectives chip");
        options.roots = barrier_roots(Geometry(int(o.side)));
        options.root_maps = "ff:ff";
        options.operand_bytes = o.reduce_width / 8;
    }
    const auto figures = convert(o, [&](const traces::WriteLine& write) {
        return traces::convert_mpi(o.input, options, write);
    });
    if (o.output != "-")
        fmt::print("{} ranks, {} messages of {} bytes as {} packets\n", figures.ranks,
                   figures.messages, figures.bytes, figures.packets);
    return ExitOk;
}

void add_common(CLI::App& cmd, TraceOptions& o) {
    cmd.add_option("--output,-o", o.output, "trace file to write (default: -, standard output)")
        ->type_name("FILE")
        ->group("Output");
    cmd.add_option("--size", o.side, "nodes per side of the machine: 4, 8, 16, 32, 64, 128 or 256")
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
        "netrace", "Convert a netrace 1.0 file: cache and memory messages with dependencies");
    netrace->add_option("INPUT", o.input, "netrace 1.0 file, plain or compressed by bzip2")
        ->required()
        ->type_name("");
    netrace
        ->add_option(
            "--region", o.netrace.region,
            "convert only this region of the program, 0 to the last in the file (default: all)")
        ->type_name("NUMBER");
    netrace
        ->add_option("--packets", o.netrace.packets,
                     "convert only this many packets, 1 to 2^64-1 (default: all)")
        ->type_name("COUNT")
        ->check(within<uint64_t>(1, ~uint64_t(0)));
    netrace
        ->add_option(
            "--delay", o.netrace.delay,
            "cycles between the last dependency of a packet and its injection, 0 to 1000000")
        ->check(within(0, 1000000))
        ->capture_default_str();
    add_common(*netrace, o);
    netrace->callback([options, &action] { action = [options] { return run_netrace(*options); }; });

    CLI::App* mpi = cmd->add_subcommand(
        "mpi", "Convert the messages of an MPI program, recorded by librdt_mpi.so");
    mpi->add_option("INPUT", o.input, "trace folder, as given in RDT_MPI_TRACE")
        ->required()
        ->type_name("");
    mpi->add_option("--collectives", o.collectives,
                    "broadcasts, barriers and the second half of all-reduces: trees of unicasts, "
                    "or chip: one multicast each")
        ->check(CLI::IsMember({"trees", "chip"}).description(""))
        ->type_name("KIND")
        ->capture_default_str();
    mpi->add_option(
           "--reduce-width", o.reduce_width,
           "bits of the integers whose all-reduces routers perform, 0, 16 or 32 (0: none); "
           "rdt run needs the same value")
        ->check(CLI::IsMember({0, 16, 32}).description(""))
        ->capture_default_str();
    add_common(*mpi, o);
    mpi->callback([options, &action] { action = [options] { return run_mpi(*options); }; });
}

const Command command{"trace", add};

}  // namespace

}  // namespace rdt::trace_command
