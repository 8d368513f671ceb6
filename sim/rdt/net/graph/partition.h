// SPDX-License-Identifier: MIT
// Cuts of a network into two halves, and how to make them better.
#pragma once

#include <vector>

#include <rdt/net/graph/network.h>
#include <rdt/support/parallel.h>

namespace rdt {

using Halves = std::vector<bool>;  // per node: is it in the second half?

// Neighbors of every node over links in either direction, a link once at each of its ends.
class LinkTable {
public:
    explicit LinkTable(const Network& network);

    uint32_t nodes() const { return uint32_t(m_first.size() - 1); }
    uint32_t degree() const { return m_degree; }
    template <class F>
    void for_neighbors(NodeId node, F&& f) const {
        for (uint32_t i = m_first[node]; i < m_first[node + 1]; ++i) f(m_to[i]);
    }
    // Where a node's neighbors begin in the table, and how many places it has.
    uint32_t first_place(NodeId node) const { return m_first[node]; }
    uint32_t places() const { return m_first.back(); }
    uint64_t cut(const Halves& halves) const;

private:
    std::vector<uint32_t> m_first;
    std::vector<NodeId> m_to;
    uint32_t m_degree = 0;
};

std::vector<NodeId> breadth_first(const LinkTable& links, NodeId root);

// A network whose construction suggests where to cut.
class WithNaturalOrder {
public:
    virtual ~WithNaturalOrder() = default;
    // A value for each node; in this order the nodes, cut in the middle, are worth beginning with.
    virtual std::vector<double> natural_order() const = 0;
};

// The nodes in the order of these values, cut in the middle.
Halves halves_by(const std::vector<double>& value);

// Cuts to begin with: stripes of the numbering (halves, quarters, ... alternating; if the nodes
// make a square slanting ones, too, and one around a corner), by distance from a node, along the
// slowest vibrations of the network, and a few at random. Always the same ones.
std::vector<Halves> starting_cuts(const LinkTable& links);

// Cuts by METIS, multilevel, each from another seed; none if the project was built without it.
// Always the same ones. Not for several threads at a time: METIS draws from the process's rand().
std::vector<Halves> metis_cuts(const LinkTable& links);

// Moves nodes from the larger half, those first that cost least, until the halves are equal.
void balance(const LinkTable& links, Halves& halves);

// Fiduccia and Mattheyses: moves the node that gains most, each once a pass, alternating between
// the halves, and keeps the best state; until a pass gains nothing. Returns the cut.
uint64_t refine(const LinkTable& links, Halves& halves);

// The best cut that all these lead to, and how many were tried for it.
struct BestCut {
    Halves halves;
    uint64_t links;
    size_t tried;
    size_t refined;
    bool with_metis;
};
BestCut best_cut(const Network& network, const WorkOptions& options = {});

// Links that any cut into two halves has at the least. One packet between any two nodes, divided
// into equal shares over all its shortest paths, puts a load on every link; half of all packets
// have to cross, and no link carries more than the busiest. Takes the square of the nodes in time.
constexpr uint32_t MostNodesBounded = 6000;  // within seconds
uint64_t bisection_at_least(const Network& network, const WorkOptions& options = {});

}  // namespace rdt
