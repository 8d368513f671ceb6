// SPDX-License-Identifier: MIT
// Recursive hierarchical swapped networks (Yeh and Parhami): figure 1, the equations, lemmas,
// theorems and corollaries, table 1.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/ascend.h>
#include <rdt/algo/emulation.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/families/rhsn.h>
#include <rdt/paper/rhsn.h>

namespace rdt::paper {

namespace {

const SwapShape& shape_of(const Network& network) {
    return dynamic_cast<const Rhsn&>(network).shape();
}

void sizes(Report& r, const Options& options) {
    const auto add = [&](const std::string& what, const Network& n, double nodes, double degree,
                         double diameter) {
        r.values.push_back({what + ", nodes", double(n.nodes()), nodes, 0, ""});
        r.values.push_back({what + ", degree", size_of(n).degree, degree, 0, ""});
        r.values.push_back(
            {what + ", diameter", distances(n, options.work()).diameter, diameter, 0, ""});
    };
    add("fig. 1(a): Q2", *make_network("hypercube:2"), 4, 2, 2);
    add("fig. 1(b): HSN(2,Q2)", *make_network("rhsn:2,q2"), 16, 3, 5);
    add("fig. 1(c): HSN(3,Q2)", *make_network("rhsn:3,q2"), 64, 4, 8);
    struct Row {
        const char* name;
        bool is_slow = false;
    };
    for (const Row& row : std::vector<Row>{{"rhsn:2,2,q2"},
                                           {"rhsn:3,2,k3"},
                                           {"rhsn:2,2,2,q1"},
                                           {"rhsn:2,ring5"},
                                           {"rhsn:3,path4"},
                                           {"rhsn:2,petersen"},
                                           {"rhsn:2,star4"},
                                           {"rhsn:2,fq4"},
                                           {"rhsn:4,q4", true}}) {
        if (row.is_slow && options.quick) continue;
        options.say(fmt::format("rhsn, {}", row.name));
        const auto n = make_network(row.name);
        const Network& nucleus = dynamic_cast<const Rhsn&>(*n).nucleus();
        const double p = shape_of(*n).digits();
        const double diameter = (distances(nucleus).diameter + 1.0) * p - 1;
        add(fmt::format("eq. 1, theorem 3.2: {}", row.name), *n, std::pow(nucleus.nodes(), p),
            size_of(nucleus).degree + shape_of(*n).links(), diameter);
        if (n->nodes() <= 1000)
            r.values.push_back(
                {fmt::format("lemma 3.1: {}, longest way at most", row.name),
                 double(check_routing(*n, *make_routing(*n, "recursive"), options.work()).max_hops),
                 diameter, 0, ""});
    }
    const auto deep = make_network("rhsn:2,2,2,q1");
    const double levels = 2, nucleus = 2;
    r.values.push_back(
        {"2.3: depth of rhsn:2,2,2,q1, from its size",
         (std::log2(std::log2(deep->nodes())) - std::log2(std::log2(nucleus))) / std::log2(levels),
         3, 0, ""});
    for (uint32_t n = 1; n <= 5; ++n)
        r.values.push_back(
            {fmt::format("2.1: HCN({0},{0}) = HSN(2,Q{0}) with diameter links, diameter", n),
             distances(*make_network(fmt::format("rhsn:2,q{}+d", n))).diameter,
             double(n + (n + 1) / 3 + 1), 0, ""});
}

void passes(Report& r, const Options& options) {
    for (const char* name : {"rhsn:3,q2", "rhsn:2,2,q2", "rhsn:2,2,2,q1"}) {
        options.say(fmt::format("rhsn, ascend, {}", name));
        const auto network = make_network(name);
        const uint32_t bits = uint32_t(std::log2(network->nodes()));
        double ranges = 0, longer = 0;
        for (uint32_t first = 0; first < bits; ++first)
            for (uint32_t last = first; last < bits; ++last) {
                const algo::Outcome o = algo::run_algorithm(
                    name, "ascend", {fmt::format("first={}", first), fmt::format("last={}", last)});
                ++ranges;
                longer += o.correct && o.steps <= *o.bound ? 0 : 1;
            }
        r.values.push_back(
            {fmt::format("theorem 4.1: {}, ranges of dimensions that take longer", name), longer, 0,
             0, fmt::format("of {}", ranges)});
        const double k = bits / double(shape_of(*network).digits());
        r.values.push_back({fmt::format("corollary 4.2: {}, steps of ascend", name),
                            double(algo::run_algorithm(name, "ascend").steps),
                            bits + 2 * (bits / k - 1), 0, ""});
    }
    // (1 + t/2) p^2 and the exponent that is printed as a power of two; t = 1, M = 16, p = 3.
    r.values.push_back({"corollary 4.5: RHSN(3,K16), t = 1, steps of bitonic sort at most",
                        double(algo::run_algorithm("rhsn:3,k16", "bitonic", {"parts=1"}).steps),
                        1.5 * 9 * 16, 0,
                        "54 with the sum as a factor, which the paper's ~ agrees with"});
}

void emulation(Report& r, const Options& options) {
    options.say("rhsn, emulation");
    const auto network = make_network("rhsn:2,2,2,q1");
    const algo::ProductEmulation product(dynamic_cast<const Rhsn&>(*network));
    std::vector<uint64_t> data(network->nodes());
    for (NodeId v = 0; v < data.size(); ++v) data[v] = v;
    for (uint32_t a = 0; a < product.dimensions(); ++a) {
        algo::StepMachine machine(*network, algo::PortModel::OnePort);
        product.send(machine, a, data);
        r.values.push_back({fmt::format("theorem 4.6: RHSN(2,2,2,Q1), steps of dimension {}", a),
                            double(machine.steps()), 2.0 * __builtin_popcount(a) + 1, 0, ""});
    }
    for (const char* name : {"rhsn:4,q3", "rhsn:2,2,q2", "rhsn:3,2,k3"}) {
        const algo::Outcome o = algo::run_algorithm(name, "emulate", {"port=all"});
        r.values.push_back({fmt::format("theorem 4.8: {}, all ports, steps at most", name),
                            double(o.steps), double(*o.bound), 0,
                            fmt::format("{} at least", o.counts.at(1).second)});
    }
    r.values.push_back({"4.5: steps with r = 1, l_1 = 4, l_0 = 3",
                        double(algo::run_algorithm("rhsn:4,q3", "emulate", {"port=all"}).steps), 6,
                        0, "a schedule was found; no other is shorter"});
}

void reductions(Report& r, const Options& options) {
    options.say("rhsn, semigroup and matrices");
    struct Row {
        const char* name;
        int parts;
        const char* source;
        double semigroup;
    };
    for (const Row& row : std::vector<Row>{{"rhsn:3,q2", 0, "corollary 5.2", 1.5 * 6 - 1},
                                           {"rhsn:2,2,q2", 0, "corollary 5.2", 1.5 * 8 - 1},
                                           {"rhsn:2,3,k3", 1, "corollary 5.3", 2 * 6},
                                           {"rhsn:3,k16", 1, "corollary 5.3", 2 * 3},
                                           {"rhsn:3,k16", 2, "corollary 5.3", 3 * 3}}) {
        const std::string parts = fmt::format("parts={}", row.parts);
        const algo::Outcome o = algo::run_algorithm(row.name, "semigroup", {parts});
        r.values.push_back({fmt::format("{}: {}, t = {}, steps of semigroup", row.source, row.name,
                                        row.parts == 0 ? "log2 M" : std::to_string(row.parts)),
                            double(o.steps), row.semigroup, 0,
                            row.parts == 0 ? "" : "exactly one less than printed, (1+t)p - 1"});
    }
    for (const auto& [name, parts] : std::vector<std::pair<const char*, int>>{
             {"rhsn:3,q2", 0}, {"rhsn:6,k2", 0}, {"rhsn:3,2,k3", 1}, {"rhsn:3,k16", 1}}) {
        const algo::Outcome o =
            algo::run_algorithm(name, "matmul", {fmt::format("parts={}", parts)});
        r.values.push_back({fmt::format("theorem 5.4: {}, steps of matmul at most", name),
                            double(o.steps), double(*o.bound), 0,
                            o.correct ? "" : "came out wrong"});
    }
}

// Steps of the hypercube itself, dimension by dimension.
double hypercube_steps(uint32_t bits, bool bitonic) {
    const auto cube = make_network(fmt::format("hypercube:{}", bits));
    algo::StepMachine machine(*cube, algo::PortModel::OnePort);
    std::vector<uint64_t> data(cube->nodes(), 1);
    for (uint32_t stage = bitonic ? 1 : bits; stage <= bits; ++stage)
        for (uint32_t b = stage; b-- > 0;)
            machine.exchange(
                data, [b](NodeId) { return std::optional<uint32_t>(b); },
                [&](NodeId to, NodeId, uint64_t value) { data[to] += value; });
    return double(machine.steps());
}

void table_1(Report& r, const Options& options) {
    options.say("rhsn, table 1");
    struct Row {
        const char* name;
        const char* algorithm;
        int parts;
        double leading;  // the term that the table gives
        const char* note;
    };
    // 64 nodes over Q2, 4096 over Q4 and K16.
    const std::vector<Row> rows{
        {"rhsn:3,q2", "semigroup", 0, 6, "log2 N and smaller terms"},
        {"rhsn:3,q4", "semigroup", 0, 12, "log2 N and smaller terms"},
        {"rhsn:3,q2", "matmul", 0, 2, "log2 N / 3 and smaller terms"},
        {"rhsn:3,q4", "matmul", 0, 4, "log2 N / 3 and smaller terms"},
        {"rhsn:3,q2", "fft", 0, 6, "log2 N and smaller terms"},
        {"rhsn:3,q4", "fft", 0, 12, "log2 N and smaller terms"},
        {"rhsn:3,q2", "bitonic", 0, 18, "log2^2 N / 2 and smaller terms"},
        {"rhsn:3,q4", "bitonic", 0, 72, "log2^2 N / 2 and smaller terms"},
        {"rhsn:3,k16", "semigroup", 1, 5, "2 log2 N / log2 M - 1"},
        {"rhsn:3,k16", "matmul", 1, 2, "2 log2 N / (3 log2 M) and smaller terms"},
        {"rhsn:3,k16", "fft", 1, 3, "of the order of log2 N / log2 M"},
        {"rhsn:3,k16", "bitonic", 1, 54, "3 log2^2 N / (2 log2 M) and smaller terms"}};
    for (const Row& row : rows) {
        std::vector<std::string> given;
        if (row.parts != 0) given.push_back(fmt::format("parts={}", row.parts));
        const algo::Outcome o = algo::run_algorithm(row.name, row.algorithm, given);
        r.values.push_back({fmt::format("table 1: {}, {}", row.name, row.algorithm),
                            double(o.steps), row.leading, 0,
                            o.correct ? row.note : "came out wrong"});
    }
    // "+ o(...)": the ratio to the leading term falls towards 1 as k grows. With k = 6 the
    // network has 262,144 nodes.
    struct Growth {
        const char* algorithm;
        double leading[3];  // k = 2, 4, 6
    };
    for (const Growth& row : {Growth{"semigroup", {6, 12, 18}}, Growth{"matmul", {2, 4, 6}},
                              Growth{"fft", {6, 12, 18}}, Growth{"bitonic", {18, 72, 162}}}) {
        double before = 0;
        for (int n = 0; n < (options.quick ? 2 : 3); ++n) {
            const uint32_t k = 2 * n + 2;
            const double ratio =
                double(algo::run_algorithm(fmt::format("rhsn:3,q{}", k), row.algorithm, {}).steps) /
                row.leading[n];
            if (n > 0)
                r.values.push_back(
                    {fmt::format("table 1: {}, steps over leading term, k = {}", row.algorithm, k),
                     ratio, before, 2, fmt::format("beside k = {}", k - 2)});
            before = ratio;
        }
    }
    r.values.push_back(
        {"table 1: hypercube of 64, semigroup", hypercube_steps(6, false), 6, 0, ""});
    r.values.push_back({"table 1: hypercube of 64, FFT", hypercube_steps(6, false), 6, 0, ""});
    r.values.push_back({"table 1: hypercube of 64, bitonic sort", hypercube_steps(6, true), 17, 0,
                        "log2 N (log2 N + 1) / 2, not log2^2 N / 2 - 1"});
}

void scaling(Report& r) {
    const auto four = make_network("rhsn-copies:1,2,q2"), large = make_network("rhsn:3,q2");
    double differ = 0;
    for (NodeId v = 0; v < large->nodes(); ++v)
        for (uint32_t port = 0; port < large->ports(); ++port)
            differ += four->neighbor(v, port) == large->neighbor(v, port) ? 0 : 1;
    r.values.push_back(
        {"6: four copies of HSN(2,Q2), links that differ from HSN(3,Q2)", differ, 0, 0, ""});
    r.values.push_back({"6: nine copies of RHSN(2,2,K3), diameter",
                        distances(*make_network("rhsn-copies:1,2,2,k3")).diameter,
                        {},
                        0,
                        "729 nodes; the paper gives no number"});
    for (const std::string name : {"3,q2", "2,2,k3"}) {
        const auto whole = make_network("rhsn:" + name);
        const double diameter = distances(*whole).diameter;
        for (uint32_t n = 1; n < shape_of(*whole).block_size(shape_of(*whole).depth()); ++n)
            r.values.push_back(
                {fmt::format("6: rhsn:{}, diameter of {} clusters, at most", name, n),
                 distances(*make_network(fmt::format("rhsn-part:{},{}", n, name))).diameter,
                 diameter, 0, ""});
    }
}

}  // namespace

Report rhsn(const Options& options) {
    Report r{
        "rhsn", "Recursive hierarchical swapped networks: figures, theorems and table", {}, {}, {}};
    sizes(r, options);
    passes(r, options);
    emulation(r, options);
    reductions(r, options);
    table_1(r, options);
    add_rhsn_further(r, options);
    add_rhsn_limits(r);
    scaling(r);
    r.notes = {
        "Table 1 gives leading terms only; here are the steps that were counted.",
        "A level-l link joins X_l X_(l-1:2) X_1 and X_1 X_(l-1:2) X_l; \"HPC(p,G)\" is HPN(p,G).",
        "The matrix multiplication of the paper is in another one; this one stays below its "
        "bound."};
    return r;
}

}  // namespace rdt::paper
