// SPDX-License-Identifier: MIT
#include <rdt/lab/result_text.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/traffic_table.h>
#include <rdt/support/csv.h>
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

namespace {

void add_latency(Json& j, const std::string& name, const Latency& l) {
    const auto known = [&l](auto value) { return l.count == 0 ? Json() : Json(value); };
    j[name + "_mean"] = known(l.mean);
    j[name + "_half_interval"] = l.half;
    j[name + "_p99"] = known(l.p99);
    j[name + "_max"] = known(l.max);
}

// " +- 0.12", if it is known.
std::string plus_minus(double half, int digits) {
    return std::isnan(half) ? "" : fmt::format(" +- {:.{}f}", half, digits);
}

std::string latency_text(const Latency& l) {
    if (l.count == 0) return "-";
    return fmt::format("mean {:.2f}{}, 99th percentile {}, max {} cycles", l.mean,
                       plus_minus(l.half, 2), l.p99, l.max);
}

}  // namespace

Json result_json(const SimulationResult& r, const Network& network) {
    Json j;
    j["offered"] = r.offered;
    j["accepted"] = r.accepted;
    j["accepted_half_interval"] = r.accepted_half;  // null if it is not known, as all of these
    add_latency(j, "latency", r.total);
    add_latency(j, "network_latency", r.network);
    j["is_short"] = r.is_short;
    j["cycles_needed"] = r.cycles_needed;
    j["senders"] = r.senders;
    j["hops_mean"] = r.measured == 0 ? Json() : Json(r.hops_mean);
    j["packets"] = r.measured;
    j["generated"] = r.generated;
    j["refused"] = r.refused;
    j["delivered"] = r.delivered;
    j["cycles_simulated"] = r.clocks;
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
    text +=
        fmt::format("accepted       {:.4f}{} flits/node/cycle of {:.4f} offered{}\n", r.accepted,
                    plus_minus(r.accepted_half, 4), r.offered, r.saturated ? ": saturated" : "");
    text += fmt::format("latency        {}\n", latency_text(r.total));
    text += fmt::format("network        {}\n", latency_text(r.network));
    text += interval_note(r);
    if (r.senders < network.nodes())
        text += fmt::format("sources        {} of {} nodes inject packets\n", r.senders,
                            network.nodes());
    text += r.measured == 0 ? "hops           -\n"
                            : fmt::format("hops           mean {:.4f}\n", r.hops_mean);
    text += fmt::format("packets        {} measured; {} generated, {} delivered{}\n", r.measured,
                        r.generated, r.delivered, r.drained ? ": all" : "");
    text +=
        fmt::format("speed          {:.1f} million node-cycles per second, {:.0f} bytes per node\n",
                    r.node_cycles_per_second / 1e6, r.bytes_per_node);
    if (r.stopped) text += fmt::format("stopped        after {} cycles\n", r.clocks);
    return text + deadlock_text(r, network);
}

std::string interval_note(const SimulationResult& r) {
    if (r.saturated) return "saturated      latencies depend on --cycles and have no meaning\n";
    if (!r.is_short) return {};
    return r.measured == 0
               ? "too short      nothing was measured\n"
               : fmt::format(
                     "too short      for 95 % confidence intervals, which need about {} cycles\n",
                     std::max<uint64_t>(r.cycles_needed, r.clocks));
}

std::string deadlock_text(const SimulationResult& r, const Network& network) {
    if (r.deadlock.empty()) return {};
    std::string text = fmt::format(
        "deadlock after {} cycles: each of these {} channels is held by a packet that waits for "
        "the next, and the last waits for the first\n",
        r.clocks, r.deadlock.size());
    for (const ChannelName& c : r.deadlock) text += "  " + to_string(c, network) + "\n";
    return text;
}

std::string to_table(const std::vector<LoadPoint>& points) {
    std::string text =
        fmt::format("{:>8} {:>9} {:>9} {:>8} {:>7} {:>7} {:>9} {:>8} {:>8} {:>9}\n", "load",
                    "accepted", "latency", "+-", "99 %", "max", "network", "+-", "hops", "Mnc/s");
    for (const auto& [load, r] : points) {
        // Unknown for a point read from the file.
        const std::string speed = r.node_cycles_per_second > 0
                                      ? fmt::format("{:.1f}", r.node_cycles_per_second / 1e6)
                                      : "-";
        const auto known = [&r = r](auto value, int digits) {
            return r.measured == 0 ? std::string("-")
                                   : fmt::format("{:.{}f}", double(value), digits);
        };
        const auto half = [](double value) {
            return std::isnan(value) ? std::string("-") : fmt::format("{:.2f}", value);
        };
        text += fmt::format("{:>8.4g} {:>9.4f} {:>9} {:>8} {:>7} {:>7} {:>9} {:>8} {:>8} {:>9}{}\n",
                            load, r.accepted, known(r.total.mean, 2), half(r.total.half),
                            known(r.total.p99, 0), known(r.total.max, 0), known(r.network.mean, 2),
                            half(r.network.half), known(r.hops_mean, 4), speed,
                            !r.deadlock.empty() ? "  deadlock"
                            : r.saturated       ? "  saturated"
                            : r.is_short        ? "  too short"
                                                : "");
    }
    const bool is_short = std::any_of(points.begin(), points.end(), [](const LoadPoint& p) {
        return p.result.is_short && !p.result.saturated;
    });
    if (is_short) {
        uint64_t needed = 0;
        for (const auto& [load, r] : points)
            if (r.is_short && !r.saturated) needed = std::max(needed, r.cycles_needed);
        text += fmt::format("too short: 95 % confidence intervals need up to {} cycles\n", needed);
    }
    return text;
}

namespace {

constexpr int Deadlocked = 2;  // in the column of saturated: its channels are not in the file

const std::string Comment = "# rdt lab sweep ";
const std::string Columns =
    "load,offered,accepted,accepted_half_interval,latency_mean,latency_half_interval,latency_p99,"
    "latency_max,network_latency_mean,network_latency_half_interval,network_latency_p99,"
    "network_latency_max,hops_mean,packets,cycles_needed,saturated\n";

// Nothing for what is not known.
std::string field(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::optional<LoadPoint> read_row(const std::string& line) {
    const std::optional<std::vector<double>> values = read_fields(line);
    if (!values || values->size() != 16) return std::nullopt;
    LoadPoint p{};
    SimulationResult& r = p.result;
    const std::vector<double>& v = *values;
    for (const size_t needed : {0, 1, 2, 13, 14, 15})
        if (std::isnan(v[needed])) return std::nullopt;
    const auto latency = [&v, count = uint64_t(v[13])](size_t at) {
        Latency l;
        l.count = count;
        l.half = v[at + 1];
        if (count == 0) return l;
        l.mean = v[at];
        l.p99 = uint64_t(v[at + 2]);
        l.max = uint64_t(v[at + 3]);
        return l;
    };
    p.load = v[0];
    r.offered = v[1];
    r.accepted = v[2];
    r.accepted_half = v[3];
    r.measured = uint64_t(v[13]);
    for (const size_t needed : {4, 6, 7, 8, 10, 11, 12})
        if (r.measured != 0 && std::isnan(v[needed])) return std::nullopt;
    r.total = latency(4);
    r.network = latency(8);
    r.hops_mean = r.measured == 0 ? 0 : v[12];
    r.cycles_needed = uint64_t(v[14]);
    r.is_short = std::isnan(r.total.half);
    if (v[15] != 0 && v[15] != 1 && v[15] != Deadlocked) return std::nullopt;
    r.saturated = v[15] == 1;
    if (v[15] == Deadlocked) r.deadlock.resize(1);
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
            throw std::invalid_argument("has unknown columns in line 2");
        if (number <= 2) continue;
        const std::optional<LoadPoint> p = read_row(line);
        if (!p || (!points.empty() && !(points.back().load < p->load)))
            throw std::invalid_argument(fmt::format("line {} is not a point: {}", number, line));
        if (p->result.deadlock.empty()) points.push_back(*p);
    }
    if (from == 0) throw std::invalid_argument("is not a file of rdt lab sweep");
    return points;
}

std::string to_csv(const std::vector<LoadPoint>& points, const std::string& settings) {
    std::string text = Comment + settings + "\n" + Columns;
    for (const auto& [load, r] : points) {
        const auto known = [&r = r](auto value) {
            return r.measured == 0 ? std::string() : fmt::format("{}", value);
        };
        text += fmt::format("{},{},{},{}", load, r.offered, r.accepted, field(r.accepted_half));
        for (const Latency& l : {r.total, r.network})
            text += fmt::format(",{},{},{},{}", known(l.mean), field(l.half), known(l.p99),
                                known(l.max));
        text += fmt::format(",{},{},{},{}\n", known(r.hops_mean), r.measured, r.cycles_needed,
                            r.deadlock.empty() ? int(r.saturated) : Deadlocked);
    }
    return text;
}

std::string to_svg(const std::vector<LoadPoint>& points, const std::string& title) {
    Curve latency{"network latency", {}, false};
    Curve total{"packet latency, with queueing", {}, true};
    double saturated = 0;
    for (const auto& [load, r] : points) {
        // The latency of a saturated point is one of the run's length.
        if (r.saturated && saturated == 0) saturated = r.accepted;
        if (r.measured == 0 || r.saturated) continue;
        latency.points.push_back({r.accepted, r.network.mean});
        latency.spread.push_back(r.network.half);
        total.points.push_back({r.accepted, r.total.mean});
        total.spread.push_back(r.total.half);
    }
    Plot plot{title,
              "accepted throughput [flits/node/cycle]",
              "mean latency [cycles]",
              {latency, total},
              0};
    plot.saturated = saturated;
    return rdt::to_svg(plot);
}

}  // namespace rdt::lab
