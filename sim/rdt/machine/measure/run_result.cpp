// SPDX-License-Identifier: MIT
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <rdt/machine/measure/run.h>

namespace rdt::machine {

namespace {

nlohmann::ordered_json json_of(const Latency& l) {
    const auto known = [&l](auto value) {
        return l.count == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
    };
    return {{"mean", known(l.mean)}, {"half_interval", l.half}, {"median", known(l.median)},
            {"p99", known(l.p99)},   {"max", known(l.max)},     {"packets", l.count}};
}

// A dash for what was not measured, or is not known.
// `saturated` marks a latency that grows with the length of the run.
std::string row_of(const std::string& name, const Latency& l, bool saturated = false) {
    const auto known = [&l](auto value) {
        return l.count == 0 ? std::string("-") : fmt::format("{}", value);
    };
    return fmt::format("  {:<20}{:>10}{:>10}{:>10}{:>10}{:>10}{}\n", name,
                       l.count == 0 ? "-" : fmt::format("{:.1f}", l.mean),
                       std::isnan(l.half) ? "-" : fmt::format("{:.1f}", l.half), known(l.median),
                       known(l.p99), known(l.max), saturated && l.count != 0 ? "  saturated" : "");
}

// Warnings about the validity of the figures.
std::string cautions_of(const RunResult& r) {
    std::string t;
    if (r.saturated)
        t += table_row("saturated",
                       "source queues grow: latencies depend on --cycles and have no meaning");
    if (r.wants_convergence && !r.converged)
        t += table_row("not converged", "the 95 % confidence intervals are wider than --converge");
    if (!r.saturated && r.is_short && r.packets > 0)
        t += table_row("too short",
                       fmt::format("for 95 % confidence intervals, which need about {} cycles",
                                   std::max(r.cycles_needed, 2 * r.clocks)));
    return t;
}

std::string ending_of(const RunResult& r) {
    if (!r.error.empty()) return "when an error ended the run";
    if (r.stopped) return "when stopped";
    if (r.converged) return "when converged";
    if (r.drained) return "at the end: all delivered";
    return r.waited ? "at the end: not delivered in time" : "at the end (--drain waits for them)";
}

nlohmann::ordered_json json_of(const std::vector<LinkUse>& links) {
    auto list = nlohmann::ordered_json::array();
    for (const LinkUse& l : links)
        list.push_back(
            {{"node", l.node},
             {"port", to_string(Port(l.port))},
             {"to", is_network(l.port) ? fmt::format("{}.{}", l.to_node, to_string(Port(l.to_port)))
                                       : fmt::format("MBP {}", l.port - PortM0)},
             {"sent", l.sent},
             {"received", l.received}});
    return list;
}

nlohmann::ordered_json json_of(const std::vector<NodeUse>& nodes) {
    auto list = nlohmann::ordered_json::array();
    for (const NodeUse& n : nodes)
        list.push_back({{"node", n.node},
                        {"injected", n.injected},
                        {"accepted", n.accepted},
                        {"latency_mean", n.latency}});
    return list;
}

nlohmann::ordered_json json_of(const std::vector<Wait>& waits) {
    auto list = nlohmann::ordered_json::array();
    for (const Wait& w : waits)
        list.push_back({{"buffer", to_string(w.buffer)},
                        {"output", to_string(Port(w.output))},
                        {"for", w.next ? nlohmann::ordered_json(to_string(*w.next)) : nullptr},
                        {"why", w.why}});
    return list;
}

}  // namespace

std::string table_row(const std::string& name, const std::string& value) {
    return fmt::format("  {:<24}{}\n", name, value);
}

nlohmann::ordered_json to_json(const RunResult& r, const Config& c) {
    nlohmann::ordered_json j;
    j["engine"] = EngineKind::of(c.engine).name;
    j["check"] = nlohmann::ordered_json::array();
    for (const Engine other : c.check) j["check"].push_back(EngineKind::of(other).name);
    j["size"] = c.side;
    j["rtl_nodes"] = c.rtl_nodes;
    j["upper_rank"] = c.upper_rank;
    j["guard"] = c.guard;
    j["sink"] = c.sink;
    j["reduce_width"] = c.reduce_width;
    j["entries"] = c.entries;
    j["registers"] = {{"t_ent", c.t_ent}, {"t_ack", c.t_ack}, {"timeout", c.timeout}};
    j["seed"] = c.seed;
    j["workload"] = r.workload;
    j["cycles_measured"] = r.clocks;
    j["cycles_simulated"] = r.simulated;
    j["offered"] = r.offered;
    j["accepted"] = r.accepted;
    j["packets"] = r.packets;
    j["accepted_half_interval"] = r.accepted_half;  // null if it is not known, as all of these
    j["saturated"] = r.saturated;
    j["is_short"] = r.is_short;
    j["cycles_needed"] = r.cycles_needed;
    j["latency"] = json_of(r.total);
    j["latency_queueing"] = json_of(r.queueing);
    j["latency_network"] = json_of(r.network);
    j["hops_mean"] = r.total.count == 0 ? Unknown : r.hops_mean;
    j["hops_max"] = r.hops_max;
    j["link_utilization_rank0"] = r.use_rank0;
    j["link_utilization_upper"] = r.use_upper;
    j["link_utilization_mbp"] = r.use_mbp;
    j["multicasts"] = r.multicasts;
    j["multicast_copies"] = r.copies;
    j["multicast_latency"] = json_of(r.multicast);
    j["acks"] = r.acks;
    j["acks_with_retry"] = r.retries;
    j["acks_with_timeout"] = r.timeouts;
    j["ack_latency"] = json_of(r.ack);
    j["injected"] = r.sent;
    j["delivered"] = r.delivered;
    j["corrupted"] = r.damaged;
    j["unexpected"] = r.strays;
    j["flips"] = r.flips;
    j["links_down"] = r.links_down;
    j["in_flight"] = r.open;
    j["converged"] = r.converged;
    j["drained"] = r.drained;
    j["stopped"] = r.stopped;
    j["error"] = r.error;
    j["waiting"] = json_of(r.waits);
    j["deadlock"] = nlohmann::ordered_json::array();
    for (const BufferName& b : cycle_of(r.waits)) j["deadlock"].push_back(to_string(b));
    j["signals_compared"] = r.compared_signals;
    j["seconds"] = r.seconds;
    j["cycles_per_second"] = r.cycles_per_second;
    j["cpu_seconds"] = r.cpu_seconds;
    j["cycles_per_cpu_second"] = r.cycles_per_cpu_second;
    j["bytes_per_node"] = r.bytes_per_node;
    j["nodes"] = json_of(r.nodes);
    j["links"] = json_of(r.links);
    j["histograms"] = nlohmann::ordered_json::object();
    for (const auto& [name, counts] : r.histograms) j["histograms"][name] = counts;
    return j;
}

std::string to_table(const RunResult& r, const Config& c) {
    std::string t = fmt::format("{0} x {0} nodes{1}, {2}, {3} cycles measured of {4}, seed {5}\n",
                                c.side, c.upper_rank ? "" : " as a plain torus", title_of(c),
                                r.clocks, r.simulated, c.seed);
    t += table_row(
        "throughput",
        fmt::format("{:.4f}{} flits/node/cycle accepted, {:.4f} offered", r.accepted,
                    std::isnan(r.accepted_half) ? "" : fmt::format(" +- {:.4f}", r.accepted_half),
                    r.offered));
    t += table_row("packets", fmt::format("{} injected, {} delivered, {} in flight {}", r.sent,
                                          r.delivered, r.open, ending_of(r)));
    if (r.hops_max != 0)
        t += table_row("hops", fmt::format("{:.3f} mean, {} max", r.hops_mean, r.hops_max));
    t += table_row("link utilization", fmt::format("rank 0 {:.3f}, upper rank {:.3f}, MBPs {:.3f}",
                                                   r.use_rank0, r.use_upper, r.use_mbp));
    t += fmt::format("  {:<20}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "latency in cycles", "mean",
                     "+- 95 %", "median", "99 %", "max");
    if (r.total.count != 0 || r.copies == 0) {
        t += row_of("  unicasts", r.total, r.saturated);
        t += row_of("    queueing", r.queueing, r.saturated);
        t += row_of("    network", r.network);
    }
    if (r.copies != 0) t += row_of("  multicasts, last", r.multicast, r.saturated);
    if (r.acks != 0) t += row_of("  acks, round trip", r.ack, r.saturated);
    t += cautions_of(r);
    if (r.copies != 0)
        t += table_row("multicasts",
                       fmt::format("{}, {} copies; {} acks ({} retry, {} time-out)", r.multicasts,
                                   r.copies, r.acks, r.retries, r.timeouts));
    if (r.flips != 0 || r.damaged != 0 || r.strays != 0)
        t += table_row(
            "faults",
            fmt::format(
                "{} pins inverted; {} packets corrupted, {} unexpected packets and error reports",
                r.flips, r.damaged, r.strays));
    if (r.links_down != 0) t += table_row("links", fmt::format("{} down at the end", r.links_down));
    if (r.compared_signals != 0)
        t += table_row("check",
                       fmt::format("{} signals compared in every cycle, {}", r.compared_signals,
                                   r.error.empty() ? "no difference" : "a difference"));
    t += to_text(r.waits);
    t += r.workload_table;
    t += table_row(
        "speed",
        fmt::format("{:.0f} cycles per second, {:.0f} per CPU second; {:.0f} bytes per node",
                    r.cycles_per_second, r.cycles_per_cpu_second, r.bytes_per_node));
    return t;
}

}  // namespace rdt::machine
