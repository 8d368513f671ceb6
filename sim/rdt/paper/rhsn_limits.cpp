// SPDX-License-Identifier: MIT
// Asymptotic statements of the paper on RHSNs, each as a series over very large sizes. The
// parameters follow from theorem 3.2 and others, and breadth-first search confirms them on small
// networks.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/net/graph/analysis.h>
#include <rdt/paper/rhsn.h>

namespace rdt::paper {

namespace {

// Diameter over log_(d-1) N, below which no diameter is, but for a constant (Moore).
double over_bound(double diameter, double degree, double log2_nodes) {
    return diameter * std::log2(degree - 1) / log2_nodes;
}

double star(double n) {
    return over_bound(std::floor(3 * (n - 1) / 2), n - 1, std::lgamma(n + 1) / std::log(2.0));
}
double ccc(double n) { return over_bound(2 * n + std::floor(n / 2) - 2, 3, n + std::log2(n)); }
double hypercube(double n) { return over_bound(n, n, n); }

// RHSN(l,...,l) of depth r over a hypercube of `dimensions` dimensions and that radix.
double swapped(double l, double r, double dimensions, double radix) {
    const double p = std::pow(l, r);
    return over_bound((dimensions + 1) * p - 1, dimensions * (radix - 1) + r * (l - 1),
                      p * dimensions * std::log2(radix));
}
// HSN(n, S_n): as many levels as the star graph's nodes have links, and one.
double of_stars(double n) {
    return over_bound((std::floor(3 * (n - 1) / 2) + 1) * n - 1, 2 * (n - 1),
                      n * std::lgamma(n + 1) / std::log(2.0));
}

// Emulation of one dimension takes 2r + 1 steps, and no network of its degree can bring as many
// neighbors as HPN(p,G) has nearer than log_d(p l_0); all l_i = l.
double slowdown(double l, double r) {
    const double degree = l + r * (l - 1);
    return (2 * r + 1) / ((r + 1) * std::log2(l) / std::log2(degree));
}
// All dimensions at once: theorem 4.8 over what the links can carry, since p l_0 neighbors are at
// least log_d(p l_0) - 1 hops away on average, and a node has d links.
double slowdown_all_ports(double l, double r) {
    const double p = std::pow(l, r), degree = l + r * (l - 1);
    const double hops = std::max(1.0, (r + 1) * std::log2(l) / std::log2(degree) - 1);
    return (2 * r + 1 + 2 * p) / (p * l * hops / degree);
}

}  // namespace

void add_rhsn_limits(Report& r) {
    const auto add = [&](const std::string& what, double ours, double limit, const char* note) {
        r.values.push_back({what, ours, limit, 2, note});
    };
    // The same from networks that exist.
    const auto measured = [](const char* name) {
        const auto n = make_network(name);
        return over_bound(distances(*n).diameter, size_of(*n).degree, std::log2(n->nodes()));
    };
    r.values.push_back({"3.3: star:7, diameter over the bound, built", measured("star:7"), star(7),
                        2, "there: by formula"});
    r.values.push_back(
        {"3.3: ccc:8, diameter over the bound, built", measured("ccc:8"), ccc(8), 2, ""});
    r.values.push_back({"3.3: hypercube:12, diameter over the bound, built",
                        measured("hypercube:12"), hypercube(12), 2, ""});
    for (const double n : {1e3, 1e12, 1e100})
        add(fmt::format("3.3: star graph of {:g} symbols, diameter over the bound", n), star(n),
            1.5, "the limit, 1.5");
    for (const double n : {10., 100., 1e4})
        add(fmt::format("3.3: CCC of {:g} dimensions, diameter over the bound", n), ccc(n), 2.5,
            "the limit, 2.5");
    for (const double n : {16., 256., 65536.})
        add(fmt::format("3.3: hypercube of {:g} dimensions, diameter over the bound", n),
            hypercube(n), std::log2(n), "log2 log2 N");
    for (const double n : {4., 16., 64.})
        add(fmt::format("corollary 3.3: RHSN over {0:g} dimensions of radix 2^{0:g}, diameter over "
                        "the bound",
                        n),
            swapped(n, 2, n, std::exp2(n)), 1, "the limit, 1");
    for (const double n : {6., 1e6, 1e100})
        add(fmt::format("3: HSN({0:g}, S_{0:g}), diameter over the bound", n), of_stars(n), 1.5,
            "optimal, as its nucleus is: bounded");
    for (const double l : {4., 64., 1e6, 1e24})
        add(fmt::format("theorem 4.7: l = {0:g}, r = {0:g}, slow-down over the least", l),
            slowdown(l, l), 4, "log r = O(log l): bounded");
    for (const double depth : {4., 64., 1e6, 1e24})
        add(fmt::format("theorem 4.7: l = 2, r = {:g}, slow-down over the least", depth),
            slowdown(2, depth), 2 * std::log2(depth + 2), "the condition fails: grows");
    for (const double l : {4., 16., 64.})
        add(fmt::format("theorem 4.9: l = {0:g}, r = {0:g}, slow-down over the least", l),
            slowdown_all_ports(l, l), 4, "log r = Theta(log l): bounded");
}

}  // namespace rdt::paper
