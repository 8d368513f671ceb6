// SPDX-License-Identifier: MIT
#include <rdt/net/graph/shortest_routing.h>

#include <algorithm>
#include <mutex>

#include <rdt/net/graph/reverse_links.h>

namespace rdt {

namespace {

class ShortestRouting : public Routing {
public:
    explicit ShortestRouting(const Network& network)
        : m_network(network),
          m_links(network),
          m_once(std::make_unique<std::once_flag[]>(network.nodes())),
          m_tables(network.nodes()) {}

    uint32_t vcs() const override { return 1; }

    void next(NodeId at, NodeId dst, const RouteTag&, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        std::call_once(m_once[dst], [&] { m_tables[dst] = table(dst); });
        const uint16_t port = m_tables[dst][at];
        if (port == NoPort)
            throw NetworkError("there is no path from " + m_network.label(at) + " to " +
                               m_network.label(dst));
        out.add(port, 0);
    }

private:
    std::vector<uint16_t> table(NodeId dst) const {
        constexpr uint32_t Far = ~0u;
        std::vector<uint16_t> ports(m_network.nodes(), NoPort);
        std::vector<uint32_t> distance(m_network.nodes(), Far);
        std::vector<NodeId> queue{dst};
        distance[dst] = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const NodeId to = queue[i];
            for (const ReverseLinks::Link& link : m_links.into(to)) {
                if (distance[link.from] == Far) {
                    distance[link.from] = distance[to] + 1;
                    queue.push_back(link.from);
                }
                if (distance[link.from] == distance[to] + 1)
                    ports[link.from] = std::min(ports[link.from], link.port);
            }
        }
        return ports;
    }

    const Network& m_network;
    const ReverseLinks m_links;
    const std::unique_ptr<std::once_flag[]> m_once;
    mutable std::vector<std::vector<uint16_t>> m_tables;  // made once each, then only read
};

}  // namespace

std::unique_ptr<Routing> make_shortest_routing(const Network& network) {
    return std::make_unique<ShortestRouting>(network);
}

}  // namespace rdt
