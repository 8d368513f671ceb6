// SPDX-License-Identifier: MIT
#include "cli/observers.h"

#include "cli/machine_options.h"

namespace rdt {

void ObserverOptions::add_observers_to(CLI::App& cmd) {
    CLI::Option* waveform =
        cmd.add_option(
               "--wave", wave.path,
               "write a waveform (.fst or .vcd), a .gtkw save file and name filters (*.flt)")
            ->type_name("FILE")
            ->group(OutputGroup);
    cmd.add_option("--wave-nodes", wave.nodes,
                   "nodes in the waveform, for example 0,9 (default: 0,1,2,3)")
        ->needs(waveform)
        ->delimiter(',')
        ->type_name("NODES")
        ->group(OutputGroup);
    cmd.add_option("--wave-from", wave.from,
                   "first cycle in the waveform, counted from reset, 0 to the last of the run")
        ->needs(waveform)
        ->group(OutputGroup);
    cmd.add_option("--wave-to", wave.to,
                   "last cycle in the waveform, counted from reset, at least --wave-from")
        ->needs(waveform)
        ->default_str("the end")
        ->group(OutputGroup);
    cmd.add_option("--packet-log", packet_log,
                   "write a log of every packet, hop by hop; - is standard output")
        ->type_name("FILE")
        ->group(OutputGroup);
    cmd.add_option("--heatmap", heatmap, "write a heat map of link utilization, as SVG")
        ->type_name("FILE")
        ->group(OutputGroup);
    cmd.add_option(
           "--report", report,
           "write index.html to this folder: results, heat map, latency histograms and timeline")
        ->type_name("DIR")
        ->check(CLI::Validator(
            [](const std::string& folder) {
                return folder == "-" ? "must be a folder, not standard output" : std::string();
            },
            ""))
        ->group(OutputGroup);
}

}  // namespace rdt
