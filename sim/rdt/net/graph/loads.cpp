// SPDX-License-Identifier: MIT
// Paths of single packets, and what all of them together put on the links.
#include <stdexcept>

#include <rdt/net/graph/analysis.h>

namespace rdt {

namespace {

// Calls visit(node, port) for every hop of a packet that always takes the best choice.
template <class Visit>
void walk(const Network& network, const Routing& routing, NodeId src, NodeId dst, Visit&& visit) {
    const uint64_t limit = 64 + uint64_t(network.nodes()) * 4;  // no sane path is that long
    RouteTag tag = routing.start(src, dst);
    OutChannel in{NoPort, 0};
    Choices choices;
    NodeId at = src;
    for (uint64_t hops = 0;; ++hops) {
        routing.next(at, dst, tag, in, choices);
        if (choices.empty() && at == dst) return;
        const auto to = choices.empty() ? std::nullopt : network.neighbor(at, choices[0].port);
        if (!to || hops == limit)
            throw std::runtime_error("the packet from " + network.label(src) + " to " +
                                     network.label(dst) + " is not delivered but ends at " +
                                     network.label(at));
        const OutChannel out = choices[0];
        visit(at, out.port);
        tag = routing.advance(at, tag, out);
        const uint32_t back = network.directed() ? out.port : network.port_back(at, out.port);
        in = {uint16_t(back), out.vc};
        at = *to;
    }
}

}  // namespace

std::vector<NodeId> path(const Network& network, const Routing& routing, NodeId src, NodeId dst) {
    std::vector<NodeId> nodes;
    walk(network, routing, src, dst, [&](NodeId at, uint32_t) { nodes.push_back(at); });
    nodes.push_back(dst);
    return nodes;
}

LinkLoads link_loads(const Network& network, const Routing& routing, const WorkOptions& options) {
    const uint32_t nodes = network.nodes();
    LinkLoads loads{network.ports(), {}, 0, 0, 0};
    loads.packets.assign(size_t(nodes) * network.ports(), 0);
    in_parallel(
        nodes, options, [&] { return std::vector<uint64_t>(loads.packets.size(), 0); },
        [&](std::vector<uint64_t>& packets, NodeId dst) {
            for (NodeId src = 0; src < nodes; ++src)
                walk(network, routing, src, dst,
                     [&](NodeId at, uint32_t port) { ++packets[size_t(at) * loads.ports + port]; });
        },
        [&](const std::vector<uint64_t>& packets) {
            for (size_t i = 0; i < packets.size(); ++i) loads.packets[i] += packets[i];
        });
    uint64_t links = 0;
    for (NodeId node = 0; node < nodes; ++node)
        for (uint32_t port = 0; port < loads.ports; ++port) {
            if (!network.neighbor(node, port)) continue;
            ++links;
            const uint64_t packets = loads.packets[size_t(node) * loads.ports + port];
            loads.hops += packets;
            loads.max = std::max(loads.max, packets);
        }
    loads.mean = links == 0 ? 0 : double(loads.hops) / double(links);
    return loads;
}

}  // namespace rdt
