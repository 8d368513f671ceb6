// SPDX-License-Identifier: MIT
// rdt trace: traces of other programs as traces for rdt run, with what waits for what.
#include <fmt/core.h>

#include <memory>
#include <optional>

#include <rdt/support/output.h>
#include <rdt/traces/mpi.h>
#include <rdt/traces/netrace.h>
#include "cli/command.h"

namespace rdt::trace_command {

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
        ->check(CLI::IsMember({8, 16, 32, 64, 128, 256}).description(""))
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
