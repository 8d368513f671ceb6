// SPDX-License-Identifier: MIT
// Recursive hierarchical swapped networks (Yeh and Parhami), of which RCC-FULL (Hamdi and Hall) is
// a special case.
//
// A node is a word of p digits, each a node of the nucleus, p the product of the levels l_r, ...,
// l_1. On depth i the word is read as blocks of B_i digits, B_1 = 1, B_(i+1) = l_i B_i. Links join
// nodes whose lowest digits are neighbors in the nucleus, and those that differ by an exchange of
// block 0 with block j-1 of the same depth: the depth-i level-j links, j = 2 to l_i. A node whose
// two blocks are equal has no such link; it is a leader. With diameter links a leader with X in
// both blocks is joined to the one with M^B_i - 1 - X in both, on the port that is free.
#pragma once

#include <rdt/net/graph/graph_network.h>

namespace rdt {

// The sizes; depths count from 1, and so do levels (level 1 is the block itself).
class SwapShape {
public:
    // l_1 first. Throws NetworkError if there are too many nodes.
    SwapShape(uint32_t nucleus_nodes, std::vector<uint32_t> levels);

    uint32_t nucleus_nodes() const { return m_nucleus_nodes; }
    uint32_t depth() const { return uint32_t(m_levels.size()); }
    uint32_t levels(uint32_t depth) const { return m_levels[depth - 1]; }
    uint32_t links() const;  // swap links of a node that is no leader
    uint32_t digits() const { return block_digits(depth() + 1); }
    uint32_t nodes() const { return block_size(depth() + 1); }
    uint32_t block_digits(uint32_t depth) const { return m_block_digits[depth - 1]; }
    uint32_t block_size(uint32_t depth) const { return m_block_size[depth - 1]; }
    // Block `index` of a word, and the word with it replaced.
    uint32_t block(NodeId node, uint32_t depth, uint32_t index) const;
    NodeId with_block(NodeId node, uint32_t depth, uint32_t index, uint32_t value) const;
    // The word with block 0 and block level-1 exchanged.
    NodeId swapped(NodeId node, uint32_t depth, uint32_t level) const;

private:
    uint32_t m_nucleus_nodes;
    std::vector<uint32_t> m_levels;
    std::vector<uint32_t> m_block_digits;  // for depths 1 to r+1
    std::vector<uint32_t> m_block_size;
};

class Rhsn : public GraphNetwork {
public:
    Rhsn(const std::string& name, std::shared_ptr<const Network> nucleus, const SwapShape& shape,
         bool diameter_links);

    const Network& nucleus() const { return *m_nucleus; }
    const SwapShape& shape() const { return m_shape; }
    // Ports 0 up are those of the nucleus; then depth 1 level 2, level 3, ..., depth 2 level 2, ...
    uint32_t swap_port(uint32_t depth, uint32_t level) const;
    bool is_leader(NodeId node, uint32_t depth, uint32_t level) const {
        return m_shape.swapped(node, depth, level) == node;
    }

    struct Hop {
        NodeId from;
        uint32_t port;
        uint32_t vc;
    };
    using Path = std::vector<Hop>;
    // Lemma 3.1's recursive routing. The virtual channel counts the swaps made so far, times those
    // that the nucleus needs for itself: a swap is waited for only by packets with fewer swaps.
    Path recursive_path(NodeId from, NodeId to) const;

    std::string label(NodeId node) const override;  // digits, the highest first: 3.0.1
    Position position(NodeId node) const override;
    // A symmetry of the nucleus, done to all digits, is one of the network. Where the nucleus has
    // one that takes node 0 to each of the others, the nodes whose highest digit is 0 stand for
    // all.
    std::vector<NodeId> representatives() const override;
    std::vector<std::string> routings() const override { return {"negative-hop", "recursive"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override;

protected:
    // A way under construction.
    struct Walk {
        NodeId at;
        uint32_t swaps;
        Path path;
    };
    // Goes to where the lowest `blocks` blocks of a depth are `to`; depth 0: the lowest digit.
    void walk_to(Walk& walk, uint32_t depth, uint32_t blocks, uint32_t to) const;
    void swap(Walk& walk, uint32_t depth, uint32_t level) const;
    // A routing along given paths; `swaps` is the largest number of swaps on one.
    std::unique_ptr<Routing> path_routing(std::function<Path(NodeId, NodeId)> path_of,
                                          uint32_t swaps) const;

private:
    const std::shared_ptr<const Network> m_nucleus;
    const SwapShape m_shape;
    const bool m_diameter_links;
    const std::unique_ptr<Routing> m_nucleus_routing;
};

}  // namespace rdt
