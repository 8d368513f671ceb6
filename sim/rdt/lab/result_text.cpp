// SPDX-License-Identifier: MIT
#include <rdt/lab/result_text.h>

#include <fmt/core.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/traffic_table.h>
#include <rdt/support/plot.h>

namespace rdt::lab {

using Json = nlohmann::ordered_json;

Json settings_json(const Network& network, const std::string& routing, const Options& o) {
    Json j;
    j["net"] = network.name();
    if (const std::string print = fingerprint_of(network); !print.empty())
        j["net_fingerprint"] = print;
    j["nodes"] = network.nodes();
    j["routing"] = routing;
    j["traffic"] = o.traffic;
    if (const std::string print = traffic_fingerprint(o.traffic); !print.empty())
        j["traffic_fingerprint"] = print;
    j["flits"] = o.flits;
    j["header"] = o.header;
    j["buffer"] = o.buffer;
    j["out_buffer"] = o.out_buffer;
    j["injection"] = o.injection;
    j["ties"] = o.ties == Ties::Random ? "random" : "rule";
    j["cycles"] = o.cycles;
    j["warmup"] = o.warmup;
    j["queue"] = o.queue;
    j["seed"] = o.seed;
    return j;
}

Json result_json(const SimulationResult& r, const Network& network) {
    Json j;
    j["offered"] = r.offered;
    j["accepted"] = r.accepted;
    j["accepted_half_interval"] = r.accepted_batches.half;
    j["latency_half_interval"] = r.latency_batches.half;
    j["latency_mean"] = r.network.mean;
    j["latency_p99"] = r.network.p99;
    j["latency_max"] = r.network.max;
    j["total_latency_mean"] = r.total.mean;
    j["total_latency_p99"] = r.total.p99;
    j["total_latency_max"] = r.total.max;
    j["hops_mean"] = r.hops_mean;
    j["packets"] = r.measured;
    j["generated"] = r.generated;
    j["refused"] = r.refused;
    j["delivered"] = r.delivered;
    j["clocks"] = r.clocks;
    j["saturated"] = r.saturated;
    j["drained"] = r.drained;
    j["stopped"] = r.stopped;
    j["deadlock"] = Json::array();
    for (const ChannelName& c : r.deadlock)
        j["deadlock"].push_back(
            {{"node", c.node}, {"label", network.label(c.node)}, {"port", c.port}, {"vc", c.vc}});
    j["bytes_per_node"] = r.bytes_per_node;
    return j;
}

std::string to_text(const SimulationResult& r, const Network& network) {
    std::string text;
    text += fmt::format("accepted       {:.4f} flits per node and clock of {:.4f} offered{}\n",
                        r.accepted, r.offered, r.saturated ? ": saturated" : "");
    text += fmt::format("latency        mean {:.2f}, 99 % within {}, at most {} clocks\n",
                        r.network.mean, r.network.p99, r.network.max);
    text += fmt::format("with queueing  mean {:.2f}, 99 % within {}, at most {} clocks\n",
                        r.total.mean, r.total.p99, r.total.max);
    text += fmt::format("16 batches     accepted {:.4f} +- {:.4f}, latency {:.2f} +- {:.2f}\n",
                        r.accepted_batches.mean, r.accepted_batches.half, r.latency_batches.mean,
                        r.latency_batches.half);
    text += fmt::format("hops           mean {:.4f}\n", r.hops_mean);
    text += fmt::format("packets        {} measured; {} generated, {} delivered{}\n", r.measured,
                        r.generated, r.delivered, r.drained ? ": all" : "");
    text += fmt::format("speed          {:.1f} million node-clocks a second, {:.0f} bytes a node\n",
                        r.node_clocks_per_second / 1e6, r.bytes_per_node);
    if (r.stopped) text += fmt::format("stopped        after {} cycles\n", r.clocks);
    return text + deadlock_text(r, network);
}

std::string deadlock_text(const SimulationResult& r, const Network& network) {
    if (r.deadlock.empty()) return {};
    std::string text = fmt::format(
        "deadlock after {} clocks: each of these {} channels is held by a packet that needs the "
        "next, the last the first\n",
        r.clocks, r.deadlock.size());
    for (const ChannelName& c : r.deadlock) text += "  " + to_string(c, network) + "\n";
    return text;
}

std::string to_table(const std::vector<LoadPoint>& points) {
    std::string text =
        fmt::format("{:>8} {:>9} {:>9} {:>7} {:>7} {:>10} {:>8} {:>9}\n", "load", "accepted",
                    "latency", "99 %", "max", "w. queue", "hops", "Mnc/s");
    for (const auto& [load, r] : points) {
        // Of a point that was in the file already it is not known.
        const std::string speed = r.node_clocks_per_second > 0
                                      ? fmt::format("{:.1f}", r.node_clocks_per_second / 1e6)
                                      : "-";
        text += fmt::format("{:>8.4g} {:>9.4f} {:>9.2f} {:>7} {:>7} {:>10.2f} {:>8.4f} {:>9}{}\n",
                            load, r.accepted, r.network.mean, r.network.p99, r.network.max,
                            r.total.mean, r.hops_mean, speed,
                            !r.deadlock.empty() ? "  deadlock"
                            : r.saturated       ? "  saturated"
                                                : "");
    }
    return text;
}

namespace {

constexpr int Deadlocked = 2;  // in the column of saturated: its channels are not in the file

const std::string Comment = "# rdt lab sweep ";
const std::string Columns =
    "load,offered,accepted,latency_mean,latency_p99,latency_max,total_latency_mean,"
    "total_latency_p99,total_latency_max,hops_mean,packets,saturated\n";

std::optional<LoadPoint> read_row(const std::string& line) {
    LoadPoint p{};
    SimulationResult& r = p.result;
    int used = 0;
    unsigned saturated = 0;
    const int found = std::sscanf(
        line.c_str(),
        "%lf,%lf,%lf,%lf,%" SCNu64 ",%" SCNu64 ",%lf,%" SCNu64 ",%" SCNu64 ",%lf,%" SCNu64 ",%1u%n",
        &p.load, &r.offered, &r.accepted, &r.network.mean, &r.network.p99, &r.network.max,
        &r.total.mean, &r.total.p99, &r.total.max, &r.hops_mean, &r.measured, &saturated, &used);
    if (found != 12 || int(saturated) > Deadlocked || size_t(used) != line.size())
        return std::nullopt;
    for (const double value :
         {p.load, r.offered, r.accepted, r.network.mean, r.total.mean, r.hops_mean})
        if (!(std::isfinite(value) && value >= 0)) return std::nullopt;
    r.saturated = saturated == 1;
    if (int(saturated) == Deadlocked) r.deadlock.resize(1);
    return p;
}

}  // namespace

std::vector<LoadPoint> from_csv(const std::string& text, const std::string& settings) {
    std::vector<LoadPoint> points;
    size_t from = 0;
    for (size_t number = 1, end; (end = text.find('\n', from)) != std::string::npos;
         from = end + 1, ++number) {
        const std::string line = text.substr(from, end - from);
        if (number == 1 && line.rfind(Comment, 0) != 0)
            throw std::invalid_argument("is not a file of rdt lab sweep");
        if (number == 1 && line != Comment + settings)
            throw std::invalid_argument("was made with other settings: " +
                                        line.substr(Comment.size()));
        if (number == 2 && line + "\n" != Columns)
            throw std::invalid_argument("has other columns in line 2");
        if (number <= 2) continue;
        const std::optional<LoadPoint> p = read_row(line);
        if (!p || (!points.empty() && !(points.back().load < p->load)))
            throw std::invalid_argument(fmt::format("line {} is no point: {}", number, line));
        if (p->result.deadlock.empty()) points.push_back(*p);
    }
    if (from == 0) throw std::invalid_argument("is not a file of rdt lab sweep");
    return points;
}

std::string to_csv(const std::vector<LoadPoint>& points, const std::string& settings) {
    std::string text = Comment + settings + "\n" + Columns;
    for (const auto& [load, r] : points)
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", load, r.offered, r.accepted,
                            r.network.mean, r.network.p99, r.network.max, r.total.mean, r.total.p99,
                            r.total.max, r.hops_mean, r.measured,
                            r.deadlock.empty() ? int(r.saturated) : Deadlocked);
    return text;
}

std::string to_svg(const std::vector<LoadPoint>& points, const std::string& title) {
    Curve latency{"network latency", {}, false};
    Curve total{"with queueing", {}, true};
    for (const auto& [load, r] : points) {
        latency.points.push_back({r.accepted, r.network.mean});
        if (!r.saturated) total.points.push_back({r.accepted, r.total.mean});
    }
    return to_svg(Plot{title,
                       "accepted traffic [flits per node and clock]",
                       "mean latency [clocks]",
                       {latency, total},
                       0});
}

}  // namespace rdt::lab
