// SPDX-License-Identifier: MIT
// Closed partitioning. The square of a partition has no way around its edges, but upper links
// inside of it; among these the shortest paths are taken. All squares of a side look alike, since
// the assignment of ranks repeats every four nodes, so there is one table for each side.
//
// With a virtual channel for each round of a ring, as the other routings have them, these paths
// would wait for each other in circles; so the channels go by negative hops.
#include <mutex>

#include <rdt/net/graph/negative_hop.h>
#include <rdt/net/rdt/rdt_routing.h>

namespace rdt {

namespace {

// Shortest paths inside a square of the network, or in all of it; the paths to a destination are
// computed on first use.
class Square {
public:
    Square(const Geometry& geometry, int side)
        : m_geometry(geometry), m_side(side), m_ways(size_t(side) * size_t(side)) {}

    uint32_t port(NodeId at, NodeId dst) const {
        const size_t to = local(dst);
        std::call_once(m_ways[to].made, [this, dst, to] { find_ways(dst, m_ways[to].ports); });
        return m_ways[to].ports[local(at)];
    }

private:
    struct Ways {
        std::once_flag made;
        std::vector<uint8_t> ports;
    };
    size_t local(NodeId node) const {
        const int mask = m_side - 1;
        return size_t((m_geometry.y_of(node) & mask) * m_side + (m_geometry.x_of(node) & mask));
    }
    // Does the link stay inside? Over the edge of the whole network only if that is the square.
    bool has(NodeId node, uint32_t port) const {
        if (m_side == m_geometry.side()) return true;
        const Vec to =
            Vec{m_geometry.x_of(node) & (m_side - 1), m_geometry.y_of(node) & (m_side - 1)} +
            step_of(port < PortE1 ? 0 : m_geometry.rank(node), port);
        return to.x >= 0 && to.x < m_side && to.y >= 0 && to.y < m_side;
    }
    void find_ways(NodeId dst, std::vector<uint8_t>& ports) const {
        constexpr uint8_t Unknown = 0xff;
        ports.assign(m_ways.size(), Unknown);
        std::vector<NodeId> queue{dst};
        ports[local(dst)] = 0;
        for (size_t i = 0; i < queue.size(); ++i)
            for (uint32_t port = 0; port < NumNetworkPorts; ++port) {
                if (!has(queue[i], port)) continue;
                const NodeId before = m_geometry.neighbor(queue[i], port);
                if (ports[local(before)] != Unknown) continue;
                ports[local(before)] = uint8_t(opposite(port));
                queue.push_back(before);
            }
    }

    const Geometry& m_geometry;
    const int m_side;
    mutable std::vector<Ways> m_ways;
};

class Closed : public Routing {
public:
    explicit Closed(const Geometry& geometry) : m_geometry(geometry) {
        for (int side = 4; side <= geometry.side(); side *= 2)
            m_squares.push_back(std::make_unique<Square>(geometry, side));
    }
    uint32_t vcs() const override { return 1; }

    // The first word holds the square.
    RouteTag start(NodeId src, NodeId dst) const override {
        const int side = partition_side(m_geometry, src, dst);
        return {uint64_t(__builtin_ctz(uint32_t(side)) - 2), 0};
    }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        out.add(m_squares[tag[0]]->port(at, dst), 0);
    }

private:
    const Geometry& m_geometry;
    std::vector<std::unique_ptr<Square>> m_squares;  // squares of side 4, 8, ...
};

}  // namespace

int partition_side(const Geometry& g, NodeId a, NodeId b) {
    int side = 4;
    while (g.x_of(a) / side != g.x_of(b) / side || g.y_of(a) / side != g.y_of(b) / side) side *= 2;
    return side;
}

std::unique_ptr<Routing> make_closed_routing(const RdtNetwork& network) {
    return make_negative_hop_channels(network, std::make_unique<Closed>(network.geometry()));
}

}  // namespace rdt
