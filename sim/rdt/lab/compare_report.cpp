// SPDX-License-Identifier: MIT
// The comparison as a page, as JSON and as plots.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <rdt/lab/compare.h>

namespace rdt::lab {

namespace {

constexpr const char* Introduction =
    R"(# All networks side by side

Made by `rdt compare --output docs`; nothing on this page is written by hand.

Networks of about the same number of nodes, where their construction does not allow the same. **Equal wires:** every
node has {:g} wires to send on, divided among its links, so a link of a node of degree d is {:g}/d bits wide. A packet has {:g} bits
everywhere, {:g} of them header, and so more and narrower flits where the degree is high: 2d of them. All clocks are equally long:
nobody pays for long wires. Buffers are 4 flits a virtual channel at the input and 2 at the output, whatever the flit is.

- *bisection*: links between two halves of the nodes; = is exact, <= the best cut found.
- *bisection, bits*: the same times the width, both directions counted.
- *hops*: of the routing named, under uniform traffic; where they exceed the mean distance the routing is not minimal.
- *latency*: clocks from the first flit in the source's router to the last one out, at a fiftieth of the load that would keep all links busy.
- *saturation*: bits per node and clock that arrive at most, under uniform traffic. The load at which packets begin to pile up is closed in on,
  from all links busy down to a part of that.
- *all links busy*: width times links over hops, which nothing exceeds that takes so many hops; at most the width, because a
  processor sends a flit a clock.

Every number is computed or simulated flit by flit, also at 65,536 nodes; bounds are marked, and no value is an estimate. Clocks measured, after a
warm-up of 400 or more, and part of the range to which the saturating load is known: {}.
)";

std::string table(const ComparedSize& s) {
    std::string text = fmt::format(
        "\n## About {} nodes\n\n"
        "| network | routing | nodes | degree | links | diameter | mean distance | bisection | "
        "bisection, bits | bits a flit | flits | VCs | hops | latency | saturation | all links "
        "busy "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        s.size);
    for (const Comparison& c : s.rows) {
        // What is one-way is counted once.
        const double ways = c.channels * c.distances.nodes / double(c.size.links);
        text += fmt::format(
            "| {} `{}` | {} | {} | {} | {} | {} | {:.2f} | {} {} | {:.0f} | {:.1f} | {} | {} | "
            "{:.2f} "
            "| {:.0f} | {:.2f} | {:.2f} |\n",
            c.contestant.title, c.contestant.network, c.contestant.routing, c.distances.nodes,
            c.size.degree, c.size.links, c.distances.diameter, c.distances.mean_distinct(),
            c.bisection.exact ? "=" : "<=", c.bisection.links,
            ways * double(c.bisection.links) * c.width, c.width, c.flits, c.vcs, c.hops, c.latency,
            c.throughput, c.bound);
    }
    return text;
}

Plot over_size(const std::vector<ComparedSize>& sizes, const char* title, const char* unit,
               double Comparison::*value) {
    Plot plot{title, "log2 of the number of nodes", unit, {}, 0};
    for (const ComparedSize& s : sizes)
        for (size_t i = 0; i < s.rows.size(); ++i) {
            if (plot.curves.size() <= i)
                plot.curves.push_back({s.rows[i].contestant.title, {}, i >= 8});
            plot.curves[i].points.push_back(
                {std::log2(double(s.rows[i].distances.nodes)), s.rows[i].*value});
        }
    return plot;
}

}  // namespace

std::string to_markdown(const std::vector<ComparedSize>& sizes, const CompareOptions& options) {
    std::string clocks;
    for (const ComparedSize& s : sizes) {
        uint64_t least = ~uint64_t(0), most = 0;
        for (const Comparison& c : s.rows) {
            const Clocks now = clocks_for(c.distances.nodes, c.distances.diameter, options.quick);
            least = std::min(least, now.all - now.warmup);
            most = std::max(most, now.all - now.warmup);
        }
        const std::string range =
            least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
        clocks += fmt::format("{}{} clocks and 1/{} at about {} nodes", clocks.empty() ? "" : "; ",
                              range, std::pow(3, rounds_for(s.size, options.quick)), s.size);
    }
    std::string text = fmt::format(Introduction, Wires, Wires, PacketBits, HeaderBits, clocks);
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
                            {"bisection_exact", c.bisection.exact},
                            {"bisection_method", c.bisection.method},
                            {"channels", c.channels},
                            {"bits", c.width},
                            {"flits", c.flits},
                            {"vcs", c.vcs},
                            {"hops", c.hops},
                            {"latency", c.latency},
                            {"saturation", c.throughput},
                            {"all_links_busy", c.bound},
                            {"curve", c.curve}});
        json["sizes"].push_back({{"size", s.size}, {"networks", rows}});
    }
    return json;
}

std::vector<Comparison> from_json(const nlohmann::ordered_json& json) {
    std::vector<Comparison> rows;
    for (const auto& size : json.at("sizes"))
        for (const auto& row : size.at("networks")) {
            Comparison c{};
            c.contestant = {row.at("title"), row.at("network"), row.at("routing")};
            c.size = {row.at("degree"), row.at("links")};
            c.distances = {row.at("nodes"), row.at("diameter"), row.at("distance_sum")};
            c.bisection = {row.at("bisection"), row.at("bisection_exact"),
                           row.at("bisection_method")};
            row.at("channels").get_to(c.channels);
            row.at("bits").get_to(c.width);
            row.at("flits").get_to(c.flits);
            row.at("vcs").get_to(c.vcs);
            row.at("latency").get_to(c.latency);
            row.at("hops").get_to(c.hops);
            row.at("saturation").get_to(c.throughput);
            row.at("all_links_busy").get_to(c.bound);
            row.at("curve").get_to(c.curve);
            rows.push_back(c);
        }
    return rows;
}

std::vector<std::pair<std::string, Plot>> plots(const std::vector<ComparedSize>& sizes) {
    std::vector<std::pair<std::string, Plot>> all;
    all.push_back({"compare_latency", over_size(sizes, "Latency without load, equal wires",
                                                "clocks", &Comparison::latency)});
    all.push_back(
        {"compare_saturation", over_size(sizes, "Saturation, uniform traffic, equal wires",
                                         "bits per node and clock", &Comparison::throughput)});
    for (const ComparedSize& s : sizes) {
        Plot plot{fmt::format("About {} nodes, equal wires", s.size),
                  "accepted bits per node and clock",
                  "latency, clocks",
                  {},
                  0};
        double shortest = 0, longest = 0;
        for (size_t i = 0; i < s.rows.size(); ++i) {
            plot.curves.push_back({s.rows[i].contestant.title, s.rows[i].curve, i >= 8});
            shortest = i == 0 ? s.rows[i].latency : std::min(shortest, s.rows[i].latency);
            longest = std::max(longest, s.rows[i].latency);
        }
        plot.y_max = std::min(2 * longest, 12 * shortest);
        all.push_back({fmt::format("compare_{}", s.size), plot});
    }
    return all;
}

}  // namespace rdt::lab
