// SPDX-License-Identifier: MIT
// A network given by a neighbor rule. The rule is evaluated once into a table, and the ports at
// both ends of a link are matched.
#pragma once

#include <rdt/net/graph/network.h>

namespace rdt {

class GraphNetwork : public Network {
public:
    std::string name() const override { return m_name; }
    uint32_t nodes() const override { return m_nodes; }
    uint32_t ports() const override { return m_ports; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        const Link& link = m_links[size_t(node) * m_ports + port];
        if (link.back == NoPort) return std::nullopt;
        return link.to;
    }
    uint32_t port_back(NodeId node, uint32_t port) const override {
        return m_links[size_t(node) * m_ports + port].back;
    }
    // Shortest paths, free of deadlock by virtual channels (net/negative_hop.h).
    std::vector<std::string> routings() const override { return {"negative-hop"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override;

protected:
    using Rule = std::function<std::optional<NodeId>(NodeId node, uint32_t port)>;
    // Links of a node to itself are left out, of several between the same two nodes all but the
    // one at the lowest ports. Throws std::logic_error if a link is not seen from both ends.
    GraphNetwork(std::string name, uint32_t nodes, uint32_t ports, const Rule& rule);

private:
    struct Link {
        NodeId to = 0;
        uint16_t back = NoPort;
    };
    const std::string m_name;
    const uint32_t m_nodes;
    const uint32_t m_ports;
    std::vector<Link> m_links;
};

}  // namespace rdt
