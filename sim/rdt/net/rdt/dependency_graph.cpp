// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/dependency_graph.h>

#include <rdt/net/graph/acyclic.h>

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
    return row(m_geometry.neighbor(node, port),
               opposite(port) * VcsPerPort + out_lane % VcsPerPort);
}

Channel DependencyGraph::channel(uint32_t row) const {
    const uint32_t lane = row % Rows;
    const uint32_t port = lane / VcsPerPort;
    return {m_geometry.neighbor(row / Rows, port), opposite(port), lane % VcsPerPort};
}

bool DependencyGraph::depends(const Channel& holds, const Channel& waits_for) const {
    if (m_geometry.neighbor(holds.node, holds.port) != waits_for.node) return false;
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

DependencyGraph::Order DependencyGraph::order() const {
    const Ordering o = order_vertices(uint32_t(m_outs.size()), [this](uint32_t in, auto&& f) {
        if (in % Rows == Mbp) return;
        for (uint32_t m = m_outs[in] & ~(1u << Mbp); m != 0; m &= m - 1)
            f(arrival(in / Rows, uint32_t(__builtin_ctz(m))));
    });
    Order order{o.acyclic, used() == 0 ? 0 : int(o.longest_chain), {}};
    for (uint32_t in : o.cycle) order.cycle.push_back(channel(in));
    return order;
}

}  // namespace rdt
