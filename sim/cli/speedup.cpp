// SPDX-License-Identifier: MIT
// rdt speedup: a program on different numbers of nodes and machines, and how many times faster it
// becomes.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <limits>
#include <memory>

#include <rdt/exec/programs.h>
#include <rdt/machine/measure/run.h>
#include <rdt/support/complain.h>
#include <rdt/support/interrupt.h>
#include <rdt/support/output.h>
#include <rdt/support/plot.h>
#include <rdt/support/status_line.h>
#include <rdt/version.h>
#include "cli/command.h"
#include "cli/settings.h"

namespace rdt::speedup_command {
namespace {

struct Options : MachineOptions {
    Options() { traffic.pattern = "dsm-" + memory.pattern; }

    std::string program;
    std::string arguments;
    std::vector<uint32_t> nodes{1, 2, 4, 8, 16, 32, 64};
    std::vector<std::string> against;
    uint64_t cycles = std::numeric_limits<uint64_t>::max();
    std::string csv;
    std::string svg;
    std::string json;
};

struct Point {
    uint32_t nodes = 0;
    uint64_t cycles = 0;
    uint64_t instructions = 0;
    nlohmann::ordered_json stack;
};
struct Variant {
    std::string name;
    std::vector<Point> points;
    // Over one node of this machine, or the fewest there are.
    double speedup(const Point& p) const {
        return double(points.front().cycles) * points.front().nodes / double(p.cycles);
    }
};

// Settings that a name of --against changes.
void change(const std::string& name, Options& o) {
    if (name == "torus") {
        o.machine.upper_rank = false;
        o.directory = "exact";
    } else if (name == "exact") {
        o.directory = "exact";
    } else if (name == "update" || name == "invalidate") {
        o.protocol = name;
    }
}

std::string text_of(const Options& o) {
    return fmt::format("{}, {}, {}", o.machine.upper_rank ? "RDT" : "torus", o.directory,
                       o.protocol);
}

// Throws std::runtime_error if the program is wrong.
Point run_point(Options o, const exec::Elf& elf, uint32_t nodes, std::string& console) {
    o.resolve();
    o.resolve_memory();
    exec::Options options;
    options.harts = nodes;
    options.memory = o.memory;
    options.arguments = o.arguments;
    options.console = [&console](const std::string& text) { console += text; };
    const auto machine = machine::make_machine(o.machine);
    exec::Programs programs(*machine, elf, options);
    machine->bring_up();
    machine::RunOptions run;
    run.warmup = 0;
    run.cycles = o.cycles;
    run.drain = DrainLimit;
    run.progress = [](uint64_t, uint64_t) { return !InterruptGuard::interrupted(); };
    const machine::RunResult result = machine::run(*machine, programs, run);
    if (!result.error.empty()) throw std::runtime_error(result.error);
    if (!programs.has_ended())
        throw std::runtime_error(result.stopped ? "interrupted"
                                                : fmt::format("the program did not end within {} "
                                                              "cycles",
                                                              o.cycles));
    if (programs.exit_code() != 0)
        throw std::runtime_error(
            fmt::format("the program ended with exit code {}", programs.exit_code()));
    return {nodes, programs.interest_cycles(), programs.total().instructions,
            result.workload["cpi_stack"]};
}

std::string csv_of(const std::vector<Variant>& variants) {
    std::string text = "machine,nodes,cycles,instructions,speedup";
    for (const char* kind : exec::CycleKindNames) text += std::string(",") + kind;
    text += "\n";
    for (const Variant& v : variants)
        for (const Point& p : v.points) {
            text += fmt::format("\"{}\",{},{},{},{:.3f}", v.name, p.nodes, p.cycles, p.instructions,
                                v.speedup(p));
            for (const auto& share : p.stack) text += fmt::format(",{:.4f}", share.get<double>());
            text += "\n";
        }
    return text;
}

std::string svg_of(const Options& o, const std::vector<Variant>& variants) {
    Plot plot;
    plot.title = o.program.substr(o.program.find_last_of('/') + 1) +
                 (o.arguments.empty() ? "" : " " + o.arguments);
    plot.x_label = "nodes";
    plot.y_label = "speed-up over one node";
    for (const Variant& v : variants) {
        Curve c;
        c.name = v.name;
        for (const Point& p : v.points) c.points.emplace_back(p.nodes, v.speedup(p));
        plot.curves.push_back(std::move(c));
    }
    return to_svg(plot);
}

nlohmann::ordered_json json_of(const Options& o, const std::vector<Variant>& variants,
                               const nlohmann::ordered_json& settings, const std::string& line) {
    nlohmann::ordered_json json;
    json["version"] = RDT_VERSION;
    json["command"] = line;
    json["program"] = o.program;
    json["parameters"] = settings;
    for (const Variant& v : variants)
        for (const Point& p : v.points)
            json["points"].push_back({{"machine", v.name},
                                      {"nodes", p.nodes},
                                      {"cycles", p.cycles},
                                      {"instructions", p.instructions},
                                      {"speedup", v.speedup(p)},
                                      {"cpi_stack", p.stack}});
    return json;
}

int run(const Options& o, const std::string& line, const nlohmann::ordered_json& settings) {
    const exec::Elf elf = exec::read_elf(o.program);
    const InterruptGuard guard;
    std::vector<std::string> names{""};
    names.insert(names.end(), o.against.begin(), o.against.end());
    std::vector<Variant> variants;
    std::string expected;
    StatusLine status;
    for (const std::string& name : names) {
        Options changed = o;
        change(name, changed);
        Variant v;
        v.name = text_of(changed);
        for (const uint32_t nodes : o.nodes) {
            status.show(fmt::format("{}, {} nodes", v.name, nodes));
            std::string console;
            try {
                v.points.push_back(run_point(changed, elf, nodes, console));
            } catch (const std::runtime_error& e) {
                status.clear();
                complain(fmt::format("{}, {} nodes: {}", v.name, nodes, e.what()));
                return ExitFound;
            }
            if (expected.empty()) expected = console;
            if (console == expected) continue;
            status.clear();
            complain(
                fmt::format("{}, {} nodes: the program prints something else than with {} of "
                            "the first machine",
                            v.name, nodes, o.nodes.front()));
            return ExitFound;
        }
        variants.push_back(std::move(v));
    }
    status.clear();
    if (o.csv != "-" && o.svg != "-" && o.json != "-") {
        fmt::print("{}{:<28} {:>6} {:>12} {:>14} {:>8}\n", expected, "machine", "nodes", "cycles",
                   "instructions", "speed-up");
        for (const Variant& v : variants)
            for (const Point& p : v.points)
                fmt::print("{:<28} {:>6} {:>12} {:>14} {:>8.2f}\n", v.name, p.nodes, p.cycles,
                           p.instructions, v.speedup(p));
    }
    if (!o.csv.empty()) write_file(o.csv, csv_of(variants));
    if (!o.svg.empty()) write_file(o.svg, svg_of(o, variants));
    if (!o.json.empty()) write_file(o.json, json_of(o, variants, settings, line).dump(2) + "\n");
    return ExitOk;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    Options& o = *options;
    CLI::App* cmd = program.add_subcommand(
        "speedup", "Run a RISC-V program on 1 to 64 nodes of different machines: speed-up curves");
    cmd->add_option("PROGRAM", o.program, "ELF file of RV64IMAFDC (docs/programs.md)")->required();
    cmd->add_option("--nodes", o.nodes,
                    "numbers of nodes with a hart, ascending, 1 to 256 each, for example 1,4,16")
        ->delimiter(',')
        ->type_name("NODES")
        ->default_str("1,2,4,8,16,32,64");
    cmd->add_option("--against", o.against,
                    "more machines: torus (with an exact directory), exact, update, invalidate")
        ->delimiter(',')
        ->check(CLI::IsMember({"torus", "exact", "update", "invalidate"}).description(""))
        ->type_name("MACHINES");
    cmd->add_option("--args", o.arguments,
                    "words that the program reads by rdt_argument() (default: none)")
        ->type_name("TEXT");
    cmd->add_option("--cycles", o.cycles, "end a program after so many cycles, 1 to 2^63-1")
        ->default_str("any number")
        ->check(within<uint64_t>(1, std::numeric_limits<int64_t>::max()));
    o.add_machine_to(*cmd);
    o.add_memory_to(*cmd);
    cmd->add_option("--csv", o.csv, "write all points as CSV; - is standard output")
        ->type_name("FILE")
        ->group(OutputGroup);
    cmd->add_option("--svg", o.svg, "write a plot of the speed-up curves, as SVG")
        ->type_name("FILE")
        ->group(OutputGroup);
    cmd->add_option("--json", o.json, "write all points as JSON; - is standard output")
        ->type_name("FILE")
        ->group(OutputGroup);
    show_defaults(*cmd);
    cmd->footer(
        "Cycles are those of the region of interest. Exit code 1: the program fails, or "
        "prints something else on some machine. 2: wrong option or file.");
    cmd->callback([options, cmd, &action] {
        options->check_given(*cmd);
        for (size_t i = 1; i < options->nodes.size(); ++i)
            if (options->nodes[i] <= options->nodes[i - 1])
                throw CLI::ValidationError("--nodes", "must be ascending");
        action = [options, cmd] {
            return run(*options, command_line(*cmd), settings_of(*cmd, *options));
        };
    });
}

const Command command{"speedup", add};

}  // namespace
}  // namespace rdt::speedup_command
