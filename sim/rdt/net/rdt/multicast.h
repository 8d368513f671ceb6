// SPDX-License-Identifier: MIT
// Multicast on an RDT: configuration of the routers, and dependencies of the copies.
#pragma once

#include <array>
#include <vector>

#include <rdt/core/bitmap.h>
#include <rdt/net/rdt/dependency_graph.h>

namespace rdt {

// Bits of the top level's map that lead to a node which another bit reaches already,
// because the top torus has fewer than eight nodes.
uint32_t top_map_mask(const Geometry& geometry);

// Configuration of a node, including the mask; the ranks are the geometry's.
RouteConfig multicast_config(const Geometry& geometry, uint32_t node);

// All levels, all receivers.
Maps full_maps(const Geometry& geometry);

Header multicast_header(Maps maps, int mbp = 0, Type type = TypeMcSm, int len = 2, int tag = 0);

// The maps that name one receiver alone, for every source and every level a multicast may begin
// at: an entry of a reduced hierarchical bit-map directory. The union of the entries of several
// receivers names all of them, and others too, because each level has a single map.
class MapTable {
public:
    // Throws std::invalid_argument where one root does not reach all nodes (256 per side).
    explicit MapTable(const Geometry& geometry);
    uint32_t top_level() const { return m_geometry.top_rank(); }
    // 0 if the receiver is outside the territory of that level; that of the top level is the whole
    // network.
    Maps maps(uint32_t source, uint32_t receiver, uint32_t level) const;

private:
    std::vector<Maps> territory(uint32_t kind, uint32_t level) const;

    const Geometry& m_geometry;
    // By receiver, for an example of each kind of source.
    std::array<std::array<std::vector<Maps>, NumKinds>, MaxRank + 1> m_maps;
};

struct MulticastStats {
    uint64_t visits = 0;  // different states of a packet in a router
    int max_steps = 0;    // hops from the source to the last receiver
};

// A multicast followed through bitmap() and the header changes of the chip.
struct MulticastTree {
    std::vector<uint32_t> receipts;                   // how often each node receives it
    std::vector<std::pair<uint32_t, uint32_t>> hops;  // node and port of every copy between nodes
};
MulticastTree multicast_tree(const Geometry& geometry, uint32_t source, Maps maps);
std::vector<uint32_t> receipts(const Geometry& geometry, uint32_t source, Maps maps);

// The nodes, including the given one, that have to send a full multicast to reach every node once.
// One, but for 256 on a side: there the top torus has sixteen nodes, and a map names eight.
std::vector<uint32_t> broadcast_roots(const Geometry& geometry, uint32_t source);

// Sends a full multicast from every node through bitmap() and the header changes of the chip, and
// adds what its copies wait for: a router holds its buffer until every output has taken its copy.
MulticastStats add_all_multicasts(DependencyGraph& graph, const Geometry& geometry,
                                  bool without_vct = false);

}  // namespace rdt
