// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_geometry.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <rdt/net/rdt/rdt_vectors.h>

namespace rdt {

namespace {

// Ranks of assignment alpha, by kind of node. Going East the rank falls by one, cyclically, so
// every rank is at most three hops away on any row.
constexpr uint32_t Alpha[NumKinds] = {2, 1, 4, 3, 4, 3, 2, 1};

// Largest rank whose axes do not fold onto the node itself.
uint32_t top_rank_of(int side) {
    const auto folds = [side](Vec v) { return v.x % side == 0 && v.y % side == 0; };
    uint32_t rank = 0;
    while (rank < MaxRank && !folds(axes_of(rank + 1).x) && !folds(axes_of(rank + 1).y)) ++rank;
    return rank;
}

// a / 4 to the nearest whole number, halves toward zero.
int quarter(int a) { return a >= 0 ? (a + 1) / 4 : -((1 - a) / 4); }

// Depends on the side and the assignment alone, so all geometries that agree in these share one.
std::shared_ptr<const VectorTable> vectors_for(const Geometry& g) {
    static std::mutex making;
    static std::map<std::pair<int, MissingRank>, std::shared_ptr<const VectorTable>> made;
    const std::lock_guard<std::mutex> lock(making);
    std::shared_ptr<const VectorTable>& table = made[{g.side(), g.missing_rank()}];
    if (!table) table = std::make_shared<VectorTable>(g, descending_tours(g));
    return table;
}

}  // namespace

Vectors split(Vec displacement, uint32_t top_rank) {
    Vectors v;
    Vec rest = displacement;
    for (uint32_t r = 0; r < top_rank; ++r) {
        const Vec up{quarter(rest.x + rest.y), quarter(rest.y - rest.x)};
        v[r] = {rest.x - 2 * (up.x - up.y), rest.y - 2 * (up.x + up.y)};
        rest = up;
    }
    v[top_rank] = rest;
    return v;
}

Header make_header(const Vectors& v, int mbp, Type type, int len, int tag, int hop_limit) {
    flit_t h0 = with(with(0, H0Type, int(type)), H0Len, len);
    h0 = with(with(h0, H0Tag, tag), H0Mbp, mbp);
    h0 = with(with(h0, H0V4x, v[4].x), H0V4y, v[4].y);
    flit_t h1 = with(with(0, H1V3x, v[3].x), H1V3y, v[3].y);
    h1 = with(with(h1, H1V2x, v[2].x), H1V2y, v[2].y);
    h1 = with(h1, H1V0x, v[0].x);
    flit_t h2 = with(with(0, H2V1x, v[1].x), H2V1y, v[1].y);
    h2 = with(with(h2, H2V0y, v[0].y), H2Hop, hop_limit);
    return {make_head(h0), make_flit(h1), make_flit(h2)};
}

Vectors vectors_of(const Header& h) {
    return {Vec{get(h.h1, H1V0x), get(h.h2, H2V0y)}, Vec{get(h.h2, H2V1x), get(h.h2, H2V1y)},
            Vec{get(h.h1, H1V2x), get(h.h1, H1V2y)}, Vec{get(h.h1, H1V3x), get(h.h1, H1V3y)},
            Vec{get(h.h0, H0V4x), get(h.h0, H0V4y)}};
}

uint32_t highest_rank(const Vectors& v) {
    uint32_t rank = MaxRank;
    while (rank != 0 && v[rank] == Vec{}) --rank;
    return rank;
}

bool Geometry::is_supported(int side) {
    return std::find(sides.begin(), sides.end(), side) != sides.end();
}

Geometry::Geometry(int side, MissingRank missing)
    : m_side(side), m_missing(missing), m_top_rank(0) {
    if (!is_supported(side))
        throw std::invalid_argument("no RDT with " + std::to_string(side) + " nodes on a side");
    m_top_rank = top_rank_of(side);
    m_neighbours.resize(nodes() * NumNetworkPorts);
    m_configs.resize(nodes());
    const auto rank_of = [&](uint32_t kind) {
        if (Alpha[kind] <= m_top_rank) return Alpha[kind];
        return missing == MissingRank::One ? 1 : m_top_rank;
    };
    uint32_t ranks = 0;  // that some node is on
    for (uint32_t kind = 0; kind < NumKinds; ++kind) ranks |= 1u << rank_of(kind) >> 1;
    for (uint32_t node = 0; node < nodes(); ++node) {
        RouteConfig& cfg = m_configs[node];
        cfg.rank = rank_of(kind(node));
        cfg.ranks = ranks;
        // Bits of the ranks above the own one: those lie West, the lower ones East. Assignments
        // without a rank only repeat others, so the walk still ends after at most three hops.
        cfg.xfer = 0xfu << cfg.rank & 0xfu;
        for (uint32_t port = 0; port < NumNetworkPorts; ++port) {
            const Vec step = step_of(port < PortE1 ? 0 : cfg.rank, port);
            m_neighbours[node * NumNetworkPorts + port] = shifted(node, step);
        }
    }
    for (uint32_t port : {PortE0, PortN0, PortE1, PortN1}) set_datelines(port);
    m_vectors = vectors_for(*this);
}

// Every ring along the axis of this port gets its dateline between the node with the
// lowest index and the one before it; the two ends of that link both say so.
void Geometry::set_datelines(uint32_t plus_port) {
    for_each_ring(
        nodes(), [this, plus_port](uint32_t node) { return neighbour(node, plus_port); },
        [this, plus_port](uint32_t first, uint32_t last) {
            m_configs[last].dateline |= 1u << plus_port;
            m_configs[first].dateline |= 1u << opposite(plus_port);
        });
}

Vec Geometry::displacement(uint32_t src, uint32_t dst) const {
    const auto shortest = [this](int d) {
        d &= m_side - 1;
        return d > m_side / 2 ? d - m_side : d;
    };
    return {shortest(x_of(dst) - x_of(src)), shortest(y_of(dst) - y_of(src))};
}

Vectors Geometry::vectors(uint32_t src, uint32_t dst) const { return (*m_vectors)(src, dst); }

Header Geometry::make_header(uint32_t src, uint32_t dst, int mbp, Type type, int len, int tag,
                             int hop_limit) const {
    return rdt::make_header(vectors(src, dst), mbp, type, len, tag, hop_limit);
}

Walk Geometry::walk(uint32_t src, const Header& header) const {
    Walk w{{}, src, header, {}};
    uint32_t in_port = PortM0;
    uint32_t in_vc = 0;
    for (;;) {
        const RouteConfig& cfg = config(w.node);
        w.end = route(w.header, in_port, in_vc, cfg);
        if (!is_network(w.end.dst)) return w;
        w.hops.push_back({w.node, w.end.dst, w.end.ovc});
        w.header = leave(w.header, w.end.dst, cfg.rank);
        w.node = neighbour(w.node, w.end.dst);
        in_port = opposite(w.end.dst);
        in_vc = w.end.ovc;
    }
}

}  // namespace rdt
