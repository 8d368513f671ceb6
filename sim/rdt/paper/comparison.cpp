// SPDX-License-Identifier: MIT
// Tables II, III, V and VI: the RDT beside other direct networks.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <rdt/algo/algorithm.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/broadcast_steps.h>
#include <rdt/net/rdt/multicast.h>
#include <rdt/net/rdt/rdt_network.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

struct Compared {
    const char* name;
    const char* network;  // nullptr: its definition is not in the paper
    double diameter;
    double degree;
    bool is_slow = false;  // takes seconds: not in quick mode
};
constexpr Compared Around4096[] = {
    {"2D torus", "torus:64x64", 64, 4},
    {"3D torus", "torus:16x16x16", 24, 6},
    {"4D torus", "torus:8x8x8x8", 16, 8},
    {"hypercube", "hypercube:12", 12, 12},
    {"de Bruijn", "debruijn:2,12", 12, 4},
    {"Kautz (3072 nodes)", "kautz:2,11", 11, 4},
    {"Pradhan", nullptr, 12, 5},
    {"circular omega (5120 nodes)", nullptr, 20, 4},
    {"star graph (5040 nodes)", "star:7", 7, 6},
    {"cube-connected cycles (4608 nodes)", "ccc:9", 40, 3},
    {"hypernet", nullptr, 19, 5},
    {"crossed cube", "crossed:12", 7, 12},
    {"midimew", "midimew:64x64", 46, 4},
    {"RDT", "rdt:64", 8, 8},
};
constexpr Compared Around65536[] = {
    {"2D torus", "torus:256x256", 256, 4},
    {"3D torus", "torus:32x32x64", 64, 6},
    {"4D torus", "torus:16x16x16x16", 32, 8},
    {"hypercube", "hypercube:16", 16, 16},
    {"de Bruijn", "debruijn:2,16", 16, 4, true},
    {"Kautz (49152 nodes)", "kautz:2,15", 15, 4, true},
    {"Pradhan", nullptr, 16, 5},
    {"circular omega (53246 nodes)", nullptr, 26, 4},
    {"star graph (40320 nodes)", "star:8", 8, 7},
    {"cube-connected cycles (49152 nodes)", "ccc:12", 66, 3},
    {"hypernet", nullptr, 17, 6},
    {"crossed cube", "crossed:16", 9, 16, true},
    {"midimew", "midimew:256x256", 181, 4},
    {"RDT", "rdt:256", 12, 8},
};

void add_compared(Report& r, const Options& options, const Compared& c, const std::string& size) {
    const std::string name = size + c.name;
    if (c.network == nullptr || (c.is_slow && options.quick)) {
        const char* why = c.network == nullptr ? "not built: defined elsewhere" : "not in --quick";
        r.values.push_back({name + ", diameter", {}, c.diameter, 0, why});
        return;
    }
    options.say(fmt::format("table2, {}", c.network));
    const auto network = make_network(c.network);
    const Distances d = distances(*network, options.work());
    r.values.push_back({name + ", diameter", d.diameter, c.diameter, 0, ""});
    r.values.push_back({name + ", degree", size_of(*network).degree, c.degree, 0, ""});
}

// Links that a straight line, and the edge of the torus as a second one, cut per row where all four
// ranks exist.
double straight_cut_per_row() {
    double links = 1;  // links of rank 0
    for (uint32_t rank = 1; rank <= 4; ++rank) {
        const Axes a = axes_of(rank);
        links += (std::abs(a.x.x) + std::abs(a.y.x)) / 4.0;
    }
    return 2 * links;
}

double executed(const std::string& network) {
    const algo::Outcome o = algo::run_algorithm(network, "broadcast");
    if (!o.correct) throw std::runtime_error("a broadcast on " + network + " is not complete");
    return double(o.steps);
}

double straight_cut(int side, MissingRank missing = MissingRank::Highest) {
    const RdtNetwork network(side, missing);
    std::vector<bool> half(network.nodes());
    for (NodeId node = 0; node < network.nodes(); ++node)
        half[node] = network.geometry().x_of(node) < side / 2;
    return double(cut(network, half));
}

}  // namespace

Report table2(const Options& options) {
    Report r{"table2", "Diameter and degree of direct networks", {}, {}, {}};
    for (const Compared& c : Around4096) add_compared(r, options, c, "4096, ");
    for (const Compared& c : Around65536) add_compared(r, options, c, "65536, ");
    r.notes = {"The star graph's diameter is floor(3(n-1)/2), that of the cycles 2n+floor(n/2)-2;",
               "the paper's figures for both, and the midimew's 46, are not those of the graphs."};
    return r;
}

Report table3(const Options& options) {
    Report r{"table3", "Bisection of direct networks, in links", {}, {}, {}};
    const std::pair<const char*, double> known[] = {{"torus:64x64", 128},
                                                    {"torus:16x16x16", 512},
                                                    {"torus:8x8x8x8", 1024},
                                                    {"hypercube:12", 2048}};
    for (const auto& [name, printed] : known) {
        const Bisection b = bisection(*make_network(name), options.work());
        r.values.push_back({name, double(b.links), printed, 0, b.method});
    }
    const double side = 4096;
    r.values.push_back({"2D torus, 4096 x 4096", 2 * side, 8192, 0, "2 k^(n-1)"});
    r.values.push_back({"3D torus, 256 x 256 x 256", 2 * 256.0 * 256, 131072, 0, "2 k^(n-1)"});
    r.values.push_back({"4D torus, 64 x 64 x 64 x 64", 2 * 64.0 * 64 * 64, 524288, 0, "2 k^(n-1)"});
    r.values.push_back({"hypercube, 24 dimensions", side * side / 2, 8388608, 0, "N/2"});
    r.values.push_back({"rdt:64/1, cut between columns", straight_cut(64, MissingRank::One), 1664,
                        0, "rank 1 instead of rank 4, counted on the graph"});
    r.values.push_back(
        {"rdt:64, cut between columns", straight_cut(64), 1664, 0, "rank 3 in these places"});
    r.values.push_back({"rdt:32/1, cut between columns", straight_cut(32, MissingRank::One),
                        2 * 13 * 32, 0, "2 x 13 links per row"});
    r.values.push_back({"rdt:16/1, cut between columns", straight_cut(16, MissingRank::One),
                        2 * 13 * 16, 0, "2 x 13 links per row"});
    options.say("table3, rdt:64");
    for (const char* name : {"rdt:64", "rdt:64/1"}) {
        const Bisection b = bisection(*make_network(name), options.work());
        r.values.push_back(
            {fmt::format("{}, best cut known", name), double(b.links), {}, 0, b.method});
    }
    r.values.push_back({"rdt, 4096 x 4096, cut between columns", side * straight_cut_per_row(),
                        229376, 0, "2 x 28 links per row, as on 128 and 256 on a side"});
    r.values.push_back({"rdt:128, cut between columns", straight_cut(128), 56 * 128, 0, ""});
    return r;
}

Report table5(const Options& options) {
    Report r{"table5", "Average path length of direct networks, 4096 nodes", {}, {}, {}};
    const struct {
        const char* name;
        double mean, diameter;
    } known[] = {{"torus:64x64", 32.0078, 64},
                 {"torus:16x16x16", 12.0029, 24},
                 {"torus:8x8x8x8", 8.0020, 16},
                 {"hypercube:12", 6.0015, 12}};
    for (const auto& k : known) {
        const Distances d = distances(*make_network(k.name), options.work());
        r.values.push_back({std::string(k.name) + ", average", d.mean_distinct(), k.mean, 4, ""});
        r.values.push_back({std::string(k.name) + ", diameter", d.diameter, k.diameter, 0, ""});
    }
    for (const char* name : {"rdt:64", "rdt:64/1"}) {
        options.say(fmt::format("table5, {}", name));
        const auto rdt = make_network(name);
        for (const char* routing : {"deadlock-free-simple", "deadlock-free"}) {
            const auto route = make_routing(*rdt, routing);
            uint64_t sum = 0;
            size_t longest = 0;
            for (NodeId src : rdt->representatives())
                for (NodeId dst = 0; dst < rdt->nodes(); ++dst) {
                    const size_t hops = path(*rdt, *route, src, dst).size() - 1;
                    sum += hops;
                    longest = std::max(longest, hops);
                }
            const double pairs = double(rdt->representatives().size()) * (rdt->nodes() - 1);
            const std::string row = fmt::format("{}, {}", name, routing);
            r.values.push_back({row + ", average", double(sum) / pairs, 8.1902, 4, ""});
            r.values.push_back({row + ", diameter", double(longest), 12, 0, ""});
        }
    }
    r.notes = {"Averages over pairs of different nodes."};
    return r;
}

Report table6(const Options& options) {
    Report r{"table6", "Steps of a broadcast", {}, {}, {}};
    const double printed[3][4] = {{10, 11, 12, 13}, {10, 12, 14, 16}, {8, 10, 12, 14}};
    for (int i = 0; i < 4; ++i) {
        const int side = 32 << i;
        const uint32_t nodes = uint32_t(side * side);
        const std::string size = fmt::format("{} nodes, ", nodes);
        const Geometry g(side);
        r.values.push_back({size + "RDT", double(broadcast_steps(g).steps), printed[0][i], 0, ""});
        r.values.push_back({size + "RDT, formula 3R+2", 3.0 * g.top_rank() + 2, {}, 0, ""});
        const std::string cube = fmt::format("hypercube:{}", __builtin_ctz(nodes));
        r.values.push_back({size + "hypercube", executed(cube), printed[1][i], 0, cube});
        // The last level's nodes have four processors each.
        const std::string tree = fmt::format("tree:4,{}", tree_broadcast_steps(nodes, 4) / 2);
        r.values.push_back({size + "4-ary tree", executed(tree), printed[2][i], 0, tree});
    }
    const std::optional<double> of_side[] = {{}, {}, printed[0][0], printed[0][1], printed[0][2]};
    for (int i = 0; i < 5; ++i) {
        const int side = 8 << i;
        options.say(fmt::format("table6, {0} x {0}", side));
        const Geometry g(side);
        DependencyGraph graph(g);
        r.values.push_back({fmt::format("{} nodes, RDT, the chip's multicast", g.nodes()),
                            double(add_all_multicasts(graph, g).max_steps), of_side[i], 0, ""});
    }
    r.notes = {
        "With four ranks the paper's 12 and 13 are less than its own formula gives.",
        "The chip changes rank on X alone, in VC-T: a node of rank 1 is R-1 hops from one of",
        "rank R, where the paper counts one to the best of four neighbors; and where ranks",
        "are missing, the nodes that stand in for them are up to three hops from rank 1."};
    return r;
}

}  // namespace rdt::paper
