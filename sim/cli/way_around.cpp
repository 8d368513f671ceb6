// SPDX-License-Identifier: MIT
#include "cli/way_around.h"

#include <fmt/core.h>

#include <rdt/net/families/chordal_ring.h>
#include <rdt/net/rdt/rdt_faults.h>

namespace rdt {

namespace {

std::unique_ptr<Routing> around_links(const ChordalRing& ring,
                                      const std::vector<std::string>& faults) {
    BrokenLinks broken;
    for (const std::string& text : faults) {
        const size_t dash = text.find('-');
        const NodeId from = ring.parse(text.substr(0, dash));
        const auto is_link = [&](uint32_t port) {
            return dash != std::string::npos &&
                   ring.neighbour(from, port) == ring.parse(text.substr(dash + 1));
        };
        uint32_t port = 0;
        while (port < ring.ports() && !is_link(port)) ++port;
        if (port == ring.ports())
            throw NetworkError(fmt::format("{} is no link of {}; allowed is FROM-TO, as {}-{}",
                                           text, ring.name(), from, *ring.neighbour(from, 0)));
        broken.insert({from, port});
    }
    return make_fault_tolerant_greedy(ring, broken);
}

}  // namespace

NamedWay way_around(const Network& network, const std::string& routing, bool is_default,
                    const std::vector<std::string>& faults, const std::vector<NodeId>& ends) {
    if (faults.empty()) return {make_routing(network, routing), routing};
    if (const auto* const rdt = dynamic_cast<const RdtNetwork*>(&network)) {
        const std::string name = is_default ? "floating" : routing;
        const Faults down = parse_faults(*rdt, faults);
        for (NodeId end : ends)
            if (down.nodes.count(end) != 0)
                throw NetworkError(fmt::format("node {} is down itself", network.label(end)));
        return {make_routing_around(*rdt, name, down), name};
    }
    const auto* const ring = dynamic_cast<const ChordalRing*>(&network);
    if (ring == nullptr || routing != "greedy")
        throw NetworkError(
            "--fault needs rdt:SIDE, or chordal:... or prc:... with the routing greedy");
    return {around_links(*ring, faults), routing};
}

}  // namespace rdt
