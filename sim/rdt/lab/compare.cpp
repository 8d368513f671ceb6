// SPDX-License-Identifier: MIT
#include <rdt/lab/compare.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include <rdt/lab/lanes.h>
#include <rdt/net/families/chordal_ring.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/partition.h>

namespace rdt::lab {

namespace {

// The load at which packets begin to pile up.
Comparison::Loaded under_load(const Network& network, const Routing& routing, const Options& point,
                              unsigned jobs, const Comparison& c) {
    Comparison::Loaded l;
    l.buffer = point.buffer;
    l.bits = double(point.buffer + point.out_buffer) * c.vcs * c.size.degree * c.width;
    SaturationOptions how;
    how.seeds = c.seeds;
    how.jobs = jobs;
    how.most = c.bound / c.width;
    how.tolerance = c.tolerance;
    const Saturation s = find_saturation(network, routing, point, how);
    l.saturation = {s.load.mean * c.width, s.load.half * c.width};
    return l;
}

// The channel of the RDT's deterministic routing that gains most from an extra VC.
constexpr int DoubledVc = 0;

std::string best_prc(uint32_t nodes) {
    return fmt::format("prc:{},{}", nodes, joined(*best_skips(nodes, Least::GreedyBound)));
}

}  // namespace

Clocks clocks_for(uint32_t nodes, uint32_t diameter, bool quick) {
    if (quick) return {1500 + 4 * diameter, 500 + 4 * diameter};
    if (nodes > 10000) return {3000 + 8 * diameter, 1500 + 4 * diameter};
    return nodes > 2000 ? Clocks{5000, 1000} : Clocks{10000, 1000};
}

uint32_t seeds_for(bool quick) { return quick ? 2 : 5; }

bool is_of_size(uint32_t nodes, uint32_t size) {
    return 5 * uint64_t(nodes) >= 4 * uint64_t(size) && 5 * uint64_t(nodes) <= 6 * uint64_t(size);
}

const std::vector<uint32_t>& compared_sizes() {
    static const std::vector<uint32_t> sizes{64, 1024, 4096, 65536};
    return sizes;
}

std::vector<Contestant> contestants(uint32_t size) {
    struct Row {
        const char* title;
        const char* routing;
        const char* networks[4];
        uint32_t lanes = 1;
        int extra_vc = -1;
    };
    // Adaptive routing of the RDT has four channels, so the deterministic one has too, once more;
    // the tori and the RDT again with two lanes, beside networks whose routing needs more channels.
    static const Row rows[] = {
        {"RDT", "deadlock-free", {"rdt:8", "rdt:32", "rdt:64", "rdt:256"}},
        {"RDT, adaptive", "adaptive", {"rdt:8", "rdt:32", "rdt:64", "rdt:256"}},
        {"RDT, four VCs", "deadlock-free", {"rdt:8", "rdt:32", "rdt:64", "rdt:256"}, 1, DoubledVc},
        {"2D torus", "dor", {"torus:8x8", "torus:32x32", "torus:64x64", "torus:256x256"}},
        {"3D torus", "dor", {"torus:4x4x4", "torus:8x8x16", "torus:16x16x16", "torus:32x32x64"}},
        {"hypercube", "ecube", {"hypercube:6", "hypercube:10", "hypercube:12", "hypercube:16"}},
        {"RDT, two lanes", "deadlock-free", {"rdt:8", "rdt:32", "rdt:64", "rdt:256"}, 2},
        {"2D torus, two lanes",
         "dor",
         {"torus:8x8", "torus:32x32", "torus:64x64", "torus:256x256"},
         2},
        {"3D torus, two lanes",
         "dor",
         {"torus:4x4x4", "torus:8x8x16", "torus:16x16x16", "torus:32x32x64"},
         2},
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
        throw NetworkError(fmt::format("{} nodes: must be one of {}", size, joined(sizes, ", ")));
    std::vector<Contestant> result;
    for (const Row& row : rows)
        result.push_back({row.title, row.networks[column], row.routing, row.lanes, row.extra_vc});
    result.push_back({"PRC", best_prc(size), "greedy"});
    // The shortest that rdt net search has found. Greedy ways would be more than twice as long.
    static const char* const any_skips[] = {"prc:64,4,12,24,52", "prc:1024,28,232,448,748",
                                            "prc:4096,944,1464,1632,1752,1856,2072,2328,3176"};
    if (column < std::size(any_skips))
        result.push_back({"PRC, any skips", any_skips[column], "negative-hop"});
    return result;
}

namespace {

std::unique_ptr<Routing> routing_of(const Contestant& contestant, const Network& network) {
    auto routing = make_routing(network, contestant.routing);
    if (contestant.lanes > 1)
        routing = std::make_unique<Lanes>(std::move(routing), contestant.lanes);
    if (contestant.extra_vc >= 0)
        routing = std::make_unique<ExtraVc>(std::move(routing), uint32_t(contestant.extra_vc));
    return routing;
}

}  // namespace

TrafficSaturation saturation_under(const std::string& traffic, const Contestant& contestant,
                                   const CompareOptions& options) {
    if (options.progress) options.progress(contestant.network + ", " + traffic);
    WorkOptions work;
    work.threads = options.threads;
    const auto network = make_network(contestant.network);
    const auto routing = routing_of(contestant, *network);
    TrafficSaturation t;
    t.contestant = contestant;
    t.nodes = network->nodes();
    t.width = Wires / size_of(*network).degree;
    t.flits = uint32_t(std::ceil(PacketBits / t.width));
    Options point;
    point.traffic = traffic;
    point.flits = t.flits;
    point.header = uint32_t(std::ceil(HeaderBits / t.width));
    point.buffer = std::max(PortFlits / routing->vcs() - point.out_buffer, point.header);
    t.buffer = point.buffer;
    const Clocks clocks = clocks_for(t.nodes, distances(*network, work).diameter, options.quick);
    point.cycles = clocks.all;
    point.warmup = clocks.warmup;
    SaturationOptions how;
    how.seeds = seeds_for(options.quick);
    how.jobs = options.threads;
    how.tolerance = options.quick ? QuickTolerance : Tolerance;
    const Saturation s = find_saturation(*network, *routing, point, how);
    const double bits = t.width * s.senders / t.nodes;  // at injection rate 1, per node
    t.senders = s.senders;
    t.saturation = {s.load.mean * bits, s.load.half * bits};
    t.beyond = s.beyond;
    return t;
}

Comparison compare(const Contestant& contestant, const CompareOptions& options,
                   const Comparison* same) {
    const auto say = [&](const char* what) {
        if (options.progress) options.progress(contestant.network + ", " + what);
    };
    WorkOptions work;
    work.threads = options.threads;
    const auto network = make_network(contestant.network);
    const auto routing = routing_of(contestant, *network);
    Comparison c{};
    c.contestant = contestant;
    c.size = size_of(*network);
    c.vcs = routing->vcs();
    if (same != nullptr) {
        c.distances = same->distances;
        c.bisection = same->bisection;
        c.bisection_at_least = same->bisection_at_least;
    } else {
        say("distances");
        c.distances = distances(*network, work);
        say("bisection");
        c.bisection = bisection(*network, work);
        if (network->nodes() <= MostNodesBounded)
            c.bisection_at_least =
                c.bisection.exact ? c.bisection.links : bisection_at_least(*network, work);
    }
    const uint32_t nodes = network->nodes();
    c.channels = double(c.size.links) * (network->directed() ? 1 : 2) / nodes;
    c.width = Wires / c.size.degree;
    c.flits = uint32_t(std::ceil(PacketBits / c.width));
    c.header = uint32_t(std::ceil(HeaderBits / c.width));

    Options point;
    point.flits = c.flits;
    point.header = c.header;
    c.clocks = clocks_for(nodes, c.distances.diameter, options.quick);
    point.cycles = c.clocks.all;
    point.warmup = c.clocks.warmup;
    const double all_busy = c.channels / c.distances.mean_distinct();  // flits
    point.load = std::min(1.0, 0.02 * all_busy);
    say("one packet at a time");
    c.seeds = seeds_for(options.quick);
    c.tolerance = options.quick ? QuickTolerance : Tolerance;
    const Replicas quiet = replicate(*network, *routing, point, c.seeds, options.threads);
    c.latency = quiet.latency;
    for (const SimulationResult& r : quiet.runs) c.hops += r.hops_mean / c.seeds;
    c.bound = c.width * std::min(1.0, c.channels / c.hops);
    if (options.unloaded) return c;

    say("under load, equal depth");
    point.buffer = std::max(DepthOfVc, point.header);
    c.equal_depth = under_load(*network, *routing, point, options.threads, c);
    say("under load, equal bits");
    point.buffer = std::max(PortFlits / c.vcs - point.out_buffer, point.header);
    c.equal_bits = under_load(*network, *routing, point, options.threads, c);
    for (const double share : {0.02, 0.5, 0.8, 0.95}) {
        point.load = share * c.equal_bits.saturation.mean / c.width;
        const Replicas r = replicate(*network, *routing, point, c.seeds, options.threads);
        c.curve.push_back({r.accepted.mean * c.width, r.latency});
    }
    return c;
}

}  // namespace rdt::lab
