// SPDX-License-Identifier: MIT
#include <rdt/paper/report.h>
#include <rdt/paper/schemes.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace rdt::paper {

namespace {

std::string number(const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string deviation(const Value& v) {
    if (!v.ours || !v.paper) return "";
    const double difference = *v.ours - *v.paper;
    // Less than the last digit printed is no difference.
    if (std::abs(difference) < 0.5000001 * std::pow(10, -v.digits)) return "=";
    if (*v.paper == 0) return fmt::format("{:+.{}f}", difference, v.digits);
    return fmt::format("{:+.{}f} ({:+.1f} %)", difference, v.digits, 100 * difference / *v.paper);
}

}  // namespace

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all{
        {"table1", "diameter and average distance of the RDT by routing", table1},
        {"table2", "diameter and degree of direct networks", table2},
        {"table3", "bisection of direct networks", table3},
        {"table4", "parameters of the simulation", table4},
        {"table5", "average path length of direct networks", table5},
        {"table6", "steps of a broadcast", table6},
        {"table7", "specification of the router chip", table7},
        {"table8", "gates of the router chip", table8},
        {"fig6", "diameter over the number of nodes", fig6},
        {"fig9", "latency over throughput, uniform traffic, 16 flits", fig9},
        {"fig10", "latency over throughput, uniform traffic, 128 flits", fig10},
        {"fig11", "latency over throughput, hot spots", fig11},
        {"depths", "figures 9 and 10 in overload, over the depth of buffers", depths},
        {"theorems", "theorems 1 to 6, by computation", theorems},
        {"properties", "tori, hypercube, partitions, faults, broadcasts, executed", properties},
        {"schemes", "directories by SM, LPRA and LARP over sharing degrees", schemes},
        {"combining", "answers to a multicast, combined and one by one", combining},
        {"jump-1", "the machine of figure 12 beside published measurements", jump_1},
        {"rcc", "all of the paper on RCC-FULL", rcc},
        {"rhsn", "all of the paper on recursive hierarchical swapped networks", rhsn},
        {"scc", "all of the paper on star-connected cycles", scc},
        {"prc", "all of the paper on periodically regular chordal rings", prc}};
    return all;
}

std::string to_text(const Report& r) {
    size_t wide = 4;
    for (const Value& v : r.values) wide = std::max(wide, v.name.size());
    std::string text = fmt::format("{}: {}\n", r.id, r.title);
    if (!r.values.empty())
        text += fmt::format("  {:<{}} {:>12} {:>12}  {}\n", "", wide, "here", "paper", "deviation");
    for (const Value& v : r.values) {
        std::string line =
            fmt::format("  {:<{}} {:>12} {:>12}  {:<20} {}", v.name, wide, number(v.ours, v.digits),
                        number(v.paper, v.digits), deviation(v), v.note);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    for (const std::string& note : r.notes) text += "  " + note + "\n";
    return text;
}

nlohmann::ordered_json to_json(const Report& r) {
    nlohmann::ordered_json json;
    json["id"] = r.id;
    json["title"] = r.title;
    json["values"] = nlohmann::ordered_json::array();
    for (const Value& v : r.values) {
        nlohmann::ordered_json value;
        value["name"] = v.name;
        value["here"] = v.ours ? nlohmann::ordered_json(*v.ours) : nullptr;
        value["paper"] = v.paper ? nlohmann::ordered_json(*v.paper) : nullptr;
        value["deviation"] =
            v.ours && v.paper ? nlohmann::ordered_json(*v.ours - *v.paper) : nullptr;
        if (!v.note.empty()) value["note"] = v.note;
        json["values"].push_back(value);
    }
    json["notes"] = r.notes;
    json["curves"] = nlohmann::ordered_json::array();
    for (const auto& [name, plot] : r.plots)
        for (const Curve& curve : plot.curves)
            json["curves"].push_back(
                {{"plot", name}, {"name", curve.name}, {"points", curve.points}});
    return json;
}

}  // namespace rdt::paper
