// SPDX-License-Identifier: MIT
// Routing in descending order of ranks, by the chip's own routing step.
#include <rdt/net/rdt/rdt_routing.h>

namespace rdt {

namespace {

class Descending : public Routing {
public:
    Descending(const Geometry& geometry, VectorSource vectors)
        : m_geometry(geometry), m_vectors(vectors) {}
    uint32_t vcs() const override { return 3; }

    RouteTag start(NodeId src, NodeId dst) const override {
        if (m_vectors == VectorSource::Best) return tag_of(m_geometry.make_header(src, dst));
        const Vec d = m_geometry.displacement(src, dst);
        return tag_of(unicast_header(split(d, m_geometry.top_rank())));
    }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel in, Choices& out) const override {
        out.clear();
        const uint32_t in_port = in.port == NoPort ? uint32_t(PortM0) : in.port;
        const Route r = route(header_of(tag), in_port, in.vc, m_geometry.config(at));
        if (is_network(r.dst)) out.add(r.dst, r.ovc);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return tag_of(leave(header_of(tag), taken.port, m_geometry.rank(at)));
    }

private:
    const Geometry& m_geometry;
    const VectorSource m_vectors;
};

// Here every node has every rank, so the chip's routing step sees a node whose own rank is
// always the one it needs next, and its upper ports stand for the ports of that rank.
class Simple : public Routing {
public:
    explicit Simple(const PrdtNetwork& network) : m_network(network) {}
    uint32_t vcs() const override { return 2; }

    RouteTag start(NodeId src, NodeId dst) const override {
        const Vec d = m_network.geometry().displacement(src, dst);
        return tag_of(unicast_header(split(d, m_network.top_rank())));
    }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel in, Choices& out) const override {
        out.clear();
        const Header header = header_of(tag);
        const uint32_t rank = highest_rank(vectors_of(header));
        RouteConfig config;
        config.rank = rank;
        config.dateline = m_network.datelines(at, rank) << (rank == 0 ? PortE0 : PortE1);
        const bool same_rank = in.port != NoPort && in.port / 4 == rank;
        const uint32_t in_port = same_rank ? chip_port(in.port) : uint32_t(PortM0);
        const Route r = route(header, in_port, in.vc, config);
        if (is_network(r.dst)) out.add(4 * rank + r.dst % 4, r.ovc);
    }
    RouteTag advance(NodeId, const RouteTag& tag, OutChannel taken) const override {
        return tag_of(leave(header_of(tag), chip_port(taken.port), taken.port / 4));
    }

private:
    static uint32_t chip_port(uint32_t port) { return (port < 4 ? PortE0 : PortE1) + port % 4; }

    const PrdtNetwork& m_network;
};

}  // namespace

std::unique_ptr<Routing> make_simple_routing(const PrdtNetwork& network) {
    return std::make_unique<Simple>(network);
}

std::unique_ptr<Routing> make_descending_routing(const RdtNetwork& network, VectorSource vectors) {
    return std::make_unique<Descending>(network.geometry(), vectors);
}

}  // namespace rdt
