// SPDX-License-Identifier: MIT
// Shortest paths on star-connected cycles by the search that Latifi, de Azevedo and Bagherzadeh
// give (Algorithm 1): which lateral links to take, in which order.
#pragma once

#include <vector>

#include <rdt/net/families/permutation.h>

namespace rdt {

struct SccNode {
    uint32_t place;  // on the ring, 2 to n
    Permutation order;
};

// Local links between two places of a ring of n-1 nodes.
uint32_t ring_distance(uint32_t a, uint32_t b, uint32_t n);
// Lateral links from an order to the one in order (equation 3).
uint32_t star_distance(const Permutation& order);
// Length of a path that takes these lateral links (equation 5).
uint32_t scc_path_length(const SccNode& from, const SccNode& to,
                         const std::vector<uint32_t>& laterals);

struct SccRoute {
    std::vector<uint32_t> laterals;
    uint32_t locals;
    std::vector<uint32_t> vertices;  // vertices of the search tree, by level
    uint32_t backtracks;             // times the estimate was too low

    uint32_t hops() const { return uint32_t(laterals.size()) + locals; }
};
SccRoute scc_search(const SccNode& from, const SccNode& to);

}  // namespace rdt
