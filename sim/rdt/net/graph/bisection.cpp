// SPDX-License-Identifier: MIT
// The smallest cut into two halves: the network's own formula if it has one, otherwise the best of
// many starting cuts refined by moving nodes (net/partition.h), and for small networks a search
// that proves it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/partition.h>

namespace rdt {

namespace {

constexpr uint32_t Refined = 24;              // of the starting cuts, the best
constexpr uint64_t SearchSteps = 20'000'000;  // before a proof is given up

// Depth-first over all ways to put the nodes, in breadth-first order, into two halves. A branch is
// left when its cut, with the links that every undecided node will have across at the least, is
// not below the best one known.
class Prover {
public:
    Prover(const LinkTable& links, uint64_t best) : m_links(links), m_best(best) {
        const uint32_t nodes = links.nodes();
        m_room = {nodes - nodes / 2, nodes / 2};
        m_order = breadth_first(links, 0);
        m_side.assign(nodes, Undecided);
        m_toward.assign(nodes, {0, 0});
    }

    // The smallest cut, or none if it takes too long.
    std::optional<uint64_t> run() {
        const bool even = m_room[0] == m_room[1];
        place(0, 0, 0, 0);
        if (!even) place(0, 1, 0, 0);  // else the other half is the mirror image
        if (m_steps > SearchSteps) return std::nullopt;
        return m_best;
    }

private:
    static constexpr uint8_t Undecided = 2;

    // `least` is what the undecided nodes will have across at the least.
    void place(uint32_t depth, uint32_t side, uint64_t cut, uint64_t least) {
        const NodeId node = m_order[depth];
        const auto floor_of = [this](NodeId n) { return std::min(m_toward[n][0], m_toward[n][1]); };
        if (m_room[side] == 0 || ++m_steps > SearchSteps) return;
        cut += m_toward[node][1 - side];
        least -= floor_of(node);
        m_side[node] = uint8_t(side);
        --m_room[side];
        m_links.for_neighbours(node, [&](NodeId other) {
            if (m_side[other] != Undecided) return;
            least -= floor_of(other);
            ++m_toward[other][side];
            least += floor_of(other);
        });
        if (cut + least < m_best) {
            if (depth + 1 == m_order.size()) {
                m_best = cut;
            } else {
                place(depth + 1, side, cut, least);
                place(depth + 1, 1 - side, cut, least);
            }
        }
        m_side[node] = Undecided;
        ++m_room[side];
        m_links.for_neighbours(node, [&](NodeId other) {
            if (m_side[other] == Undecided && other != node) --m_toward[other][side];
        });
    }

    const LinkTable& m_links;
    uint64_t m_best;
    uint64_t m_steps = 0;
    std::array<uint32_t, 2> m_room{};
    std::vector<NodeId> m_order;
    std::vector<uint8_t> m_side;
    std::vector<std::array<uint32_t, 2>> m_toward;  // links to decided nodes of either half
};

}  // namespace

uint64_t cut(const Network& network, const std::vector<bool>& half) {
    return LinkTable(network).cut(half);
}

Bisection bisection(const Network& network, const WorkOptions& options) {
    if (const auto known = network.known_bisection()) return {*known, true, "exact: formula"};
    const LinkTable links(network);
    std::vector<Halves> starts = starting_cuts(links);
    const size_t tried = starts.size();
    std::vector<uint64_t> cuts;
    for (const Halves& h : starts) cuts.push_back(links.cut(h));
    std::vector<uint32_t> order(starts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return cuts[a] < cuts[b]; });
    order.resize(std::min<size_t>(order.size(), Refined));

    uint64_t best = cuts[order[0]];
    in_parallel(
        uint32_t(order.size()), options, [] { return ~uint64_t(0); },
        [&](uint64_t& least, uint32_t i) {
            least = std::min(least, refine(links, starts[order[i]]));
        },
        [&](uint64_t least) { best = std::min(best, least); });
    // Networks of more than a few dozen nodes are beyond proof; do not try.
    if (links.nodes() <= 64)
        if (const auto proven = Prover(links, best).run())
            return {*proven, true, "exact: search of all halves"};
    return {
        best, false,
        fmt::format("upper bound: best of {} starting cuts (stripes of the numbering, by distance, "
                    "spectral, random), the best {} refined by moving nodes "
                    "(Fiduccia-Mattheyses)",
                    tried, order.size())};
}

}  // namespace rdt
