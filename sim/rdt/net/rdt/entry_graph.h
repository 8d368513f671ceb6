// SPDX-License-Identifier: MIT
// The wait graph of input buffers and ack entries together. A multicast that requests an ack holds
// its buffer and, per router, an entry of the ack table while its copies wait for buffers and
// entries of other routers. If the graph has no cycle, no set of unicasts and multicasts can wait
// for each other.
//
// Vertices are the input buffers and, per router, the classes of entries. Nodes of the same kind
// have the same edges, so a walk looks at one node per kind; a full graph of all nodes is ordered.
#pragma once

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include <rdt/core/entry_class.h>
#include <rdt/net/rdt/dependency_graph.h>
#include <rdt/net/rdt/multicast_pass.h>

namespace rdt {

// How entries are given. Anything but the default is an injected bug that the graph has to detect.
struct EntryRule {
    // By class, the class with which it shares its entries; its own by default.
    std::array<uint32_t, NumEntryClasses> shares{0, 1, 2, 3, 4, 5};
    // A port requests an entry for one VC until that one is answered.
    bool is_vc_sticky = false;
};

class EntryGraph {
public:
    // The geometry has to outlive the graph.
    explicit EntryGraph(const Geometry& geometry, const EntryRule& rule = {});

    // A multicast with an ack from every node.
    void add_multicast(Maps maps, Type type);
    // Packets without an ack: what waits for what in `graph`.
    void add_all(const DependencyGraph& graph);

    struct Order {
        bool acyclic;
        uint32_t longest_chain;          // vertices in it; 0 when cyclic
        std::vector<std::string> cycle;  // each waits for the next, the last for the first
    };
    Order order() const;
    // Different states of a packet in a router, over all kinds of node.
    size_t visits() const { return m_seen.size(); }
    // Classes that some multicast has on a node of this kind, by bit.
    uint32_t classes(uint32_t kind) const;

private:
    static constexpr uint32_t Buffers = DependencyGraph::Rows;  // network lanes, and MBPs as one
    static constexpr uint32_t Vertices = Buffers + NumEntryClasses;
    // For a class at a node of one kind: the resources its copies wait for.
    struct Waits {
        uint32_t lanes = 0;                                // output lanes
        std::array<uint32_t, NumNetworkPorts> children{};  // by output: classes, by bit
    };
    struct Kind {
        std::array<uint32_t, Buffers> lanes{};    // by input lane: output lanes
        std::array<uint32_t, Buffers> classes{};  // ... classes of the entry that is requested
        std::array<Waits, NumEntryClasses> entry{};
    };

    uint32_t class_of(const MulticastArrival& arrival, const Bitmap& map) const;
    bool is_new(const MulticastArrival& arrival);
    void visit(const MulticastArrival& arrival);
    uint32_t requested(const Kind& kind, uint32_t lane) const;
    template <typename F>
    void for_outs(uint32_t vertex, F&& f) const;
    std::string name(uint32_t vertex) const;

    const Geometry& m_geometry;
    EntryRule m_rule;
    uint32_t m_top_mask;
    std::array<Kind, NumKinds> m_kinds{};
    std::vector<uint32_t> m_unicasts;  // by node and input lane: output lanes
    std::unordered_set<uint64_t> m_seen;
};

}  // namespace rdt
