// SPDX-License-Identifier: MIT
// The tori that definitions 1 to 5 of the RDT paper form on a square of nodes, for any cardinal
// number n: which ranks there are, how large and how many their tori are, what each torus is
// called and where a node lies on it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

class RankTori {
public:
    // Throws NetworkError unless side >= 2 and 1 <= n < side.
    RankTori(int side, int n);
    int side() const { return m_side; }
    int n() const { return m_n; }
    // The largest rank that definition 3 forms: its torus has two nodes at least.
    uint32_t max_rank() const { return m_max_rank; }

    // One step along the axes of a rank as vector routing sees them (x' = nx + ny, y' = -nx + ny),
    // within half of the side either way.
    Axes axes(uint32_t rank) const;

    // Nodes on a torus: those of a ring along x, and rows of such rings.
    struct Size {
        uint32_t x;
        uint32_t y;
        uint64_t nodes() const { return uint64_t(x) * y; }
    };
    Size size(uint32_t rank) const;
    // Independent tori of that rank in the whole square.
    uint64_t count(uint32_t rank) const;
    // The tori on one torus of the rank below; 2n^2 where theorem 1 holds.
    uint64_t count_on_lower(uint32_t rank) const;
    // Do the tori of this rank and all below have names: does each lower torus form 2n^2?
    bool has_names(uint32_t rank) const;

    // A node on its torus of a rank: the torus' name by definition 5, a pair for each rank from 0
    // up, and the node's coordinates on it by definition 2. Needs has_names(rank).
    struct Place {
        std::vector<std::pair<int, int>> name;
        int x;
        int y;
    };
    Place place(Vec node, uint32_t rank) const;
    // Which of the minimum node set's 2n x n nodes shares its rank-1 torus with this one.
    std::pair<int, int> kind(Vec node) const;

private:
    int wrapped(long long v) const;  // to within half of the side
    std::pair<int, int> numbered(long long x, long long y, uint32_t rank) const;

    int m_side;
    int m_n;
    uint32_t m_max_rank = 0;
};

// "((0,0)(1,0))", as the paper writes it; "(1,0)" for rank 1.
std::string to_string(const std::vector<std::pair<int, int>>& name);

}  // namespace rdt
