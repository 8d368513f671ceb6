// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/multicast.h>
#include <rdt/net/rdt/multicast_pass.h>
#include <rdt/net/rdt/multicast_schemes.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

namespace rdt {

namespace {

using Arrival = MulticastArrival;

// The header of a copy as it leaves through that port.
Header leaving(const Arrival& a, const Bitmap& map, uint32_t port, const RouteConfig& config,
               bool transfer) {
    const uint32_t rank = config.rank;
    const CopyPlan plan{port >= PortE1, map.relay,    map.expl,         map.exp0,
                        rank,           config.ranks, uint32_t(a.type), 0};
    const Header in = multicast_header(a.maps, 0, a.type);
    const auto leave = [&](flit_t flit, unsigned k) {
        return leave_through(copy_of(flit, k, plan), k, port, rank, transfer);
    };
    return {leave(in.h0, 0), leave(in.h1, 1), leave(in.h2, 2)};
}

uint32_t vc_of(const Bitmap& map, uint32_t port) {
    if (port >= PortE1) return map.relay ? 1 : 0;
    if (map.xfer) return 2;
    return map.relay && !map.expl ? 1 : 0;
}

// Where a bit of a map leads, in nodes of the base torus.
constexpr Vec step_to_receiver(uint32_t level, uint32_t bit) {
    constexpr Vec Receivers[8] = {{0, 0},  {1, 0},  {-1, 0},  {0, 1},
                                  {0, -1}, {1, -1}, {-1, -1}, {0, -2}};
    const Axes axes = axes_of(level);
    return Receivers[bit].x * axes.x + Receivers[bit].y * axes.y;
}

// The node that it names, seen from the node that expands the level.
uint32_t receiver_of(const Geometry& geometry, uint32_t node, uint32_t level, uint32_t bit) {
    return geometry.shifted(node, step_to_receiver(level, bit));
}

// Bits of a map of this level that name a receiver of a lower bit, on a torus of that side.
constexpr uint32_t repeated_receivers(int side, uint32_t level) {
    uint32_t mask = 0;
    for (uint32_t bit = 1; bit < 8; ++bit)
        for (uint32_t other = 0; other < bit; ++other) {
            const Vec a = step_to_receiver(level, bit);
            const Vec b = step_to_receiver(level, other);
            if ((a.x - b.x) % side == 0 && (a.y - b.y) % side == 0) mask |= 1u << bit;
        }
    return mask;
}
// By the logarithm of the side and the level.
constexpr auto make_repeated_receivers() {
    std::array<std::array<uint8_t, MaxRank + 1>, 9> masks{};
    for (uint32_t log = 0; log < masks.size(); ++log)
        for (uint32_t level = 0; level <= MaxRank; ++level)
            masks[log][level] = uint8_t(repeated_receivers(1 << log, level));
    return masks;
}
constexpr auto RepeatedReceivers = make_repeated_receivers();
static_assert(1 << (RepeatedReceivers.size() - 1) == Geometry::sides.back());

// Follows copies through the routers, each different arrival once.
struct Walker {
    DependencyGraph& graph;
    const Geometry& geometry;
    bool without_vct;
    uint32_t top_mask;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, Maps>, int>
        steps;  // still to the last receiver

    int visit(const Arrival& a) {
        const auto key = std::make_tuple(a.node, a.port, a.vc, a.maps);
        const auto [it, is_new] = steps.try_emplace(key, 0);
        if (!is_new) return it->second;
        const uint32_t in_lane =
            is_network(a.port) ? a.port * DependencyGraph::VcsPerPort + a.vc : DependencyGraph::Mbp;
        int longest = 0;
        for (const auto& [port, next] : multicast_pass(geometry, a, top_mask, without_vct).out) {
            graph.add(a.node, in_lane, port * DependencyGraph::VcsPerPort + next.vc);
            longest = std::max(longest, 1 + visit(next));
        }
        return steps[key] = longest;
    }
};

}  // namespace

MulticastVisit multicast_pass(const Geometry& geometry, const MulticastArrival& a,
                              uint32_t top_mask, bool without_vct) {
    RouteConfig config = geometry.config(a.node);
    if (config.rank == geometry.top_rank()) config.mask = top_mask;
    MulticastVisit visit{bitmap(multicast_header(a.maps, 0, a.type), a.port, a.vc, config), {}};
    for (uint32_t port = 0; port < NumNetworkPorts; ++port) {
        if ((visit.map.set >> port & 1) == 0) continue;
        const bool transfer = visit.map.xfer && port < PortN0;
        const uint32_t vc = transfer && without_vct ? 0 : vc_of(visit.map, port);
        const Header copy = leaving(a, visit.map, port, config, transfer);
        visit.out.push_back({port, Arrival{geometry.neighbor(a.node, port), opposite(port), vc,
                                           maps_of(copy), Type(get(copy.h0, H0Type))}});
    }
    return visit;
}

uint32_t top_map_mask(const Geometry& geometry) {
    return RepeatedReceivers[size_t(__builtin_ctz(uint32_t(geometry.side())))][geometry.top_rank()];
}

MapTable::MapTable(const Geometry& geometry) : m_geometry(geometry) {
    for (uint32_t level = 0; level <= top_level(); ++level)
        for (uint32_t kind = 0; kind < NumKinds; ++kind)
            m_maps[level][kind] = territory(kind, level);
    const std::vector<Maps>& all = m_maps[top_level()][0];
    if (std::count(all.begin(), all.end(), 0) != 0)
        throw std::invalid_argument("a multicast on " + std::to_string(geometry.side()) +
                                    " nodes per side does not reach all nodes");
}

std::vector<Maps> MapTable::territory(uint32_t kind, uint32_t level) const {
    const uint32_t mask = top_map_mask(m_geometry);
    const Vec at = example_of(kind);
    // Nodes reached so far, each by maps of its own.
    std::vector<std::pair<uint32_t, Maps>> reached{{m_geometry.index(at.x, at.y), 0}};
    for (uint32_t l = level + 1; l-- > 0;) {
        std::vector<std::pair<uint32_t, Maps>> next;
        for (auto [node, maps] : reached) {
            while (l > 0 && m_geometry.rank(node) != l)
                node = m_geometry.neighbor(
                    node, m_geometry.config(node).xfer >> (l - 1) & 1 ? PortW0 : PortE0);
            for (uint32_t bit = 0; bit < 8; ++bit)
                if (l != top_level() || (mask >> bit & 1) == 0)
                    next.emplace_back(receiver_of(m_geometry, node, l, bit),
                                      maps | map_byte(l, 1u << bit));
        }
        reached = std::move(next);
    }
    std::vector<Maps> table(m_geometry.nodes());
    for (const auto& [node, maps] : reached) table[node] = maps;
    return table;
}

Maps MapTable::maps(uint32_t source, uint32_t receiver, uint32_t level) const {
    const uint32_t kind = m_geometry.kind(source);
    const Vec at = example_of(kind);
    return m_maps[level][kind][m_geometry.shifted(
        receiver, {at.x - m_geometry.x_of(source), at.y - m_geometry.y_of(source)})];
}

RouteConfig multicast_config(const Geometry& geometry, uint32_t node) {
    RouteConfig config = geometry.config(node);
    if (config.rank == geometry.top_rank()) config.mask = top_map_mask(geometry);
    return config;
}

Maps full_maps(const Geometry& geometry) { return maps_below(geometry.top_rank() + 1); }

MulticastTree multicast_tree(const Geometry& geometry, uint32_t source, Maps maps) {
    const uint32_t top_mask = top_map_mask(geometry);
    MulticastTree tree{std::vector<uint32_t>(geometry.nodes(), 0), {}};
    std::vector<Arrival> copies{{source, PortM0, 0, maps}};
    while (!copies.empty()) {
        const Arrival a = copies.back();
        copies.pop_back();
        const MulticastVisit visit = multicast_pass(geometry, a, top_mask);
        if ((visit.map.set >> PortM0) != 0) ++tree.receipts[a.node];
        for (const auto& [port, next] : visit.out) {
            tree.hops.push_back({a.node, port});
            copies.push_back(next);
        }
    }
    return tree;
}

DirectoryEntry entry_of(const MapTable& table, Type type, uint32_t source,
                        const std::vector<uint32_t>& receivers) {
    if (receivers.empty() || !is_multicast(with(0, H0Type, int(type))))
        throw std::invalid_argument("a directory entry needs a receiver and a kind of multicast");
    const auto holds_all = [&](uint32_t level) {
        return std::all_of(receivers.begin(), receivers.end(),
                           [&](uint32_t r) { return table.maps(source, r, level) != 0; });
    };
    DirectoryEntry entry{type, 0, 0};
    while (entry.level < table.top_level() && !holds_all(entry.level)) ++entry.level;
    for (const uint32_t receiver : receivers)
        entry.maps |= maps_in_entry(type, entry.level, table.maps(source, receiver, entry.level));
    return entry;
}

MulticastReach follow(const Geometry& geometry, uint32_t source, const DirectoryEntry& entry) {
    const uint32_t top_mask = top_map_mask(geometry);
    MulticastReach reach{std::vector<uint32_t>(geometry.nodes(), 0)};
    std::vector<std::pair<Arrival, uint32_t>> copies{
        {{source, PortM0, 0, entry.maps, entry.type}, 0}};
    while (!copies.empty()) {
        const auto [a, steps] = copies.back();
        copies.pop_back();
        const MulticastVisit visit = multicast_pass(geometry, a, top_mask);
        if ((visit.map.set >> PortM0) != 0) {
            ++reach.receipts[a.node];
            reach.steps = std::max(reach.steps, steps);
        }
        for (const auto& out : visit.out) {
            ++reach.hops;
            copies.push_back({out.second, steps + 1});
        }
    }
    return reach;
}

std::optional<uint32_t> PruningCaches::find(uint32_t node, const Key& key) {
    std::vector<Entry>& entries = m_routers[node];
    const auto it = std::find_if(entries.begin(), entries.end(), [&key](const Entry& e) {
        return e.key.line == key.line && e.key.port == key.port && e.key.maps == key.maps;
    });
    if (it == entries.end()) return std::nullopt;
    std::rotate(it, it + 1, entries.end());
    return entries.back().outputs;
}

void PruningCaches::record(uint32_t node, const Key& key, uint32_t outputs) {
    if (m_entries == 0) return;
    std::vector<Entry>& entries = m_routers[node];
    if (entries.size() == m_entries) entries.erase(entries.begin());
    entries.push_back({key, outputs});
}

namespace {

// One multicast through routers with pruning caches.
struct PrunedWalk {
    const Geometry& geometry;
    const uint32_t top_mask;
    const uint64_t line;
    const std::vector<bool>& is_sharer;
    PruningCaches& caches;
    MulticastReach& reach;

    // Is a sharer reached from here on?
    bool visit(const Arrival& a, uint32_t steps) {
        const MulticastVisit visited = multicast_pass(geometry, a, top_mask);
        const PruningCaches::Key key{line, a.port, a.maps};
        const std::optional<uint32_t> known = caches.find(a.node, key);
        uint32_t outputs = 0;
        const auto is_open = [&known](uint32_t port) {
            return !known || (*known >> port & 1) != 0;
        };
        if ((visited.map.set >> PortM0) != 0 && is_open(PortM0)) {
            ++reach.receipts[a.node];
            reach.steps = std::max(reach.steps, steps);
            if (is_sharer[a.node]) outputs |= 1u << PortM0;
        }
        for (const auto& [port, next] : visited.out) {
            if (!is_open(port)) continue;
            ++reach.hops;
            if (visit(next, steps + 1)) outputs |= 1u << port;
        }
        if (!known) caches.record(a.node, key, outputs);
        return outputs != 0;
    }
};

}  // namespace

MulticastReach follow(const Geometry& geometry, uint32_t source, const DirectoryEntry& entry,
                      uint64_t line, const std::vector<bool>& is_sharer, PruningCaches& caches) {
    MulticastReach reach{std::vector<uint32_t>(geometry.nodes(), 0)};
    PrunedWalk walk{geometry, top_map_mask(geometry), line, is_sharer, caches, reach};
    walk.visit({source, PortM0, 0, entry.maps, entry.type}, 0);
    return reach;
}

std::vector<uint32_t> receipts(const Geometry& geometry, uint32_t source, Maps maps) {
    return multicast_tree(geometry, source, maps).receipts;
}

std::vector<uint32_t> broadcast_roots(const Geometry& geometry, uint32_t source) {
    // The receivers of one map are the cosets of the next rank's lattice, so other roots differ
    // by its vectors.
    const Axes next = axes_of(geometry.top_rank() + 1);
    std::vector<uint32_t> roots{source};
    for (const Vec& step : {next.x, next.y, next.x + next.y}) {
        const uint32_t node = geometry.shifted(source, step);
        if (std::find(roots.begin(), roots.end(), node) == roots.end()) roots.push_back(node);
    }
    return roots;
}

Header multicast_header(Maps maps, int mbp, Type type, int len, int tag) {
    const flit_t h0 = with(with(0, H0Type, int(type)), H0Len, len);
    return {make_head(with(with(h0, H0Tag, tag), H0Mbp, mbp) | maps_in_flit(maps, 0)),
            make_flit(maps_in_flit(maps, 1)), make_flit(maps_in_flit(maps, 2))};
}

MulticastStats add_all_multicasts(DependencyGraph& graph, const Geometry& geometry,
                                  bool without_vct) {
    Walker walker{graph, geometry, without_vct, top_map_mask(geometry), {}};
    MulticastStats stats;
    for (uint32_t node = 0; node < geometry.nodes(); ++node)
        stats.max_steps =
            std::max(stats.max_steps, walker.visit({node, PortM0, 0, full_maps(geometry)}));
    stats.visits = walker.steps.size();
    return stats;
}

}  // namespace rdt
