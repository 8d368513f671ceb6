// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_faults.h>

#include <fmt/core.h>

#include <rdt/net/graph/negative_hop.h>

namespace rdt {

namespace {

constexpr uint32_t MostNodes = 4096;  // whose pairs are all followed before

void fail_links(Faults& faults, const RdtNetwork& network, NodeId from, NodeId to,
                const std::string& text) {
    bool is_link = false;
    for (uint32_t port = 0; port < network.ports(); ++port) {
        if (network.neighbor(from, port) != to) continue;
        faults.fail_link(network, from, port);
        is_link = true;
    }
    if (!is_link)
        throw NetworkError(fmt::format(
            "--fault {}: not a link of {}: must be FROM-TO, for example {}-{}", text,
            network.name(), network.label(from), network.label(*network.neighbor(from, 0))));
}

}  // namespace

const RdtNetwork& rdt_with_faults(const Network& network) {
    const auto* const rdt = dynamic_cast<const RdtNetwork*>(&network);
    if (rdt == nullptr) throw NetworkError("--fault: needs rdt:SIDE, not " + network.name());
    return *rdt;
}

Faults parse_faults(const RdtNetwork& network, const std::vector<std::string>& texts) {
    Faults faults;
    for (const std::string& text : texts) {
        const size_t dash = text.find('-');
        const NodeId from = network.parse(text.substr(0, dash));
        if (dash == std::string::npos) faults.nodes.insert(from);
        else fail_links(faults, network, from, network.parse(text.substr(dash + 1)), text);
    }
    return faults;
}

std::unique_ptr<Routing> make_routing_around(const RdtNetwork& network, const std::string& name,
                                             const Faults& faults) {
    if (name == "floating") return make_floating_routing(network, VectorSource::Best, faults);
    if (name == "floating-simple")
        return make_floating_routing(network, VectorSource::Simple, faults);
    if (!name.empty() && name != RoutingAroundFaults)
        throw NetworkError(fmt::format(
            "--routing {1}: does not support --fault: must be floating, floating-simple or {0}",
            RoutingAroundFaults, name));
    std::vector<bool> is_down(network.nodes(), false);
    for (NodeId node : faults.nodes) is_down[node] = true;
    return make_negative_hop_channels(
        network, make_floating_routing(network, VectorSource::Best, faults), is_down, MostNodes);
}

}  // namespace rdt
