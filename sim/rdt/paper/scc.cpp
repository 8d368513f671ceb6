// SPDX-License-Identifier: MIT
// Latifi, de Azevedo and Bagherzadeh, "A Star-Based I/O-Bounded Network for Massively Parallel
// Systems": both tables, the figures, the theorems and the examples in the text.
#include <fmt/core.h>

#include <algorithm>

#include <rdt/algo/broadcast.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/drawing.h>
#include <rdt/net/families/scc_search.h>
#include <rdt/paper/scc_edges.h>
#include <rdt/support/random.h>

namespace rdt::paper {

namespace {

using algo::PortModel;
using algo::Schedule;

// Steps of an executed broadcast.
struct Executed {
    double size;
    double degree;
    double diameter;
    double lateral;
    double local;
    double steps;
    double running_time;  // in lateral steps, local links being `ratio` times as fast
};

Executed execute(const Network& network, const Schedule& schedule, PortModel model, double ratio) {
    const algo::BroadcastResult r = algo::run_broadcast(network, model, schedule, 0, 1, 1);
    if (!r.complete) throw std::runtime_error("the broadcast on " + network.name() + " is wrong");
    return {double(network.nodes()),
            double(size_of(network).degree),
            double(distances(network).diameter),
            double(schedule.lateral),
            double(schedule.local()),
            double(r.steps),
            schedule.lateral + schedule.local() / ratio};
}

Executed on_scc(uint32_t n, PortModel model) {
    const auto network = make_network(fmt::format("scc:{}", n));
    const double ratio = model == PortModel::OnePort ? n / 2 : (n - 1) / 2;
    return execute(*network, algo::scc_broadcast(*network, model, 0), model, ratio);
}

void add_row(Report& r, const std::string& name, const Executed& here,
             const std::vector<double>& printed, const std::string& note) {
    const std::pair<const char*, double> columns[] = {{"size", here.size},
                                                      {"degree", here.degree},
                                                      {"diameter", here.diameter},
                                                      {"lateral steps", here.lateral},
                                                      {"local steps", here.local},
                                                      {"steps", here.steps},
                                                      {"running time", here.running_time}};
    for (size_t i = 0; i < printed.size(); ++i) {
        const bool differs = columns[i].second != printed[i] && i == 2;
        r.values.push_back({name + ", " + columns[i].first, columns[i].second, printed[i],
                            i == 6 ? 1 : 0, differs ? note : ""});
    }
}

void add_table1(Report& r) {
    struct Row {
        uint32_t n;
        double diameter, lateral, local, steps, time, percent;
    };
    const Row one[] = {{4, 8, 4, 8, 12, 8, 50},
                       {5, 16, 6, 12, 18, 12, 12.5},
                       {6, 19, 7, 21, 28, 14, 47.4},
                       {7, 31, 9, 27, 36, 18, 16.1}};
    const Row all[] = {{4, 8, 4, 4, 8, 8, 0},
                       {5, 16, 6, 12, 18, 12, 12.5},
                       {6, 19, 7, 14, 21, 14, 10.5},
                       {7, 31, 9, 27, 36, 18, 16.1}};
    const double sizes[] = {72, 480, 3600, 30240};
    for (PortModel model : {PortModel::OnePort, PortModel::AllPort})
        for (const Row& row : model == PortModel::OnePort ? one : all) {
            const std::string name =
                fmt::format("table 1, {}, n = {}",
                            model == PortModel::OnePort ? "one port" : "all ports", row.n);
            const Executed here = on_scc(row.n, model);
            const std::string note = "the diameter is 30, see theorem 1";
            add_row(
                r, name, here,
                {sizes[row.n - 4], 3, row.diameter, row.lateral, row.local, row.steps, row.time},
                note);
            r.values.push_back({name + ", % above diameter",
                                100 * (here.steps - here.diameter) / here.diameter, row.percent, 1,
                                row.n == 7 ? note : ""});
        }
}

struct Ring {
    uint32_t nodes = 0;
    uint32_t lateral_links = 0;
};

// The ring of node 0, counted along the links: `size` nodes with consecutive numbers, each with two
// neighbors among them.
Ring first_ring(const std::string& name, uint32_t size) {
    const auto network = make_network(name);
    Ring ring;
    for (NodeId v = 0; v < size; ++v) {
        uint32_t inside = 0;
        for (uint32_t port = 0; port < network->ports(); ++port) {
            const auto to = network->neighbor(v, port);
            if (!to) continue;
            inside += *to < size ? 1 : 0;
            ring.lateral_links += *to < size ? 0 : 1;
        }
        ring.nodes += inside == 2 ? 1 : 0;
    }
    return ring;
}

void add_table2(Report& r) {
    const double star_steps[] = {12, 16, 20};
    const double ccc[][7] = {{64, 3, 8, 4, 5, 9, 6.5},       {160, 3, 10, 5, 7, 12, 8.5},
                             {384, 3, 13, 6, 8, 14, 8.7},    {896, 3, 15, 7, 10, 17, 10.3},
                             {2048, 3, 18, 8, 11, 19, 10.8}, {4608, 3, 20, 9, 13, 22, 12.3}};
    for (uint32_t n = 7; n <= 9; ++n) {
        const auto cube = make_network(fmt::format("hypercube:{}", n));
        add_row(r, fmt::format("table 2, cube, n = {}", n),
                execute(*cube, algo::hypercube_broadcast(*cube, 0), PortModel::OnePort, 1),
                {double(1u << n), double(n), double(n), double(n), 0, double(n), double(n)}, "");
    }
    for (uint32_t n = 5; n <= 7; ++n) {
        const auto star = make_network(fmt::format("star:{}", n));
        const Executed here =
            execute(*star, algo::matched_broadcast(*star, 0), PortModel::OnePort, 1);
        const std::string name = fmt::format("table 2, star, n = {}", n);
        add_row(r, name, here, {double(factorial(n)), n - 1.0, double(3 * (n - 1) / 2)}, "");
        r.values.push_back({name + ", steps", here.steps, star_steps[n - 5], 0,
                            "printed as optimal; it is the sum of ceil(log2 i) + 1, i = 2..n"});
    }
    for (uint32_t n = 5; n <= 7; ++n) {
        const auto star = make_network(fmt::format("star:{}", n));
        r.values.push_back(
            {fmt::format("section 6, n = {}, one port: running time, beside the star's steps", n),
             on_scc(n, PortModel::OnePort).running_time,
             execute(*star, algo::matched_broadcast(*star, 0), PortModel::OnePort, 1).steps, 1,
             "stated as no slower than the star; it is slower"});
    }
    for (uint32_t n = 4; n <= 9; ++n) {
        const auto network = make_network(fmt::format("ccc:{}", n));
        const std::string row = fmt::format("table 2, CCC, n = {}", n);
        add_row(r, row,
                execute(*network, algo::ccc_broadcast(*network, 0), PortModel::OnePort, n / 2),
                {std::begin(ccc[n - 4]), std::end(ccc[n - 4])}, "");
    }
    // Section 6: a supernode of the 6-SCC beside one of the CCC of similar size.
    const Ring six = first_ring("scc:6", 5), nine = first_ring("ccc:9", 9);
    r.values.push_back({"section 6, 6-SCC beside 9-CCC, nodes of a ring", double(six.nodes),
                        double(nine.nodes), 0, "the 9-CCC has 4608 nodes, the 6-SCC 3600"});
    r.values.push_back({"section 6, 6-SCC beside 9-CCC, lateral links of a ring",
                        double(six.lateral_links), double(nine.lateral_links), 0,
                        "a supernode has fewer pins"});
    r.notes.push_back(
        "Table 2: the row n = 9, size 4608, printed under n-SCC, belongs to n-CCC; the rows of the "
        "n-SCC are those of table 1.");
}

// The paper's antipode, equations 7 and 8, with the index it has there and with another one.
SccNode antipode(uint32_t n, uint32_t place) {
    std::array<uint32_t, Permutation::MaxSize> symbols{};
    const uint32_t half = n / 2;
    for (uint32_t i = 1; i <= n; ++i) symbols[i - 1] = i;
    for (uint32_t i = n % 2 == 0 ? 1 : 2; i + half <= n; ++i)
        std::swap(symbols[i - 1], symbols[i + half - 1]);
    return {place, Permutation(n, symbols)};
}

void add_diameter(Report& r, const Options& options) {
    for (uint32_t n = 3; n <= (options.quick ? 7 : 9); ++n) {
        options.say(fmt::format("scc, diameter, n = {}", n));
        const auto network = make_network(fmt::format("scc:{}", n));
        const double here = distances(*network, options.work()).diameter;
        const double printed = n == 3       ? 6
                               : n % 2 == 0 ? (n * n + n - 4) / 2.0
                                            : (n * n + 3 * n - 8) / 2.0;
        const std::string name = fmt::format("theorem 1, n = {}, ", n);
        r.values.push_back(
            {name + "diameter", here, printed, 0,
             here != printed ? "odd n: (n^2+2n-3)/2, cycles can be interleaved" : ""});
        if (n < 4) continue;
        const SccNode identity{2, Permutation(n)};
        const double lemma = scc_search(antipode(n, 2), identity).hops();
        r.values.push_back({fmt::format("lemma 1, n = {}, distance of the antipode", n), lemma,
                            here, 0, lemma != here ? "not the farthest node" : ""});
        if (n % 2 == 0) continue;
        r.values.push_back({fmt::format("lemma 1, n = {}, the same at place (n+3)/2", n),
                            double(scc_search(antipode(n, (n + 3) / 2), identity).hops()), here, 0,
                            ""});
    }
}

void add_routing(Report& r) {
    const SccNode from{3, *Permutation::parse("34125", 5)};
    const SccNode to{2, Permutation(5)};
    r.values.push_back({"3:34125 to 2:12345 by 2, 4, 2, 3",
                        double(scc_path_length(from, to, {2, 4, 2, 3})), 11, 0, ""});
    r.values.push_back({"3:34125 to 2:12345 by 3, 2, 4, 2",
                        double(scc_path_length(from, to, {3, 2, 4, 2})), 9, 0, ""});
    const SccRoute route = scc_search(from, to);
    r.values.push_back({"3:34125 to 2:12345 by algorithm 1", double(route.hops()), 9, 0, ""});
    std::string levels;
    for (uint32_t v : route.vertices) levels += (levels.empty() ? "" : ", ") + std::to_string(v);
    r.notes.push_back("Figure 2, as a search tree for 3:34125 to 2:12345: vertices by level " +
                      levels + "; the paper's own example is only in the figure.");
    for (uint32_t n = 4; n <= 6; ++n) {
        uint32_t differs = 0, backtracks = 0, widest = 0;
        const auto scc = make_network(fmt::format("scc:{}", n));
        const auto shortest = make_routing(*scc, "shortest");
        for (NodeId node = 0; node < scc->nodes(); ++node) {
            const SccRoute s = scc_search({node % (n - 1) + 2, Permutation(n, node / (n - 1))},
                                          {2, Permutation(n)});
            differs += s.hops() + 1 != path(*scc, *shortest, node, 0).size() ? 1 : 0;
            backtracks += s.backtracks;
            widest = std::max(widest, *std::max_element(s.vertices.begin(), s.vertices.end()));
        }
        r.values.push_back({fmt::format("algorithm 1, n = {}, nodes with a shorter path", n),
                            double(differs), 0, 0, "of all, to 2:12...n, by breadth-first search"});
        r.values.push_back({fmt::format("algorithm 1, n = {}, widest level of a tree", n),
                            double(widest),
                            {},
                            0,
                            fmt::format("{} times back in all", backtracks)});
    }
}

// Beyond 6 symbols of a sample of nodes; breadth-first search would take too long there.
void add_widths(Report& r, const Options& options) {
    for (uint32_t n = 7; n <= (options.quick ? 7 : 9); ++n) {
        options.say(fmt::format("scc, width of trees, n = {}", n));
        const uint32_t nodes = (n - 1) * factorial(n);
        const uint32_t samples = options.quick ? 1000 : 4000;
        Random random(n);
        uint32_t widest = 0;
        double steepest = 0;  // for each symbol out of position
        for (uint32_t i = 0; i < samples; ++i) {
            const NodeId node = random.below(nodes);
            const Permutation order(n, node / (n - 1));
            const SccRoute s = scc_search({node % (n - 1) + 2, order}, {2, Permutation(n)});
            const uint32_t width = *std::max_element(s.vertices.begin(), s.vertices.end());
            uint32_t misplaced = 0;
            for (uint32_t place = 1; place <= n; ++place) misplaced += order[place] != place;
            widest = std::max(widest, width);
            steepest = std::max(steepest, double(width) / std::max(1u, misplaced));
        }
        r.values.push_back(
            {fmt::format("algorithm 1, n = {}, widest level of a tree", n),
             double(widest),
             {},
             0,
             fmt::format("of {} samples; up to {:.0f} for each symbol that is not in "
                         "place",
                         samples, steepest)});
    }
}

void add_structure(Report& r) {
    for (uint32_t n = 3; n <= 5; ++n) {
        const auto network = make_network(fmt::format("scc:{}", n));
        uint32_t local = 0;
        for (NodeId node = 0; node < network->nodes(); ++node)
            for (uint32_t port : {0u, 1u}) local += network->neighbor(node, port) ? 1 : 0;
        const std::string name = fmt::format("section 2, n = {}, ", n);
        r.values.push_back(
            {name + "nodes", double(network->nodes()), (n - 1.0) * factorial(n), 0, ""});
        r.values.push_back({name + "local links", local / 2.0, (n - 1.0) * factorial(n), 0,
                            n == 3 ? "a ring of two nodes has one link" : ""});
        r.values.push_back({name + "lateral links", double(size_of(*network).links) - local / 2.0,
                            (n - 1.0) * factorial(n) / 2, 0, ""});
    }
}

void add_pipelines(Report& r) {
    const uint32_t messages = 5;
    for (uint32_t n = 4; n <= 6; ++n) {
        const auto network = make_network(fmt::format("scc:{}", n));
        const uint32_t rounds = 3 * (n - 1) / 2;
        const auto add = [&](const char* name, PortModel model, uint32_t interval, double printed) {
            const Schedule s = algo::scc_broadcast(*network, model, 0);
            const auto done = algo::run_broadcast(*network, model, s, 0, messages, interval);
            if (!done.complete) throw std::runtime_error("a pipelined broadcast is wrong");
            r.values.push_back({fmt::format("{} messages, n = {}, {}", messages, n, name),
                                double(done.steps), printed, 0,
                                fmt::format("buffers: {}", done.buffers)});
        };
        const uint32_t one = (n + 2) / 2, all = (n + 1) / 2;
        add("one port", PortModel::OnePort, one, one * (messages - 1 + rounds));
        add("all ports", PortModel::AllPort, all, all * (messages - 1 + rounds));
        add("all ports, every step", PortModel::AllPort, 1, all * rounds + messages - 1);
    }
}

void add_figures(Report& r) {
    const auto six = make_network("scc:6");
    const Schedule s = algo::scc_broadcast(*six, PortModel::OnePort, 0);
    const auto done = algo::run_broadcast(*six, PortModel::OnePort, s, 0, 1, 1);
    Plot plot{"One-port broadcast in a 6-SCC", "step", "nodes that have the message", {}, 0};
    Curve curve{"6-SCC", {}, false};
    for (size_t step = 0; step < done.informed.size(); ++step)
        curve.points.push_back({double(step), double(done.informed[step])});
    plot.curves.push_back(curve);
    r.plots.push_back({"scc_fig3", plot});
    r.values.push_back({"figure 3, 6-SCC, nodes of the first ring after 3 steps",
                        double(done.informed[3]), 5, 0, "floor(n/2) local steps"});
    r.values.push_back(
        {"figure 3, 6-SCC, nodes after 4 steps", double(done.informed[4]), 10, 0, "and a lateral"});
    r.pictures.push_back({"scc_fig1", draw(*make_network("scc:4"))});
}

}  // namespace

Report scc(const Options& options) {
    Report r{"scc", "Star-connected cycles: tables 1 and 2, theorems, figures", {}, {}, {}};
    options.say("scc, tables");
    add_table1(r);
    add_table2(r);
    add_diameter(r, options);
    options.say("scc, routing");
    add_routing(r);
    add_widths(r, options);
    add_structure(r);
    add_scc_edges(r, options);
    add_pipelines(r);
    add_figures(r);
    r.notes.push_back(
        "Section 3.3 and theorem 3 print ceil(3(n-1)/2) for the star graph's "
        "diameter; it is floor, as table 2 has it.");
    r.notes.push_back("The CCC's diameter 2n + floor(n/2) - 2 holds from n = 4; n = 3 has 6.");
    return r;
}

}  // namespace rdt::paper
