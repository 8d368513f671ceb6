// SPDX-License-Identifier: MIT
// RCC-FULL(N_A, L) of Hamdi and Hall: complete graphs of N_A nodes, L times over N^(1/2) copies of
// themselves, each joined to each. It is RHSN(2, ..., 2, K_(N_A)): of a node the lower half of the
// digits is its place j in row i, the upper half, and (i, j) is joined to (j, i), its transpose.
#pragma once

#include <cmath>

#include <rdt/net/families/rhsn.h>

namespace rdt {

class Rcc : public Rhsn {
public:
    Rcc(uint32_t atom, uint32_t level);

    uint32_t atom() const { return shape().nucleus_nodes(); }
    uint32_t level() const { return shape().depth(); }
    uint32_t side() const { return shape().block_size(level()); }  // rows, N^(1/2); level >= 1
    NodeId transposed(NodeId node, uint32_t level) const { return shape().swapped(node, level, 2); }
    uint32_t transpose_port(uint32_t level) const { return swap_port(level, 2); }

    // Algorithm 1 is the recursive routing; Algorithm 2 goes by the transpose of the source first,
    // and within rows by Algorithm 1. In the same row both are the routing of the row.
    Path algorithm1(NodeId from, NodeId to) const { return recursive_path(from, to); }
    Path algorithm2(NodeId from, NodeId to) const;

    std::vector<std::string> routings() const override { return {"negative-hop", "alg1", "alg2"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override;
};

// Formulas of the paper; M = N^(1/2).
struct RccFormulas {
    uint32_t atom;
    uint32_t level;

    double nodes() const;
    double degree() const { return atom + level - 1.0; }          // equation 3
    double diameter() const { return std::exp2(level + 1) - 1; }  // equation 2
    double links() const;                                         // equation 9
    double average() const;                                       // equation 7
    double average_algorithm1() const;  // the mean length of Algorithm 1's ways
    // Equations 4 and 14, from whichever average; the delay in units of 1 / (mu C).
    double density(double average) const { return average * nodes() / links(); }
    double delay(double average, double utilization) const {
        return average * 2 * links() / (1 - average * utilization);
    }
    // Theorem 5, whole rows on a chip, and theorem 6, rows in `parts` parts.
    double pins(double chips) const { return nodes() / chips - nodes() / chips / chips; }
    double pins_of_part(double parts) const;
    // W: steps of Algorithm 1 for a permutation of a row, where that is the network; lemma 2: of
    // Algorithm 3 for one of all nodes; both at most.
    uint64_t row_steps() const;
    uint64_t permutation_steps() const;
    // Equation 15 with one step to sort a complete graph; equation 17.
    uint64_t sort_steps() const;
    uint64_t ascend_steps() const;  // the atom has a power of two nodes

private:
    RccFormulas row() const { return {atom, level - 1}; }
};

}  // namespace rdt
