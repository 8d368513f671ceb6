// SPDX-License-Identifier: MIT
#include <rdt/lab/compare.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <rdt/net/families/chordal_ring.h>
#include <rdt/net/graph/parameters.h>

namespace rdt::lab {

namespace {

// Closes in on the load at which packets begin to pile up, two loads at a time.
void find_saturation(const Network& network, const Routing& routing, const Options& point,
                     const CompareOptions& options, Comparison& c) {
    std::map<double, SimulationResult> results;  // by load
    double low = 0, high = c.bound / c.width;
    for (uint32_t round = 0; round < rounds_for(network.nodes(), options.quick); ++round) {
        SweepOptions sweep;
        sweep.loads = {low + (high - low) / 3, low + (high - low) * 2 / 3};
        sweep.jobs = options.threads;
        for (const LoadPoint& p : simulate_loads(network, routing, point, sweep)) {
            if (!p.result.deadlock.empty()) throw std::runtime_error(network.name() + " deadlocks");
            results[p.load] = p.result;
            (p.result.saturated ? high : low) = p.load;
        }
    }
    for (const auto& [load, r] : results) {
        c.throughput = std::max(c.throughput, r.accepted * c.width);
        if (load <= high) c.curve.push_back({r.accepted * c.width, r.network.mean});
    }
}

std::string best_prc(uint32_t nodes) {
    return fmt::format("prc:{},{}", nodes, joined(*best_skips(nodes, Least::GreedyBound)));
}

}  // namespace

Clocks clocks_for(uint32_t nodes, uint32_t diameter, bool quick) {
    if (nodes > 10000) return {800 + 8 * diameter, 400 + 4 * diameter};
    if (quick) return {1500, 500};
    return nodes > 2000 ? Clocks{5000, 1000} : Clocks{10000, 1000};
}

uint32_t rounds_for(uint32_t nodes, bool quick) { return quick ? 2 : nodes > 10000 ? 3 : 4; }

const std::vector<uint32_t>& compared_sizes() {
    static const std::vector<uint32_t> sizes{64, 1024, 4096, 65536};
    return sizes;
}

std::vector<Contestant> contestants(uint32_t size) {
    struct Row {
        const char* title;
        const char* routing;
        const char* networks[4];
    };
    static const Row rows[] = {
        {"RDT", "deadlock-free", {"rdt:8", "rdt:32", "rdt:64", "rdt:256"}},
        {"RDT, adaptive", "adaptive", {"rdt:8", "rdt:32", "rdt:64", "rdt:256"}},
        {"2D torus", "dor", {"torus:8x8", "torus:32x32", "torus:64x64", "torus:256x256"}},
        {"3D torus", "dor", {"torus:4x4x4", "torus:8x8x16", "torus:16x16x16", "torus:32x32x64"}},
        {"hypercube", "ecube", {"hypercube:6", "hypercube:10", "hypercube:12", "hypercube:16"}},
        {"star graph", "optimal", {"star:5", "star:6", "star:7", "star:8"}},
        {"CCC", "optimal", {"ccc:4", "ccc:7", "ccc:9", "ccc:12"}},
        {"SCC", "optimal", {"scc:4", "scc:5", "scc:6", "scc:7"}},
        {"chordal ring",
         "greedy",
         {"chordal:64,4,16", "chordal:1024,4,16,64,256", "chordal:4096,8,64,512",
          "chordal:65536,16,256,4096"}},
        {"RCC-FULL", "alg1", {"rcc:8,1", "rcc:6,2", "rcc:8,2", "rcc:4,3"}},
        {"RHSN", "recursive", {"rhsn:3,q2", "rhsn:5,q2", "rhsn:2,3,q2", "rhsn:2,2,2,q2"}},
    };
    const auto& sizes = compared_sizes();
    const auto column = size_t(std::find(sizes.begin(), sizes.end(), size) - sizes.begin());
    if (column == sizes.size())
        throw NetworkError(
            fmt::format("{} nodes are not compared; allowed are {}", size, joined(sizes, ", ")));
    std::vector<Contestant> result;
    for (const Row& row : rows) result.push_back({row.title, row.networks[column], row.routing});
    result.push_back({"PRC", best_prc(size), "greedy"});
    return result;
}

Comparison compare(const Contestant& contestant, const CompareOptions& options) {
    const auto say = [&](const char* what) {
        if (options.progress) options.progress(contestant.network + ", " + what);
    };
    WorkOptions work;
    work.threads = options.threads;
    const auto network = make_network(contestant.network);
    const auto routing = make_routing(*network, contestant.routing);
    Comparison c{contestant, size_of(*network), {}, {}, 0, 0, 0, routing->vcs(), 0, 0, 0, 0, {}};
    say("distances");
    c.distances = distances(*network, work);
    say("bisection");
    c.bisection = bisection(*network, work);
    const uint32_t nodes = network->nodes();
    c.channels = double(c.size.links) * (network->directed() ? 1 : 2) / nodes;
    c.width = Wires / c.size.degree;
    c.flits = uint32_t(std::ceil(PacketBits / c.width));

    Options point;
    point.flits = c.flits;
    point.header = uint32_t(std::ceil(HeaderBits / c.width));
    const Clocks clocks = clocks_for(nodes, c.distances.diameter, options.quick);
    point.cycles = clocks.all;
    point.warmup = clocks.warmup;
    const double all_busy = c.channels / c.distances.mean_distinct();  // flits
    point.load = std::min(1.0, 0.02 * all_busy);
    say("one packet at a time");
    const SimulationResult quiet = simulate(*network, *routing, point);
    c.latency = quiet.network.mean;
    c.hops = quiet.hops_mean;
    c.bound = c.width * std::min(1.0, c.channels / c.hops);

    say("under load");
    find_saturation(*network, *routing, point, options, c);
    c.curve.insert(c.curve.begin(), {quiet.accepted * c.width, quiet.network.mean});
    return c;
}

}  // namespace rdt::lab
