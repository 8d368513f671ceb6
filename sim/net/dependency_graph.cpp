// SPDX-License-Identifier: MIT
#include "net/dependency_graph.h"

#include <algorithm>

namespace rdt {

const char* vc_name(uint32_t vc) {
    static constexpr const char* Names[] = {"VC0", "VC1", "VC-T"};
    return Names[vc];
}

std::string to_string(const Channel& c, const Geometry& g) {
    return std::to_string(g.x_of(c.node)) + "," + std::to_string(g.y_of(c.node)) + " " +
           to_string(Port(c.port)) + " " + vc_name(c.vc);
}

DependencyGraph::DependencyGraph(const Geometry& geometry)
    : m_geometry(geometry), m_outs(geometry.nodes() * Rows, 0) {}

void DependencyGraph::add_all(const DependencyGraph& other) {
    for (uint32_t i = 0; i < m_outs.size(); ++i) m_outs[i] |= other.m_outs[i];
}

uint32_t DependencyGraph::arrival(uint32_t node, uint32_t out_lane) const {
    const uint32_t port = out_lane / VcsPerPort;
    return row(m_geometry.neighbour(node, port),
               opposite(port) * VcsPerPort + out_lane % VcsPerPort);
}

Channel DependencyGraph::channel(uint32_t row) const {
    const uint32_t lane = row % Rows;
    const uint32_t port = lane / VcsPerPort;
    return {m_geometry.neighbour(row / Rows, port), opposite(port), lane % VcsPerPort};
}

bool DependencyGraph::depends(const Channel& holds, const Channel& waits_for) const {
    if (m_geometry.neighbour(holds.node, holds.port) != waits_for.node) return false;
    const uint32_t in = arrival(holds.node, holds.port * VcsPerPort + holds.vc);
    return (m_outs[in] >> (waits_for.port * VcsPerPort + waits_for.vc) & 1) != 0;
}

uint64_t DependencyGraph::channels() const {
    uint64_t per_node = 0;
    for (uint32_t port = 0; port < NumNetworkPorts; ++port) per_node += vcs_of(port);
    return per_node * m_geometry.nodes();
}

uint64_t DependencyGraph::used() const {
    uint64_t n = 0;
    for (uint32_t i = 0; i < m_outs.size(); ++i)
        if (i % Rows != Mbp && m_outs[i] != 0) ++n;
    return n;
}

uint64_t DependencyGraph::dependencies() const {
    uint64_t n = 0;
    for (uint32_t i = 0; i < m_outs.size(); ++i)
        if (i % Rows != Mbp) n += uint64_t(__builtin_popcount(m_outs[i] & ~(1u << Mbp)));
    return n;
}

// Kahn's algorithm: takes away channels that nothing left waits for. What cannot be taken
// away lies on a cycle or behind one.
DependencyGraph::Order DependencyGraph::order() const {
    const auto for_outs = [this](uint32_t in, auto&& f) {
        for (uint32_t m = m_outs[in] & ~(1u << Mbp); m != 0; m &= m - 1)
            f(arrival(in / Rows, uint32_t(__builtin_ctz(m))));
    };
    std::vector<uint32_t> waiting(m_outs.size(), 0);
    uint64_t left = 0;
    for (uint32_t in = 0; in < m_outs.size(); ++in) {
        if (in % Rows == Mbp) continue;
        ++left;
        for_outs(in, [&](uint32_t next) { ++waiting[next]; });
    }
    std::vector<uint32_t> ready;
    for (uint32_t in = 0; in < m_outs.size(); ++in)
        if (in % Rows != Mbp && waiting[in] == 0) ready.push_back(in);
    std::vector<int> chain(m_outs.size(), 1);
    int longest = 0;
    while (!ready.empty()) {
        const uint32_t in = ready.back();
        ready.pop_back();
        --left;
        if (m_outs[in] != 0) longest = std::max(longest, chain[in]);
        for_outs(in, [&](uint32_t next) {
            chain[next] = std::max(chain[next], chain[in] + 1);
            if (--waiting[next] == 0) ready.push_back(next);
        });
    }
    if (left == 0) return {true, longest, {}};
    return {false, 0, cycle_among(waiting)};
}

// Every channel that is left has one before it that is left too, so going backwards
// has to come round.
std::vector<Channel> DependencyGraph::cycle_among(const std::vector<uint32_t>& waiting) const {
    const auto left = [&](uint32_t in) { return in % Rows != Mbp && waiting[in] != 0; };
    const auto before = [&](uint32_t in) {
        const Channel c = channel(in);
        const uint32_t out = 1u << (c.port * VcsPerPort + c.vc);
        uint32_t lane = 0;
        while (!left(row(c.node, lane)) || (m_outs[row(c.node, lane)] & out) == 0) ++lane;
        return row(c.node, lane);
    };
    uint32_t at = 0;
    while (!left(at)) ++at;
    std::vector<bool> seen(waiting.size(), false);
    for (; !seen[at]; at = before(at)) seen[at] = true;
    std::vector<Channel> cycle;
    uint32_t in = at;
    do {
        cycle.push_back(channel(in));
        in = before(in);
    } while (in != at);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
}

}  // namespace rdt
