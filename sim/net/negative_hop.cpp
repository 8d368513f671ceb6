// SPDX-License-Identifier: MIT
#include "net/negative_hop.h"

#include <algorithm>
#include <mutex>

#include "net/parallel.h"
#include "net/partition.h"
#include "net/reverse_links.h"

namespace rdt {

namespace {

// Greedy in breadth-first order: two colours where two are enough.
std::vector<uint32_t> coloured(const Network& network) {
    constexpr uint32_t None = ~0u;
    const LinkTable links(network);
    std::vector<uint32_t> colour(network.nodes(), None);
    std::vector<NodeId> queue;
    for (NodeId root = 0; root < network.nodes(); ++root) {
        if (colour[root] != None) continue;
        colour[root] = 0;
        queue.assign(1, root);
        for (size_t i = 0; i < queue.size(); ++i)
            links.for_neighbours(queue[i], [&](NodeId node) {
                if (colour[node] != None) return;
                std::vector<bool> taken(links.degree() + 1, false);
                links.for_neighbours(node, [&](NodeId other) {
                    if (colour[other] < taken.size()) taken[colour[other]] = true;
                });
                colour[node] =
                    uint32_t(std::find(taken.begin(), taken.end(), false) - taken.begin());
                queue.push_back(node);
            });
    }
    return colour;
}

// What a node knows about one destination.
struct Entry {
    uint16_t port = NoPort;
    uint16_t distance = 0xFFFF;
    uint16_t descents = 0xFFFF;  // on the way, the last hop's not counted
};

class NegativeHop : public Routing {
public:
    explicit NegativeHop(const Network& network)
        : m_network(network),
          m_links(network),
          m_colour(coloured(network)),
          m_once(std::make_unique<std::once_flag[]>(network.nodes())),
          m_tables(network.nodes()) {}

    uint32_t vcs() const override {
        std::call_once(m_counted, [this] { m_vcs = count_vcs(); });
        return m_vcs;
    }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        std::call_once(m_once[dst], [&] { m_tables[dst] = table(dst); });
        const Entry& entry = m_tables[dst][at];
        if (entry.port == NoPort)
            throw NetworkError("there is no path from " + m_network.label(at) + " to " +
                               m_network.label(dst));
        out.add(entry.port, uint32_t(tag[0]));
    }

    // The tag counts the descents.
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        const NodeId to = *m_network.neighbour(at, taken.port);
        return {tag[0] + (descends(at, to) ? 1 : 0), 0};
    }

private:
    bool descends(NodeId from, NodeId to) const { return m_colour[to] < m_colour[from]; }

    std::vector<Entry> table(NodeId dst) const {
        std::vector<Entry> entries(m_network.nodes());
        std::vector<NodeId> queue{dst};
        entries[dst].distance = entries[dst].descents = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const NodeId to = queue[i];
            const Entry& there = entries[to];
            for (const ReverseLinks::Link& link : m_links.into(to)) {
                Entry& here = entries[link.from];
                if (here.distance == 0xFFFF) {
                    here.distance = uint16_t(there.distance + 1);
                    queue.push_back(link.from);
                }
                if (here.distance != there.distance + 1) continue;
                const bool counts = to != dst && descends(link.from, to);
                const auto descents = uint16_t(there.descents + (counts ? 1 : 0));
                if (descents < here.descents ||
                    (descents == here.descents && link.port < here.port))
                    here = {link.port, here.distance, descents};
            }
        }
        return entries;
    }

    uint32_t count_vcs() const {
        uint32_t most = 0;
        in_parallel(
            m_network.nodes(), {}, [] { return uint32_t(0); },
            [this](uint32_t& worst, NodeId dst) {
                for (const Entry& e : table(dst))
                    if (e.port != NoPort) worst = std::max<uint32_t>(worst, e.descents);
            },
            [&](uint32_t worst) { most = std::max(most, worst); });
        return most + 1;
    }

    const Network& m_network;
    const ReverseLinks m_links;
    const std::vector<uint32_t> m_colour;
    const std::unique_ptr<std::once_flag[]> m_once;
    mutable std::vector<std::vector<Entry>> m_tables;  // made once each, then only read
    mutable std::once_flag m_counted;
    mutable uint32_t m_vcs = 0;
};

}  // namespace

std::unique_ptr<Routing> make_negative_hop_routing(const Network& network) {
    return std::make_unique<NegativeHop>(network);
}

}  // namespace rdt
