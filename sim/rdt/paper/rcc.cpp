// SPDX-License-Identifier: MIT
// RCC-FULL (Hamdi and Hall): table I, the equations of its shape, figures 3 to 6.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <rdt/lab/replicas.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/families/rcc.h>
#include <rdt/paper/rcc.h>

namespace rdt::paper {

namespace {

void table_i(Report& r, const Options& options) {
    const double printed[4][3] = {{4, 3, 1}, {16, 4, 3}, {256, 5, 7}, {65536, 6, 15}};
    for (uint32_t level = 0; level < 4; ++level) {
        options.say("rcc, table I, " + name_of(4, level));
        const Rcc network(4, level);
        const std::string name = "table I: " + name_of(4, level);
        r.values.push_back({name + " nodes", double(network.nodes()), printed[level][0], 0, ""});
        r.values.push_back({name + " degree", size_of(network).degree, printed[level][1], 0, ""});
        r.values.push_back({name + " diameter", distances(network, options.work()).diameter,
                            printed[level][2], 0, ""});
        const auto bits = uint32_t(std::log2(printed[level][0]));
        const auto cube = make_network(fmt::format("hypercube:{}", bits));
        r.values.push_back({fmt::format("table I: hypercube of {} nodes, degree", cube->nodes()),
                            size_of(*cube).degree, double(bits), 0, ""});
        r.values.push_back({fmt::format("table I: hypercube of {} nodes, diameter", cube->nodes()),
                            distances(*cube, options.work()).diameter, double(bits), 0, ""});
    }
}

// The closed forms behind equation 9.
double printed_links(uint32_t atom, uint32_t level) {
    const double n = RccFormulas{atom, level}.nodes();
    const auto power = [n](double exponent) { return std::pow(n, exponent); };
    const double transposes = (n - power(0.5)) / 2;
    switch (level) {
    case 1: return (power(1.5) - n) / 2 + transposes;
    case 2: return (power(1.25) - power(0.75)) / 2 + transposes;
    default: return (power(1.125) + n - power(0.875) - power(0.75)) / 2 + transposes;
    }
}

void links_and_averages(Report& r, const Options& options) {
    struct Row {
        uint32_t atom, level;
        bool is_slow = false;
    };
    for (const Row& row : std::vector<Row>{{2, 1},
                                           {4, 1},
                                           {8, 1},
                                           {2, 2},
                                           {4, 2},
                                           {8, 2},
                                           {2, 3},
                                           {3, 3},
                                           {4, 3},
                                           {16, 2, true},
                                           {256, 1, true}}) {
        if (row.is_slow && options.quick) continue;
        options.say("rcc, average distance, " + name_of(row.atom, row.level));
        const Rcc network(row.atom, row.level);
        const RccFormulas f{row.atom, row.level};
        const std::string name = name_of(row.atom, row.level);
        r.values.push_back({"eq. 9: links, " + name, double(size_of(network).links),
                            printed_links(row.atom, row.level), 0, ""});
        const double mean = distances(network, options.work()).mean();
        r.values.push_back({"eq. 7: average distance, " + name, mean, f.average(), 4,
                            fmt::format("of Algorithm 1's ways {:.4f}", f.average_algorithm1())});
        r.values.push_back(
            {"eq. 4: traffic density, " + name, f.density(mean), f.density(f.average()), 4, ""});
        if (network.nodes() == 65536)
            r.values.push_back({"fig. 6: utilization at saturation, " + name, 1 / mean,
                                1 / f.average(), 4,
                                row.level == 3 ? "less than the hypercube's 0.1250"
                                               : "more than the hypercube's 0.1250"});
    }
    const RccFormulas f{4, 1};
    const double printed = (f.average() - 1 + 2 / std::sqrt(f.nodes())) * f.nodes() / f.links();
    r.values.push_back({"eq. 11: traffic density, (4,1)", f.density(f.average()), printed, 4,
                        "the last term must be 1 - 1/N^(1/2)"});
    const auto cube = make_network("hypercube:8");
    const double mean = distances(*cube).mean();
    r.values.push_back({"eq. 8: average distance of a hypercube of 256", mean, 4, 4, ""});
    r.values.push_back({"eq. 12: traffic density of a hypercube of 256",
                        mean * cube->nodes() / double(size_of(*cube).links), 1, 4, ""});
}

void cuts(Report& r, const Options& options) {
    for (const auto& [atom, level] :
         std::vector<std::pair<uint32_t, uint32_t>>{{4, 1}, {2, 2}, {4, 2}, {2, 3}}) {
        const Rcc network(atom, level);
        const uint32_t side = network.side();
        std::vector<bool> rows(network.nodes()), columns(network.nodes());
        for (NodeId v = 0; v < network.nodes(); ++v) {
            rows[v] = v / side < side / 2;
            columns[v] = v % side < side / 2;
        }
        const std::string name = ", " + name_of(atom, level);
        const double quarter = network.nodes() / 4.0;
        r.values.push_back(
            {"2.3.1: cut between rows" + name, double(cut(network, rows)), quarter, 0, ""});
        r.values.push_back({"2.3.1: cut between columns" + name,
                            double(cut(network, columns)),
                            {},
                            0,
                            "more than N/4, as in the paper"});
        const Bisection b = bisection(network, options.work());
        r.values.push_back({"2.3.1: best cut" + name, double(b.links), quarter, 0,
                            b.exact ? "exact" : "the best found; less than N/4 is possible"});
    }
}

// The text of figure 6 and section 2.3.3 in the flit-level simulator: Algorithm 1 does not spread
// its load evenly, as equation 14 supposes.
void saturation(Report& r, const Options& options) {
    struct Row {
        const char* name;
        const char* routing;
        bool is_slow;
    };
    lab::Interval cube;  // hypercube with as many nodes
    for (const Row& row : {Row{"hypercube:8", "ecube", false}, Row{"rcc:16,1", "alg1", false},
                           Row{"hypercube:12", "ecube", true}, Row{"rcc:64,1", "alg1", true},
                           Row{"rcc:8,2", "alg1", true}}) {
        if (row.is_slow && options.quick) continue;
        options.say(fmt::format("rcc, saturation, {}", row.name));
        const auto network = make_network(row.name);
        lab::Options point;
        point.cycles = options.quick ? 2000 : 5000;
        lab::SaturationOptions how;
        how.seeds = options.quick ? 1 : 5;
        how.tolerance = 1 / 16.;
        how.jobs = options.threads;
        const lab::Saturation s =
            lab::find_saturation(*network, *make_routing(*network, row.routing), point, how);
        const bool is_cube = row.routing == std::string("ecube");
        if (is_cube) cube = s.load;
        const char* than_cube = is_cube                      ? ""
                                : s.load.high() < cube.low() ? ": earlier than the hypercube"
                                : s.load.low() > cube.high()
                                    ? ": later than the hypercube"
                                    : ": no significant difference from the hypercube";
        r.values.push_back(
            {fmt::format("fig. 6: {} saturates at, flits/node/cycle", row.name),
             s.load.mean,
             {},
             3,
             fmt::format("+- {:.3f}; simulated, equal links, 16 flits{}", s.load.half, than_cube)});
    }
}

// The mean distance by breadth-first search, where that takes seconds at most.
std::optional<double> exact_average(const RccFormulas& f, const Options& options) {
    if (f.level <= 1) return f.average_algorithm1();  // there is no shorter way
    if (f.nodes() > (options.quick ? 4096 : 65536)) return std::nullopt;
    return distances(Rcc(f.atom, f.level), options.work()).mean();
}

// Networks of 2^1 to 2^20 nodes, by the number of their bits.
template <class Of>
Curve curve(uint32_t level, Of&& of) {
    Curve c{level == 4 ? "hypercube" : fmt::format("(N_A,{})", level), {}, level == 4};
    for (uint32_t bits = 2; bits <= 20; ++bits) {
        if (level == 4) {
            c.points.push_back({bits, of(RccFormulas{2, 0}, bits)});
        } else if (bits % (1u << level) == 0 && bits >> level >= 1) {
            c.points.push_back({bits, of(RccFormulas{1u << (bits >> level), level}, 0)});
        }
    }
    return c;
}

void figures_3_to_6(Report& r, const Options& options) {
    Plot average{"Average distance", "log2 N", "hops", {}, 16};
    Plot links{"Number of links", "log2 N", "log2 of the links", {}, 0};
    Plot density{"Message traffic density", "log2 N", "density", {}, 3.5};
    std::vector<Curve> exacts;
    for (uint32_t level = 0; level <= 4; ++level) {
        average.curves.push_back(curve(level, [](const RccFormulas& f, uint32_t bits) {
            return bits != 0 ? bits / 2.0 : f.average();
        }));
        if (level >= 1 && level <= 3) {
            Curve exact{fmt::format("(N_A,{}), exact", level), {}, false}, dense = exact;
            for (uint32_t bits = 2; bits <= 20; ++bits) {
                if (bits % (1u << level) != 0) continue;
                const RccFormulas f{1u << (bits >> level), level};
                const auto mean = exact_average(f, options);
                if (!mean) continue;
                exact.points.push_back({bits, *mean});
                dense.points.push_back({bits, f.density(*mean)});
            }
            average.curves.back().name += ", eq. 7";
            average.curves.back().dashed = true;
            average.curves.push_back(exact);
            exacts.push_back(dense);
        }
        links.curves.push_back(curve(level, [](const RccFormulas& f, uint32_t bits) {
            return std::log2(bits != 0 ? bits * std::exp2(bits) / 2 : f.links());
        }));
        density.curves.push_back(curve(level, [](const RccFormulas& f, uint32_t bits) {
            return bits != 0 ? 1.0 : f.density(f.average());
        }));
    }
    for (Curve& c : density.curves)
        if (c.name.front() == '(' && c.name != "(N_A,0)") {
            c.name += ", eq. 7";
            c.dashed = true;
        }
    density.curves.insert(density.curves.end(), exacts.begin(), exacts.end());
    // Figure 6: 64K nodes, the delay over the utilization.
    constexpr double CubeAverage = 8, CubeLinks = 8 * 65536;
    Plot delay{"Queueing delay of 65,536 nodes", "utilization", "T mu C / 10^6", {}, 150};
    for (uint32_t level = 1; level <= 4; ++level) {
        const RccFormulas f{level == 4 ? 2 : 1u << (16 >> level), level};
        const double d = level == 4 ? CubeAverage : exact_average(f, options).value_or(f.average());
        Curve c{level == 4 ? "hypercube" : name_of(f.atom, f.level), {}, level == 4};
        for (double u = 0; u < 1 / d - 0.002; u += 0.002)
            c.points.push_back(
                {u, (level == 4 ? d * 2 * CubeLinks / (1 - d * u) : f.delay(d, u)) / 1e6});
        delay.curves.push_back(c);
    }
    r.plots = {
        {"rcc_fig3", average}, {"rcc_fig4", links}, {"rcc_fig5", density}, {"rcc_fig6", delay}};

    // Statements of the text about the figures, at the decisive sizes.
    const auto compare = [&](const std::string& what, double ours, double cube, const char* note) {
        r.values.push_back({what + ", beside the hypercube", ours, cube, 4, note});
    };
    compare("fig. 3: exact average of (4,1)", RccFormulas{4, 1}.average_algorithm1(), 2,
            "stated as always better; not here");
    compare("fig. 3: exact average of (8,1)", RccFormulas{8, 1}.average_algorithm1(), 3, "better");
    compare("fig. 4: links of (4,1)", RccFormulas{4, 1}.links(), 32,
            "stated as always more; not here");
    compare("fig. 4: links of (8,2)", RccFormulas{8, 2}.links(), 6 * 4096, "fewer up to N_A = 8");
    compare("fig. 4: links of (16,2)", RccFormulas{16, 2}.links(), 8 * 65536,
            "more from N_A = 16; the text has it the other way round");
    compare("fig. 5: exact density of (4,1)",
            RccFormulas{4, 1}.density(RccFormulas{4, 1}.average_algorithm1()), 1,
            "stated as always better; not here");
    for (uint32_t level : {2u, 3u}) {
        const RccFormulas two{2, level}, four{4, level};
        r.values.push_back(
            {fmt::format("fig. 5: density by eq. 7 of (4,{}), beside (2,{})", level, level),
             four.density(four.average()), two.density(two.average()), 4,
             "stated to fall with N; it rises here"});
    }
}

}  // namespace

Report rcc(const Options& options) {
    Report r{"rcc", "RCC-FULL: tables, equations, figures and theorems", {}, {}, {}};
    table_i(r, options);
    links_and_averages(r, options);
    cuts(r, options);
    figures_3_to_6(r, options);
    saturation(r, options);
    add_rcc_algorithms(r, options);
    add_rcc_pins(r, options);
    const std::vector<std::string> notes{
        "Equation 7 reuses a mean that contains the source itself and ignores ways shorter than",
        "Algorithm 1's; the exact averages are by breadth-first search over all ordered pairs.",
        "Only statements of the text on figures 3 to 6, 11 and 13 can be compared; where a",
        "line contains beside, the second column is the paper's comparison."};
    r.notes.insert(r.notes.end(), notes.begin(), notes.end());
    return r;
}

}  // namespace rdt::paper
