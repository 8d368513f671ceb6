// SPDX-License-Identifier: MIT
// Adaptive turn-model routing on the RDT.
//
// Ranks descend and packets change rank in a channel of their own, as on the chip, but on the
// torus of each rank the turns are those of negative-first: West and South in any order, then
// East and North in any order; turns from positive to negative are forbidden. A hop over the edge
// of the base torus leads to the next virtual channel, so within one channel the torus is a mesh,
// on which negative-first has no cycle. Once on its way a packet may go a hop West or South that
// it later takes back.
#include <algorithm>
#include <cstdlib>

#include <rdt/net/rdt/rdt_routing.h>

namespace rdt {

namespace {

constexpr uint32_t TransferVc = 4;
constexpr uint32_t MaxEdges = TransferVc - 1;  // a packet can cross on one rank

// How often a packet has to cross the edge, at least, to use up a vector of an upper rank.
class Edges {
public:
    explicit Edges(const Geometry& g) : m_geometry(g) {
        m_least.resize(size_t(g.top_rank()) * g.nodes() * Vectors);
        for (uint32_t rank = 1; rank <= g.top_rank(); ++rank)
            for (int length = 1; length <= 2 * Max; ++length)
                for (int y = -Max; y <= Max; ++y)
                    for (int x = -Max; x <= Max; ++x) {
                        if (std::abs(x) + std::abs(y) != length) continue;
                        for (NodeId at = 0; at < g.nodes(); ++at)
                            m_least[index(rank, at, {x, y})] = find(rank, at, {x, y});
                    }
    }
    uint32_t least(uint32_t rank, NodeId at, Vec v) const {
        if (rank != 0) return m_least[index(rank, at, v)];
        const auto crosses = [this](int to) { return to < 0 || to >= m_geometry.side() ? 1u : 0u; };
        return crosses(m_geometry.x_of(at) + v.x) + crosses(m_geometry.y_of(at) + v.y);
    }
    uint32_t crossed(uint32_t rank, NodeId at, uint32_t direction) const {
        const Vec step = step_of(rank, direction);
        const auto inside = [this](int c) { return c >= 0 && c < m_geometry.side(); };
        return inside(m_geometry.x_of(at) + step.x) && inside(m_geometry.y_of(at) + step.y) ? 0 : 1;
    }

private:
    static constexpr int Max = 3;
    static constexpr int Span = 2 * Max + 1;
    static constexpr size_t Vectors = size_t(Span) * Span;

    size_t index(uint32_t rank, NodeId at, Vec v) const {
        return ((rank - 1) * size_t(m_geometry.nodes()) + at) * Vectors +
               size_t((v.y + Max) * Span + v.x + Max);
    }
    uint8_t find(uint32_t rank, NodeId at, Vec v) const {
        uint32_t best = 255;
        const bool negative = v.x < 0 || v.y < 0;
        for (uint32_t direction = negative ? 1 : 0; direction < 4; direction += 2) {
            const int along = direction < 2 ? v.x : v.y;
            if (negative ? along >= 0 : along <= 0) continue;
            const NodeId next = m_geometry.shifted(at, step_of(rank, direction));
            const Vec rest = v + -1 * step_of(0, direction);
            best = std::min(best, crossed(rank, at, direction) + least(rank, next, rest));
        }
        return uint8_t(best);
    }

    const Geometry& m_geometry;
    std::vector<uint8_t> m_least;
};

class Turn : public Routing {
public:
    explicit Turn(const Geometry& geometry) : m_geometry(geometry), m_edges(geometry) {}
    uint32_t vcs() const override { return TransferVc + 1; }

    // The second word records whether the packet has made its detour.
    RouteTag start(NodeId src, NodeId dst) const override {
        return tag_of(m_geometry.make_header(src, dst));
    }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel in, Choices& out) const override {
        out.clear();
        const Header header = header_of(tag);
        const Route chip = route(header, PortM0, 0, m_geometry.config(at));
        if (!is_network(chip.dst)) return;
        if (chip.ovc == 2) {
            out.add(chip.dst, TransferVc);
            return;
        }
        const Vectors vectors = vectors_of(header);
        const uint32_t rank = highest_rank(vectors);
        const Vec v = vectors[rank];
        const uint32_t first = rank == 0 ? PortE0 : PortE1;
        const bool same_rank = in.port != NoPort && in.vc != TransferVc && (in.port ^ first) < 4;
        const State s{at, rank, first, v, same_rank ? uint32_t(in.vc) : 0};
        if (v.x < 0) add(s, 1, out);
        if (v.y < 0) add(s, 3, out);
        if (v.x < 0 || v.y < 0) return;
        if (v.x > 0) add(s, 0, out);
        if (v.y > 0) add(s, 2, out);
        const bool is_positive = same_rank && (in.port & 1) != 0;  // came from the West or South
        if (is_positive || tag[1] != 0) return;
        // Across the vector: a hop against it would only come back to the same channel.
        if (v.y == 0) add(s, 3, out);
        if (v.x == 0) add(s, 1, out);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        const Header header = header_of(tag);
        const Header after = leave(header, taken.port, m_geometry.rank(at));
        if (taken.vc == TransferVc) return tag_of(after, tag[1]);
        const Vec v = vectors_of(header)[taken.port < PortE1 ? 0 : m_geometry.rank(at)];
        const int along = (taken.port & 2) != 0 ? v.y : v.x;
        const bool is_detour = (taken.port & 1) != 0 && along >= 0;
        return tag_of(after, is_detour ? 1 : tag[1]);
    }

private:
    struct State {
        NodeId at;
        uint32_t rank;
        uint32_t first;  // port of its East
        Vec v;
        uint32_t edges;  // crossed on this rank so far, or channels skipped
    };

    // The channels may be skipped, so all that are left after the hop's own crossing will do, as
    // long as they last for the crossings still to come.
    void add(const State& s, uint32_t direction, Choices& out) const {
        const NodeId next = m_geometry.neighbor(s.at, s.first + direction);
        const Vec rest = s.v + -1 * step_of(0, direction);
        const uint32_t ahead = m_edges.least(s.rank, next, rest);
        for (uint32_t vc = s.edges + m_edges.crossed(s.rank, s.at, direction);
             vc + ahead <= MaxEdges; ++vc)
            out.add(s.first + direction, vc);
    }

    const Geometry& m_geometry;
    const Edges m_edges;
};

}  // namespace

std::unique_ptr<Routing> make_turn_routing(const RdtNetwork& network) {
    return std::make_unique<Turn>(network.geometry());
}

}  // namespace rdt
