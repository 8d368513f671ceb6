// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_geometry.h>

#include <algorithm>
#include <cstdlib>
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
    m_neighbors.resize(nodes() * NumNetworkPorts);
    m_configs.resize(nodes());
    const auto rank_of = [&](uint32_t kind) {
        if (Alpha[kind] <= m_top_rank) return Alpha[kind];
        return missing == MissingRank::One ? 1 : m_top_rank;
    };
    uint32_t ranks = 0;  // ranks with at least one node
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
            m_neighbors[node * NumNetworkPorts + port] = shifted(node, step);
        }
    }
    for (uint32_t port : {PortE0, PortN0, PortE1, PortN1}) set_datelines(port);
    m_vectors = vectors_for(*this);
}

// Every ring along the axis of this port gets its dateline between the node with the
// lowest index and the one before it; both ends of that link mark it.
void Geometry::set_datelines(uint32_t plus_port) {
    for_each_ring(
        nodes(), [this, plus_port](uint32_t node) { return neighbor(node, plus_port); },
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
        w.node = neighbor(w.node, w.end.dst);
        in_port = opposite(w.end.dst);
        in_vc = w.end.ovc;
    }
}

namespace {

constexpr int MaxComponent = 3;  // limits of an upper rank's vector: three bits
constexpr uint8_t Never = Tours::Never;

uint32_t pack(Vec v, uint32_t rank) {
    if (rank == 0) return uint32_t(v.x & 15) | uint32_t(v.y & 15) << 4;
    return (uint32_t(v.x & 7) | uint32_t(v.y & 7) << 3) << (8 + 6 * (rank - 1));
}

int sign_extended(uint32_t bits, int width) {
    const int sign = 1 << (width - 1);
    const int value = int(bits) & (2 * sign - 1);
    return value >= sign ? value - 2 * sign : value;
}

// Decides between ways that are equally long, evenly over the network's directions and ranks.
uint32_t lot(size_t place, uint32_t packed) {
    uint64_t h = (uint64_t(place) << 32 | packed) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return uint32_t(h >> 32);
}

// For every set of upper ranks and every displacement: the fewest hops on these ranks, each of
// them used, that lead exactly there.
struct UpperHops {
    explicit UpperHops(const Geometry& g) : nodes(g.nodes()) {
        const uint32_t sets = 1u << g.top_rank();
        hops.assign(size_t(sets) * nodes, Never);
        packed.assign(size_t(sets) * nodes, 0);
        hops[0] = 0;
        for (uint32_t set = 1; set < sets; ++set) add_highest(g, set);
    }

    void add_highest(const Geometry& g, uint32_t set) {
        uint32_t rank = g.top_rank();
        while ((set >> (rank - 1) & 1) == 0) --rank;
        const Axes axes = axes_of(rank);
        const size_t from = size_t(set ^ 1u << (rank - 1)) * nodes;
        for (uint32_t d = 0; d < nodes; ++d) {
            if (hops[from + d] == Never) continue;
            for (int x = -MaxComponent; x <= MaxComponent; ++x)
                for (int y = -MaxComponent; y <= MaxComponent; ++y) {
                    if (x == 0 && y == 0) continue;
                    const uint32_t sum = g.shifted(d, x * axes.x + y * axes.y);
                    const size_t at = size_t(set) * nodes + sum;
                    const auto n = uint8_t(hops[from + d] + length({x, y}));
                    const uint32_t code = packed[from + d] | pack({x, y}, rank);
                    if (n > hops[at] || (n == hops[at] && lot(sum, code) > lot(sum, packed[at])))
                        continue;
                    hops[at] = n;
                    packed[at] = code;
                }
        }
    }

    uint32_t nodes;
    std::vector<uint8_t> hops;
    std::vector<uint32_t> packed;
};

// Walks for one kind and set of ranks.
struct Walks {
    struct Entry {
        Vec v0;
        uint8_t hops;
    };
    Walks(const Tours& tours, uint32_t kind, uint32_t ranks) {
        for (int y = Tours::Min; y <= Tours::Max; ++y)
            for (int x = Tours::Min; x <= Tours::Max; ++x) {
                const uint8_t hops = tours(kind, ranks, {x, y});
                if (hops != Never) list.push_back({{x, y}, hops});
            }
    }
    std::vector<Entry> list;
};

}  // namespace

uint32_t rank_set(const Vectors& v) {
    uint32_t set = 0;
    for (uint32_t r = 1; r <= MaxRank; ++r)
        if (!(v[r] == Vec{})) set |= 1u << (r - 1);
    return set;
}

Vectors VectorTable::unpack(uint32_t packed) {
    Vectors v;
    v[0] = {sign_extended(packed, 4), sign_extended(packed >> 4, 4)};
    for (uint32_t r = 1; r <= MaxRank; ++r)
        v[r] = {sign_extended(packed >> (2 + 6 * r), 3), sign_extended(packed >> (5 + 6 * r), 3)};
    return v;
}

VectorTable::VectorTable(const Geometry& g, const Tours& tours)
    : m_side(g.side()), m_packed(size_t(NumKinds) * g.nodes(), 0) {
    const UpperHops upper(g);
    const uint32_t sets = 1u << g.top_rank();
    for (uint32_t kind = 0; kind < NumKinds; ++kind) {
        std::vector<uint8_t> best(g.nodes(), Never);
        uint32_t* packed = m_packed.data() + size_t(kind) * g.nodes();
        for (uint32_t set = 0; set < sets; ++set) {
            const Walks walks(tours, kind, set);
            for (uint32_t from = 0; from < g.nodes(); ++from) {
                const size_t up = size_t(set) * g.nodes() + from;
                if (upper.hops[up] == Never) continue;
                for (const Walks::Entry& w : walks.list) {
                    const uint32_t d = g.shifted(from, w.v0);
                    const auto n = uint8_t(upper.hops[up] + w.hops);
                    const uint32_t code = upper.packed[up] | pack(w.v0, 0);
                    if (n > best[d] || (n == best[d] && lot(d, code) > lot(d, packed[d]))) continue;
                    best[d] = n;
                    packed[d] = code;
                }
            }
        }
    }
}

Tours descending_tours(const Geometry& g) {
    Tours tours;
    for (uint32_t kind = 0; kind < NumKinds; ++kind)
        for (uint32_t set = 0; set < 1u << g.top_rank(); ++set) {
            Vectors v;
            for (uint32_t r = 1; r <= g.top_rank(); ++r) v[r].x = int(set >> (r - 1) & 1);
            const Vec from = example_of(kind);
            const Walk walk =
                g.walk(g.index(from.x, from.y), make_header(v, 0, TypeUni, 2, 0, MaxHops));
            // Where the changes of rank lead; v0x takes these values on the way, less itself.
            int transfers = 0, at = 0, lowest = 0, highest = 0;
            for (const Hop& hop : walk.hops) {
                if (hop.vc != 2) continue;
                ++transfers;
                at += hop.port == PortE0 ? 1 : -1;
                lowest = std::min(lowest, at);
                highest = std::max(highest, at);
            }
            for (int y = Tours::Min; y <= Tours::Max; ++y)
                for (int x = Tours::Min + highest; x <= Tours::Max + lowest; ++x)
                    tours.at(kind, set, {x, y}) = uint8_t(transfers + length({x - at, y}));
        }
    return tours;
}

Tours shortest_tours(const Geometry& g, RankOrder order) {
    Tours tours;
    // The ranks of a set that remain at a node.
    const auto left_at = [&g, order](Vec node, uint32_t set) {
        const uint32_t bit = 1u << (g.rank(g.index(node.x, node.y)) - 1);
        const bool is_next = order == RankOrder::Any || set < 2 * bit;
        return is_next ? set & ~bit : set;
    };
    for (uint32_t kind = 0; kind < NumKinds; ++kind) tours.at(kind, 0, {0, 0}) = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t kind = 0; kind < NumKinds; ++kind)
            for (uint32_t set = 0; set < 1u << g.top_rank(); ++set)
                for (int y = Tours::Min; y <= Tours::Max; ++y)
                    for (int x = Tours::Min; x <= Tours::Max; ++x) {
                        const Vec from = example_of(kind);
                        const uint32_t left = left_at(from, set);
                        uint8_t best = left == set ? Never : tours(kind, left, {x, y});
                        for (uint32_t port = PortE0; left == set && port <= PortS0; ++port) {
                            const Vec step = step_of(0, port);
                            const Vec rest = Vec{x, y} + -1 * step;
                            if (!Tours::in_range(rest)) continue;
                            const Vec to = from + step;
                            const uint8_t then = tours(kind_of(to), set, rest);
                            if (then != Never) best = std::min(best, uint8_t(then + 1));
                        }
                        if (best < tours(kind, set, {x, y})) {
                            tours.at(kind, set, {x, y}) = best;
                            changed = true;
                        }
                    }
    }
    return tours;
}

uint32_t tour_port(const Geometry& g, const Tours& tours, uint32_t at, uint32_t ranks, Vec v0) {
    const int left = tours(g.kind(at), ranks, v0);
    for (uint32_t port = PortE0; port <= PortS0; ++port) {
        const Vec rest = v0 + -1 * step_of(0, port);
        if (Tours::in_range(rest) && tours(g.kind(g.neighbor(at, port)), ranks, rest) < left)
            return port;
    }
    return PortLocal;
}

}  // namespace rdt
