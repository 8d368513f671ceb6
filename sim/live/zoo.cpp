// SPDX-License-Identifier: MIT
#include "zoo.h"

#include <rdt/lab/simulate.h>
#include <rdt/net/graph/facts.h>
#include <rdt/net/graph/traffic.h>

namespace rdt::live {

using Json = nlohmann::ordered_json;

namespace {

WorkOptions alone() {
    WorkOptions work;
    work.threads = 1;
    return work;
}

}  // namespace

Json patterns() {
    Json list = Json::array();
    for (const Traffic::Pattern& p : Traffic::patterns()) list.push_back({p.name, p.about});
    return list;
}

Json network_of(const std::string& name) {
    const auto network = make_network(name);
    Json json{{"name", network->name()}, {"nodes", network->nodes()}};
    json["period"] = {network->period().x, network->period().y};
    json["at"] = Json::array();
    json["labels"] = Json::array();
    json["links"] = Json::array();  // from, to, port of the first
    for (NodeId node = 0; node < network->nodes(); ++node) {
        const Position at = network->position(node);
        json["at"].push_back({at.x, at.y});
        json["labels"].push_back(network->label(node));
        for (uint32_t port = 0; port < network->ports(); ++port) {
            const auto to = network->neighbor(node, port);
            if (!to) continue;
            // Both ends of an undirected link name it.
            if (!network->directed() &&
                std::pair(*to, network->port_back(node, port)) < std::pair(node, port))
                continue;
            json["links"].push_back({node, *to, port});
        }
    }
    return json;
}

Json figures_of(const std::string& name) {
    const auto network = make_network(name);
    const auto routing = make_routing(*network, "");
    const Size size = size_of(*network);
    const Distances d = distances(*network, alone());
    const Bisection b = bisection(*network, alone());
    const LinkLoads l = link_loads(*network, *routing, alone());
    const RoutingCheck c = check_routing(*network, *routing, alone());
    return {{"name", network->name()},
            {"nodes", d.nodes},
            {"degree", size.degree},
            {"links", size.links},
            {"diameter", d.diameter},
            {"mean_distance", d.mean()},
            {"bisection", b.links},
            {"bisection_exact", b.exact},
            {"routing", routing_name(*network, "")},
            {"vcs", routing->vcs()},
            {"mean_hops", c.mean_hops},
            {"acyclic", c.deadlock_free},
            {"saturation", l.saturation(d.nodes)}};
}

Json path_of(const std::string& name, uint32_t from, uint32_t to) {
    const auto network = make_network(name);
    if (from >= network->nodes() || to >= network->nodes())
        throw NetworkError("there is no such node in " + name);
    return path(*network, *make_routing(*network, ""), from, to);
}

Json run_of(const std::string& name, const nlohmann::json& j) {
    const auto network = make_network(name);
    const auto routing = make_routing(*network, "");
    lab::Options options;
    options.traffic = j.at("traffic");
    options.load = j.at("load");
    options.cycles = j.at("cycles");
    options.seed = j.at("seed");
    const lab::SimulationResult r = lab::simulate(*network, *routing, options);
    return {{"name", network->name()},    {"load", options.load},
            {"accepted", r.accepted},     {"network_latency_mean", r.network.mean},
            {"total_mean", r.total.mean}, {"hops_mean", r.hops_mean},
            {"saturated", r.saturated},   {"deadlock", !r.deadlock.empty()}};
}

}  // namespace rdt::live
