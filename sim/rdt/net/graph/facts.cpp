// SPDX-License-Identifier: MIT
#include <rdt/net/graph/facts.h>

#include <nlohmann/json.hpp>

#include <rdt/net/graph/partition.h>

namespace rdt {

using Json = nlohmann::ordered_json;

NetworkFacts facts_of(const Network& network, const WorkOptions& options) {
    NetworkFacts f{size_of(network), distances(network, options), bisection(network, options), 0};
    if (f.bisection.exact) f.bisection_at_least = f.bisection.links;
    else if (network.nodes() <= MostNodesBounded)
        f.bisection_at_least = bisection_at_least(network, options);
    return f;
}

Json to_json(const NetworkFacts& f, const Network& network) {
    Json json;
    json["name"] = network.name();
    json["nodes"] = f.distances.nodes;
    json["degree"] = f.size.degree;
    json["links"] = f.size.links;
    json["diameter"] = f.distances.diameter;
    json["mean_distance"] = f.distances.mean();
    json["mean_distance_distinct"] = f.distances.mean_distinct();
    json["bisection"] = f.bisection.links;
    json["bisection_at_least"] = f.bisection_at_least;
    json["bisection_exact"] = f.bisection.exact;
    json["bisection_method"] = f.bisection.method;
    json["routings"] = network.routings();
    return json;
}

Json to_json(const RoutingCheck& c, const Network& network, const std::string& name,
             const Routing& routing) {
    Json json;
    json["name"] = network.name();
    json["routing"] = name;
    json["vcs"] = routing.vcs();
    json["adaptive"] = c.adaptive;
    json["channels"] = c.channels;
    json["used"] = c.used;
    json["dependencies"] = c.dependencies;
    json["pairs"] = c.pairs;
    json["mean_hops"] = c.mean_hops;
    json["max_hops"] = c.bounded ? Json(c.max_hops) : Json(nullptr);
    json["acyclic"] = c.deadlock_free;
    json["by_escape"] = c.by_escape;
    json["longest_chain"] = c.longest_chain;
    json["cycle"] = Json::array();
    for (const Channel& channel : c.cycle)
        json["cycle"].push_back(
            {{"node", channel.node}, {"port", channel.port}, {"vc", channel.vc}});
    return json;
}

}  // namespace rdt
