// SPDX-License-Identifier: MIT
// A hypercube on the RDT: nodes keep their index, so that a dimension is a bit of x or of y.
//
// The neighbor across bit b of a coordinate is 2^b away along that axis: for b = 0, 1 one or two
// hops on rank 0; for b = 2, two on rank 1 (one on either axis); b = 3, 4 one or two on rank 2;
// and so on. The remaining cost of a path is its rank changes.
#include <rdt/net/graph/negative_hop.h>
#include <rdt/net/rdt/rdt_routing.h>
#include <rdt/net/rdt/rdt_vectors.h>

namespace rdt {

namespace {

// The first word of the tag is the header for the next hypercube node, the second the address
// bits still to cross.
class Hypercube : public Routing {
public:
    explicit Hypercube(const Geometry& geometry)
        : m_geometry(geometry), m_tours(shortest_tours(geometry)), m_vectors(geometry, m_tours) {}
    uint32_t vcs() const override { return 1; }

    RouteTag start(NodeId src, NodeId dst) const override { return cross_next(src, src ^ dst); }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        const uint32_t port = next_port(at, vectors_of(header_of(tag)));
        if (port != NoPort) out.add(port, 0);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        const Header header = leave(header_of(tag), taken.port, m_geometry.rank(at));
        if (vectors_of(header) != Vectors{}) return tag_of(header, tag[1]);
        return cross_next(m_geometry.neighbor(at, taken.port), tag[1]);
    }

private:
    RouteTag cross_next(NodeId at, uint64_t bits) const {
        if (bits == 0) return tag_of(unicast_header({}));
        const auto dimension = uint32_t(__builtin_ctzll(bits));
        return tag_of(unicast_header(m_vectors(at, across(at, dimension))), bits & (bits - 1));
    }
    uint32_t next_port(NodeId at, const Vectors& v) const {
        const Vec own = v[m_geometry.rank(at)];
        if (!(own == Vec{})) return detail::towards(own.x, own.y, PortE1);
        const uint32_t ranks = rank_set(v);
        if (ranks == 0) return v[0] == Vec{} ? NoPort : detail::towards(v[0].x, v[0].y, PortE0);
        return tour_port(m_geometry, m_tours, at, ranks, v[0]);
    }

    const Geometry& m_geometry;
    const Tours m_tours;
    const VectorTable m_vectors;
};

}  // namespace

std::unique_ptr<Routing> make_hypercube_routing(const RdtNetwork& network) {
    return make_negative_hop_channels(network, std::make_unique<Hypercube>(network.geometry()));
}

}  // namespace rdt
