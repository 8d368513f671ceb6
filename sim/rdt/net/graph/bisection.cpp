// SPDX-License-Identifier: MIT
// The smallest cut into two halves: the network's own formula if it has one, otherwise the best of
// many starting cuts refined by moving nodes (net/partition.h), and for small networks a search
// that proves it.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/partition.h>

namespace rdt {

namespace {

constexpr uint32_t Refined = 24;              // number of best starting cuts to refine
constexpr uint64_t SearchSteps = 20'000'000;  // before a proof is abandoned

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
        m_links.for_neighbors(node, [&](NodeId other) {
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
        m_links.for_neighbors(node, [&](NodeId other) {
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

BestCut best_cut(const Network& network, const WorkOptions& options) {
    const LinkTable links(network);
    std::vector<Halves> starts = starting_cuts(links);
    size_t tried = starts.size();
    std::stable_sort(starts.begin(), starts.end(),
                     [&](const Halves& a, const Halves& b) { return links.cut(a) < links.cut(b); });
    starts.resize(std::min<size_t>(starts.size(), Refined));
    tried -= starts.size();
    if (const auto* natural = dynamic_cast<const WithNaturalOrder*>(&network))
        starts.push_back(halves_by(natural->natural_order()));
    const std::vector<Halves> by_metis = metis_cuts(links);
    starts.insert(starts.end(), by_metis.begin(), by_metis.end());
    tried += starts.size();

    std::vector<uint64_t> cuts(starts.size());
    in_parallel(
        uint32_t(starts.size()), options, [] { return 0; },
        [&](int&, uint32_t i) { cuts[i] = refine(links, starts[i]); }, [](int) {});
    const auto best = size_t(std::min_element(cuts.begin(), cuts.end()) - cuts.begin());
    return {starts[best], cuts[best], tried, starts.size(), !by_metis.empty()};
}

Bisection bisection(const Network& network, const WorkOptions& options) {
    if (const auto known = network.known_bisection()) return {*known, true, "exact: formula"};
    const BestCut best = best_cut(network, options);
    // Networks of more than a few dozen nodes are beyond proof; do not try.
    if (network.nodes() <= 64) {
        const LinkTable links(network);
        if (const auto proven = Prover(links, best.links).run())
            return {*proven, true, "exact: search of all halves"};
    }
    return {best.links, false,
            fmt::format("upper bound: best of {} starting cuts (stripes of the numbering, by "
                        "distance, spectral, random, by construction{}), {} of them refined by "
                        "moving nodes (Fiduccia-Mattheyses)",
                        best.tried, best.with_metis ? ", METIS" : "", best.refined)};
}

}  // namespace rdt
