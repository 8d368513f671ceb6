// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/entry_graph.h>

#include <fmt/format.h>

#include <rdt/net/graph/acyclic.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt {

namespace {

constexpr uint32_t VcsPerPort = DependencyGraph::VcsPerPort;

uint32_t lane_of(uint32_t port, uint32_t vc) {
    return is_network(port) ? port * VcsPerPort + vc : DependencyGraph::Mbp;
}

template <typename F>
void for_each_bit(uint32_t bits, F&& f) {
    for (; bits != 0; bits &= bits - 1) f(uint32_t(__builtin_ctz(bits)));
}

}  // namespace

EntryGraph::EntryGraph(const Geometry& geometry, const EntryRule& rule)
    : m_geometry(geometry),
      m_rule(rule),
      m_top_mask(top_map_mask(geometry)),
      m_unicasts(size_t(geometry.nodes()) * Buffers, 0) {}

uint32_t EntryGraph::class_of(const MulticastArrival& a, const Bitmap& map) const {
    return m_rule.shares[uint32_t(entry_class(a.port, a.vc == TransferVc, map.set))];
}

// Arrivals at nodes of the same kind are the same.
bool EntryGraph::is_new(const MulticastArrival& a) {
    uint64_t key = a.maps;
    key = key << 4 | uint64_t(a.type);
    key = key << 4 | a.port;
    key = key << 2 | a.vc;
    key = key << 3 | m_geometry.kind(a.node);
    return m_seen.insert(key).second;
}

void EntryGraph::visit(const MulticastArrival& a) {
    if (!is_new(a)) return;
    const MulticastVisit here = multicast_pass(m_geometry, a, m_top_mask);
    if (here.map.bad) return;
    Kind& kind = m_kinds[m_geometry.kind(a.node)];
    const uint32_t lane = lane_of(a.port, a.vc);
    const uint32_t own = class_of(a, here.map);
    kind.classes[lane] |= 1u << own;
    for (const auto& [port, copy] : here.out) {
        const uint32_t out = 1u << lane_of(port, copy.vc);
        kind.lanes[lane] |= out;
        kind.entry[own].lanes |= out;
        const MulticastVisit there = multicast_pass(m_geometry, copy, m_top_mask);
        if (!there.map.bad) kind.entry[own].children[port] |= 1u << class_of(copy, there.map);
        visit(copy);
    }
}

void EntryGraph::add_multicast(Maps maps, Type type) {
    for (uint32_t kind = 0; kind < NumKinds; ++kind) {
        const Vec at = example_of(kind);
        visit({m_geometry.index(at.x, at.y), PortM0, 0, maps, type});
    }
}

void EntryGraph::add_all(const DependencyGraph& graph) {
    for (uint32_t node = 0; node < m_geometry.nodes(); ++node)
        for (uint32_t lane = 0; lane < DependencyGraph::Lanes; ++lane)
            m_unicasts[size_t(node) * Buffers + lane] |=
                graph.outs(node, lane) & ((1u << DependencyGraph::Lanes) - 1);
}

uint32_t EntryGraph::classes(uint32_t kind) const {
    uint32_t all = 0;
    for (const uint32_t one : m_kinds[kind].classes) all |= one;
    return all;
}

// With a sticky VC a buffer waits for whatever entry another buffer of its port requests.
uint32_t EntryGraph::requested(const Kind& kind, uint32_t lane) const {
    uint32_t classes = kind.classes[lane];
    if (!m_rule.is_vc_sticky || classes == 0 || lane == DependencyGraph::Mbp) return classes;
    for (uint32_t vc = 0; vc < VcsPerPort; ++vc)
        classes |= kind.classes[lane / VcsPerPort * VcsPerPort + vc];
    return classes;
}

template <typename F>
void EntryGraph::for_outs(uint32_t vertex, F&& f) const {
    const uint32_t node = vertex / Vertices;
    const uint32_t row = vertex % Vertices;
    const Kind& kind = m_kinds[m_geometry.kind(node)];
    const auto buffers = [&](uint32_t lanes) {
        for_each_bit(lanes, [&](uint32_t lane) {
            const uint32_t port = lane / VcsPerPort;
            f(m_geometry.neighbor(node, port) * Vertices +
              lane_of(opposite(port), lane % VcsPerPort));
        });
    };
    if (row < Buffers) {
        buffers(kind.lanes[row] | m_unicasts[size_t(node) * Buffers + row]);
        for_each_bit(requested(kind, row), [&](uint32_t c) { f(node * Vertices + Buffers + c); });
        return;
    }
    const uint32_t own = row - Buffers;
    const Waits& waits = kind.entry[own];
    buffers(waits.lanes);
    for (uint32_t port = 0; port < NumNetworkPorts; ++port)
        for_each_bit(waits.children[port], [&](uint32_t c) {
            f(m_geometry.neighbor(node, port) * Vertices + Buffers + c);
        });
    // The entry that a class waits for may be held by any later class.
    if (m_rule.shares[own] != own) return;
    for (uint32_t c = own + 1; c < NumEntryClasses; ++c)
        if (m_rule.shares[c] == c) f(node * Vertices + Buffers + c);
}

EntryGraph::Order EntryGraph::order() const {
    const Ordering o = order_vertices(m_geometry.nodes() * Vertices,
                                      [this](uint32_t v, auto&& f) { for_outs(v, f); });
    Order order{o.acyclic, o.longest_chain, {}};
    for (const uint32_t v : o.cycle) order.cycle.push_back(name(v));
    return order;
}

std::string EntryGraph::name(uint32_t vertex) const {
    static constexpr const char* Classes[] = {"source",  "expand",     "relay",
                                              "descend", "base relay", "leaf"};
    const uint32_t node = vertex / Vertices;
    const uint32_t row = vertex % Vertices;
    const std::string at = fmt::format("{},{} ", m_geometry.x_of(node), m_geometry.y_of(node));
    if (row >= Buffers) return at + "entry " + Classes[row - Buffers];
    if (row == DependencyGraph::Mbp) return at + "MBP";
    return at + to_string(Port(row / VcsPerPort)) + " " + vc_name(row % VcsPerPort);
}

}  // namespace rdt
