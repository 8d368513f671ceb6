// SPDX-License-Identifier: MIT
// The results about a network and its routing for the program and the Python module.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <rdt/net/graph/analysis.h>

namespace rdt {

// The name of the routing that make_routing() makes: the one given, or the default's. Throws
// NetworkError if there is none.
std::string routing_name(const Network& network, const std::string& name);

struct NetworkFacts {
    Size size;
    Distances distances;
    Bisection bisection;
    uint64_t bisection_at_least;  // 0: not known, which beyond some thousand nodes takes too long
};
NetworkFacts facts_of(const Network& network, const WorkOptions& options = {});
nlohmann::ordered_json to_json(const NetworkFacts& facts, const Network& network);

// The result of check_routing(); `name` and `routing` are those of the routing.
nlohmann::ordered_json to_json(const RoutingCheck& check, const Network& network,
                               const std::string& name, const Routing& routing);

}  // namespace rdt
