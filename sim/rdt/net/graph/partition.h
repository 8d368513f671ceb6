// SPDX-License-Identifier: MIT
// Cuts of a network into two halves, and how to make them better.
#pragma once

#include <vector>

#include <rdt/net/graph/network.h>

namespace rdt {

using Halves = std::vector<bool>;  // of a node: is it in the second half?

// Neighbours of every node over links in either direction, a link once at each of its ends.
class LinkTable {
public:
    explicit LinkTable(const Network& network);

    uint32_t nodes() const { return uint32_t(m_first.size() - 1); }
    uint32_t degree() const { return m_degree; }
    template <class F>
    void for_neighbours(NodeId node, F&& f) const {
        for (uint32_t i = m_first[node]; i < m_first[node + 1]; ++i) f(m_to[i]);
    }
    uint64_t cut(const Halves& halves) const;

private:
    std::vector<uint32_t> m_first;
    std::vector<NodeId> m_to;
    uint32_t m_degree = 0;
};

std::vector<NodeId> breadth_first(const LinkTable& links, NodeId root);

// Cuts to begin with: stripes of the numbering (halves, quarters, ... alternating; slanting too if
// the nodes make a square), by distance from a node, along the slowest vibrations of the network,
// and a few at random. Always the same ones.
std::vector<Halves> starting_cuts(const LinkTable& links);

// Fiduccia and Mattheyses: moves the node that gains most, each once a pass, from half to half in
// turn, and keeps the best state; until a pass gains nothing. Returns the cut.
uint64_t refine(const LinkTable& links, Halves& halves);

}  // namespace rdt
