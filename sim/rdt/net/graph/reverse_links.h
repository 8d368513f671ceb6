// SPDX-License-Identifier: MIT
// The links of a network by the node they lead to, for searches backwards from a destination.
#pragma once

#include <rdt/net/graph/network.h>

namespace rdt {

class ReverseLinks {
public:
    struct Link {
        NodeId from;
        uint16_t port;
    };

    explicit ReverseLinks(const Network& network) : m_first(network.nodes() + 1, 0) {
        const uint32_t nodes = network.nodes();
        const uint32_t ports = network.ports();
        const auto for_links = [&](auto&& f) {
            for (NodeId node = 0; node < nodes; ++node)
                for (uint32_t port = 0; port < ports; ++port)
                    if (const auto to = network.neighbor(node, port)) f(node, port, *to);
        };
        for_links([&](NodeId, uint32_t, NodeId to) { ++m_first[to + 1]; });
        for (uint32_t i = 0; i < nodes; ++i) m_first[i + 1] += m_first[i];
        m_links.resize(m_first.back());
        std::vector<uint32_t> end = m_first;
        for_links([&](NodeId node, uint32_t port, NodeId to) {
            m_links[end[to]++] = {node, uint16_t(port)};
        });
    }

    struct Range {
        const Link* first;
        const Link* last;
        const Link* begin() const { return first; }
        const Link* end() const { return last; }
    };
    Range into(NodeId to) const {
        return {m_links.data() + m_first[to], m_links.data() + m_first[to + 1]};
    }

private:
    std::vector<uint32_t> m_first;
    std::vector<Link> m_links;
};

}  // namespace rdt
