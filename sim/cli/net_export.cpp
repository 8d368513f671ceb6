// SPDX-License-Identifier: MIT
// rdt net export: a network of the lab as a file for other programs, or for file:PATH.
#include <memory>

#include <rdt/net/file/graph_file.h>
#include <rdt/support/output.h>
#include "cli/command.h"

namespace rdt::net_export_command {

namespace {

struct ExportOptions {
    std::string name;
    std::string output = "-";
    std::string format;
};

bool has_ending(const std::string& path, const std::string& ending) {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

int run(const ExportOptions& o) {
    check_writable(o.output);
    const bool is_anynet =
        o.format.empty() ? has_ending(o.output, ".anynet") : o.format == "anynet";
    const auto network = make_network(o.name);
    write_file(o.output, is_anynet ? to_anynet(*network) : to_graphml(*network));
    return ExitOk;
}

// Comes after "net" in the order of names, so that command is there already.
void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* cmd = program.get_subcommand("net")->add_subcommand(
        "export", "The network as a file: GraphML, or BookSim's anynet");
    cmd->add_option("NAME", options->name, "the network, as torus:8x8 or rdt:64 (rdt net list)")
        ->required()
        ->type_name("");
    cmd->add_option("--output,-o", options->output, "the file; - is standard output")
        ->type_name("FILE");
    cmd->add_option("--format", options->format,
                    "graphml or anynet (by the file's ending, else graphml)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"graphml", "anynet"}).description(""));
    cmd->footer("Exit code 0: done. 2: wrong option, name or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"net export", add};

}  // namespace

}  // namespace rdt::net_export_command
