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

Made by `rdt compare --output docs`; nothing on this page is written by hand.

Networks of about the same number of nodes. Where their construction does not allow a size within a
fifth, the number of nodes has a star, and the row is not to be ranked with the others.
**Equal wires:** every node has {:g} wires to send on, divided among its links, so a link of a node
of degree d is {:g}/d bits wide. A packet has {:g} bits everywhere, {:g} of them header, and so more
and narrower flits where the degree is high: 2d of them. All clocks are equally long: nobody pays
for long wires. Links send both ways at once; those of the RDT chip take turns (half-duplex), and
with links of 18 bits as wide as here it would carry at most half of what the RDT carries here.

**Buffers decide as much as wires**, and routings need different numbers of virtual channels (VCs).
So saturation is measured under two rules. *Equal depth*: {} flits a VC at the input, whatever the
flit is; who has more VCs has more memory. *Equal bits*: {} flits an input, {:g} bits a node,
divided among its VCs. The output has 2 flits a VC under both. "Four VCs" is the deterministic
routing of the RDT with as many VCs as the adaptive one. "Two lanes" has two VCs in the place of
each.

- *bisection*: links between two halves of the nodes: exact, or between the bound below and the best
  cut found. The bound is what shortest paths between all pairs need (none above {} nodes).
- *hops*: of the routing named, under uniform traffic; where they exceed the mean distance the
  routing is not minimal.
- *latency*: clocks from the first flit in the source's router to the last one out, at a fiftieth of
  the load that would keep all links busy.
- *saturation*: offered bits per node and clock at which packets begin to pile up, uniform traffic,
  by bisection for each seed, and the interval that holds it with 95 %.
- *all links busy*: width times links over hops, which nothing exceeds that takes so many hops; at
  most the width, because a processor sends a flit a clock.

Every number is computed or simulated flit by flit. Seeds, and clocks measured after a warm-up: {}.
`rdt lab saturation --net torus:64x64 --flits 8 --header 1 --buffer 24` does one of these.
)";

// "=" exact, "<=" best cut found, or an interval.
std::string bisection_text(const Comparison& c) {
    if (c.bisection.exact || c.bisection_at_least == c.bisection.links)
        return fmt::format("= {}", c.bisection.links);
    if (c.bisection_at_least == 0) return fmt::format("<= {}", c.bisection.links);
    return fmt::format("{} to {}", c.bisection_at_least, c.bisection.links);
}

std::string table(const ComparedSize& s) {
    std::string text = fmt::format(
        "\n## About {} nodes\n\n"
        "| network | routing | nodes | degree | links | diameter | mean distance | bisection | "
        "bits a flit | flits | hops | latency | all links busy |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        s.size);
    for (const Comparison& c : s.rows)
        text += fmt::format(
            "| {} `{}` | {} | {}{} | {} | {} | {} | {:.2f} | {} | {:.1f} | {} | {:.2f} | {:.0f} | "
            "{:.2f} |\n",
            c.contestant.title, c.contestant.network, c.contestant.routing, c.distances.nodes,
            is_of_size(c.distances.nodes, s.size) ? "" : " *", c.size.degree, c.size.links,
            c.distances.diameter, c.distances.mean_distinct(), bisection_text(c), c.width, c.flits,
            c.hops, c.latency, c.bound);
    text +=
        "\n| network | VCs | equal depth: flits a VC | bits a node | saturation | equal bits: "
        "flits a VC | bits a node | saturation |\n|---|---|---|---|---|---|---|---|\n";
    for (const Comparison& c : s.rows) {
        text += fmt::format("| {}{} | {}", c.contestant.title,
                            is_of_size(c.distances.nodes, s.size) ? "" : " *", c.vcs);
        for (const Comparison::Loaded* l : {&c.equal_depth, &c.equal_bits})
            text += fmt::format(" | {} | {:.0f} | {:.2f} +- {:.2f}", l->buffer, l->bits,
                                l->saturation.mean, l->saturation.half);
        text += " |\n";
    }
    return text;
}

nlohmann::ordered_json loaded_json(const Comparison::Loaded& l) {
    return {{"buffer", l.buffer},
            {"bits", l.bits},
            {"saturation", l.saturation.mean},
            {"saturation_half_interval", l.saturation.half},
            {"curve", l.curve}};
}

Comparison::Loaded loaded_from(const nlohmann::ordered_json& json) {
    Comparison::Loaded l;
    json.at("buffer").get_to(l.buffer);
    json.at("bits").get_to(l.bits);
    json.at("saturation").get_to(l.saturation.mean);
    json.at("saturation_half_interval").get_to(l.saturation.half);
    json.at("curve").get_to(l.curve);
    return l;
}

template <class Value>
Plot over_size(const std::vector<ComparedSize>& sizes, const char* title, const char* unit,
               Value&& value) {
    Plot plot{title, "log2 of the number of nodes", unit, {}, 0};
    for (const ComparedSize& s : sizes)
        for (size_t i = 0; i < s.rows.size(); ++i) {
            if (plot.curves.size() <= i)
                plot.curves.push_back({s.rows[i].contestant.title, {}, i >= 8});
            plot.curves[i].points.push_back(
                {std::log2(double(s.rows[i].distances.nodes)), value(s.rows[i])});
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
        clocks += fmt::format("{}{} and {} at about {} nodes", clocks.empty() ? "" : "; ",
                              seeds_for(s.size, options.quick), range, s.size);
    }
    std::string text = fmt::format(Introduction, Wires, Wires, PacketBits, HeaderBits, DepthOfVc,
                                   PortFlits, PortFlits * Wires, MostNodesBounded, clocks);
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
                            {"vcs", c.vcs},
                            {"hops", c.hops},
                            {"latency", c.latency},
                            {"lanes", c.contestant.lanes},
                            {"extra_vc", c.contestant.extra_vc},
                            {"all_links_busy", c.bound},
                            {"equal_depth", loaded_json(c.equal_depth)},
                            {"equal_bits", loaded_json(c.equal_bits)}});
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
            row.at("latency").get_to(c.latency);
            row.at("hops").get_to(c.hops);
            row.at("all_links_busy").get_to(c.bound);
            row.at("bisection_at_least").get_to(c.bisection_at_least);
            c.equal_depth = loaded_from(row.at("equal_depth"));
            c.equal_bits = loaded_from(row.at("equal_bits"));
            rows.push_back(c);
        }
    return rows;
}

std::vector<std::pair<std::string, Plot>> plots(const std::vector<ComparedSize>& sizes) {
    std::vector<std::pair<std::string, Plot>> all;
    const char* Unit = "bits per node and clock";
    all.push_back(
        {"compare_latency", over_size(sizes, "Latency without load, equal wires", "clocks",
                                      [](const Comparison& c) { return c.latency; })});
    all.push_back({"compare_saturation",
                   over_size(sizes, "Saturation, uniform traffic, equal depth of VCs", Unit,
                             [](const Comparison& c) { return c.equal_depth.saturation.mean; })});
    all.push_back({"compare_saturation_bits",
                   over_size(sizes, "Saturation, uniform traffic, equal bits of buffers", Unit,
                             [](const Comparison& c) { return c.equal_bits.saturation.mean; })});
    for (const ComparedSize& s : sizes) {
        Plot plot{fmt::format("About {} nodes, equal wires, equal bits of buffers", s.size),
                  "accepted bits per node and clock",
                  "latency, clocks",
                  {},
                  0};
        double shortest = 0, longest = 0;
        for (size_t i = 0; i < s.rows.size(); ++i) {
            plot.curves.push_back({s.rows[i].contestant.title, s.rows[i].equal_bits.curve, i >= 8});
            shortest = i == 0 ? s.rows[i].latency : std::min(shortest, s.rows[i].latency);
            longest = std::max(longest, s.rows[i].latency);
        }
        plot.y_max = std::min(2 * longest, 12 * shortest);
        all.push_back({fmt::format("compare_{}", s.size), plot});
    }
    return all;
}

}  // namespace rdt::lab
