// SPDX-License-Identifier: MIT
// The geometry of an RDT of N x N nodes: neighbors, router configuration, and the vectors in packet
// headers.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <rdt/core/route.h>

namespace rdt {

constexpr uint32_t NumNetworkPorts = 8;
constexpr uint32_t MaxRank = 4;
constexpr int MaxHops = (1 << width(H2Hop)) - 1;

// The port at the other end of a network link.
constexpr uint32_t opposite(uint32_t port) { return port ^ 1; }

struct Vec {
    int x = 0;
    int y = 0;
};
constexpr Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec operator*(int k, Vec a) { return {k * a.x, k * a.y}; }
constexpr bool operator==(Vec a, Vec b) { return a.x == b.x && a.y == b.y; }
// Hops on the base torus.
inline int length(Vec v) { return std::abs(v.x) + std::abs(v.y); }

// The assignment of ranks repeats with the vectors of the rank-1 lattice, so there are eight kinds
// of node; and as every upper link is such a vector, it joins nodes of the same kind.
constexpr uint32_t NumKinds = 8;
constexpr uint32_t kind_of(Vec node) {
    return uint32_t((node.y & 1) * 4 + ((node.x - 2 * (node.y >> 1)) & 3));
}
// A node of that kind.
constexpr Vec example_of(uint32_t kind) { return {int(kind & 3), int(kind >> 2)}; }

// Vector of every rank, in that rank's own axes.
using Vectors = std::array<Vec, MaxRank + 1>;

// One step along an axis of a rank, in nodes of the base torus.
struct Axes {
    Vec x{1, 0};
    Vec y{0, 1};
};
constexpr Axes axes_of(uint32_t rank) {
    Axes a;
    for (uint32_t r = 0; r < rank; ++r) a = {2 * a.x + 2 * a.y, -2 * a.x + 2 * a.y};
    return a;
}

// Where the link of a port leads, in nodes of the base torus. The lowest two bits of any port
// number are its direction: E, W, N, S.
constexpr Vec step_of(uint32_t rank, uint32_t port) {
    const Axes axes = axes_of(rank);
    const Vec along = (port & 2) != 0 ? axes.y : axes.x;
    return (port & 1) != 0 ? -1 * along : along;
}

// Calls f(first, last) for every ring of nodes that `next` leads around: the node with the lowest
// index and the one before it, between which the ring's dateline lies.
template <typename Next, typename F>
void for_each_ring(uint32_t nodes, Next&& next, F&& f) {
    std::vector<bool> seen(nodes, false);
    for (uint32_t first = 0; first < nodes; ++first) {
        if (seen[first]) continue;
        uint32_t last = first;
        for (uint32_t node = first; !seen[node]; node = next(node)) {
            seen[node] = true;
            last = node;
        }
        f(first, last);
    }
}

// Simple vector routing (the paper's section III-A): each rank passes on as much as
// possible to the next one. Ties are rounded toward zero, which is shortest.
Vectors split(Vec displacement, uint32_t top_rank);

// One hop of a packet: the node it leaves, through which port, and the VC it takes there.
struct Hop {
    uint32_t node;
    uint32_t port;
    uint32_t vc;
};

struct Walk {
    std::vector<Hop> hops;
    uint32_t node;  // where it ended
    Header header;  // as it arrived there
    Route end;      // what the last router decided: an MBP, LOCAL, or an error
};

class VectorTable;

// Networks of up to 64 nodes on a side do not form all four ranks. The nodes to which assignment
// alpha gives a missing rank take the highest rank that exists, as in the machine, or rank 1, as in
// the paper's count of links in Table III.
enum class MissingRank { Highest, One };

class Geometry {
public:
    // Throws std::invalid_argument unless is_supported(side).
    explicit Geometry(int side, MissingRank missing = MissingRank::Highest);

    static constexpr std::array<int, 7> sides{4, 8, 16, 32, 64, 128, 256};
    static constexpr const char* SidesText = "4, 8, 16, 32, 64, 128 or 256";
    static bool is_supported(int side);

    int side() const { return m_side; }
    MissingRank missing_rank() const { return m_missing; }
    uint32_t nodes() const { return uint32_t(m_side * m_side); }
    uint32_t top_rank() const { return m_top_rank; }

    // Coordinates wrap around.
    uint32_t index(int x, int y) const {
        return uint32_t((x & (m_side - 1)) + m_side * (y & (m_side - 1)));
    }
    int x_of(uint32_t node) const { return int(node) & (m_side - 1); }
    int y_of(uint32_t node) const { return int(node) / m_side; }
    uint32_t shifted(uint32_t node, Vec by) const {
        return index(x_of(node) + by.x, y_of(node) + by.y);
    }

    uint32_t kind(uint32_t node) const { return kind_of({x_of(node), y_of(node)}); }
    uint32_t rank(uint32_t node) const { return m_configs[node].rank; }
    uint32_t neighbor(uint32_t node, uint32_t port) const {
        return m_neighbors[node * NumNetworkPorts + port];
    }
    const RouteConfig& config(uint32_t node) const { return m_configs[node]; }
    const std::vector<RouteConfig>& configs() const { return m_configs; }

    // Shortest way around the base torus, both components in (-N/2, N/2].
    Vec displacement(uint32_t src, uint32_t dst) const;
    // The vectors with which the routers' path is shortest.
    Vectors vectors(uint32_t src, uint32_t dst) const;

    // `len` is the header's field: flits of the packet minus one.
    Header make_header(uint32_t src, uint32_t dst, int mbp = 0, Type type = TypeUni, int len = 2,
                       int tag = 0, int hop_limit = MaxHops) const;

    // Follows a packet through the chips' own routing step, route() and rewrite().
    // The hop limit ends it if the routing does not.
    Walk walk(uint32_t src, uint32_t dst) const { return walk(src, make_header(src, dst)); }
    Walk walk(uint32_t src, const Header& header) const;

private:
    void set_datelines(uint32_t plus_port);

    int m_side;
    MissingRank m_missing;
    uint32_t m_top_rank;
    std::vector<uint32_t> m_neighbors;
    std::vector<RouteConfig> m_configs;
    std::shared_ptr<const VectorTable> m_vectors;
};

// The header as it leaves a node of the given rank through a network port.
inline Header leave(const Header& h, uint32_t port, uint32_t rank) {
    return {rewrite(h.h0, 0, port, rank), rewrite(h.h1, 1, port, rank),
            rewrite(h.h2, 2, port, rank)};
}

Header make_header(const Vectors& v, int mbp, Type type, int len, int tag, int hop_limit);
Vectors vectors_of(const Header& h);
// The highest rank with a nonzero vector; 0 if there is none.
uint32_t highest_rank(const Vectors& v);

}  // namespace rdt
