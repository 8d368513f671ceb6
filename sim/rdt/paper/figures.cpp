// SPDX-License-Identifier: MIT
// Figures 9, 10 and 11: latency over throughput, 4096 nodes, by simulation.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/lab/simulate.h>
#include <rdt/lab/replicas.h>
#include <rdt/net/graph/analysis.h>
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
    {"RDT of Table III, simple vectors", "rdt:64/1", "deadlock-free-simple", true},
    {"RDT, best vectors", "rdt:64", "deadlock-free", true},
    {"RDT, adaptive", "rdt:64", "adaptive", true},
};
constexpr size_t OfThePaper = 5;

struct Figure {
    const char* id;
    const char* title;
    const char* traffic;
    uint32_t flits;
    double most;  // flits/node/cycle that can arrive at all
};

// How much work goes into a figure.
struct Effort {
    double tolerance;
    std::vector<double> shares;  // fractions of the saturation rate: the points of the curve
};
const Effort Whole{1 / 32., {0.05, 0.5, 0.8, 0.95}};
const Effort Quick{1 / 8., {0.1, 0.8}};

uint32_t seeds_of(const Options& options) { return options.quick ? 1 : options.seeds; }

struct Outcome {
    std::string name;
    lab::Saturation saturation;
    lab::Interval latency;  // at the lowest load
};

// The load that would keep all links busy; no network carries more.
double all_links_busy(const Network& network, const WorkOptions& work) {
    const double channels = double(size_of(network).links) * (network.directed() ? 1 : 2);
    return channels / network.nodes() / distances(network, work).mean_distinct();
}

Outcome run(const Contestant& c, const Figure& f, const Options& options, Plot& plot) {
    const Effort& effort = options.quick ? Quick : Whole;
    const uint32_t seeds = seeds_of(options);
    const auto network = make_network(c.network);
    const auto routing = make_routing(*network, c.routing);
    lab::Options point;
    point.traffic = f.traffic;
    point.flits = f.flits;
    point.buffer = options.buffer;
    point.out_buffer = options.out_buffer;
    if (options.quick) {
        // Where few flits arrive it takes longer until half a packet a node is missing, which is
        // part of what saturation means (support/saturation.h).
        const bool is_slow = f.flits > 16 || f.most < 0.1;
        point.cycles = is_slow ? 4000 : 1500;
        point.warmup = is_slow ? 1000 : 500;
    }
    lab::SaturationOptions how;
    how.seeds = seeds;
    how.jobs = options.threads;
    how.tolerance = effort.tolerance;
    how.most = std::min(f.most, all_links_busy(*network, options.work()));
    Outcome outcome{c.name, lab::find_saturation(*network, *routing, point, how), {}};
    Curve curve{c.name, {}, c.dashed};
    for (const double share : effort.shares) {
        point.load = share * outcome.saturation.load.mean;
        const lab::Replicas r = lab::replicate(*network, *routing, point, seeds, options.threads);
        if (r.deadlock())
            throw std::runtime_error(fmt::format("{} deadlocks at load {}", c.name, point.load));
        if (curve.points.empty()) outcome.latency = r.latency;
        curve.points.push_back({r.accepted.mean, r.latency.mean});
        if (seeds > 1) curve.spread.push_back(r.latency.half);
    }
    plot.curves.push_back(curve);
    return outcome;
}

// Flits per node and cycle that arrive at an offered load beyond saturation.
lab::Interval accepted_of(const Contestant& c, const lab::Options& point, const Options& options,
                          uint32_t seeds) {
    const auto network = make_network(c.network);
    const auto routing = make_routing(*network, c.routing);
    return lab::replicate(*network, *routing, point, seeds, options.threads).accepted;
}

std::string interval_note(const lab::Interval& i, uint32_t seeds) {
    return seeds > 1 ? fmt::format("+- {:.4f}", i.half) : "one seed";
}

// The paper does not state which 128 nodes are hot.
struct Placement {
    const char* name;
    const char* traffic;
};
constexpr Placement Placements[] = {
    {"drawn at random", "hotspot"},
    {"first 128 of the numbering", "hotblock"},
    {"16 x 8 rectangle", "hotrect"},
    {"every 4th column of every 8th row", "hotgrid"},
    {"every 32nd of the numbering", "hotstride"},
};

void add_placements(Report& r, const Options& options) {
    const uint32_t seeds = seeds_of(options);
    lab::Options point;
    point.buffer = options.buffer;
    point.out_buffer = options.out_buffer;
    point.load = 0.028;
    point.cycles = options.quick ? 3000 : 10000;
    for (const Placement& p : Placements) {
        double least_rdt = 0, of_4d = 0;
        point.traffic = p.traffic;
        for (const Contestant& c : Contestants) {
            const std::string name = c.name;
            if (name == "hypercube" || name == "RDT, adaptive") continue;
            options.say(fmt::format("fig11, {}, {}", p.name, name));
            const lab::Interval a = accepted_of(c, point, options, seeds);
            r.values.push_back({fmt::format("hot nodes {}: {}, accepted at 0.028", p.name, name),
                                a.mean,
                                {},
                                4,
                                interval_note(a, seeds)});
            if (name == "4D torus") of_4d = a.mean;
            if (name == "RDT, simple vectors") least_rdt = a.mean;
        }
        r.values.push_back(
            {fmt::format("hot nodes {}: RDT, simple vectors, over the 4D torus", p.name),
             least_rdt / of_4d,
             {},
             2,
             "the paper states better, so more than 1"});
    }
}

// "a < b < c" by the load that saturates; ~ where the intervals overlap.
std::string order_of(std::vector<Outcome> outcomes) {
    std::stable_sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
        return a.saturation.load.mean < b.saturation.load.mean;
    });
    std::string text;
    for (size_t i = 0; i < outcomes.size(); ++i) {
        const bool overlaps =
            i > 0 && outcomes[i - 1].saturation.load.high() > outcomes[i].saturation.load.low();
        text += (i == 0 ? "" : overlaps ? " ~ " : " < ") + outcomes[i].name;
    }
    return text;
}

Report make(const Figure& f, const Options& options) {
    Report r{f.id, f.title, {}, {}, {}};
    Plot plot{f.title, "throughput, flits/node/cycle", "latency, cycles", {}, 0};
    std::vector<Outcome> outcomes;
    for (const Contestant& c : Contestants) {
        options.say(fmt::format("{}, {}", f.id, c.name));
        outcomes.push_back(run(c, f, options, plot));
        const Outcome& o = outcomes.back();
        const lab::Interval &load = o.saturation.load, &accepted = o.saturation.accepted;
        // With one seed there is no interval; +- is the tolerance of the bisection.
        const auto spread = [&](const lab::Interval& i, int digits) {
            return i.half > 0 || !options.quick ? fmt::format("+- {:.{}f}", i.half, digits) : "";
        };
        r.values.push_back({o.name + ", saturates at", load.mean, {}, 4, spread(load, 4)});
        r.values.push_back(
            {o.name + ", accepted there", accepted.mean, {}, 4, spread(accepted, 4)});
        r.values.push_back(
            {o.name + ", zero-load latency", o.latency.mean, {}, 1, spread(o.latency, 1)});
    }
    // A curve is cut at a few times the zero-load latency.
    plot.y_max = 4 * outcomes[0].latency.mean;
    r.plots = {{f.id, plot}};
    r.notes.push_back("saturation, the paper's five: " +
                      order_of({outcomes.begin(), outcomes.begin() + OfThePaper}));
    r.notes.push_back("saturation, all:              " + order_of(outcomes));
    r.notes.push_back(fmt::format(
        "Saturation injection rate by bisection for each of {} seeds; +- holds {}; ~: the "
        "intervals overlap.",
        seeds_of(options), options.quick ? "where that stopped" : "95 %"));
    return r;
}

}  // namespace

Report table4(const Options& options) {
    const lab::Options defaults;
    Report r{"table4", "Parameters of the simulation", {}, {}, {}};
    r.values = {{"nodes", 4096, 4096, 0, ""},
                {"flits of a packet", double(defaults.flits), 16, 0, "and 128"},
                {"flits of its header", double(defaults.header), 2, 0, ""},
                {"cycles simulated", double(defaults.cycles), 10000, 0, ""},
                {"cycles of warm-up", double(defaults.warmup), 1000, 0, ""},
                {"virtual channels, torus", 2, 2, 0, ""},
                {"virtual channels, RDT", 2, 2, 0, "and the one for changes of rank on rank-0 X"},
                {"virtual channels, RDT adaptive", 3, {}, 0, "and that one"}};
    r.notes = {
        "Generation, routing, each buffer-to-buffer move and each link traversal take one cycle.",
        fmt::format("Not in the paper: buffers of {} flits at the input, {} at the output.",
                    options.buffer, options.out_buffer)};
    return r;
}

Report fig9(const Options& options) {
    return make({"fig9", "Uniform traffic, 16 flits, 4096 nodes", "uniform", 16, 1}, options);
}

Report fig10(const Options& options) {
    return make({"fig10", "Uniform traffic, 128 flits, 4096 nodes", "uniform", 128, 1}, options);
}

Report fig11(const Options& options) {
    Report r = make({"fig11", "Hot spots: all packets to 128 of 4096 nodes, 16 flits", "hotspot",
                     16, 128 / 4096.},
                    options);
    add_placements(r, options);
    r.notes.push_back(
        "128 nodes accept at most one flit per cycle each: 0.03125 per node of the network.");
    return r;
}

Report depths(const Options& options) {
    Report r{"depths", "Figures 9 and 10 in overload, over the depth of buffers", {}, {}, {}};
    struct Depth {
        uint32_t in, out;
    };
    const std::vector<Depth> all{{2, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 1}, {4, 2}, {8, 2}, {16, 2}};
    const uint32_t seeds = seeds_of(options);
    for (const Depth& d : all) {
        if (options.quick && (d.in < 3 || d.in > 4 || d.out != 2)) continue;
        for (const uint32_t flits : {16u, 128u}) {
            lab::Options point;
            point.flits = flits;
            point.buffer = d.in;
            point.out_buffer = d.out;
            point.load = flits == 16 ? 0.4 : 0.3;
            point.cycles = 3000;
            double rdt = 0, torus = 0;
            for (const Contestant& c : Contestants) {
                const std::string name = c.name;
                if (name != "3D torus" && name != "4D torus" && name.find("simple") == name.npos)
                    continue;
                options.say(fmt::format("depths, {} + {}, {} flits, {}", d.in, d.out, flits, name));
                const lab::Interval a = accepted_of(c, point, options, seeds);
                r.values.push_back(
                    {fmt::format("{} + {} flits of buffer, {} per packet, {}, accepted", d.in,
                                 d.out, flits, name),
                     a.mean,
                     {},
                     4,
                     interval_note(a, seeds)});
                if (name == "3D torus") torus = a.mean;
                if (name == "RDT, simple vectors") rdt = a.mean;
            }
            r.values.push_back(
                {fmt::format("{} + {} flits of buffer, {} per packet, RDT over the 3D torus", d.in,
                             d.out, flits),
                 rdt / torus,
                 {},
                 3,
                 flits == 16 ? "figure 9: less than 1" : "figure 10: more than 1"});
        }
    }
    r.notes = {"Input and output buffer of a virtual channel; the paper gives neither.",
               fmt::format("Offered 0.4 flits per node and cycle in packets of 16, 0.3 in packets "
                           "of 128, {} seed{}.",
                           seeds, seeds > 1 ? "s" : "")};
    return r;
}

}  // namespace rdt::paper
