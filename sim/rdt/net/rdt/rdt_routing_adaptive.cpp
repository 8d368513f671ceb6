// SPDX-License-Identifier: MIT
// Adaptive routing on the RDT by Duato's condition.
//
// The vectors are those of a shortest path, and as long as a packet keeps to VC 3 it may use them
// up in any order that keeps the path shortest. Where none of these channels is free it takes the
// chip's own step, and from there on the chip's way to the end: the escape channels then see
// nothing but walks of the chip, whose order of ranks has no cycle. A packet that came back from
// them could have to climb to a higher rank a second time.
#include <rdt/net/rdt/rdt_routing.h>
#include <rdt/net/rdt/rdt_vectors.h>

namespace rdt {

namespace {

class Adaptive : public Routing {
public:
    explicit Adaptive(const Geometry& geometry)
        : m_geometry(geometry), m_tours(shortest_tours(geometry)), m_vectors(geometry, m_tours) {}
    uint32_t vcs() const override { return FreeVc + 1; }

    RouteTag start(NodeId src, NodeId dst) const override {
        return tag_of(unicast_header(m_vectors(src, dst)));
    }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel in, Choices& out) const override {
        out.clear();
        const Header header = header_of(tag);
        const uint32_t in_port = in.port == NoPort ? uint32_t(PortM0) : in.port;
        const Route escape = route(header, in_port, in.vc, m_geometry.config(at));
        if (!is_network(escape.dst)) return;
        if (tag[1] == 0) add_free(at, vectors_of(header), out);
        out.add(escape.dst, escape.ovc);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        const uint64_t escaped = taken.vc == FreeVc ? tag[1] : 1;
        return tag_of(leave(header_of(tag), taken.port, m_geometry.rank(at)), escaped);
    }

private:
    static constexpr uint32_t FreeVc = 3;

    // Upper links first: where a packet can use one, waiting for it costs the others nothing.
    void add_free(NodeId at, const Vectors& v, Choices& out) const {
        const Vec own = v[m_geometry.rank(at)];
        if (own.x != 0) out.add(own.x > 0 ? PortE1 : PortW1, FreeVc);
        if (own.y != 0) out.add(own.y > 0 ? PortN1 : PortS1, FreeVc);
        const uint32_t ranks = rank_set(v);
        const int left = m_tours(m_geometry.kind(at), ranks, v[0]);
        for (uint32_t port = PortE0; port <= PortS0; ++port) {
            const Vec rest = v[0] + -1 * step_of(0, port);
            if (!Tours::in_range(rest)) continue;
            const uint32_t kind = m_geometry.kind(m_geometry.neighbor(at, port));
            if (m_tours(kind, ranks, rest) < left) out.add(port, FreeVc);
        }
    }

    const Geometry& m_geometry;
    const Tours m_tours;
    const VectorTable m_vectors;
};

}  // namespace

std::unique_ptr<Routing> make_adaptive_routing(const RdtNetwork& network) {
    return std::make_unique<Adaptive>(network.geometry());
}

}  // namespace rdt
