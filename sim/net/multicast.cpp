// SPDX-License-Identifier: MIT
#include "net/multicast.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace rdt {

namespace {

// A copy that comes into a router.
struct Arrival {
    uint32_t node;
    uint32_t port;
    uint32_t vc;
    Maps maps;
    auto key() const { return std::tie(node, port, vc, maps); }
};

Header header_of(Maps maps) {
    const flit_t h0 = with(with(0, H0Type, int(TypeMcSm)), H0Len, 2);
    return {make_flit(h0 | maps_in_flit(maps, 0)), make_flit(maps_in_flit(maps, 1)),
            make_flit(maps_in_flit(maps, 2))};
}

Maps maps_leaving(Maps maps, const Bitmap& map, uint32_t port, uint32_t rank, bool transfer) {
    const bool up = port >= PortE1;
    const CopyPlan plan{up, map.relay, map.expl, map.exp0, rank, TypeMcSm, 0};
    const Header in = header_of(maps);
    const auto leave = [&](flit_t flit, unsigned k) {
        return leave_through(copy_of(flit, k, plan), k, port, rank, transfer);
    };
    return maps_of({leave(in.h0, 0), leave(in.h1, 1), leave(in.h2, 2)});
}

uint32_t vc_of(const Bitmap& map, uint32_t port) {
    if (port >= PortE1) return map.relay ? 1 : 0;
    if (map.xfer) return 2;
    return map.relay && !map.expl ? 1 : 0;
}

}  // namespace

uint32_t top_map_mask(const Geometry& geometry) {
    const Axes axes = axes_of(geometry.top_rank());
    const Vec receivers[8] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, -1}, {0, -2}};
    std::set<uint32_t> reached;
    uint32_t mask = 0;
    for (uint32_t bit = 0; bit < 8; ++bit) {
        const Vec to = receivers[bit].x * axes.x + receivers[bit].y * axes.y;
        if (!reached.insert(geometry.shifted(0, to)).second) mask |= 1u << bit;
    }
    return mask;
}

RouteConfig multicast_config(const Geometry& geometry, uint32_t node) {
    RouteConfig config = geometry.config(node);
    if (config.rank == geometry.top_rank()) config.mask = top_map_mask(geometry);
    return config;
}

Maps full_maps(const Geometry& geometry) { return maps_below(geometry.top_rank() + 1); }

MulticastStats add_all_multicasts(DependencyGraph& graph, const Geometry& geometry,
                                  bool without_vct) {
    const auto before = [](const Arrival& a, const Arrival& b) { return a.key() < b.key(); };
    std::set<Arrival, decltype(before)> seen(before);
    std::vector<Arrival> now;
    for (uint32_t node = 0; node < geometry.nodes(); ++node)
        now.push_back({node, PortM0, 0, full_maps(geometry)});
    MulticastStats stats;
    for (; !now.empty(); ++stats.max_steps) {
        std::vector<Arrival> next;
        for (const Arrival& a : now) {
            if (!seen.insert(a).second) continue;
            ++stats.visits;
            const RouteConfig config = multicast_config(geometry, a.node);
            const Bitmap map = bitmap(header_of(a.maps), a.port, config);
            const uint32_t in_lane = is_network(a.port)
                                         ? a.port * DependencyGraph::VcsPerPort + a.vc
                                         : DependencyGraph::Mbp;
            for (uint32_t port = 0; port < NumNetworkPorts; ++port) {
                if ((map.set >> port & 1) == 0) continue;
                const bool transfer = map.xfer && port < PortN0;
                const uint32_t vc = transfer && without_vct ? 0 : vc_of(map, port);
                graph.add(a.node, in_lane, port * DependencyGraph::VcsPerPort + vc);
                next.push_back({geometry.neighbour(a.node, port), opposite(port), vc,
                                maps_leaving(a.maps, map, port, config.rank, transfer)});
            }
        }
        now = std::move(next);
    }
    stats.max_steps -= 1;  // the sources' own visits are no step
    return stats;
}

}  // namespace rdt
