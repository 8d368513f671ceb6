// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <rdt/net/graph/partition.h>

namespace rdt {

namespace {

// Load of each directed link for one packet from every node to every other, divided equally over
// all shortest paths (Brandes's edge betweenness).
class PathShares {
public:
    explicit PathShares(const LinkTable& links)
        : m_links(links),
          m_load(links.places(), 0),
          m_distance(links.nodes()),
          m_paths(links.nodes()),
          m_share(links.nodes()) {}

    void add(NodeId source) {
        std::fill(m_distance.begin(), m_distance.end(), Unseen);
        std::fill(m_paths.begin(), m_paths.end(), 0);
        std::fill(m_share.begin(), m_share.end(), 0);
        m_order.assign(1, source);
        m_distance[source] = 0;
        m_paths[source] = 1;
        for (size_t i = 0; i < m_order.size(); ++i) {
            const NodeId node = m_order[i];
            m_links.for_neighbors(node, [&](NodeId other) {
                if (m_distance[other] == Unseen) {
                    m_distance[other] = m_distance[node] + 1;
                    m_order.push_back(other);
                }
                if (m_distance[other] == m_distance[node] + 1) m_paths[other] += m_paths[node];
            });
        }
        for (size_t i = m_order.size(); i-- > 0;) {
            const NodeId node = m_order[i];
            uint32_t place = m_links.first_place(node);
            m_links.for_neighbors(node, [&](NodeId other) {
                if (m_distance[other] == m_distance[node] + 1) {
                    const double share = m_paths[node] / m_paths[other] * (1 + m_share[other]);
                    m_load[place] += share;
                    m_share[node] += share;
                }
                ++place;
            });
        }
    }
    const std::vector<double>& load() const { return m_load; }

private:
    static constexpr uint32_t Unseen = ~0u;
    const LinkTable& m_links;
    std::vector<double> m_load;
    std::vector<uint32_t> m_distance;
    std::vector<double> m_paths, m_share;
    std::vector<NodeId> m_order;
};

}  // namespace

uint64_t bisection_at_least(const Network& network, const WorkOptions& options) {
    const LinkTable links(network);
    const uint32_t nodes = links.nodes();
    std::vector<double> load;  // by place in the table, one way
    in_parallel(
        nodes, options, [&] { return PathShares(links); },
        [](PathShares& shares, NodeId source) { shares.add(source); },
        [&](const PathShares& shares) {
            load.resize(shares.load().size(), 0);
            for (size_t i = 0; i < load.size(); ++i) load[i] += shares.load()[i];
        });
    const double busiest =
        load.empty() ? 0 : 2 * *std::max_element(load.begin(), load.end());  // both ways
    if (busiest == 0) return 0;
    const double crossing = 2.0 * (nodes / 2) * (nodes - nodes / 2);
    return uint64_t(std::ceil(crossing / busiest * (1 - 1e-9)));
}

}  // namespace rdt
