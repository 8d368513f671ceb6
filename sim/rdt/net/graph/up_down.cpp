// SPDX-License-Identifier: MIT
#include <rdt/net/graph/up_down.h>

#include <algorithm>
#include <array>
#include <mutex>

#include <rdt/net/graph/partition.h>
#include <rdt/net/graph/reverse_links.h>

namespace rdt {

namespace {

// The middle of a long shortest path: breadth first from anywhere leads to one end of it, from
// there to the other.
NodeId root_of(const LinkTable& links) {
    const NodeId end = breadth_first(links, 0).back();
    const std::vector<NodeId> order = breadth_first(links, end);
    std::vector<NodeId> before(links.nodes(), end);
    std::vector<bool> seen(links.nodes(), false);
    std::vector<uint32_t> level(links.nodes(), 0);
    seen[end] = true;
    for (const NodeId node : order)
        links.for_neighbors(node, [&](NodeId other) {
            if (seen[other]) return;
            seen[other] = true;
            before[other] = node;
            level[other] = level[node] + 1;
        });
    NodeId at = order.back();
    for (uint32_t i = level[at] / 2; i > 0; --i) at = before[at];
    return at;
}

// Place of every node in the order: the root first, then level by level.
std::vector<uint32_t> places_of(const Network& network) {
    const LinkTable links(network);
    const std::vector<NodeId> order = breadth_first(links, root_of(links));
    std::vector<uint32_t> place(network.nodes(), 0);
    for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    return place;
}

class UpDown : public Routing {
public:
    explicit UpDown(const Network& network)
        : m_network(network),
          m_links(network),
          m_place(places_of(network)),
          m_once(std::make_unique<std::once_flag[]>(network.nodes())),
          m_tables(network.nodes()) {}

    uint32_t vcs() const override { return 1; }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        std::call_once(m_once[dst], [&] { m_tables[dst] = table(dst); });
        const uint16_t port = m_tables[dst][at][tag[0]];
        if (port == NoPort)
            throw NetworkError("there is no path from " + m_network.label(at) + " to " +
                               m_network.label(dst));
        out.add(port, 0);
    }

    // The tag is 1 once the packet has gone down.
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return {goes_up(at, *m_network.neighbor(at, taken.port)) ? tag[0] : 1, 0};
    }

private:
    bool goes_up(NodeId from, NodeId to) const { return m_place[to] < m_place[from]; }

    // The port to take, by node, of a packet that may go up still and of one that may not.
    using Ports = std::array<uint16_t, 2>;
    std::vector<Ports> table(NodeId dst) const {
        constexpr uint32_t Far = ~0u;
        std::vector<Ports> ports(m_network.nodes(), {NoPort, NoPort});
        std::vector<std::array<uint32_t, 2>> distance(m_network.nodes(), {Far, Far});
        std::vector<std::pair<NodeId, int>> queue{{dst, 0}, {dst, 1}};
        distance[dst] = {0, 0};
        for (size_t i = 0; i < queue.size(); ++i) {
            const auto [to, went_down] = queue[i];
            const uint32_t beyond = distance[to][went_down] + 1;
            const auto reach = [&](const ReverseLinks::Link& link, int state) {
                if (distance[link.from][state] == Far) {
                    distance[link.from][state] = beyond;
                    queue.push_back({link.from, state});
                }
                if (distance[link.from][state] == beyond)
                    ports[link.from][state] = std::min(ports[link.from][state], link.port);
            };
            for (const ReverseLinks::Link& link : m_links.into(to)) {
                const bool up = goes_up(link.from, to);
                if (up == (went_down == 0)) reach(link, 0);
                if (!up && went_down == 1) reach(link, 1);
            }
        }
        return ports;
    }

    const Network& m_network;
    const ReverseLinks m_links;
    const std::vector<uint32_t> m_place;
    const std::unique_ptr<std::once_flag[]> m_once;
    mutable std::vector<std::vector<Ports>> m_tables;  // made once each, then only read
};

}  // namespace

std::unique_ptr<Routing> make_up_down_routing(const Network& network) {
    if (network.directed())
        throw NetworkError("up-down needs links that go both ways; " + network.name() +
                           " is directed");
    return std::make_unique<UpDown>(network);
}

}  // namespace rdt
