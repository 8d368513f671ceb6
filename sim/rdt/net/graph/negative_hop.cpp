// SPDX-License-Identifier: MIT
#include <rdt/net/graph/negative_hop.h>

#include <fmt/core.h>

#include <algorithm>
#include <mutex>

#include <rdt/support/parallel.h>
#include <rdt/net/graph/partition.h>
#include <rdt/net/graph/reverse_links.h>

namespace rdt {

namespace {

constexpr uint32_t MostVcs = 256;  // limit of OutChannel

// Greedy in breadth-first order: two colors where two are enough.
std::vector<uint32_t> colored(const Network& network) {
    constexpr uint32_t None = ~0u;
    const LinkTable links(network);
    std::vector<uint32_t> color(network.nodes(), None);
    std::vector<NodeId> queue;
    for (NodeId root = 0; root < network.nodes(); ++root) {
        if (color[root] != None) continue;
        color[root] = 0;
        queue.assign(1, root);
        for (size_t i = 0; i < queue.size(); ++i)
            links.for_neighbors(queue[i], [&](NodeId node) {
                if (color[node] != None) return;
                std::vector<bool> taken(links.degree() + 1, false);
                links.for_neighbors(node, [&](NodeId other) {
                    if (color[other] < taken.size()) taken[color[other]] = true;
                });
                color[node] =
                    uint32_t(std::find(taken.begin(), taken.end(), false) - taken.begin());
                queue.push_back(node);
            });
    }
    return color;
}

// Routing data of a node for one destination.
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
          m_color(colored(network)),
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
        const NodeId to = *m_network.neighbor(at, taken.port);
        return {tag[0] + (descends(at, to) ? 1 : 0), 0};
    }

private:
    bool descends(NodeId from, NodeId to) const { return m_color[to] < m_color[from]; }

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
        if (most >= MostVcs)
            throw NetworkError(
                fmt::format("negative-hop would need {} virtual channels on {}; {} "
                            "are the most",
                            most + 1, m_network.name(), MostVcs));
        return most + 1;
    }

    const Network& m_network;
    const ReverseLinks m_links;
    const std::vector<uint32_t> m_color;
    const std::unique_ptr<std::once_flag[]> m_once;
    mutable std::vector<std::vector<Entry>> m_tables;  // made once each, then only read
    mutable std::once_flag m_counted;
    mutable uint32_t m_vcs = 0;
};

class NegativeHopChannels : public Routing {
public:
    NegativeHopChannels(const Network& network, std::unique_ptr<Routing> ways,
                        std::vector<bool> is_down, uint32_t counted)
        : m_network(network),
          m_ways(std::move(ways)),
          m_is_down(std::move(is_down)),
          m_counted(counted),
          m_color(colored(network)) {}
    uint32_t vcs() const override {
        if (m_network.nodes() > m_counted) return MostUncounted;
        std::call_once(m_once, [this] { m_vcs = 1 + most_descents(); });
        return m_vcs;
    }
    RouteTag start(NodeId src, NodeId dst) const override { return m_ways->start(src, dst); }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        m_ways->next(at, dst, tag, in, out);
        if (out.empty()) return;
        const uint32_t port = out[0].port;
        out.clear();
        out.add(port,
                in.port == NoPort ? 0 : in.vc + descent(*m_network.neighbor(at, in.port), at));
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_ways->advance(at, tag, taken);
    }

private:
    uint32_t descent(NodeId from, NodeId to) const { return m_color[to] < m_color[from] ? 1 : 0; }

    // Those of the last hop do not count.
    uint32_t descents(NodeId src, NodeId dst) const {
        constexpr int MostHops = 1024;
        RouteTag tag = m_ways->start(src, dst);
        OutChannel in{NoPort, 0};
        Choices choices;
        uint32_t before = 0, count = 0;
        NodeId at = src;
        for (int hops = 0; hops < MostHops; ++hops) {
            m_ways->next(at, dst, tag, in, choices);
            if (choices.empty()) break;
            tag = m_ways->advance(at, tag, choices[0]);
            in = {uint16_t(m_network.port_back(at, choices[0].port)), choices[0].vc};
            const NodeId to = *m_network.neighbor(at, choices[0].port);
            before = count;
            count += descent(at, to);
            at = to;
        }
        if (at != dst)
            throw NetworkError("no way leads from " + m_network.label(src) + " to " +
                               m_network.label(dst));
        return before;
    }
    uint32_t most_descents() const {
        const auto is_up = [&](NodeId node) { return m_is_down.empty() || !m_is_down[node]; };
        uint32_t most = 0;
        in_parallel(
            m_network.nodes(), {}, [] { return uint32_t(0); },
            [&](uint32_t& worst, NodeId src) {
                for (NodeId dst = 0; dst < m_network.nodes() && is_up(src); ++dst)
                    if (is_up(dst)) worst = std::max(worst, descents(src, dst));
            },
            [&](uint32_t worst) { most = std::max(most, worst); });
        return most;
    }

    const Network& m_network;
    const std::unique_ptr<Routing> m_ways;
    const std::vector<bool> m_is_down;
    const uint32_t m_counted;
    const std::vector<uint32_t> m_color;
    mutable std::once_flag m_once;
    mutable uint32_t m_vcs = 0;
};

}  // namespace

std::unique_ptr<Routing> make_negative_hop_channels(const Network& network,
                                                    std::unique_ptr<Routing> ways,
                                                    std::vector<bool> is_down, uint32_t counted) {
    return std::make_unique<NegativeHopChannels>(network, std::move(ways), std::move(is_down),
                                                 counted);
}

std::unique_ptr<Routing> make_negative_hop_routing(const Network& network) {
    return std::make_unique<NegativeHop>(network);
}

}  // namespace rdt
