// SPDX-License-Identifier: MIT
// Parhami, "Periodically Regular Chordal Ring Networks for Massively Parallel Architectures": the
// theorems, examples, figures and comparisons.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <rdt/support/random.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/families/chordal_ring.h>
#include <rdt/net/graph/drawing.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

using Kind = ChordalRing::Kind;

constexpr const char* OneCut = "value of the contiguous cut, an upper bound on the bisection";

// The most hops that a routing needs, from any of the nodes that stand for all.
uint32_t longest(const ChordalRing& ring, const std::string& name) {
    const auto routing = make_routing(ring, name);
    size_t most = 0;
    for (NodeId from : ring.representatives())
        for (NodeId to = 0; to < ring.nodes(); ++to)
            most = std::max(most, path(ring, *routing, from, to).size() - 1);
    return uint32_t(most);
}

// Calls take(skips) for every list of up to `most` skips of which each divides the next one and
// the last one N; for periodic rings their number divides them all.
template <class Take>
void for_divisible(Kind kind, uint32_t nodes, size_t most, std::vector<uint32_t>& skips,
                   Take&& take) {
    const auto g = uint32_t(skips.size());
    if (g > 0 && (kind == Kind::Symmetric || (nodes % g == 0 && skips[0] % g == 0))) take(skips);
    if (skips.size() == most) return;
    const uint32_t last = skips.empty() ? 1 : skips.back();
    for (uint32_t next = 2 * last; next < nodes; next += last) {
        if (nodes % next != 0) continue;
        skips.push_back(next);
        for_divisible(kind, nodes, most, skips, take);
        skips.pop_back();
    }
}

// Theorems 1 and 3 and the bounds of algorithms 1 and 3, on all small networks.
void add_small_networks(Report& r, const Options& options) {
    for (Kind kind : {Kind::Symmetric, Kind::Periodic}) {
        uint32_t networks = 0, wrong = 0, too_long = 0, reached = 0, as_met = 0;
        for (uint32_t nodes = 4; nodes <= (options.quick ? 64 : 160); ++nodes) {
            std::vector<uint32_t> skips;
            for_divisible(kind, nodes, 5, skips, [&](const std::vector<uint32_t>& all) {
                const ChordalRing ring(kind, nodes, all);
                const uint32_t worst = longest(ring, "greedy");
                ++networks;
                wrong += distances(ring).diameter != *diameter_formula(ring) ? 1 : 0;
                too_long += worst > greedy_bound(ring) ? 1 : 0;
                reached += worst == greedy_bound(ring) && all.size() > 1 ? 1 : 0;
                uint32_t farthest = 0;
                for (NodeId from = 0; kind == Kind::Periodic && from < ring.group(); ++from)
                    for (const uint32_t hops : as_met_hops(ring, from))
                        farthest = std::max(farthest, hops);
                as_met += farthest != 0 && farthest != *diameter_formula(ring) ? 1 : 0;
            });
        }
        const bool periodic = kind == Kind::Periodic;
        r.values.push_back(
            {fmt::format("theorem {}: networks with another diameter", periodic ? 3 : 1),
             double(wrong), 0, 0, fmt::format("of {} small ones", networks)});
        r.values.push_back(
            {fmt::format("algorithm {}: networks where the bound is exceeded", periodic ? 3 : 1),
             double(too_long), 0, 0,
             periodic ? fmt::format("reached with two or more skips: {}", reached) : ""});
        if (periodic)
            r.values.push_back(
                {"theorem 3: networks where skips as they are met have another diameter",
                 double(as_met), 0, 0, "so the variant is as good as shortest paths"});
    }
}

// Skips that need not divide each other, and equal ones.
void add_bounds(Report& r, const Options& options) {
    uint32_t networks = 0, smaller = 0, exceeded = 0;
    for (uint32_t nodes = 8; nodes <= (options.quick ? 24 : 40); nodes += 2)
        for (uint32_t one = 2; one < nodes; one += 2)
            for (uint32_t two = one; two < nodes; two += 2) {
                const ChordalRing ring(Kind::Periodic, nodes, {one, two});
                ++networks;
                smaller += improved_greedy_bound(ring) < greedy_bound(ring) ? 1 : 0;
                exceeded += longest(ring, "greedy") > improved_greedy_bound(ring) ? 1 : 0;
            }
    const std::string note = fmt::format("of {} with two skips", networks);
    r.values.push_back({"the improved bound: networks where it is smaller",
                        double(smaller),
                        {},
                        0,
                        note + "; none can be: skips are multiples of g"});
    r.values.push_back(
        {"the improved bound: networks where it is exceeded", double(exceeded), 0, 0, note});
    for (const char* name : {"prc:16,4,4,8,8", "prc:64,4,4,16,16"}) {
        const auto network = make_network(name);
        const auto& ring = dynamic_cast<const ChordalRing&>(*network);
        double sum = ring.skips()[0] - 3.0;
        for (size_t h = 1; h < ring.skips().size(); ++h)
            sum += ring.skips()[h] / ring.skips()[h - 1];
        sum += ring.nodes() / ring.skips().back();
        r.values.push_back({fmt::format("equal skips: {}, diameter beside theorem 3's", name),
                            double(distances(ring).diameter), sum, 0,
                            "the theorem requires strictly increasing ones"});
    }
}

void add_symmetric(Report& r) {
    const auto diameter = [](uint32_t chord) {
        return distances(ChordalRing(Kind::Symmetric, 8, {chord})).diameter;
    };
    uint32_t least = diameter(2);
    for (uint32_t chord = 3; chord < 8; ++chord) least = std::min(least, diameter(chord));
    r.values.push_back({"figure 1, chord 3 on 8 nodes, diameter", double(diameter(3)),
                        double(least), 0, "there: the least with any chord"});
    // Which of both skips begins a shortest path, where distances depend on the difference only.
    const ChordalRing ring(Kind::Symmetric, 400, {10, 16});
    const auto shortest = make_routing(ring, "shortest");
    const auto hops = [&](uint32_t d) { return path(ring, *shortest, 0, d).size() - 1; };
    for (uint32_t d = 24; d <= 34; ++d) {
        const bool ten = hops(d - 10) + 1 == hops(d), sixteen = hops(d - 16) + 1 == hops(d);
        const int printed = d >= 32 ? 2 : d >= 26 && d <= 29 ? 3 : 1;
        r.values.push_back({fmt::format("skips 10 and 16, distance {}, begin with", d),
                            (ten ? 1.0 : 0) + (sixteen ? 2.0 : 0), double(printed), 0,
                            "1: 10, 2: 16, 3: either"});
    }
    const ChordalRing best(Kind::Symmetric, 125, {5, 25});
    r.values.push_back(
        {"N = 125, skips 5, 25, diameter", double(distances(best).diameter), 12, 0, ""});
    r.values.push_back(
        {"N = 125, skips 5, 25, bisection", double(contiguous_cut(best)), 62, 0, OneCut});
    r.values.push_back({"section 2, N = 125, worst greedy distance",
                        double(longest(best, "greedy")), 3 * std::cbrt(125), 0,
                        "k N^(1/k) is the bound E and 1; the worst case is k (N^(1/k) - 1)"});
    const ChordalRing mesh(Kind::Symmetric, 16, {4});
    uint32_t outside = 0;
    for (NodeId node = 0; node < 16; ++node) {
        const NodeId below = (node + 4) % 16;  // nodes of a 4 x 4 mesh, row by row
        const NodeId right = node % 4 == 3 ? (node / 4 + 1) % 4 * 4 : node + 1;
        outside += mesh.neighbor(node, 1) == below && mesh.neighbor(node, 0) == right ? 0 : 1;
    }
    r.values.push_back({"figure 4, nodes that differ from the 4 x 4 mesh", double(outside), 0, 0,
                        "rows joined end to next row's begin"});
    for (const auto& skips : {std::vector<uint32_t>{4}, std::vector<uint32_t>{4, 8}}) {
        const ChordalRing small(Kind::Symmetric, 16, skips);
        r.values.push_back({"theorem 2, " + small.name() + ", exact bisection",
                            double(bisection(small).links), double(contiguous_cut(small)), 0,
                            OneCut});
    }
}

void add_periodic(Report& r) {
    const ChordalRing eight(Kind::Periodic, 8, {2, 4});
    const auto shortest = make_routing(eight, "shortest");
    r.values.push_back(
        {"figure 7, hops from 0 to 2", path(eight, *shortest, 0, 2).size() - 1.0, 2, 0, ""});
    r.values.push_back(
        {"figure 7, hops from 1 to 3", path(eight, *shortest, 1, 3).size() - 1.0, 1, 0, ""});
    r.values.push_back({"figure 7, diameter", double(distances(eight).diameter), 3, 0, ""});
    r.values.push_back({"figure 7, contiguous cut", double(contiguous_cut(eight)), 8, 0, ""});
    r.values.push_back(
        {"theorem 4, figure 7, exact bisection", double(bisection(eight).links), 8, 0, OneCut});
    const ChordalRing nine(Kind::Symmetric, 8, {2, 4});
    uint32_t outside = 0;
    for (NodeId node = 0; node < 8; ++node)
        for (uint32_t port = 0; port < 2; ++port) {
            bool found = false;
            for (uint32_t p = 0; p < nine.ports(); ++p)
                found |= nine.neighbor(node, p) == eight.neighbor(node, port);
            outside += found ? 0 : 1;
        }
    r.values.push_back(
        {"figure 10, links of figure 7 that figure 9 lacks", double(outside), 0, 0, ""});

    const ChordalRing odd(Kind::Periodic, 400, {10, 16});
    r.values.push_back({"skips 10 and 16, 2i to 2i+21, algorithm 3",
                        double(greedy_path(odd, 40, 61).size()), 6, 0, ""});
    r.values.push_back({"skips 10 and 16, 2i to 2i+21, skips as they are met",
                        double(as_met_hops(odd, 40)[21]), 3, 0, ""});
    r.values.push_back({"skips 10 and 16, 2i to 2i+21, shortest",
                        path(odd, *make_routing(odd, "shortest"), 40, 61).size() - 1.0, 3, 0, ""});

    struct Example {
        std::vector<uint32_t> skips;
        uint32_t nodes;
        double bound, diameter, cut;
    };
    for (const Example& e :
         {Example{{4, 20}, 100, 13, 11, 26}, Example{{4, 16, 64, 256}, 1024, 21, 17, 172}}) {
        const ChordalRing ring(Kind::Periodic, e.nodes, e.skips);
        const Distances d = distances(ring);
        const std::string name = ring.name() + ", ";
        r.values.push_back({name + "diameter", double(d.diameter), e.diameter, 0, ""});
        r.values.push_back(
            {name + "bound of algorithm 3", double(greedy_bound(ring)), e.bound, 0, ""});
        r.values.push_back({name + "worst case of algorithm 3", double(longest(ring, "greedy")),
                            e.bound, 0, "the bound is not reached"});
        r.values.push_back({name + "contiguous cut", double(contiguous_cut(ring)), e.cut, 0, ""});
        r.values.push_back({name + "mean distance", d.mean(), {}, 3, ""});
        const uint32_t far =
            uint32_t(path(ring, *make_routing(ring, "shortest"), 0, e.nodes - 1).size() - 1);
        r.values.push_back(
            {name + fmt::format("hops from 0 to {}", e.nodes - 1), double(far), e.diameter, 0,
             far != e.diameter ? "theorem 3's proof: with g skips D - (g - 2)" : ""});
    }
}

double bound_of(double nodes, double g) { return (g + 1) * (std::pow(nodes, 1 / (g + 1)) + 1) - 4; }
double cut_of(double nodes, double g) {
    const double ratio = std::pow(nodes, 1 / (g + 1));
    return 2 + 2 * (nodes - ratio) / (g * (ratio - 1));
}

void add_optimum(Report& r) {
    double alpha = 0.5;  // 1/a = (1/e)^(1/a) + 1
    for (int i = 0; i < 200; ++i) alpha = 1 / (std::exp(-1 / alpha) + 1);
    const double ln = std::log(1024);
    r.values.push_back({"theorem 5, alpha", alpha, 0.782188, 6, ""});
    r.values.push_back({"theorem 5, N = 1024, best group size", alpha * ln - 1, 4.42, 2, ""});
    r.values.push_back({"theorem 6, N = 1024, best group size", ln - 1, 5.93, 2, ""});
    const double e = std::exp(1);
    r.values.push_back({"theorem 6, N = 1024, diameter there", ln * std::pow(1024, 1 / ln) - 3,
                        e * ln - 3, 3, ""});
    r.values.push_back({"section 5, N = 1024, cut there", cut_of(1024, ln - 1),
                        2 + 2 * (1024 - e) / ((e - 1) * (ln - 1)), 3, ""});
    for (const auto& [what, name] :
         {std::pair(Least::GreedyBound, "greedy"), std::pair(Least::Diameter, "diameter")}) {
        const ChordalRing best(Kind::Periodic, 1024, *best_skips(1024, what));
        r.values.push_back({fmt::format("N = 1024, group size by search, {}", name),
                            double(best.group()), 4, 0, best.name()});
    }
    for (uint32_t nodes : {64u, 4096u, 65536u}) {
        const ChordalRing best(Kind::Periodic, nodes, *best_skips(nodes, Least::Diameter));
        r.values.push_back({fmt::format("N = {}, least diameter by search", nodes),
                            double(*diameter_formula(best)), e * std::log(nodes) - 3, 1,
                            best.name() + "; there e ln N - 3, for any real group size"});
    }
    uint32_t falls = 0;
    for (double nodes = 16; nodes <= 1 << 20; nodes *= 2)
        for (double g = 1; g < 20; g += 0.25)
            falls += cut_of(nodes, g + 0.25) < cut_of(nodes, g) ? 1 : 0;
    r.values.push_back({"theorem 7, steps of g at which the cut falls", double(falls), 0, 0,
                        "N = 16 to 2^20; the proof fails for N <= 54, the claim does not"});
    Plot plot{"Worst-case greedy distance by group size", "group size g", "steps, at most", {}, 90};
    for (uint32_t bits = 6; bits <= 16; bits += 2) {
        Curve curve{fmt::format("N = {}", 1u << bits), {}, false};
        for (int g = 1; g <= 16; ++g) curve.points.push_back({double(g), bound_of(1u << bits, g)});
        plot.curves.push_back(curve);
    }
    r.plots.push_back({"prc_fig8", plot});
    r.notes.push_back(
        "Figure 8 as curves (prc_fig8); of the paper's own only the caption is left.");
}

void add_comparison(Report& r, const Options& options) {
    const auto bisected = [](const char* name) {
        return double(bisection(*make_network(name)).links);
    };
    const auto diameter = [](const std::string& name) {
        return double(distances(*make_network(name)).diameter);
    };
    r.values.push_back({"4 x 4 x 4 x 4 x 4 mesh, diameter", diameter("mesh:4x4x4x4x4"), 15, 0, ""});
    r.values.push_back({"4 x 4 x 4 x 4 x 4 mesh, bisection", 2 * bisected("mesh:4x4x4x4x4"), 512, 0,
                        "two one-way links between neighbors"});
    r.values.push_back({"32 x 32 mesh, diameter", diameter("mesh:32x32"), 62, 0, ""});
    r.values.push_back({"32 x 32 mesh, bisection", bisected("mesh:32x32"), 32, 0, ""});
    r.values.push_back({"32 x 32 torus, bisection", bisected("torus:32x32"), 64, 0, ""});
    r.values.push_back({"one-way 32 x 32 torus, diameter", diameter("chordal:1024,32"), 62, 0,
                        "2 sqrt N - 2, as a chordal ring"});
    r.values.push_back({"section 5, 32 x 32 torus, bisection", bisected("torus:32x32"), 4 * 32, 0,
                        "4 sqrt N is wrong; section 4 has 64"});
    // "Of the same order as the respective parameters of a cube-connected cycles network."
    for (const uint32_t n : {4u, 8u, 16u}) {
        const double nodes = n * std::exp2(n), log = std::log(nodes);
        const auto size = uint32_t(nodes);
        const ChordalRing best(Kind::Periodic, size, *best_skips(size, Least::Diameter));
        r.values.push_back(
            {fmt::format("{} nodes, diameter of the best divisible PRC, beside the CCC's", size),
             double(*diameter_formula(best)), 2.0 * n + n / 2 - 2, 0,
             fmt::format("{:.2f} ln N", *diameter_formula(best) / log)});
        r.values.push_back(
            {fmt::format("{} nodes, cut of the best divisible PRC, beside the CCC's bisection",
                         size),
             double(contiguous_cut(best)), std::exp2(n - 1), 0,
             fmt::format("{:.2f} N / ln N; one-way links", contiguous_cut(best) * log / nodes)});
    }
    // Without the condition that skips divide each other; found by rdt net search.
    const std::tuple<const char*, double, const char*> found[] = {
        {"prc:32,14,24", 7, "the best divisible one has this"},
        {"prc:64,4,12,24,52", 8, "the CCC's"},
        {"prc:1024,28,232,448,748", 17, "the best divisible one has this"}};
    for (const auto& [name, other, note] : found)
        r.values.push_back(
            {fmt::format("{}, diameter, any skips", name), diameter(name), other, 0, note});
    r.pictures.push_back({"prc_fig12", draw(*make_network("pec:32"))});
    for (uint32_t nodes : {32u, 1024u, 65536u}) {
        if (nodes > 1024 && options.quick) continue;
        const double log = std::log2(nodes);
        const auto pec = make_network(fmt::format("pec:{}", nodes));
        const ChordalRing best(Kind::Periodic, nodes, *best_skips(nodes, Least::Diameter));
        options.say("prc, " + pec->name());
        r.values.push_back({pec->name() + ", diameter",
                            double(distances(*pec, options.work()).diameter),
                            std::sqrt(log) * std::exp2(std::sqrt(2 * log)), 0,
                            "there: the order sqrt(log N) 2^sqrt(2 log N)"});
        r.values.push_back(
            {best.name() + ", diameter", double(distances(best).diameter), {}, 0, ""});
        r.values.push_back({pec->name() + ", bisection",
                            double(bisection(*pec, options.work()).links), log, 0,
                            "there: the order log N"});
        r.values.push_back(
            {best.name() + ", contiguous cut", double(contiguous_cut(best)), {}, 0, ""});
    }
    r.notes.push_back(
        "PEC: built from the description in this paper (skips of all powers of two, half as many "
        "of "
        "each next one); the definition itself is in its references [KIRK90] and [LINC92].");
    r.notes.push_back(
        "The rewriting of PEC's diameter as order e^sqrt(log N) is no identity: the "
        "exponent's factor is lost.");
}

// Not in the paper beyond a remark: greedy routing when links are down.
void add_prc_faults(Report& r) {
    for (const char* name : {"chordal:1024,4,16,64,256", "prc:1024,4,16,64,256"}) {
        const auto network = make_network(name);
        const auto& ring = dynamic_cast<const ChordalRing&>(*network);
        for (uint32_t faults : {1u, 16u, 64u}) {
            Random random(faults);
            BrokenLinks broken;
            while (broken.size() < faults)
                broken.insert({random.below(ring.nodes()), random.below(ring.ports())});
            const auto routing = make_fault_tolerant_greedy(ring, broken);
            uint32_t delivered = 0;
            uint64_t hops = 0;
            constexpr uint32_t Packets = 10000;
            for (uint32_t i = 0; i < Packets; ++i) {
                const NodeId from = random.below(ring.nodes()), to = random.below(ring.nodes());
                try {
                    hops += path(ring, *routing, from, to).size() - 1;
                    ++delivered;
                } catch (const std::runtime_error&) {
                    continue;  // it is counted as lost by not being counted as delivered
                }
            }
            r.values.push_back({fmt::format("{}, {} links down, % delivered", name, faults),
                                100.0 * delivered / Packets,
                                {},
                                2,
                                fmt::format("{:.3f} hops on average",
                                            delivered == 0 ? 0 : double(hops) / delivered)});
        }
    }
}

}  // namespace

Report prc(const Options& options) {
    Report r{
        "prc", "Periodically regular chordal rings: theorems, examples, comparisons", {}, {}, {}};
    options.say("prc, small networks");
    add_small_networks(r, options);
    add_bounds(r, options);
    add_symmetric(r);
    add_periodic(r);
    add_optimum(r);
    add_comparison(r, options);
    add_prc_faults(r);
    r.pictures.push_back({"prc_fig2", draw(ChordalRing(Kind::Symmetric, 8, {2, 4}))});
    r.pictures.push_back({"prc_fig7", draw(ChordalRing(Kind::Periodic, 8, {2, 4}))});
    r.notes.push_back(
        "Figures 3, 9 and 11 draw the networks of figures 1, 2 and 7 again, with "
        "other places for the nodes; 5 and 6 are definitions.");
    r.notes.push_back(
        "Algorithm 2 lacks a stop behind the sending; section 2 has skips 0 <= j <= k "
        "where it means j < k.");
    return r;
}

}  // namespace rdt::paper
