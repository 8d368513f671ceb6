// SPDX-License-Identifier: MIT
// The theorems by computation.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_geometry.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

// Theorem 6: the most steps on the top rank, and theorem 3: with those on all the others.
double top_steps(double side, int n, int ranks) {
    return side * std::pow(2, std::ceil((ranks - 1) / 2.0)) / std::pow(2 * n, ranks);
}
double diameter(double side, int n, int ranks) { return top_steps(side, n, ranks) + n * ranks; }

// Nodes that a torus of a rank reaches from a node.
std::set<uint32_t> torus_of(const Geometry& g, uint32_t node, uint32_t rank) {
    std::vector<uint32_t> queue{node};
    std::set<uint32_t> reached{node};
    for (size_t i = 0; i < queue.size(); ++i)
        for (uint32_t direction = 0; direction < 4; ++direction) {
            const uint32_t next = g.shifted(queue[i], step_of(rank, direction));
            if (reached.insert(next).second) queue.push_back(next);
        }
    return reached;
}

}  // namespace

Report theorems(const Options& options) {
    Report r{"theorems", "Theorems 1 to 6, by computation", {}, {}, {}};
    for (int i = 0; i < 4; ++i) {
        const int side = 32 << i;
        const std::string size = fmt::format("{0} x {0}, ", side);
        options.say("theorems, " + size);
        const Geometry g(side);
        const auto top = int(g.top_rank());
        for (uint32_t rank = 0; rank + 1 <= g.top_rank(); ++rank) {
            const std::set<uint32_t> below = torus_of(g, 0, rank);
            if (below.size() < 16) continue;
            const size_t count = below.size() / torus_of(g, 0, rank + 1).size();
            r.values.push_back(
                {size + fmt::format("1: rank-{} tori on one of rank {}", rank + 1, rank),
                 double(count), 8, 0, ""});
        }
        for (uint32_t rank = 0; rank + 1 <= g.top_rank(); ++rank) {
            if (torus_of(g, 0, rank).size() < 16) continue;
            const Axes axes = axes_of(rank);
            std::set<std::set<uint32_t>> tori;
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 4; ++x)
                    tori.insert(torus_of(g, g.shifted(0, x * axes.x + y * axes.y), rank + 1));
            r.values.push_back({size + fmt::format("2: rank-{} tori of a 4 x 2 array", rank + 1),
                                double(tori.size()), 8, 0, ""});
        }
        int all = 0, lower = 0, highest = 0;
        for (uint32_t dst = 0; dst < g.nodes(); ++dst) {
            const Vectors v = split(g.displacement(0, dst), g.top_rank());
            int sum = 0;
            for (int rank = 0; rank < top; ++rank)
                sum += std::abs(v[size_t(rank)].x) + std::abs(v[size_t(rank)].y);
            const Vec last = v[g.top_rank()];
            const int on_top = std::abs(last.x) + std::abs(last.y);
            all = std::max(all, sum + on_top);
            lower = std::max(lower, sum);
            highest = std::max(highest, on_top);
        }
        r.values.push_back(
            {size + "3: diameter, at most", double(all), diameter(side, 2, top), 0, ""});
        const double rdt =
            distances(*make_network(fmt::format("rdt:{}", side)), options.work()).diameter;
        const double prdt =
            distances(*make_network(fmt::format("prdt:{}", side)), options.work()).diameter;
        r.values.push_back({size + "4: RDT's diameter, at most", rdt, prdt + top - 1, 0, ""});
        r.values.push_back(
            {size + "5: steps below the top rank, at most", double(lower), 2.0 * top, 0, ""});
        r.values.push_back({size + "6: steps on the top rank, at most", double(highest),
                            top_steps(side, 2, top), 0, ""});
    }
    r.notes = {"Theorems 3 to 6 are bounds: here the largest value that occurs, there the bound."};
    return r;
}

}  // namespace rdt::paper
