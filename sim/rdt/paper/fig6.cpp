// SPDX-License-Identifier: MIT
// Figure 6: the diameter of perfect RDTs over the number of nodes, by breadth-first search, and
// theorem 3's bound beside it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_family.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

// RDT(n,R,R), with fewer ranks where the torus does not form as many.
RdtFamily perfect(int side, int n, uint32_t ranks) {
    const uint32_t formed = std::min(ranks, RankTori(side, n).max_rank());
    return RdtFamily(side, n, formed, formed);
}

double diameter(int side, int n, uint32_t ranks, const Options& options) {
    return distances(perfect(side, n, ranks), options.work()).diameter;
}

// The longest way of simple vector routing.
double longest_simple(const RdtFamily& rdt) {
    int longest = 0;
    for (NodeId dst = 0; dst < rdt.nodes(); ++dst) {
        int hops = 0;
        for (const Vec& v : split(rdt.displacement(0, dst), rdt.tori().n(), rdt.ranks()))
            hops += std::abs(v.x) + std::abs(v.y);
        longest = std::max(longest, hops);
    }
    return longest;
}

Plot curves(const std::string& title, uint32_t ranks, const Options& options) {
    Plot plot{title, "nodes", "diameter", {}, 0};
    for (int n = 2; n <= 6; ++n) {
        Curve graph{fmt::format("n = {}", n), {}, false};
        Curve bound{fmt::format("n = {}, theorem 3", n), {}, true};
        for (int side = 16; side <= 256; side += options.quick ? 24 : 8) {
            const double nodes = double(side) * side;
            graph.points.push_back({nodes, diameter(side, n, ranks, options)});
            bound.points.push_back({nodes, theorem3(side, n, ranks)});
        }
        plot.curves.push_back(graph);
        if (n <= 3) plot.curves.push_back(bound);
    }
    return plot;
}

// On how many sides, of the multiples of 8 on which both form four ranks, either n is ahead.
void add_leads(Report& r, const Options& options) {
    constexpr int MostSide = 320;
    constexpr double Printed = 16000;  // the paper: n = 2 up to here, then n = 3
    int two[2] = {0, 0}, three[2] = {0, 0}, none[2] = {0, 0};
    double last_two = 0;
    for (int side = 16; side <= MostSide; side += 8) {
        if (RankTori(side, 2).max_rank() < 4 || RankTori(side, 3).max_rank() < 4) continue;
        options.say(fmt::format("fig6, {0} x {0}", side));
        const double lead = diameter(side, 3, 4, options) - diameter(side, 2, 4, options);
        const double nodes = double(side) * side;
        ++(lead > 0 ? two : lead < 0 ? three : none)[nodes > Printed];
        if (lead > 0) last_two = nodes;
    }
    for (int beyond : {0, 1}) {
        const std::string where = beyond == 0 ? "up to 16,000 nodes, " : "beyond, up to 102,400, ";
        r.values.push_back({where + "sides with n = 2 ahead", double(two[beyond]), {}, 0, ""});
        r.values.push_back({where + "sides with both equal", double(none[beyond]), {}, 0, ""});
        r.values.push_back({where + "sides with n = 3 ahead", double(three[beyond]), {}, 0, ""});
    }
    r.values.push_back({"most nodes with n = 2 ahead", last_two, {}, 0, ""});
    int power = 16;
    while (RankTori(power, 2).max_rank() < 4 ||
           diameter(power, 3, 4, options) >= diameter(power, 2, 4, options))
        power *= 2;
    r.values.push_back({"powers of two: nodes from which n = 3 is ahead", double(power) * power,
                        Printed, 0, "the first with four ranks of n = 2"});
}

}  // namespace

Report fig6(const Options& options) {
    Report r{"fig6", "Diameter over the number of nodes, by breadth-first search", {}, {}, {}};
    add_leads(r, options);
    for (int side : {96, 120, 128, 144, 162, 192, 216, 240, 256, 288, 300, 320})
        for (int n : {2, 3}) {
            const RdtFamily rdt = perfect(side, n, 4);
            const std::string name =
                fmt::format("{}: {} nodes, n = {}, ", rdt.name(), rdt.nodes(), n);
            const std::string bound =
                fmt::format("theorem 3: at most {:.1f}", theorem3(side, n, rdt.ranks()));
            r.values.push_back({name + "diameter", diameter(side, n, 4, options), {}, 0, bound});
            r.values.push_back({name + "simple vector routing", longest_simple(rdt), {}, 0, ""});
        }
    for (int n : {2, 3, 4, 5, 6}) {
        const int side = 240;
        r.values.push_back({fmt::format("RDT({},1,1) of {} nodes, diameter", n, side * side),
                            diameter(side, n, 1, options),
                            {},
                            0,
                            fmt::format("theorem 3: {:.1f}", theorem3(side, n, 1))});
    }
    const double cross = 4 / (4 / 256.0 - 4 / 1296.0);
    r.values.push_back({"nodes at which theorem 3's bounds for n = 2 and 3 cross",
                        cross * cross,
                        {},
                        0,
                        "of the bounds, not of the networks"});
    r.plots = {{"fig6a", curves("Diameter of RDT(n,1,1)", 1, options)},
               {"fig6b", curves("Diameter of RDT(n,4,4)", 4, options)}};
    r.notes = {
        "The bound is above the diameter, further for n = 3 than for n = 2, so that the bounds "
        "cross",
        "far beyond the networks. Of the paper's own figure only the shape can be read."};
    return r;
}

}  // namespace rdt::paper
