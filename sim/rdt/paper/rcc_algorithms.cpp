// SPDX-License-Identifier: MIT
// RCC-FULL: lemma 2, figure 9, sorting and random access, pins.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/rcc_sort.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/families/rcc.h>
#include <rdt/paper/rcc.h>

namespace rdt::paper {

namespace {

void routing(Report& r, const Options& options) {
    for (const auto& [atom, level] :
         std::vector<std::pair<uint32_t, uint32_t>>{{4, 1}, {4, 2}, {2, 3}}) {
        const Rcc network(atom, level);
        const std::string name = ", " + name_of(atom, level);
        options.say("rcc, routing" + name);
        const RoutingCheck one =
            check_routing(network, *make_routing(network, "alg1"), options.work());
        r.values.push_back({"2.4: longest way of Algorithm 1" + name, double(one.max_hops),
                            RccFormulas{atom, level}.diameter(), 0, ""});
        const auto worst = [&](int algorithm) {
            uint64_t steps = 0;
            for (const char* pattern : {"random", "rows", "columns"})
                for (int seed = 1; seed <= (std::string(pattern) == "random" ? 20 : 1); ++seed)
                    steps =
                        std::max(steps, algo::run_algorithm(network.name(), "permute",
                                                            {fmt::format("algorithm={}", algorithm),
                                                             fmt::format("pattern={}", pattern),
                                                             fmt::format("seed={}", seed)})
                                            .steps);
            return double(steps);
        };
        const double side = network.side();
        r.values.push_back({"2.4: steps of a permutation, Algorithm 1, at least" + name, worst(1),
                            side, 0, "worst of 22; N^(1/2) is a lower bound on the worst"});
        r.values.push_back({"2.4: steps of a permutation, any algorithm, at least" + name, worst(3),
                            side / 2 / (atom + level - 1.0), 1,
                            "Leighton: N^(1/2) / 2(N_A+L-1) on some permutation"});
        r.values.push_back(
            {"2.4: steps of a permutation, Algorithm 2, at least" + name, worst(2), side, 0, ""});
        r.values.push_back({"lemma 2: steps of a permutation, Algorithm 3, at most" + name,
                            worst(3), double(RccFormulas{atom, level}.permutation_steps()), 0, ""});
    }
    const char* const series = "N^(1/4) + 2 N^(1/8) + 4 N^(1/16) + ...";
    r.values.push_back({"after lemma 2: W of a row of (4,2)", double(RccFormulas{4, 1}.row_steps()),
                        4 + 1, 0, series});
    r.values.push_back({"after lemma 2: W of a row of (4,3)", double(RccFormulas{4, 2}.row_steps()),
                        16 + 4 + 1, 0, series});
}

void figure_9(Report& r) {
    using Grid = std::vector<uint64_t>;
    const std::vector<std::pair<char, Grid>> printed{
        {'b', {4, 2, 5, 0, 6, 3, 7, 2, 8, 9, 11, 12, 10, 15, 14, 13}},
        {'c', {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 11, 12, 10, 13, 14, 15}},
        {'d', {0, 1, 4, 5, 6, 7, 2, 3, 8, 9, 11, 12, 14, 15, 10, 13}},
        {'e', {0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 12, 14, 15, 11, 13}},
        {'f', {0, 1, 2, 3, 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14}},
        {'g', {0, 1, 2, 3, 7, 4, 5, 6, 10, 11, 8, 9, 13, 14, 15, 13}},
        {'h', {0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12}},
        {'i', {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}};
    const Rcc network(4, 1);
    algo::StepMachine machine(network, algo::PortModel::AllPort);
    algo::RccSorter sorter(machine, network);
    std::vector<algo::Record> records;
    for (uint64_t key : algo::PaperInput) records.push_back({key, 0});
    std::vector<Grid> after(11);  // by step
    sorter.sort(records, [&](int step, const Grid& keys) { after[size_t(step)] = keys; });
    const size_t steps[] = {1, 2, 3, 4, 6, 8, 9, 10};
    for (size_t i = 0; i < printed.size(); ++i) {
        const Grid& here = after[steps[i]];
        std::string note;
        double differences = 0;
        for (size_t v = 0; v < 16; ++v)
            if (here[v] != printed[i].second[v]) {
                ++differences;
                note = fmt::format("row {}: {} is right, {} printed", v / 4, here[v],
                                   printed[i].second[v]);
            }
        r.values.push_back({fmt::format("fig. 9({}): values that differ", printed[i].first),
                            differences, 0, 0, note});
    }
}

void algorithms(Report& r, const Options& options) {
    for (const auto& [atom, level] :
         std::vector<std::pair<uint32_t, uint32_t>>{{4, 0}, {4, 1}, {4, 2}, {2, 3}}) {
        const Rcc network(atom, level);
        const RccFormulas f{atom, level};
        const std::string name = ", " + name_of(atom, level);
        options.say("rcc, algorithms" + name);
        const auto steps = [&](const char* algorithm) {
            const algo::Outcome o = algo::run_algorithm(network.name(), algorithm);
            if (!o.correct) r.notes.push_back(fmt::format("{}{} came out wrong", algorithm, name));
            return double(o.steps);
        };
        r.values.push_back({"eq. 15: steps of RCC-FULL SORT, ST(0) = 1" + name, steps("sort"),
                            double(f.sort_steps()), 0, ""});
        const double bits = std::log2(f.nodes());
        r.values.push_back({"eq. 18: steps of an ascend algorithm" + name, steps("ascend"),
                            std::exp2(level) * (2 + bits) - 2, 0,
                            level == 0 ? "" : "right with log2 N_A in place of log2 N"});
        for (const char* routine : {"rank", "compress", "distribute", "generalize"})
            r.values.push_back({fmt::format("3.2: steps of {}{}", routine, name), steps(routine),
                                bits, 0, level == 0 ? "" : "as many as an ascend algorithm"});
        for (const auto& [routine, times] :
             std::vector<std::pair<const char*, double>>{{"rank", 2}, {"generalize", 3}})
            r.values.push_back(
                {fmt::format("3.2: computation steps of {}, at most{}", routine, name),
                 double(algo::run_algorithm(network.name(), routine).counts.at(0).second),
                 times * bits, 0, "of the node that has most"});
        if (level == 3 && options.quick) continue;
        const double sort = double(f.sort_steps()), pass = double(f.ascend_steps());
        r.values.push_back(
            {"3.2: random access read" + name, steps("rar"), 2 * sort + 5 * pass, 0, ""});
        r.values.push_back(
            {"3.2: random access write" + name, steps("raw"), sort + 3 * pass, 0, ""});
    }
}

// "Universal": a step of another network, a read for each of its ports.
void universal(Report& r, const Options& options) {
    options.say("rcc, other networks");
    const double read = 2.0 * double(RccFormulas{4, 2}.sort_steps()) +
                        5.0 * double(RccFormulas{4, 2}.ascend_steps());
    for (const char* name : {"hypercube:8", "torus:16x16", "rdt:16", "chordal:256,4,16,64"}) {
        if (options.quick && std::string(name) != "torus:16x16") continue;
        const auto guest = make_network(name);
        const algo::Outcome o =
            algo::run_algorithm("rcc:4,2", "emulate", {fmt::format("network={}", name)});
        r.values.push_back({fmt::format("5: a step of {} on (4,2)", name), double(o.steps),
                            guest->ports() * read, 0,
                            o.correct ? "a read for each port" : "came out wrong"});
    }
}

// Links from the nodes of one chip to all others.
double pins(const Network& network, uint32_t first, uint32_t count) {
    std::vector<bool> chip(network.nodes());
    for (uint32_t v = 0; v < count; ++v) chip[first + v] = true;
    return double(cut(network, chip));
}

}  // namespace

void add_rcc_algorithms(Report& r, const Options& options) {
    routing(r, options);
    figure_9(r);
    algorithms(r, options);
    universal(r, options);
}

namespace {

// Figure 11 over the number of nodes, counted, and the same on boards of several chips.
void pins_over_nodes(Report& r) {
    for (const uint32_t atom : {8u, 16u, 32u, 64u}) {
        const Rcc network(atom, 1);
        const uint32_t nodes = network.nodes();
        const auto cube = make_network(fmt::format("hypercube:{}", int(std::log2(nodes))));
        const std::string name = fmt::format(", {} nodes on 8 chips", nodes);
        r.values.push_back({"fig. 11: pins of RCC-FULL" + name, pins(network, 0, nodes / 8),
                            RccFormulas{atom, 1}.pins(8), 0, ""});
        r.values.push_back({"fig. 11: pins of the hypercube" + name, pins(*cube, 0, nodes / 8),
                            nodes / 8.0 * 3, 0, ""});
    }
    const Rcc network(16, 1);
    const auto cube = make_network("hypercube:8");
    for (const uint32_t boards : {2u, 4u, 8u}) {
        const std::string name = fmt::format(", 256 nodes on {} boards", boards);
        r.values.push_back({"4: ports of a board of the hypercube" + name,
                            pins(*cube, 0, 256 / boards), 256.0 / boards * std::log2(boards), 0,
                            "MIOB"});
        r.values.push_back({"4: ports of a board of (16,1)" + name, pins(network, 0, 256 / boards),
                            RccFormulas{16, 1}.pins(boards), 0, "theorem 5 with boards for chips"});
    }
    Plot plot{
        "Pins of a chip over the number of nodes", "log2 of the nodes", "log2 of the pins", {}, 0};
    for (const double chips : {2., 16., 256.}) {
        Curve rcc{fmt::format("RCC-FULL, {:g} chips", chips), {}, false};
        Curve hypercube{fmt::format("hypercube, {:g} chips", chips), {}, true};
        for (double bits = 2 * std::log2(chips); bits <= 20; bits += 1) {
            if (bits < 4) continue;
            const double nodes = std::exp2(bits);
            rcc.points.push_back({bits, std::log2(nodes / chips - nodes / chips / chips)});
            hypercube.points.push_back({bits, std::log2(nodes / chips * std::log2(chips))});
        }
        plot.curves.push_back(rcc);
        plot.curves.push_back(hypercube);
    }
    r.plots.emplace_back("rcc_fig11_nodes", plot);
}

}  // namespace

void add_rcc_pins(Report& r, const Options& options) {
    options.say("rcc, pins");
    const Rcc one(16, 1), two(4, 2);
    const auto cube = make_network("hypercube:8");
    for (uint32_t chips : {2u, 4u, 8u, 16u}) {
        const std::string name = fmt::format(", 256 nodes on {} chips", chips);
        r.values.push_back({"theorem 4: pins of the hypercube" + name, pins(*cube, 0, 256 / chips),
                            256.0 / chips * std::log2(chips), 0, ""});
        r.values.push_back({"theorem 5: pins of (16,1)" + name, pins(one, 0, 256 / chips),
                            RccFormulas{16, 1}.pins(chips), 0, ""});
        r.values.push_back({"theorem 5: pins of (4,2)" + name, pins(two, 0, 256 / chips),
                            RccFormulas{4, 2}.pins(chips), 0, ""});
    }
    for (uint32_t parts : {2u, 4u, 8u}) {
        const uint32_t size = 16 / parts;
        const std::string name = fmt::format(", rows on {} chips each", parts);
        r.values.push_back({"theorem 6: pins of (16,1)" + name, pins(one, size, size),
                            RccFormulas{16, 1}.pins_of_part(parts), 0,
                            "one more on chips without a node (i,i)"});
        r.values.push_back({"theorem 6: pins of (4,2)" + name, pins(two, size, size),
                            RccFormulas{4, 2}.pins_of_part(parts), 0,
                            parts > 4 ? "the formula holds for I <= N^(1/4)" : ""});
    }
    pins_over_nodes(r);
    // Figures 11 and 13 at 64K nodes, where the paper compares.
    const double rcc = RccFormulas{256, 1}.pins_of_part(2), cube_pins = 128 * 9;
    r.values.push_back({"after theorem 6: pins of (256,1) on 512 chips, beside the hypercube", rcc,
                        cube_pins, 0, "stated as equivalent; it is N^(1/2) / log N times as many"});
    Plot case1{"Pins of a chip, 65,536 nodes", "log2 of the chips", "log2 of the pins", {}, 0};
    Plot case2{"Pins of a chip, rows in parts, 65,536 nodes",
               "log2 of the parts",
               "log2 of the pins",
               {},
               0};
    Curve a{"RCC-FULL", {}}, b{"hypercube", {}, true};
    Curve c{"(256,1)", {}}, d{"(N_A,L), L > 1", {}}, e = b;
    for (uint32_t bits = 1; bits <= 8; ++bits) {
        const double chips = std::exp2(bits);
        a.points.push_back({bits, std::log2(RccFormulas{16, 2}.pins(chips))});
        b.points.push_back({bits, std::log2(65536 / chips * bits)});
        if (bits > 4) continue;  // I <= N^(1/4)
        c.points.push_back({bits, std::log2(RccFormulas{256, 1}.pins_of_part(chips))});
        d.points.push_back({bits, std::log2(RccFormulas{16, 2}.pins_of_part(chips))});
        e.points.push_back({bits, std::log2(256 / chips * (8 + bits))});
    }
    case1.curves = {a, b};
    case2.curves = {c, d, e};
    r.plots.emplace_back("rcc_fig11", case1);
    r.plots.emplace_back("rcc_fig13", case2);
}

}  // namespace rdt::paper
