// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_detours.h>

#include <algorithm>
#include <cstdlib>

#include <rdt/net/rdt/rdt_vectors.h>

namespace rdt {

namespace {

constexpr uint8_t UpperPorts = 0xf0;

}  // namespace

Detours::Detours(const RdtNetwork& network, const Faults& faults)
    : m_geometry(network.geometry()), m_works(network.nodes(), 0xff) {
    const auto fail = [this](NodeId node, uint32_t port) {
        m_works[node] &= uint8_t(~(1u << port));
        m_works[m_geometry.neighbor(node, port)] &= uint8_t(~(1u << opposite(port)));
    };
    for (const auto& [node, port] : faults.links) fail(node, port);
    for (NodeId node : faults.nodes)
        for (uint32_t port = 0; port < NumNetworkPorts; ++port) fail(node, port);
    find_ranks();
    for (NodeId node = 0; node < network.nodes(); ++node) {
        if ((m_works[node] & ~UpperPorts & 0xff) == 0x0f) continue;
        for (int y = -Reach; y <= Reach; ++y)
            for (int x = -Reach; x <= Reach; ++x) find_ways_to(m_geometry.shifted(node, {x, y}));
    }
}

// Breadth-first from all nodes of a rank at once, over the rank-0 links that work.
void Detours::find_ranks() {
    const uint32_t top = m_geometry.top_rank();
    m_distances.assign(size_t(m_geometry.nodes()) * top, Far);
    for (uint32_t rank = 1; rank <= top; ++rank) {
        const auto distance = [&](NodeId node) -> uint8_t& {
            return m_distances[size_t(node) * top + rank - 1];
        };
        std::vector<NodeId> queue;
        for (NodeId node = 0; node < m_geometry.nodes(); ++node) {
            if (m_geometry.rank(node) != rank || (m_works[node] & UpperPorts) != UpperPorts)
                continue;
            distance(node) = 0;
            queue.push_back(node);
        }
        for (size_t i = 0; i < queue.size(); ++i)
            for (uint32_t port = PortE0; port <= PortS0; ++port) {
                const NodeId next = m_geometry.neighbor(queue[i], port);
                if (!works(queue[i], port) || distance(next) != Far) continue;
                distance(next) = uint8_t(distance(queue[i]) + 1);
                queue.push_back(next);
            }
    }
}

void Detours::find_ways_to(NodeId dst) {
    const auto [it, fresh] = m_local.try_emplace(dst);
    if (!fresh) return;
    Local& local = it->second;
    local.fill(Far);
    const auto distance = [&](NodeId node) -> uint8_t* {
        const Vec v = m_geometry.displacement(dst, node);
        if (std::max(std::abs(v.x), std::abs(v.y)) > Reach) return nullptr;
        return &local[size_t(v.y + Reach) * Span + size_t(v.x + Reach)];
    };
    std::vector<NodeId> queue{dst};
    *distance(dst) = 0;
    for (size_t i = 0; i < queue.size(); ++i)
        for (uint32_t port = PortE0; port <= PortS0; ++port) {
            const NodeId next = m_geometry.neighbor(queue[i], port);
            uint8_t* there = distance(next);
            if (there == nullptr || *there != Far || !works(queue[i], port)) continue;
            *there = uint8_t(*distance(queue[i]) + 1);
            queue.push_back(next);
        }
}

uint8_t Detours::local_distance(const Local& local, NodeId at, NodeId dst) const {
    const Vec v = m_geometry.displacement(dst, at);
    if (std::max(std::abs(v.x), std::abs(v.y)) > Reach) return Far;
    return local[size_t(v.y + Reach) * Span + size_t(v.x + Reach)];
}

uint32_t Detours::port(NodeId at, NodeId dst, const Vectors& v) const {
    const Vec own = v[m_geometry.rank(at)];
    if (own.y != 0 && works(at, own.y > 0 ? PortN1 : PortS1)) return own.y > 0 ? PortN1 : PortS1;
    if (own.x != 0 && works(at, own.x > 0 ? PortE1 : PortW1)) return own.x > 0 ? PortE1 : PortW1;
    const uint32_t ranks = rank_set(v);
    return ranks != 0 ? towards_rank(at, v, ranks) : last_leg(at, dst, v);
}

// Closest to a rank still needed; of equals, where v0 points.
uint32_t Detours::towards_rank(NodeId at, const Vectors& v, uint32_t ranks) const {
    const uint32_t top = m_geometry.top_rank();
    int best = 1 << 20;
    uint32_t port = NoPort;
    for (uint32_t p = PortE0; p <= PortS0; ++p) {
        if (!works(at, p)) continue;
        const NodeId next = m_geometry.neighbor(at, p);
        const Vec rest = v[0] + -1 * step_of(0, p);
        for (uint32_t rank = 1; rank <= top; ++rank) {
            const uint8_t distance = m_distances[size_t(next) * top + rank - 1];
            if ((ranks >> (rank - 1) & 1) == 0 || distance == Far) continue;
            const int cost =
                1024 * distance + 8 * (std::abs(rest.x) + std::abs(rest.y)) + int(MaxRank - rank);
            if (cost >= best) continue;
            best = cost;
            port = p;
        }
    }
    return port;
}

uint32_t Detours::last_leg(NodeId at, NodeId dst, const Vectors& v) const {
    if (v[0] == Vec{}) return NoPort;
    const auto local = m_local.find(dst);
    if (local == m_local.end()) return detail::towards(v[0].x, v[0].y, PortE0);
    const uint8_t left = local_distance(local->second, at, dst);
    for (uint32_t port : {PortN0, PortS0, PortE0, PortW0}) {
        if (!works(at, port)) continue;
        if (local_distance(local->second, m_geometry.neighbor(at, port), dst) < left) return port;
    }
    return NoPort;
}

}  // namespace rdt
