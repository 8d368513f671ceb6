// SPDX-License-Identifier: MIT
// Star-connected cycles: which links a symmetry can exchange (section 2).
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include <rdt/net/families/permutation.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/paper/scc_edges.h>

namespace rdt::paper {

namespace {

constexpr uint32_t Lateral = 2;  // the port

struct Place {
    uint32_t place;
    Permutation order;
};
using Symbols = std::array<uint32_t, Permutation::MaxSize>;

// Symmetries that make all the others here: two symbols renamed, all symbols renamed, the ring
// turned by a place.
std::vector<std::vector<NodeId>> symmetries(uint32_t n, uint32_t nodes) {
    const auto image = [&](const std::function<Place(uint32_t place, const Symbols&)>& of) {
        std::vector<NodeId> to(nodes);
        for (NodeId v = 0; v < nodes; ++v) {
            const Permutation order(n, v / (n - 1));
            Symbols symbols{};
            for (uint32_t p = 1; p <= n; ++p) symbols[p - 1] = order[p];
            const Place moved = of(v % (n - 1) + 2, symbols);
            to[v] = moved.order.index() * (n - 1) + moved.place - 2;
        }
        return to;
    };
    const auto renamed = [&](const std::function<uint32_t(uint32_t)>& name) {
        return image([&, name](uint32_t place, Symbols s) -> Place {
            for (uint32_t p = 0; p < n; ++p) s[p] = name(s[p]);
            return {place, Permutation(n, s)};
        });
    };
    const auto next = [n](uint32_t place) { return place == n ? 2 : place + 1; };
    return {renamed([](uint32_t s) { return s == 1   ? 2
                                            : s == 2 ? 1
                                                     : s; }),
            renamed([n](uint32_t s) { return s == n ? 1 : s + 1; }),
            image([&](uint32_t place, const Symbols& s) -> Place {
                Symbols turned = s;
                for (uint32_t p = 2; p <= n; ++p) turned[next(p) - 1] = s[p - 1];
                return {next(place), Permutation(n, turned)};
            })};
}

// Sets that grow together.
class Classes {
public:
    explicit Classes(size_t count) : m_parent(count) {
        std::iota(m_parent.begin(), m_parent.end(), 0);
    }
    size_t root(size_t x) {
        while (m_parent[x] != x) x = m_parent[x] = m_parent[m_parent[x]];
        return x;
    }
    void join(size_t a, size_t b) { m_parent[root(a)] = root(b); }

private:
    std::vector<size_t> m_parent;
};

// Links of the shortest ring that a link is part of.
uint32_t shortest_ring(const Network& network, NodeId node, uint32_t port) {
    const NodeId end = *network.neighbor(node, port);
    std::vector<uint32_t> distance(network.nodes(), ~0u);
    std::vector<NodeId> queue{node};
    distance[node] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
        for (uint32_t p = 0; p < network.ports(); ++p) {
            const auto to = network.neighbor(queue[i], p);
            const bool is_the_link = queue[i] == node && to == end;
            if (!to || is_the_link || distance[*to] != ~0u) continue;
            distance[*to] = distance[queue[i]] + 1;
            queue.push_back(*to);
        }
    return distance[end] + 1;
}

}  // namespace

void add_scc_edges(Report& r, const Options& options) {
    for (uint32_t n = 4; n <= (options.quick ? 5 : 6); ++n) {
        const auto network = make_network(fmt::format("scc:{}", n));
        const uint32_t ports = network->ports();
        Classes links(size_t(network->nodes()) * ports), nodes(network->nodes());
        uint32_t broken = 0;  // links that a symmetry takes to no link
        const auto port_to = [&](NodeId from, NodeId to) {
            for (uint32_t p = 0; p < ports; ++p)
                if (network->neighbor(from, p) == to) return p;
            ++broken;
            return 0u;
        };
        for (const std::vector<NodeId>& image : symmetries(n, network->nodes()))
            for (NodeId v = 0; v < network->nodes(); ++v) {
                nodes.join(v, image[v]);
                for (uint32_t p = 0; p < ports; ++p)
                    if (const auto to = network->neighbor(v, p)) {
                        links.join(v * ports + p, *to * ports + port_to(*to, v));
                        links.join(v * ports + p, image[v] * ports + port_to(image[v], image[*to]));
                    }
            }
        std::vector<size_t> roots;
        uint32_t mixed = 0;  // lateral links in a class with local ones
        for (NodeId v = 0; v < network->nodes(); ++v)
            for (uint32_t p = 0; p < ports; ++p)
                if (network->neighbor(v, p)) roots.push_back(links.root(v * ports + p));
        for (NodeId v = 0; v < network->nodes(); ++v)
            for (uint32_t p = 0; p < Lateral; ++p)
                mixed += links.root(v * ports + p) == links.root(Lateral) ? 1 : 0;
        std::sort(roots.begin(), roots.end());
        const auto classes = std::unique(roots.begin(), roots.end()) - roots.begin();
        uint32_t places = 0;
        for (NodeId v = 0; v < network->nodes(); ++v) places += nodes.root(v) == v ? 1 : 0;
        const std::string name = fmt::format("section 2, n = {}, ", n);
        r.values.push_back({name + "classes of links", double(classes), 2, 0,
                            broken != 0  ? "a symmetry is none"
                            : mixed != 0 ? "local and lateral ones are mixed"
                                         : "local and lateral: within each any can be exchanged"});
        r.values.push_back({name + "classes of nodes", double(places), 1, 0, "vertex-symmetric"});
        r.values.push_back({name + "shortest ring of a lateral link, beside a local one's",
                            double(shortest_ring(*network, 0, Lateral)),
                            double(shortest_ring(*network, 0, 0)), 0,
                            "not the same, so no symmetry exchanges them"});
    }
}

}  // namespace rdt::paper
