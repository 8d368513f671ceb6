// SPDX-License-Identifier: MIT
// RHSNs: what goes beyond nuclei of 2^k nodes, movements and whole networks.
#include <fmt/core.h>

#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/paper/rhsn.h>

namespace rdt::paper {

namespace {

using Given = std::vector<std::string>;

std::string note_of(const algo::Outcome& o, const std::string& note) {
    return o.correct ? note : "came out wrong";
}

uint64_t count_of(const algo::Outcome& o, const std::string& name) {
    for (const auto& [key, value] : o.counts)
        if (key == name) return value;
    throw std::logic_error("no count " + name);
}

void add_any_size(Report& r) {
    r.values.push_back({"2: HSN(1,Q3), diameter",
                        double(distances(*make_network("rhsn:1,q3")).diameter), 3, 0,
                        "the nucleus itself"});
    for (const char* name : {"rhsn:1,k3", "rhsn:2,k3", "rhsn:3,k3", "rhsn:2,k5", "rhsn:2,2,k3"}) {
        const algo::Outcome o = algo::run_algorithm(name, "ascend", {"parts=1"});
        const auto held = count_of(o, "values of a node, most");
        r.values.push_back({fmt::format("corollary 4.4: {}, steps of ascend, stated bound", name),
                            double(o.steps),
                            2.0 * double(count_of(o, "steps with 2^k nodes a nucleus")), 0,
                            note_of(o, fmt::format("a node holds up to {} of {} values", held,
                                                   count_of(o, "values")))});
    }
}

void add_computation(Report& r) {
    struct Row {
        int parts;
        double radix;
    };
    for (const Row& row : {Row{1, 16}, Row{2, 4}, Row{4, 2}}) {
        const algo::Outcome o =
            algo::run_algorithm("rhsn:3,k16", "bitonic", {fmt::format("parts={}", row.parts)});
        r.values.push_back(
            {fmt::format("corollary 4.5: RHSN(3,K16), t = {}, computation steps at most",
                         row.parts),
             double(count_of(o, "computation steps of a node")),
             row.parts * (row.radix - 1) * 9 * 4, 0,
             note_of(o, "there: with the sum as a factor")});
    }
    for (const auto& [name, kept] :
         std::vector<std::pair<const char*, double>>{{"rhsn:3,q2", 10}, {"rhsn:2,2,q2", 14}}) {
        const algo::Outcome o = algo::run_algorithm(name, "ascend", {"order=free"});
        r.values.push_back({fmt::format("4.3: {}, steps of ascend, outputs in any order", name),
                            double(o.steps), kept - 1, 0,
                            note_of(o, "one swap of each depth less")});
    }
}

void add_dns(Report& r) {
    for (const uint32_t bits : {6u, 12u}) {
        const double third = bits / 3.0;
        const algo::Outcome cube = algo::run_algorithm(fmt::format("hypercube:{}", bits), "matmul");
        const algo::Outcome shuffle =
            algo::run_algorithm(fmt::format("shuffle:{}", bits), "matmul");
        const algo::Outcome here =
            algo::run_algorithm(fmt::format("rhsn:3,q{}", bits / 3), "matmul");
        r.values.push_back(
            {fmt::format("table 1: hypercube of {}, matrix multiplication", 1u << bits),
             double(cube.steps), 5 * third, 0, note_of(cube, "DNS, executed")});
        r.values.push_back(
            {fmt::format("5.2: shuffle-exchange of {}, matrix multiplication", 1u << bits),
             double(shuffle.steps), 13 * third, 0, note_of(shuffle, "DNS, executed")});
        r.values.push_back(
            {fmt::format("5.2: hypercube of {}, times as slow as HSN(3,Q{})", 1u << bits, bits / 3),
             double(cube.steps) / double(here.steps), 5, 2, "5 is the limit"});
        r.values.push_back({fmt::format("5.2: shuffle-exchange of {}, times as slow as HSN(3,Q{})",
                                        1u << bits, bits / 3),
                            double(shuffle.steps) / double(here.steps), 13, 2, "13 is the limit"});
    }
    // k + 2 steps on HSN(3,Q_k), which the executed ones have too.
    for (const double k : {20., 1000.}) {
        r.values.push_back(
            {fmt::format("5.2: hypercube of 2^{:g}, times as slow as HSN(3,Q{:g})", 3 * k, k),
             5 * k / (k + 2), 5, 2, "by the number of steps"});
        r.values.push_back(
            {fmt::format("5.2: shuffle-exchange of 2^{:g}, times as slow as HSN(3,Q{:g})", 3 * k,
                         k),
             13 * k / (k + 2), 13, 2, "by the number of steps"});
    }
}

void add_variants(Report& r) {
    struct Row {
        const char* name;
        Given given;
        double steps;
    };
    for (const Row& row :
         {Row{"rhsn-copies:1,2,q2", {}, 5 + 1 + 2}, Row{"rhsn-copies:2,3,q2", {}, 8 + 1 + 5},
          Row{"rhsn-copies:1,2,2,k3", {"parts=1"}, 7 + 1 + 3}}) {
        const algo::Outcome o = algo::run_algorithm(row.name, "semigroup", row.given);
        r.values.push_back({fmt::format("6: {}, steps of semigroup", row.name), double(o.steps),
                            row.steps, 0, note_of(o, "each copy, one exchange, the cluster")});
    }
    for (const char* name : {"rhsn-part:2,3,q2", "rhsn-part:3,3,q2"})
        r.values.push_back({fmt::format("6: {}, diameter, at most", name),
                            double(distances(*make_network(name)).diameter), 8, 0, ""});
}

}  // namespace

void add_rhsn_further(Report& r, const Options& options) {
    options.say("rhsn, any nuclei, DNS, variants");
    add_any_size(r);
    add_computation(r);
    add_dns(r);
    add_variants(r);
}

}  // namespace rdt::paper
