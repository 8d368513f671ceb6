// SPDX-License-Identifier: MIT
// The vectors a source writes into a header so that the way is shortest.
//
// A hop on an upper rank leads to a node of the same kind. So whatever the vectors, the
// hops on rank 0 form a walk of their own: it starts at the source's kind, comes past a node of
// every rank that is used, and ends v0 away. Its length depends on the source's kind, the set of
// ranks used and v0 alone: a small table, one for each rule by which routers move on rank 0.
// With it the best vectors for all displacements are found exactly, without trying any walk.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

constexpr uint32_t NumRankSets = 1 << MaxRank;  // bit r-1: rank r

// The upper ranks with a vector that is not zero.
uint32_t rank_set(const Vectors& v);

// Rank-0 hops of a packet, by kind of its source, ranks it has to use, and v0.
class Tours {
public:
    static constexpr int Min = -8, Max = 7;  // range of the header's fields for v0
    static constexpr uint8_t Never = 255;

    Tours() : m_cost(size_t(NumKinds) * NumRankSets * Span * Span, Never) {}
    static bool in_range(Vec v) { return v.x >= Min && v.x <= Max && v.y >= Min && v.y <= Max; }
    uint8_t operator()(uint32_t kind, uint32_t ranks, Vec v0) const {
        return m_cost[index(kind, ranks, v0)];
    }
    uint8_t& at(uint32_t kind, uint32_t ranks, Vec v0) { return m_cost[index(kind, ranks, v0)]; }

private:
    static constexpr int Span = Max - Min + 1;
    static size_t index(uint32_t kind, uint32_t ranks, Vec v) {
        return ((size_t(kind) * NumRankSets + ranks) * Span + size_t(v.y - Min)) * Span +
               size_t(v.x - Min);
    }
    std::vector<uint8_t> m_cost;
};

// The routing of the router chip: highest rank first, rank changes by the transfer table. Calls
// route() of the router for the next hop.
Tours descending_tours(const Geometry& geometry);
// The shortest walk that comes past all the ranks, in any order or in descending order.
enum class RankOrder { Any, Descending };
Tours shortest_tours(const Geometry& geometry, RankOrder order = RankOrder::Any);

// The rank-0 port by which a node leads on along a shortest tour; the node's own rank is not the
// next one of the tour, or there is none.
uint32_t tour_port(const Geometry& geometry, const Tours& tours, uint32_t at, uint32_t ranks,
                   Vec v0);

// The best vectors for every kind of source and every displacement.
class VectorTable {
public:
    VectorTable(const Geometry& geometry, const Tours& tours);
    Vectors operator()(uint32_t src, uint32_t dst) const {
        return unpack(m_packed[index(kind_of({x(src), y(src)}), x(dst) - x(src), y(dst) - y(src))]);
    }

private:
    // Six bits per rank from bit 8 on, v0 below: the 32 bits of a unicast's header field.
    static Vectors unpack(uint32_t packed);

    int x(uint32_t node) const { return int(node) & (m_side - 1); }
    int y(uint32_t node) const { return int(node) / m_side; }
    size_t index(uint32_t kind, int dx, int dy) const {
        return (size_t(kind) * size_t(m_side) + size_t(dy & (m_side - 1))) * size_t(m_side) +
               size_t(dx & (m_side - 1));
    }
    int m_side;
    std::vector<uint32_t> m_packed;
};

}  // namespace rdt
