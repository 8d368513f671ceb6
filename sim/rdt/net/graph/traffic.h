// SPDX-License-Identifier: MIT
// Traffic patterns: the destination of each packet.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rdt/support/random.h>
#include <rdt/net/graph/network.h>

namespace rdt {

// A custom traffic pattern: a static object registers it by name. `make` gets the network, what
// follows the name and a colon, and the seed; it throws NetworkError for what does not fit. The
// returned function maps a source node to a destination; the node itself means that it sends
// nothing. Threads may call it, each with random numbers of its own.
struct PatternKind {
    using Destination = std::function<NodeId(NodeId source, Random& random)>;
    using Make = std::function<Destination(const Network& network, const std::string& parameters,
                                           uint64_t seed)>;
    struct Entry {
        std::string name;
        std::string about;  // one line
        Make make;
    };
    // Throws NetworkError if there is one of that name.
    PatternKind(std::string name, std::string about, Make make);
    static std::vector<Entry>& all();
};

class Traffic {
public:
    struct Pattern {
        std::string name;
        std::string about;  // one line
    };
    static std::vector<Pattern> patterns();  // also those that registered themselves

    // "uniform", "transpose", ...; "hotspot:0.25" sends that share of the packets to the hot nodes
    // and the rest anywhere. Throws NetworkError for a name or a network that does not fit.
    // Nodes that are down neither send nor receive; a fixed destination that is down gets nothing.
    Traffic(const Network& network, const std::string& name, uint64_t seed,
            const std::vector<NodeId>& down = {});

    // Where a packet of `source` goes; the source itself: this node does not send.
    NodeId destination(NodeId source, Random& random) const {
        if (m_kind == Kind::Uniform) return any_other(source, random);
        if (m_kind == Kind::Fixed) return m_list[source];
        if (!m_is_down.empty()) return among_healthy(source, random);
        return drawn(source, random);
    }
    // Nodes that send. A registered pattern is called a few times.
    uint32_t senders() const;
    const std::vector<NodeId>& hot_spots() const { return m_list; }

private:
    enum class Kind { Uniform, Fixed, HotSpot, Neighbor, Registered, Healthy };

    NodeId any_other(NodeId source, Random& random) const {
        const NodeId node = random.below(m_nodes - 1);
        return node + (node >= source ? 1 : 0);
    }
    NodeId drawn(NodeId source, Random& random) const {
        return m_kind == Kind::HotSpot    ? to_hot_spot(source, random)
               : m_kind == Kind::Neighbor ? to_neighbor(source, random)
                                          : to_registered(source, random);
    }
    NodeId to_registered(NodeId source, Random& random) const;
    bool use_registered(const Network& network, const std::string& name, uint64_t seed);
    NodeId among_healthy(NodeId source, Random& random) const;
    void leave_out(const std::vector<NodeId>& down);
    NodeId to_hot_spot(NodeId source, Random& random) const;
    NodeId to_neighbor(NodeId source, Random& random) const;
    void choose_hot_spots(const std::string& share, uint64_t seed);
    bool place_hot_spots(const std::string& name);
    void list_neighbors(const Network& network);
    void fix(const std::string& name);

    Kind m_kind = Kind::Uniform;
    uint32_t m_nodes;
    double m_hot_share = 1;
    std::vector<NodeId> m_list;     // destination of each node, hot nodes, or all neighbors
    std::vector<uint32_t> m_first;  // of each node's neighbors in the list
    std::vector<bool> m_is_down;    // by node; empty if none is
    std::string m_name;
    PatternKind::Destination m_registered;
};

}  // namespace rdt
