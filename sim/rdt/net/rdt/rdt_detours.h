// SPDX-License-Identifier: MIT
// The routers' tables of floating vector routing, rewritten around faults.
#pragma once

#include <unordered_map>

#include <rdt/net/rdt/rdt_routing.h>

namespace rdt {

// Two tables a router. By rank: the way over rank 0 to the nearest node whose links of that rank
// all work; there is a redundant torus of every rank next to any other. By v0, and only for
// destinations with a fault nearby: the way over rank 0 that is left. A packet that finds the
// link along its vector broken continues to another torus of that rank, and v0 is corrected.
//
// A way ends: each hop on an upper rank uses up a part of a vector, and between two of them the
// distance to the nearest node of a rank still needed falls.
class Detours {
public:
    Detours(const RdtNetwork& network, const Faults& faults);
    // The port to take; NoPort at the destination, or where nothing leads on.
    uint32_t port(NodeId at, NodeId dst, const Vectors& v) const;

private:
    static constexpr int Reach = 10;  // range of the table by v0
    static constexpr int Span = 2 * Reach + 1;
    static constexpr uint8_t Far = 255;
    using Local = std::array<uint8_t, size_t(Span) * Span>;

    bool works(NodeId node, uint32_t port) const { return m_works[node] >> port & 1; }
    void find_ranks();
    void find_ways_to(NodeId dst);
    uint32_t towards_rank(NodeId at, const Vectors& v, uint32_t ranks) const;
    uint32_t last_leg(NodeId at, NodeId dst, const Vectors& v) const;
    uint8_t local_distance(const Local& local, NodeId at, NodeId dst) const;

    const Geometry& m_geometry;
    std::vector<uint8_t> m_works;      // per node, a bit for each port
    std::vector<uint8_t> m_distances;  // per node and rank 1..: to the nearest that works
    std::unordered_map<NodeId, Local> m_local;
};

}  // namespace rdt
