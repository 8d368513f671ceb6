// SPDX-License-Identifier: MIT
// Distances between all pairs of nodes. Two kinds of search, exact both: one source at a time, or
// 512 at once, one bit each. The latter looks at every node on every level, so it pays where
// levels are few; the diameter seen from node 0 decides.
#include <algorithm>
#include <array>
#include <stdexcept>

#include <rdt/net/graph/analysis.h>

// Counting bits and 256-bit operations, where the machine has them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define RDT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define RDT_WIDE
#endif

namespace rdt {

namespace {

// Neighbors of all nodes; a port that is not there leads to the node itself, which no search
// notices.
struct Table {
    explicit Table(const Network& network)
        : nodes(network.nodes()), ports(network.ports()), to(size_t(nodes) * ports) {
        for (NodeId node = 0; node < nodes; ++node)
            for (uint32_t port = 0; port < ports; ++port)
                to[size_t(node) * ports + port] = network.neighbor(node, port).value_or(node);
    }
    uint32_t nodes;
    uint32_t ports;
    std::vector<NodeId> to;
};

struct PathSums {
    uint32_t diameter = 0;
    uint64_t sum = 0;
    void add(const PathSums& r) {
        diameter = std::max(diameter, r.diameter);
        sum += r.sum;
    }
};

[[noreturn]] void fail_unreached() {
    throw std::runtime_error("the network is not connected: some node cannot be reached");
}

class Search {
public:
    explicit Search(const Table& table) : m_table(table), m_queue(table.nodes) {}

    PathSums from(NodeId src) {
        m_seen.assign(m_table.nodes, 0);
        m_queue[0] = src;
        m_seen[src] = 1;
        PathSums r;
        uint32_t end = 1;
        for (uint32_t begin = 0, level_end = 1; begin < end; level_end = end) {
            for (; begin < level_end; ++begin) {
                const NodeId* const row = &m_table.to[size_t(m_queue[begin]) * m_table.ports];
                for (uint32_t port = 0; port < m_table.ports; ++port) {
                    const NodeId next = row[port];
                    m_queue[end] = next;  // kept only if new
                    end += m_seen[next] ^ 1;
                    m_seen[next] = 1;
                    if (end == m_table.nodes) break;
                }
                if (end == m_table.nodes) break;
            }
            if (end == level_end) break;
            ++r.diameter;
            r.sum += uint64_t(r.diameter) * (end - level_end);
            if (end == m_table.nodes) break;
        }
        if (end != m_table.nodes) fail_unreached();
        return r;
    }

private:
    const Table& m_table;
    std::vector<NodeId> m_queue;
    std::vector<uint8_t> m_seen;
};

constexpr uint32_t Words = 8;
constexpr uint32_t Batch = 64 * Words;  // a cache line of sources
struct alignas(64) Sources {
    std::array<uint64_t, Words> words{};
};

// Those sources that reach a node on this level for the first time; how many pairs that makes.
RDT_WIDE uint64_t advance(const Table& table, const std::vector<Sources>& now,
                          std::vector<Sources>& seen, std::vector<Sources>& next) {
    uint64_t count = 0;
    const NodeId* row = table.to.data();
    for (NodeId node = 0; node < table.nodes; ++node, row += table.ports) {
        Sources in;
        for (uint32_t port = 0; port < table.ports; ++port)
            for (uint32_t w = 0; w < Words; ++w) in.words[w] |= now[row[port]].words[w];
        for (uint32_t w = 0; w < Words; ++w) {
            in.words[w] &= ~seen[node].words[w];
            seen[node].words[w] |= in.words[w];
        }
        for (uint32_t w = 0; w < Words; ++w) count += uint64_t(__builtin_popcountll(in.words[w]));
        next[node] = in;
    }
    return count;
}

// The search goes against the direction of links; over all pairs that is the same.
class WideSearch {
public:
    explicit WideSearch(const Table& table)
        : m_table(table), m_now(table.nodes), m_next(table.nodes), m_seen(table.nodes) {}

    PathSums from(const std::vector<NodeId>& sources, size_t first) {
        const size_t count = std::min<size_t>(Batch, sources.size() - first);
        std::fill(m_now.begin(), m_now.end(), Sources{});
        for (size_t i = 0; i < count; ++i)
            m_now[sources[first + i]].words[i / 64] |= uint64_t(1) << i % 64;
        m_seen = m_now;
        PathSums r;
        uint64_t left = uint64_t(count) * (m_table.nodes - 1);
        while (left != 0) {
            const uint64_t reached = advance(m_table, m_now, m_seen, m_next);
            if (reached == 0) fail_unreached();
            ++r.diameter;
            r.sum += r.diameter * reached;
            left -= reached;
            m_now.swap(m_next);
        }
        return r;
    }

private:
    const Table& m_table;
    std::vector<Sources> m_now, m_next, m_seen;
};

constexpr uint32_t FewLevels = 100;

}  // namespace

Size size_of(const Network& network) {
    Size size{0, 0};
    for (NodeId node = 0; node < network.nodes(); ++node) {
        uint32_t links = 0;
        for (uint32_t port = 0; port < network.ports(); ++port)
            links += network.neighbor(node, port) ? 1 : 0;
        size.degree = std::max(size.degree, links);
        size.links += links;
    }
    if (!network.directed()) size.links /= 2;
    return size;
}

Distances distances(const Network& network, const WorkOptions& options, bool by_symmetry) {
    const Table table(network);
    std::vector<NodeId> sources;
    if (by_symmetry) sources = network.representatives();
    if (sources.empty()) {
        sources.resize(table.nodes);
        for (NodeId node = 0; node < table.nodes; ++node) sources[node] = node;
    }
    PathSums total;
    const auto merge = [&](const auto& worker) { total.add(worker.second); };
    if (sources.size() >= Batch && Search(table).from(0).diameter < FewLevels) {
        const auto batches = uint32_t((sources.size() + Batch - 1) / Batch);
        in_parallel(
            batches, options, [&] { return std::pair(WideSearch(table), PathSums()); },
            [&](auto& worker, uint32_t i) {
                worker.second.add(worker.first.from(sources, size_t(i) * Batch));
            },
            merge);
    } else {
        in_parallel(
            uint32_t(sources.size()), options, [&] { return std::pair(Search(table), PathSums()); },
            [&](auto& worker, uint32_t i) { worker.second.add(worker.first.from(sources[i])); },
            merge);
    }
    return {table.nodes, total.diameter, total.sum * (table.nodes / sources.size())};
}

}  // namespace rdt
