// SPDX-License-Identifier: MIT
#include <rdt/net/graph/partition.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <rdt/support/random.h>

namespace rdt {

namespace {

constexpr int SpectralStarts = 12;
constexpr int SpectralSteps = 300;
constexpr int RandomStarts = 4;
constexpr int MaxPasses = 30;

// In [-1, 1).
double centred(SplitMix& random) {
    return double(random.next() >> 11) / double(uint64_t(1) << 52) - 1;
}

// The second half of the nodes in this order.
Halves second_half(const std::vector<NodeId>& order) {
    Halves halves(order.size(), false);
    for (size_t i = order.size() - order.size() / 2; i < order.size(); ++i) halves[order[i]] = true;
    return halves;
}

// Values that differ little between neighbors: the average over the neighbors, again and again,
// with the common mean taken out.
std::vector<double> vibration(const LinkTable& links, SplitMix& random) {
    const uint32_t nodes = links.nodes();
    std::vector<double> value(nodes), next(nodes);
    for (double& v : value) v = centred(random);
    for (int step = 0; step < SpectralSteps; ++step) {
        double sum = 0;
        for (NodeId node = 0; node < nodes; ++node) {
            double v = value[node] * links.degree();
            links.for_neighbors(node, [&](NodeId other) { v += value[other] - value[node]; });
            next[node] = v;
            sum += next[node];
        }
        double largest = 1e-300;
        for (double& v : next) {
            v -= sum / nodes;
            largest = std::max(largest, std::abs(v));
        }
        for (double& v : next) v /= largest;
        value.swap(next);
    }
    return value;
}

// Unmoved nodes of either half by what moving them would gain, in lists that are cheap to change.
class Buckets {
public:
    Buckets(uint32_t nodes, uint32_t degree)
        : m_span(degree), m_next(nodes, None), m_before(nodes, None) {
        for (auto& heads : m_heads) heads.assign(2 * degree + 1, None);
    }
    void insert(NodeId node, bool half, int gain) {
        NodeId& head = m_heads[half][size_t(gain + m_span)];
        m_next[node] = head;
        m_before[node] = None;
        if (head != None) m_before[head] = node;
        head = node;
        m_top[half] = std::max(m_top[half], gain + m_span);
    }
    void remove(NodeId node, bool half, int gain) {
        if (m_before[node] != None) m_next[m_before[node]] = m_next[node];
        else m_heads[half][size_t(gain + m_span)] = m_next[node];
        if (m_next[node] != None) m_before[m_next[node]] = m_before[node];
    }
    // The node of this half with the largest gain.
    NodeId best(bool half) {
        int& top = m_top[half];
        while (top >= 0 && m_heads[half][size_t(top)] == None) --top;
        return top < 0 ? None : m_heads[half][size_t(top)];
    }
    static constexpr NodeId None = ~0u;

private:
    const int m_span;
    std::array<std::vector<NodeId>, 2> m_heads;
    std::array<int, 2> m_top{-1, -1};
    std::vector<NodeId> m_next, m_before;
};

// One pass; what it gained.
int64_t improve(const LinkTable& links, Halves& halves) {
    const uint32_t nodes = links.nodes();
    Buckets buckets(nodes, links.degree());
    std::vector<int> gain(nodes, 0);
    std::vector<bool> moved(nodes, false);
    for (NodeId node = 0; node < nodes; ++node) {
        links.for_neighbors(
            node, [&](NodeId other) { gain[node] += halves[other] != halves[node] ? 1 : -1; });
        buckets.insert(node, halves[node], gain[node]);
    }
    std::vector<NodeId> moves;
    int64_t total = 0;
    int64_t best = 0;
    size_t kept = 0;
    for (bool half = false;; half = !half) {
        const NodeId node = buckets.best(half);
        if (node == Buckets::None) break;
        buckets.remove(node, half, gain[node]);
        moved[node] = true;
        total += gain[node];
        halves[node] = !half;
        moves.push_back(node);
        links.for_neighbors(node, [&](NodeId other) {
            if (moved[other]) return;
            buckets.remove(other, halves[other], gain[other]);
            gain[other] += halves[other] == half ? 2 : -2;
            buckets.insert(other, halves[other], gain[other]);
        });
        if (total > best && moves.size() % 2 == 0) {
            best = total;
            kept = moves.size();
        }
    }
    for (size_t i = kept; i < moves.size(); ++i) halves[moves[i]] = !halves[moves[i]];
    return best;
}

}  // namespace

Halves halves_by(const std::vector<double>& value) {
    std::vector<NodeId> order(value.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](NodeId a, NodeId b) { return value[a] < value[b]; });
    return second_half(order);
}

LinkTable::LinkTable(const Network& network) : m_first(network.nodes() + 1, 0) {
    const auto for_ends = [&](auto&& f) {
        for (NodeId node = 0; node < network.nodes(); ++node)
            for (uint32_t port = 0; port < network.ports(); ++port)
                if (const auto to = network.neighbor(node, port)) {
                    f(node, *to);
                    if (network.directed()) f(*to, node);
                }
    };
    for_ends([&](NodeId node, NodeId) { ++m_first[node + 1]; });
    for (size_t i = 1; i < m_first.size(); ++i) {
        m_degree = std::max(m_degree, m_first[i]);
        m_first[i] += m_first[i - 1];
    }
    m_to.resize(m_first.back());
    std::vector<uint32_t> end = m_first;
    for_ends([&](NodeId node, NodeId to) { m_to[end[node]++] = to; });
}

uint64_t LinkTable::cut(const Halves& halves) const {
    uint64_t links = 0;
    for (NodeId node = 0; node < nodes(); ++node)
        if (halves[node])
            for_neighbors(node, [&](NodeId other) { links += halves[other] ? 0 : 1; });
    return links;
}

std::vector<NodeId> breadth_first(const LinkTable& links, NodeId root) {
    std::vector<NodeId> order{root};
    std::vector<bool> seen(links.nodes(), false);
    seen[root] = true;
    for (NodeId next = 0; order.size() < links.nodes();) {
        for (size_t i = 0; i < order.size(); ++i)
            links.for_neighbors(order[i], [&](NodeId other) {
                if (seen[other]) return;
                seen[other] = true;
                order.push_back(other);
            });
        // Not connected: continue somewhere else.
        while (next < links.nodes() && seen[next]) ++next;
        if (next < links.nodes()) {
            seen[next] = true;
            order.push_back(next);
        }
    }
    return order;
}

std::vector<Halves> starting_cuts(const LinkTable& links) {
    const uint32_t nodes = links.nodes();
    std::vector<Halves> cuts;
    const auto side = uint32_t(std::lround(std::sqrt(nodes)));
    const bool square = side * side == nodes;
    for (uint32_t stripe = nodes / 2; stripe > 0; stripe /= 2)
        for (uint32_t slant : {0u, 1u, side - 1}) {
            if (slant != 0 && (!square || stripe > side / 2)) continue;
            std::vector<double> value(nodes);
            for (NodeId node = 0; node < nodes; ++node)
                value[node] = (node + slant * (node / side)) / stripe % 2;
            cuts.push_back(halves_by(value));
        }
    if (square) {
        // Rows and columns of the first quarter, and where both are of the second.
        std::vector<double> value(nodes);
        for (NodeId node = 0; node < nodes; ++node) {
            const uint32_t x = node % side, y = node / side;
            value[node] = 4 * std::min(x, y) < side ? 0 : 2 * std::max(x, y) < side ? 1 : 2;
        }
        cuts.push_back(halves_by(value));
    }
    SplitMix random(1);
    for (NodeId root : {NodeId(0), NodeId(nodes / 3)})
        cuts.push_back(second_half(breadth_first(links, root)));
    for (int i = 0; i < SpectralStarts; ++i) cuts.push_back(halves_by(vibration(links, random)));
    for (int i = 0; i < RandomStarts; ++i) {
        std::vector<double> value(nodes);
        for (double& v : value) v = centred(random);
        cuts.push_back(halves_by(value));
    }
    return cuts;
}

void balance(const LinkTable& links, Halves& halves) {
    const auto large = size_t((links.nodes() + 1) / 2);
    const auto in_second = size_t(std::count(halves.begin(), halves.end(), true));
    const bool from = in_second > large;
    for (size_t count = from ? in_second : halves.size() - in_second; count > large; --count) {
        NodeId cheapest = 0;
        int64_t most = std::numeric_limits<int64_t>::min();
        for (NodeId node = 0; node < links.nodes(); ++node) {
            if (halves[node] != from) continue;
            int64_t gain = 0;
            links.for_neighbors(node,
                                [&](NodeId other) { gain += halves[other] != from ? 1 : -1; });
            if (gain > most) {
                most = gain;
                cheapest = node;
            }
        }
        halves[cheapest] = !from;
    }
}

uint64_t refine(const LinkTable& links, Halves& halves) {
    for (int pass = 0; pass < MaxPasses && improve(links, halves) > 0; ++pass) {
    }
    return links.cut(halves);
}

}  // namespace rdt
