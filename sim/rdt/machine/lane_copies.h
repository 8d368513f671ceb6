// SPDX-License-Identifier: MIT
// Copies of multicasts of the lane that are a header alone. A receiver knows them by their tag: one
// at a time is open among those whose trees share a router.
#pragma once

#include <algorithm>
#include <vector>

#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

class LaneCopies {
public:
    static constexpr uint32_t None = ~0u;

    // An MBP is about to send one.
    void expect(const Geometry& geometry, uint32_t mbp, Maps maps) {
        const auto is_same = [=](const Tree& t) { return t.mbp == mbp && t.maps == maps; };
        auto tree = std::find_if(m_trees.begin(), m_trees.end(), is_same);
        if (tree == m_trees.end()) {
            tree = m_trees.insert(tree, {mbp, maps, {}});
            const std::vector<uint32_t> copies = receipts(geometry, mbp / 2, maps);
            for (uint32_t n = 0; n < copies.size(); ++n)
                if (copies[n] != 0) tree->nodes.push_back(n);
        }
        m_receivers.resize(geometry.nodes());
        for (const uint32_t n : tree->nodes) m_receivers[n].mbp = mbp;
    }
    // The MBP that has sent the copy a node receives; None, if none is known.
    uint32_t sender_to(uint32_t node) const {
        return m_receivers.empty() ? None : m_receivers[node].mbp;
    }
    // Packets have numbers.
    bool has_received(uint32_t node, uint64_t number) const {
        return m_receivers[node].last == number;
    }
    void receive(uint32_t node, uint64_t number) { m_receivers[node].last = number; }

private:
    struct Tree {
        uint32_t mbp;
        Maps maps;
        std::vector<uint32_t> nodes;
    };
    struct Receiver {
        uint32_t mbp = None;
        uint64_t last = ~uint64_t(0);
    };
    std::vector<Tree> m_trees;
    std::vector<Receiver> m_receivers;  // by node
};

}  // namespace rdt::machine
