// SPDX-License-Identifier: MIT
// Floating vector routing (the paper's section III-B) and fixed vector routing.
//
// Floating, at every node: if the node has a rank whose vector is not used up, along that vector.
// Otherwise to the neighbor, of all that have a rank still needed, that is closest to where v0
// points; v0 is corrected by the hop (the paper's step 3 adds it, but must subtract). Otherwise
// along v0. Which neighbor that is depends on the node's kind, the ranks left and v0: a table.
//
// Fixed: the source decides the order of the ranks before the packet starts, either the best one or
// the descending one; between ranks the walk on rank 0 is the shortest that the order allows.
#include <algorithm>
#include <cstdlib>

#include <rdt/net/rdt/rdt_detours.h>
#include <rdt/net/rdt/rdt_routing.h>
#include <rdt/net/rdt/rdt_vectors.h>

namespace rdt {

namespace {

// Port by which a node of a kind leaves rank-0-wards for the next rank, by ranks left and v0.
class RankTable {
public:
    explicit RankTable(const Geometry& g) : m_port(size_t(NumKinds) * NumRankSets * 256, 0) {
        for (uint32_t kind = 0; kind < NumKinds; ++kind)
            for (uint32_t set = 1; set < 1u << g.top_rank(); ++set)
                for (int y = Tours::Min; y <= Tours::Max; ++y)
                    for (int x = Tours::Min; x <= Tours::Max; ++x)
                        m_port[index(kind, set, {x, y})] = choose(g, kind, set, {x, y});
    }
    uint32_t operator()(uint32_t kind, uint32_t set, Vec v0) const {
        return m_port[index(kind, set, v0)];
    }

private:
    // Under alpha every rank is one hop away. Among equally good neighbors, prefers the higher
    // rank: its links are fewer and lie on more paths.
    static uint8_t choose(const Geometry& g, uint32_t kind, uint32_t set, Vec v0) {
        const Vec from = example_of(kind);
        int best = 1 << 20;
        uint32_t port = PortE0;
        for (uint32_t p = PortE0; p <= PortS0; ++p) {
            const Vec step = step_of(0, p);
            const uint32_t rank = g.rank(g.index(from.x + step.x, from.y + step.y));
            if ((set >> (rank - 1) & 1) == 0) continue;
            const int cost = 8 * length(v0 + -1 * step) + int(MaxRank - rank);
            if (cost >= best) continue;
            best = cost;
            port = p;
        }
        return uint8_t(port);
    }
    static size_t index(uint32_t kind, uint32_t set, Vec v0) {
        return ((size_t(kind) * NumRankSets + set) * 16 + size_t(v0.y + 8)) * 16 + size_t(v0.x + 8);
    }
    std::vector<uint8_t> m_port;
};

// Rank-0 hops of floating vector routing: follows the table.
Tours floating_tours(const Geometry& g, const RankTable& table) {
    Tours tours;
    for (uint32_t kind = 0; kind < NumKinds; ++kind)
        for (uint32_t set = 0; set < 1u << g.top_rank(); ++set)
            for (int y = Tours::Min; y <= Tours::Max; ++y)
                for (int x = Tours::Min; x <= Tours::Max; ++x) {
                    Vec at = example_of(kind);
                    Vec v0{x, y};
                    uint32_t left = set;
                    int hops = 0;
                    for (;; ++hops) {
                        left &= ~(1u << (g.rank(g.index(at.x, at.y)) - 1));
                        if (left == 0 || !Tours::in_range(v0)) break;
                        const Vec step = step_of(0, table(kind_of(at), left, v0));
                        at = at + step;
                        v0 = v0 + -1 * step;
                    }
                    if (left == 0 && Tours::in_range(v0))
                        tours.at(kind, set, {x, y}) = uint8_t(hops + length(v0));
                }
    return tours;
}

class Floating : public Routing {
public:
    Floating(const RdtNetwork& network, VectorSource vectors, const Faults& faults)
        : m_geometry(network.geometry()), m_table(m_geometry) {
        if (vectors == VectorSource::Best)
            m_vectors =
                std::make_unique<VectorTable>(m_geometry, floating_tours(m_geometry, m_table));
        if (!faults.empty()) m_detours = std::make_unique<Detours>(network, faults);
    }
    uint32_t vcs() const override { return 2; }

    RouteTag start(NodeId src, NodeId dst) const override {
        if (m_vectors) return tag_of(unicast_header((*m_vectors)(src, dst)));
        return tag_of(
            unicast_header(split(m_geometry.displacement(src, dst), m_geometry.top_rank())));
    }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        out.clear();
        const Vectors v = vectors_of(header_of(tag));
        const uint32_t port = m_detours ? m_detours->port(at, dst, v) : this->port(at, v);
        if (port != NoPort) out.add(port, ring_vc(m_geometry.config(at), in, port));
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return tag_of(leave(header_of(tag), taken.port, m_geometry.rank(at)));
    }

private:
    uint32_t port(NodeId at, const Vectors& v) const {
        const uint32_t rank = m_geometry.rank(at);
        if (!(v[rank] == Vec{})) return detail::towards(v[rank].x, v[rank].y, PortE1);
        const uint32_t set = rank_set(v);
        if (set != 0) return m_table(m_geometry.kind(at), set, v[0]);
        return v[0] == Vec{} ? NoPort : detail::towards(v[0].x, v[0].y, PortE0);
    }

    const Geometry& m_geometry;
    const RankTable m_table;
    std::unique_ptr<VectorTable> m_vectors;
    std::unique_ptr<Detours> m_detours;
};

// The way is a list of ports, three bits each, in the second word of the tag, the next one lowest.
class Fixed : public Routing {
public:
    Fixed(const Geometry& geometry, RankOrder order)
        : m_geometry(geometry), m_order(order), m_tours(shortest_tours(geometry, order)) {}
    uint32_t vcs() const override { return 2; }

    RouteTag start(NodeId src, NodeId dst) const override {
        Vectors v = split(m_geometry.displacement(src, dst), m_geometry.top_rank());
        uint64_t ports = 0, hops = 0;
        for (NodeId at = src; at != dst || rank_set(v) != 0; ++hops) {
            const uint32_t port = next_port(at, v);
            ports |= uint64_t(port) << 3 * hops;
            const uint32_t rank = port < PortE1 ? 0 : m_geometry.rank(at);
            v[rank] = v[rank] + -1 * step_of(0, port);
            at = m_geometry.neighbor(at, port);
        }
        return {hops, ports};
    }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel in, Choices& out) const override {
        out.clear();
        if (tag[0] == 0) return;
        const auto port = uint32_t(tag[1] & 7);
        out.add(port, ring_vc(m_geometry.config(at), in, port));
    }
    RouteTag advance(NodeId, const RouteTag& tag, OutChannel) const override {
        return {tag[0] - 1, tag[1] >> 3};
    }

private:
    uint32_t next_port(NodeId at, const Vectors& v) const {
        const uint32_t rank = m_geometry.rank(at);
        const bool is_next = m_order == RankOrder::Any || rank == highest_rank(v);
        if (is_next && !(v[rank] == Vec{})) return detail::towards(v[rank].x, v[rank].y, PortE1);
        const uint32_t set = rank_set(v);
        if (set == 0) return detail::towards(v[0].x, v[0].y, PortE0);
        return tour_port(m_geometry, m_tours, at, set, v[0]);
    }

    const Geometry& m_geometry;
    const RankOrder m_order;
    const Tours m_tours;
};

}  // namespace

std::unique_ptr<Routing> make_floating_routing(const RdtNetwork& network, VectorSource vectors,
                                               const Faults& faults) {
    return std::make_unique<Floating>(network, vectors, faults);
}

std::unique_ptr<Routing> make_fixed_routing(const RdtNetwork& network) {
    return std::make_unique<Fixed>(network.geometry(), RankOrder::Any);
}

std::unique_ptr<Routing> make_highest_first_routing(const RdtNetwork& network) {
    return std::make_unique<Fixed>(network.geometry(), RankOrder::Descending);
}

}  // namespace rdt
