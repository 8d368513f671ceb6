// SPDX-License-Identifier: MIT
// Figures 9, 10 and 11: latency over throughput, 4096 nodes, by simulation.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/lab/simulate.h>
#include <rdt/lab/loads.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

struct Contestant {
    const char* name;
    const char* network;
    const char* routing;
    bool dashed;
};
// The paper's five, then the RDT with this project's vectors and with adaptive routing.
constexpr Contestant Contestants[] = {
    {"2D torus", "torus:64x64", "dor", false},
    {"3D torus", "torus:16x16x16", "dor", false},
    {"4D torus", "torus:8x8x8x8", "dor", false},
    {"hypercube", "hypercube:12", "", false},
    {"RDT, simple vectors", "rdt:64", "deadlock-free-simple", false},
    {"RDT, best vectors", "rdt:64", "deadlock-free", true},
    {"RDT, adaptive", "rdt:64", "adaptive", true},
};
constexpr size_t OfThePaper = 5;

struct Figure {
    const char* id;
    const char* title;
    const char* traffic;
    uint32_t flits;
    std::vector<double> loads;
    std::vector<double> quick_loads;
};

const std::vector<double> UniformLoads{0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.09, 0.11,
                                       0.13, 0.15, 0.17, 0.2,  0.25, 0.3,  0.35, 0.4,
                                       0.45, 0.5,  0.55, 0.6,  0.7,  0.8};

// The throughput of the last point: what the network takes when it is offered too much.
struct Outcome {
    std::string name;
    double throughput;
    double latency;  // at the lowest load
};

Outcome run(const Contestant& c, const Figure& f, const Options& options, Plot& plot) {
    const auto network = make_network(c.network);
    const auto routing = make_routing(*network, c.routing);
    lab::Options point;
    point.traffic = f.traffic;
    point.flits = f.flits;
    if (options.quick) {
        point.cycles = f.flits > 16 ? 3000 : 1500;
        point.warmup = f.flits > 16 ? 1000 : 500;
    }
    SweepOptions sweep;
    sweep.loads = options.quick ? f.quick_loads : f.loads;
    sweep.jobs = options.threads;
    Curve curve{c.name, {}, c.dashed};
    Outcome outcome{c.name, 0, 0};
    for (const lab::LoadPoint& p : lab::simulate_loads(*network, *routing, point, sweep)) {
        if (!p.result.deadlock.empty())
            throw std::runtime_error(fmt::format("{} deadlocks at load {}", c.name, p.load));
        if (curve.points.empty()) outcome.latency = p.result.network.mean;
        curve.points.push_back({p.result.accepted, p.result.network.mean});
        outcome.throughput = std::max(outcome.throughput, p.result.accepted);
    }
    plot.curves.push_back(curve);
    return outcome;
}

// "a < b < c" by throughput.
std::string order_of(std::vector<Outcome> outcomes) {
    std::stable_sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
        return a.throughput < b.throughput;
    });
    std::string text;
    for (const Outcome& o : outcomes) text += (text.empty() ? "" : " < ") + o.name;
    return text;
}

Report make(const Figure& f, const Options& options) {
    Report r{f.id, f.title, {}, {}, {}};
    Plot plot{f.title, "throughput, flits per node and clock", "latency, clocks", {}, 0};
    std::vector<Outcome> outcomes;
    for (const Contestant& c : Contestants) {
        options.say(fmt::format("{}, {}", f.id, c.name));
        outcomes.push_back(run(c, f, options, plot));
        const Outcome& o = outcomes.back();
        r.values.push_back({o.name + ", throughput", o.throughput, {}, 4, ""});
        r.values.push_back({o.name + ", latency without load", o.latency, {}, 1, ""});
    }
    // Beyond a few times the unloaded latency a curve only says that it is beyond.
    plot.y_max = 4 * outcomes[0].latency;
    r.plots = {{f.id, plot}};
    r.notes.push_back("throughput, the paper's five: " +
                      order_of({outcomes.begin(), outcomes.begin() + OfThePaper}));
    r.notes.push_back("throughput, all:              " + order_of(outcomes));
    return r;
}

}  // namespace

Report table4(const Options&) {
    const lab::Options defaults;
    Report r{"table4", "Parameters of the simulation", {}, {}, {}};
    r.values = {{"nodes", 4096, 4096, 0, ""},
                {"flits of a packet", double(defaults.flits), 16, 0, "and 128"},
                {"flits of its header", double(defaults.header), 2, 0, ""},
                {"clocks simulated", double(defaults.cycles), 10000, 0, ""},
                {"clocks ignored of these", double(defaults.warmup), 1000, 0, ""},
                {"virtual channels, torus", 2, 2, 0, ""},
                {"virtual channels, RDT", 2, 2, 0, "and the one for changes of rank on rank-0 X"},
                {"virtual channels, RDT adaptive", 3, {}, 0, "and that one"}};
    r.notes = {
        "Generation, routing, each move from buffer to buffer and over a link: a clock each.",
        fmt::format("Not in the paper: buffers of {} flits at the input, {} at the output.",
                    defaults.buffer, defaults.out_buffer)};
    return r;
}

Report fig9(const Options& options) {
    return make({"fig9",
                 "Uniform traffic, 16 flits, 4096 nodes",
                 "uniform",
                 16,
                 UniformLoads,
                 {0.01, 0.1, 0.25, 0.6}},
                options);
}

Report fig10(const Options& options) {
    return make({"fig10",
                 "Uniform traffic, 128 flits, 4096 nodes",
                 "uniform",
                 128,
                 UniformLoads,
                 {0.01, 0.1, 0.25}},
                options);
}

Report fig11(const Options& options) {
    Report r = make({"fig11",
                     "Hot spots: all packets to 128 of 4096 nodes, 16 flits",
                     "hotspot",
                     16,
                     {0.002, 0.004, 0.006, 0.008, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.022,
                      0.024, 0.026, 0.028, 0.03, 0.032},
                     {0.002, 0.01, 0.03}},
                    options);
    r.notes.push_back(
        "128 nodes take at most a flit a clock each: 0.03125 per node of the network.");
    return r;
}

}  // namespace rdt::paper
