// SPDX-License-Identifier: MIT
// The comparison as a page, as JSON and as plots.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <rdt/lab/compare.h>
#include <rdt/net/graph/partition.h>

namespace rdt::lab {

namespace {

constexpr const char* Introduction =
    R"(# All networks side by side

This page compares networks of about the same number of nodes, for designers who choose a topology;
`rdt compare --output docs` generates it.

A network without a size within a fifth of the target has a star and is not ranked. **Equal wires:**
every node has {:g} output wires, divided among its links: a link of a node of degree d is {:g}/d
bits wide. A packet has {:g} bits in every network, {:g} of them header, and therefore 2d flits. All
networks have the same cycle time, so long wires cost nothing. Links are full-duplex; those of the
RDT router chip are half-duplex: their 18 wires carry both directions.

**Buffers matter as much as wires**, and routings need different numbers of virtual channels (VCs),
so saturation is measured under two rules. *Equal depth*: {} flits per VC at the input and 2 at the
output, so a network with more VCs has more memory. *Equal bits*: {} flits per link, inputs and
outputs together, {:g} bits per node, divided among its VCs in whole flits, 2 flits per VC at the
output. "Four VCs" is the deterministic routing of the RDT with as many VCs as the adaptive one.
"Two lanes" has two VCs for each VC of the routing.

- *bisection*: links between two halves of the nodes, either exact, or a lower bound from shortest
  paths between all pairs (none above {} nodes) and the best cut found (`rdt net info rdt:64`).
- *hops*: mean hop count of the named routing under uniform traffic. The routing is not minimal if
  it exceeds the mean distance.
- *latency*: cycles from the first flit in the source router to the last flit out, at 1/50 of the
  load that would keep all links busy.
- *saturation*: saturation injection rate in bits/node/cycle under uniform traffic, by bisection for
  each seed.
- *all links busy*: link width times links over mean hops, an upper bound on the throughput. It is
  at most the width, because a processor injects one flit per cycle.

+- is the 95 % confidence interval of the mean over seeds. For saturation it includes the tolerance
of the bisection, {:g} % of the rate. In the rankings below the tables, < separates networks whose
intervals do not overlap, and ~ those whose intervals do.
)";

constexpr const char* HowLong =
    "Seeds, and cycles measured after a warm-up: {}. `rdt compare 65536` compares networks of "
    "about 65,536 nodes, which takes hours.";

constexpr const char* HowToRepeat = R"(
`rdt compare {} --json values.json` measures one size again; the file has the command of every row.
The {} of {} nodes with equal bits, here in flits of {:g} bits:

```console
$ {}
...
saturates at   {:.4f} +- {:.4f} flits/node/cycle
...
```
)";

std::string command_of(const Comparison& c, const Comparison::Loaded& l) {
    std::string text = fmt::format("rdt lab saturation --net {} --routing {} --ties rule",
                                   c.contestant.network, c.contestant.routing);
    if (c.contestant.lanes > 1) text += fmt::format(" --lanes {}", c.contestant.lanes);
    if (c.contestant.extra_vc >= 0) text += fmt::format(" --extra-vc {}", c.contestant.extra_vc);
    return text + fmt::format(
                      " --flits {} --header {} --buffer {} --cycles {} --warmup {} --seeds {} "
                      "--most {:.10g} --tolerance {:g}",
                      c.flits, c.header, l.buffer, c.clocks.all, c.clocks.warmup, c.seeds,
                      c.bound / c.width, c.tolerance);
}

// A row that is simulated within seconds, and what its command prints.
std::string how_to_repeat(const ComparedSize& s) {
    const auto row = std::find_if(s.rows.begin(), s.rows.end(), [](const Comparison& c) {
        return c.contestant.title == "2D torus";
    });
    if (row == s.rows.end()) return "";
    const Interval& i = row->equal_bits.saturation;
    return fmt::format(HowToRepeat, s.size, row->contestant.title, row->distances.nodes, row->width,
                       command_of(*row, row->equal_bits), i.mean / row->width, i.half / row->width);
}

// Lines of at most 100 columns.
std::string wrapped(const std::string& text) {
    std::string result, line;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!line.empty() && line.size() + 1 + word.size() > 100) {
            result += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    return result + line + "\n";
}

// "=" exact, "<=" best cut found, or an interval.
std::string bisection_text(const Comparison& c) {
    if (c.bisection.exact || c.bisection_at_least == c.bisection.links)
        return fmt::format("= {}", c.bisection.links);
    if (c.bisection_at_least == 0) return fmt::format("<= {}", c.bisection.links);
    return fmt::format("{} to {}", c.bisection_at_least, c.bisection.links);
}

bool is_loaded(const ComparedSize& s) {
    return std::all_of(s.rows.begin(), s.rows.end(),
                       [](const Comparison& c) { return c.equal_bits.buffer > 0; });
}

std::string spread(const Interval& i, int digits) {
    return fmt::format("{:.{}f} +- {:.{}f}", i.mean, digits, i.half, digits);
}

// "a < b ~ c" of those of the size, lowest first.
std::string order_of(const ComparedSize& s, Comparison::Loaded Comparison::*rule) {
    std::vector<const Comparison*> rows;
    for (const Comparison& c : s.rows)
        if (is_of_size(c.distances.nodes, s.size)) rows.push_back(&c);
    const auto at = [rule](const Comparison* c) { return (c->*rule).saturation; };
    std::stable_sort(rows.begin(), rows.end(), [&](const Comparison* a, const Comparison* b) {
        return at(a).mean < at(b).mean;
    });
    std::string text;
    for (size_t i = 0; i < rows.size(); ++i) {
        const bool overlaps = i > 0 && at(rows[i - 1]).high() >= at(rows[i]).low();
        text += (i == 0 ? "" : overlaps ? " ~ " : " < ") + rows[i]->contestant.title;
    }
    return text;
}

std::string table(const ComparedSize& s) {
    std::string text = fmt::format(
        "\n## About {} nodes\n\n"
        "| network | routing | nodes | degree | links | diameter | mean distance | bisection | "
        "bits per flit | flits | hops | latency | all links busy |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        s.size);
    for (const Comparison& c : s.rows)
        text += fmt::format(
            "| {} `{}` | {} | {}{} | {} | {} | {} | {:.2f} | {} | {:.1f} | {} | {:.2f} | {} | "
            "{:.2f} |\n",
            c.contestant.title, c.contestant.network, c.contestant.routing, c.distances.nodes,
            is_of_size(c.distances.nodes, s.size) ? "" : " *", c.size.degree, c.size.links,
            c.distances.diameter, c.distances.mean_distinct(), bisection_text(c), c.width, c.flits,
            c.hops, spread(c.latency, 1), c.bound);
    if (!is_loaded(s))
        return text +
               fmt::format(
                   "\nSaturation is left out (`--unloaded`); `rdt compare {}` measures it.\n",
                   s.size);
    text +=
        "\n| network | VCs | equal depth: flits per VC | bits per node | saturation | equal bits: "
        "flits per VC | bits per node | saturation |\n|---|---|---|---|---|---|---|---|\n";
    for (const Comparison& c : s.rows) {
        text += fmt::format("| {}{} | {}", c.contestant.title,
                            is_of_size(c.distances.nodes, s.size) ? "" : " *", c.vcs);
        for (const Comparison::Loaded* l : {&c.equal_depth, &c.equal_bits})
            text +=
                fmt::format(" | {} | {:.0f} | {}", l->buffer, l->bits, spread(l->saturation, 2));
        text += " |\n";
    }
    text += "\n" + wrapped("Equal depth: " + order_of(s, &Comparison::equal_depth) + ".");
    text += "\n" + wrapped("Equal bits: " + order_of(s, &Comparison::equal_bits) + ".");
    return text;
}

nlohmann::ordered_json curve_json(const Comparison& c) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const auto& [accepted, latency] : c.curve)
        json.push_back({{"accepted", accepted},
                        {"latency", latency.mean},
                        {"latency_half_interval", latency.half}});
    return json;
}

nlohmann::ordered_json loaded_json(const Comparison& c, const Comparison::Loaded& l) {
    if (l.buffer == 0) return nullptr;
    return {{"command", command_of(c, l)},
            {"buffer", l.buffer},
            {"bits", l.bits},
            {"saturation", l.saturation.mean},
            {"saturation_half_interval", l.saturation.half}};
}

Comparison::Loaded loaded_from(const nlohmann::ordered_json& json) {
    Comparison::Loaded l;
    if (json.is_null()) return l;
    json.at("buffer").get_to(l.buffer);
    json.at("bits").get_to(l.bits);
    json.at("saturation").get_to(l.saturation.mean);
    json.at("saturation_half_interval").get_to(l.saturation.half);
    return l;
}

// Only sizes at which it was measured.
Plot over_size(const std::vector<ComparedSize>& sizes, const char* title, const char* unit,
               Interval (*value)(const Comparison&)) {
    Plot plot{title, "log2 of the number of nodes", unit, {}, 0};
    for (const ComparedSize& s : sizes)
        for (size_t i = 0; i < s.rows.size(); ++i) {
            if (plot.curves.size() <= i)
                plot.curves.push_back({s.rows[i].contestant.title, {}, i >= 8});
            const Interval v = value(s.rows[i]);
            if (v.mean == 0) continue;
            plot.curves[i].points.push_back({std::log2(double(s.rows[i].distances.nodes)), v.mean});
            plot.curves[i].spread.push_back(v.half);
        }
    return plot;
}

}  // namespace

std::string to_markdown(const std::vector<ComparedSize>& sizes) {
    std::string clocks, command;
    double tolerance = 0;
    const auto range = [](uint64_t least, uint64_t most) {
        return least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
    };
    for (const ComparedSize& s : sizes) {
        const auto [fewest, most] = std::minmax_element(
            s.rows.begin(), s.rows.end(),
            [](const Comparison& a, const Comparison& b) { return a.seeds < b.seeds; });
        const auto [shortest, longest] = std::minmax_element(
            s.rows.begin(), s.rows.end(), [](const Comparison& a, const Comparison& b) {
                return a.clocks.all - a.clocks.warmup < b.clocks.all - b.clocks.warmup;
            });
        clocks += fmt::format("{}{} and {} at about {} nodes", clocks.empty() ? "" : "; ",
                              range(fewest->seeds, most->seeds),
                              range(shortest->clocks.all - shortest->clocks.warmup,
                                    longest->clocks.all - longest->clocks.warmup),
                              s.size);
        for (const Comparison& c : s.rows) tolerance = std::max(tolerance, c.tolerance);
        if (command.empty() && is_loaded(s)) command = how_to_repeat(s);
    }
    std::string text =
        fmt::format(Introduction, Wires, Wires, PacketBits, HeaderBits, DepthOfVc, PortFlits,
                    PortFlits * Wires, MostNodesBounded, 100 * tolerance) +
        "\n" + wrapped(fmt::format(HowLong, clocks)) + command;
    for (const auto& [name, plot] : plots(sizes))
        text += fmt::format("\n![{}](images/{}.svg)\n", plot.title, name);
    for (const ComparedSize& s : sizes) text += table(s);
    return text;
}

nlohmann::ordered_json to_json(const std::vector<ComparedSize>& sizes) {
    nlohmann::ordered_json json;
    json["wires"] = Wires;
    json["packet_bits"] = PacketBits;
    json["sizes"] = nlohmann::ordered_json::array();
    for (const ComparedSize& s : sizes) {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        for (const Comparison& c : s.rows)
            rows.push_back({{"network", c.contestant.network},
                            {"title", c.contestant.title},
                            {"routing", c.contestant.routing},
                            {"nodes", c.distances.nodes},
                            {"degree", c.size.degree},
                            {"links", c.size.links},
                            {"diameter", c.distances.diameter},
                            {"mean_distance", c.distances.mean_distinct()},
                            {"distance_sum", c.distances.sum},
                            {"bisection", c.bisection.links},
                            {"bisection_at_least", c.bisection_at_least},
                            {"bisection_exact", c.bisection.exact},
                            {"bisection_method", c.bisection.method},
                            {"channels", c.channels},
                            {"bits", c.width},
                            {"flits", c.flits},
                            {"header", c.header},
                            {"vcs", c.vcs},
                            {"hops", c.hops},
                            {"latency", c.latency.mean},
                            {"latency_half_interval", c.latency.half},
                            {"lanes", c.contestant.lanes},
                            {"extra_vc", c.contestant.extra_vc},
                            {"all_links_busy", c.bound},
                            {"seeds", c.seeds},
                            {"cycles", c.clocks.all},
                            {"warmup", c.clocks.warmup},
                            {"tolerance", c.tolerance},
                            {"equal_depth", loaded_json(c, c.equal_depth)},
                            {"equal_bits", loaded_json(c, c.equal_bits)},
                            {"curve", curve_json(c)}});
        json["sizes"].push_back({{"size", s.size}, {"networks", rows}});
    }
    return json;
}

std::vector<Comparison> from_json(const nlohmann::ordered_json& json) {
    std::vector<Comparison> rows;
    for (const auto& size : json.at("sizes"))
        for (const auto& row : size.at("networks")) {
            Comparison c{};
            c.contestant = {row.at("title"), row.at("network"), row.at("routing"), row.at("lanes"),
                            row.value("extra_vc", -1)};
            c.size = {row.at("degree"), row.at("links")};
            c.distances = {row.at("nodes"), row.at("diameter"), row.at("distance_sum")};
            c.bisection = {row.at("bisection"), row.at("bisection_exact"),
                           row.at("bisection_method")};
            row.at("channels").get_to(c.channels);
            row.at("bits").get_to(c.width);
            row.at("flits").get_to(c.flits);
            row.at("vcs").get_to(c.vcs);
            row.at("header").get_to(c.header);
            row.at("seeds").get_to(c.seeds);
            // Results of earlier releases have "clocks".
            row.at(row.contains("cycles") ? "cycles" : "clocks").get_to(c.clocks.all);
            row.at("warmup").get_to(c.clocks.warmup);
            row.at("tolerance").get_to(c.tolerance);
            c.latency = {row.at("latency"), row.at("latency_half_interval")};
            row.at("hops").get_to(c.hops);
            row.at("all_links_busy").get_to(c.bound);
            row.at("bisection_at_least").get_to(c.bisection_at_least);
            c.equal_depth = loaded_from(row.at("equal_depth"));
            c.equal_bits = loaded_from(row.at("equal_bits"));
            for (const auto& point : row.at("curve"))
                c.curve.push_back({point.at("accepted"),
                                   {point.at("latency"), point.at("latency_half_interval")}});
            rows.push_back(c);
        }
    return rows;
}

std::vector<std::pair<std::string, Plot>> plots(const std::vector<ComparedSize>& sizes) {
    std::vector<std::pair<std::string, Plot>> all;
    const char* Unit = "bits/node/cycle";
    all.push_back({"compare_latency", over_size(sizes, "Zero-load latency, equal wires", "cycles",
                                                [](const Comparison& c) { return c.latency; })});
    all.push_back({"compare_saturation",
                   over_size(sizes, "Saturation, uniform traffic, equal depth of VCs", Unit,
                             [](const Comparison& c) { return c.equal_depth.saturation; })});
    all.push_back({"compare_saturation_bits",
                   over_size(sizes, "Saturation, uniform traffic, equal bits of buffers", Unit,
                             [](const Comparison& c) { return c.equal_bits.saturation; })});
    for (const ComparedSize& s : sizes) {
        if (!is_loaded(s)) continue;
        Plot plot{fmt::format("About {} nodes, equal wires, equal bits of buffers", s.size),
                  "accepted throughput, bits/node/cycle",
                  "latency, cycles",
                  {},
                  0};
        double shortest = 0, longest = 0;
        for (size_t i = 0; i < s.rows.size(); ++i) {
            Curve curve{s.rows[i].contestant.title, {}, i >= 8};
            for (const auto& [accepted, latency] : s.rows[i].curve) {
                curve.points.push_back({accepted, latency.mean});
                curve.spread.push_back(latency.half);
            }
            plot.curves.push_back(curve);
            const double quiet = s.rows[i].latency.mean;
            shortest = i == 0 ? quiet : std::min(shortest, quiet);
            longest = std::max(longest, quiet);
        }
        plot.y_max = std::min(2 * longest, 12 * shortest);
        all.push_back({fmt::format("compare_{}", s.size), plot});
    }
    return all;
}

}  // namespace rdt::lab
