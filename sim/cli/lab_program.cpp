// SPDX-License-Identifier: MIT
// The subcommands of rdt-lab, as `rdt --help` lists them.
#include "cli/other_program.h"

namespace rdt {

namespace {

const OtherProgram lab{
    "rdt-lab",
    {{"cdg", "Check for deadlock: the channel dependency graph of all pairs of nodes"},
     {"compare", "Compare all networks at equal wires per node: a page and plots"},
     {"exec", "Run a RISC-V program on the machine: harts over the shared memory"},
     {"lab", "Simulate a network flit by flit: latency and accepted throughput"},
     {"net", "List, analyze, draw and export the networks of the lab"},
     {"paper", "Reproduce the tables and figures of the papers"},
     {"ranks", "Compare 64 nodes with and without the upper rank"},
     {"speedup", "Run a RISC-V program on 1 to 64 nodes of different machines"},
     {"sweep", "Latency of the machine over the injection rate, up to saturation"},
     {"trace", "Convert traces of other programs to traces of rdt run"},
     {"tree", "Print the module hierarchy of the router"}}};

}  // namespace

}  // namespace rdt
