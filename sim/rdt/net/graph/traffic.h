// SPDX-License-Identifier: MIT
// Who sends to whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rdt/support/random.h>
#include <rdt/net/graph/network.h>

namespace rdt {

class Traffic {
public:
    struct Pattern {
        std::string name;
        std::string about;  // one line
    };
    static const std::vector<Pattern>& patterns();

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
        return m_kind == Kind::HotSpot ? to_hot_spot(source, random) : to_neighbour(source, random);
    }
    const std::vector<NodeId>& hot_spots() const { return m_list; }

private:
    enum class Kind { Uniform, Fixed, HotSpot, Neighbour, Healthy };

    NodeId any_other(NodeId source, Random& random) const {
        const NodeId node = random.below(m_nodes - 1);
        return node + (node >= source ? 1 : 0);
    }
    NodeId among_healthy(NodeId source, Random& random) const;
    void leave_out(const std::vector<NodeId>& down);
    NodeId to_hot_spot(NodeId source, Random& random) const;
    NodeId to_neighbour(NodeId source, Random& random) const;
    void choose_hot_spots(const std::string& share, uint64_t seed);
    void list_neighbours(const Network& network);
    void fix(const std::string& name);

    Kind m_kind = Kind::Uniform;
    uint32_t m_nodes;
    double m_hot_share = 1;
    std::vector<NodeId> m_list;     // destination of each node, hot nodes, or all neighbours
    std::vector<uint32_t> m_first;  // of each node's neighbours in the list
    std::vector<bool> m_is_down;    // by node; empty if none is
};

}  // namespace rdt
