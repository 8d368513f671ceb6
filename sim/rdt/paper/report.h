// SPDX-License-Identifier: MIT
// The papers' tables and figures, computed again: each value beside the printed one.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rdt/support/plot.h>
#include <rdt/support/parallel.h>

namespace rdt::paper {

struct Value {
    std::string name;
    std::optional<double> ours;   // none: not computable, for the reason in the note
    std::optional<double> paper;  // none: the paper has no such value
    int digits = 0;               // printed behind the point
    std::string note;
};

struct Report {
    std::string id;
    std::string title;
    std::vector<Value> values;
    std::vector<std::string> notes;
    std::vector<std::pair<std::string, Plot>> plots;              // name of the file, without .svg
    std::vector<std::pair<std::string, std::string>> pictures{};  // the same, of networks, as SVG
};

struct Options {
    bool quick = false;
    unsigned threads = 2;
    std::string synthesis = "build/synth.json";
    bool signed_off = false;  // tables VII and VIII by the recorded figures of the last sign-off
    std::optional<uint32_t> pruning;  // entries of a router's pruning cache; none: several sizes
    uint32_t buffer = 4;      // flits of an input buffer in figures 9 to 11; Table IV has none
    uint32_t out_buffer = 2;  // output buffer depth
    uint32_t seeds = 3;       // per injection rate in figures 9 to 11; one, if quick
    std::function<void(const std::string&)> progress;  // current activity

    WorkOptions work() const {
        WorkOptions w;
        w.threads = threads;
        return w;
    }
    void say(const std::string& what) const {
        if (progress) progress(what);
    }
};

struct Entry {
    const char* id;
    const char* about;
    Report (*make)(const Options&);
};
const std::vector<Entry>& entries();

Report table1(const Options& options);  // lengths of ways on the RDT
Report table2(const Options& options);  // diameter and degree
Report table3(const Options& options);  // bisection
Report table4(const Options& options);  // parameters of the simulation
Report table5(const Options& options);  // mean path length
Report table6(const Options& options);  // steps of a broadcast
Report table7(const Options& options);  // the chip
Report table8(const Options& options);  // its gates
Report fig6(const Options& options);    // diameter over nodes
Report fig9(const Options& options);    // latency over throughput
Report fig10(const Options& options);   // the same, long packets
Report fig11(const Options& options);   // the same, hot spots
Report depths(const Options& options);  // figures 9 and 10 over the depth of buffers
Report theorems(const Options& options);
Report properties(const Options& options);  // properties of sections IV-C and V-B, executed
Report combining(const Options& options);   // cost of combined acks and of separate answers
Report jump_1(const Options& options);      // the machine of figure 12, as it was measured
Report rcc(const Options& options);         // the paper on RCC-FULL
Report rhsn(const Options& options);        // the paper on recursive hierarchical swapped networks
Report scc(const Options& options);         // the paper on star-connected cycles
Report prc(const Options& options);         // the paper on periodically regular chordal rings

// A file that `make synth` can have written: figures by name, those of Table VIII among them.
bool is_synthesis_result(const std::string& path);

std::string to_text(const Report& report);
nlohmann::ordered_json to_json(const Report& report);

}  // namespace rdt::paper
