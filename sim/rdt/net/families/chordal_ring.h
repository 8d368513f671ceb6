// SPDX-License-Identifier: MIT
// Rings with skip links, all of them one-way (Parhami). In a node-symmetric chordal ring every node
// has a link of every length; in a periodically regular one (PRC) the skips s_1 <= ... <= s_g are
// dealt out to groups of g nodes, the longest to the first node of each: node v has the link to
// v + 1 and the one to v + s_(g - v mod g), so two links lead out of and into every node.
#pragma once

#include <set>

#include <rdt/net/graph/network.h>

namespace rdt {

class ChordalRing : public Network {
public:
    enum class Kind { Symmetric, Periodic };
    // Throws NetworkError unless 1 < s_1 < ... < N, and for a periodic one, which may have equal
    // skips, unless the number of skips divides N and every skip.
    ChordalRing(Kind kind, uint32_t nodes, std::vector<uint32_t> skips);

    std::string name() const override;
    uint32_t nodes() const override { return m_nodes; }
    uint32_t ports() const override { return is_periodic() ? 2 : uint32_t(m_skips.size() + 1); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return uint32_t((uint64_t(node) + length(node, port)) % m_nodes);
    }
    uint32_t port_back(NodeId, uint32_t) const override { return NoPort; }
    bool directed() const override { return true; }
    std::vector<std::string> routings() const override { return {"greedy", "negative-hop"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override;
    std::vector<NodeId> representatives() const override;

    bool is_periodic() const { return m_kind == Kind::Periodic; }
    const std::vector<uint32_t>& skips() const { return m_skips; }
    // Nodes after which the links repeat.
    uint32_t group() const { return is_periodic() ? uint32_t(m_skips.size()) : 1; }
    // Port 0 is the ring's; then come the skips in ascending order, or the node's own.
    uint32_t length(NodeId node, uint32_t port) const {
        if (port == 0) return 1;
        return m_skips[is_periodic() ? m_skips.size() - 1 - node % m_skips.size() : port - 1];
    }
    uint32_t ahead(NodeId from, NodeId to) const {
        return to >= from ? to - from : to + m_nodes - from;
    }

private:
    const Kind m_kind;
    const uint32_t m_nodes;
    const std::vector<uint32_t> m_skips;
};

// The links that greedy routing takes, by their lengths, as one sees it who knows the whole way:
// the paper's Algorithm 1, and 3 for a periodic ring. The routing "greedy" decides the same node by
// node (Algorithm 2).
std::vector<uint32_t> greedy_path(const ChordalRing& ring, NodeId from, NodeId to);

// The variant of Algorithm 3 in the proof of theorem 3: skips are taken in the order in which their
// nodes are met, without going to the first node of a group. By the distance ahead, hops of the
// best such way from a node: so many steps along the ring, and skips of the nodes that these lead
// to.
std::vector<uint32_t> as_met_hops(const ChordalRing& ring, NodeId from);

// Greedy routing around links that are down, named by node and port: of those that work, the
// longest that does not lead beyond the destination, else the shortest, once more around the ring.
// A packet that comes to a node without a working link ends there. For single packets: going around
// more than once, it is not free of deadlock.
using BrokenLinks = std::set<std::pair<NodeId, uint32_t>>;
std::unique_ptr<Routing> make_fault_tolerant_greedy(const ChordalRing& ring, BrokenLinks broken);

// Formulas of the paper. Steps of greedy routing, at most.
uint32_t greedy_bound(const ChordalRing& ring);
// The same with the improved ceil((s_(h+1) - 1) / s_h) - 1 for each skip of a periodic ring.
uint32_t improved_greedy_bound(const ChordalRing& ring);
// Theorems 1 and 3; none unless every skip divides the next one, which is larger, and the last N.
std::optional<uint32_t> diameter_formula(const ChordalRing& ring);
// Theorems 2 and 4: links cut when the ring is cut in two places; more than the bisection may be.
uint64_t contiguous_cut(const ChordalRing& ring);

// The periodic ring of N nodes with skips that divide each other that has the least diameter, or
// the least bound on greedy routing; of several the one with the widest cut. None if there is no
// such.
enum class Least { Diameter, GreedyBound };
std::optional<std::vector<uint32_t>> best_skips(uint32_t nodes, Least what);

// The same without the condition that skips divide each other: hill climbing from random skips, so
// the diameter is an upper bound on the least one. Tries group sizes up to 8, `starts` starts each.
struct FoundRing {
    std::vector<uint32_t> skips;
    uint32_t diameter;
};
FoundRing search_skips(uint32_t nodes, uint32_t starts, uint64_t seed);

}  // namespace rdt
