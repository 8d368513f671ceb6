// SPDX-License-Identifier: MIT
#include <rdt/net/graph/graph_network.h>

#include <algorithm>

#include <rdt/net/graph/negative_hop.h>

namespace rdt {

GraphNetwork::GraphNetwork(std::string name, uint32_t nodes, uint32_t ports, const Rule& rule)
    : m_name(std::move(name)), m_nodes(nodes), m_ports(ports), m_links(size_t(nodes) * ports) {
    constexpr NodeId None = ~0u;
    std::vector<NodeId> to(m_links.size(), None);
    for (NodeId node = 0; node < nodes; ++node) {
        NodeId* const row = &to[size_t(node) * ports];
        for (uint32_t port = 0; port < ports; ++port) {
            const NodeId other = rule(node, port).value_or(node);
            if (other != node && std::find(row, row + port, other) == row + port) row[port] = other;
        }
    }
    for (NodeId node = 0; node < nodes; ++node)
        for (uint32_t port = 0; port < ports; ++port) {
            const NodeId other = to[size_t(node) * ports + port];
            if (other == None) continue;
            const NodeId* const row = &to[size_t(other) * ports];
            const NodeId* const back = std::find(row, row + ports, node);
            if (back == row + ports) throw std::logic_error(m_name + " has a one-way link");
            m_links[size_t(node) * ports + port] = {other, uint16_t(back - row)};
        }
}

std::unique_ptr<Routing> GraphNetwork::routing(const std::string&) const {
    return make_negative_hop_routing(*this);
}

}  // namespace rdt
