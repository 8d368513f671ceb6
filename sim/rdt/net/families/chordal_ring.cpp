// SPDX-License-Identifier: MIT
#include <rdt/net/families/chordal_ring.h>

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include <rdt/net/graph/negative_hop.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/support/random.h>

namespace rdt {

namespace {

// Algorithm 2. Long skips come before short ones, so links of one length wait only for their like
// and for shorter ones; where they would go round in a circle, from node N-1 to 0, a packet changes
// to the other VC, and it does so once.
class SymmetricGreedy : public Routing {
public:
    explicit SymmetricGreedy(const ChordalRing& ring) : m_ring(ring) {}
    uint32_t vcs() const override { return 2; }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        const uint32_t ahead = m_ring.ahead(at, dst);
        if (ahead == 0) return;
        uint32_t port = uint32_t(m_ring.skips().size());
        while (m_ring.length(at, port) > ahead) --port;
        out.add(port, uint32_t(tag[0]));
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return {tag[0] | (*m_ring.neighbor(at, taken.port) < at ? 1 : 0), 0};
    }

private:
    const ChordalRing& m_ring;
};

// Algorithm 3, node by node: up the ring to the first node of a group, then a skip wherever it does
// not lead too far, and else a step. Skips are used in the order s_g to s_1, in VC 0 and, behind
// node 0, in VC 1. Steps before the first skip are in VC 0, those from a skip to the next shorter
// one in VC 1, those behind all skips in VC 2 and, behind node 0, VC 3: so each kind waits only for
// what comes later.
class PeriodicGreedy : public Routing {
public:
    explicit PeriodicGreedy(const ChordalRing& ring) : m_ring(ring) {}
    uint32_t vcs() const override { return 4; }

    RouteTag start(NodeId src, NodeId) const override {
        return {is_first(src) ? uint64_t(Aligned) : 0, 0};
    }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        const uint32_t ahead = m_ring.ahead(at, dst);
        if (ahead == 0) return;
        const uint32_t wrapped = tag[0] & Wrapped ? 1 : 0;
        if (!(tag[0] & Aligned)) out.add(0, 0);
        else if (ahead >= m_ring.length(at, 1)) out.add(1, wrapped);
        else out.add(0, tag[0] & Final ? 2 + wrapped : 1);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        const NodeId to = *m_ring.neighbor(at, taken.port);
        uint64_t state = tag[0];
        if (to < at) state |= Wrapped;
        if (taken.port == 0 && is_first(to)) state |= state & Aligned ? Final : Aligned;
        return {state, 0};
    }

private:
    enum State : uint64_t { Aligned = 1, Final = 2, Wrapped = 4 };
    bool is_first(NodeId node) const { return node % m_ring.group() == 0; }
    const ChordalRing& m_ring;
};

class FaultTolerantGreedy : public Routing {
public:
    FaultTolerantGreedy(const ChordalRing& ring, BrokenLinks broken)
        : m_ring(ring), m_greedy(ring.routing("greedy")), m_broken(std::move(broken)) {}
    uint32_t vcs() const override { return m_greedy->vcs(); }
    RouteTag start(NodeId src, NodeId dst) const override { return m_greedy->start(src, dst); }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        m_greedy->next(at, dst, tag, in, out);
        if (out.empty() || m_broken.count({at, out[0].port}) == 0) return;
        out.clear();
        const uint32_t ahead = m_ring.ahead(at, dst);
        std::optional<uint32_t> best;
        const auto worth = [&](uint32_t port) {
            const uint32_t length = m_ring.length(at, port);
            return length <= ahead ? int64_t(length) : -int64_t(length);
        };
        for (uint32_t port = 0; port < m_ring.ports(); ++port)
            if (m_broken.count({at, port}) == 0 && (!best || worth(port) > worth(*best)))
                best = port;
        if (best) out.add(*best, 0);
    }
    // A step in place of a skip begins again, with the longest skip of the next group: the shorter
    // ones of this group would keep the packet from all longer ones.
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        const bool anew = m_ring.is_periodic() && taken.port == 0 && taken.vc == 0;
        return m_greedy->advance(at, anew ? RouteTag{} : tag, taken);
    }

private:
    const ChordalRing& m_ring;
    const std::unique_ptr<Routing> m_greedy;
    const BrokenLinks m_broken;
};

uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// Every skip and at last N, over the one before, the first over 1.
std::vector<uint32_t> ratios(const ChordalRing& ring) {
    std::vector<uint32_t> result;
    uint32_t before = 1;
    for (uint32_t skip : ring.skips()) {
        result.push_back(ceil_div(skip, before));
        before = skip;
    }
    result.push_back(ceil_div(ring.nodes(), before));
    return result;
}

uint32_t sum(const std::vector<uint32_t>& numbers) {
    uint32_t total = 0;
    for (uint32_t n : numbers) total += n;
    return total;
}

// Calls take(skips) for all ways to continue from these skips, each a divisor of the next.
template <class Take>
void for_chains(uint32_t nodes, size_t length, std::vector<uint32_t>& skips, Take&& take) {
    if (skips.size() == length) return take(skips);
    const uint32_t last = skips.back();
    for (uint32_t next = 2 * last; next < nodes; next += last) {
        if (nodes % next != 0) continue;
        skips.push_back(next);
        for_chains(nodes, length, skips, take);
        skips.pop_back();
    }
}

constexpr const char* SymmetricForm = "chordal:N,S1[,S2...]";
constexpr const char* PeriodicForm = "prc:N,S1,...,SG";
constexpr size_t MaxSkips = 30;

std::unique_ptr<Network> make(ChordalRing::Kind kind, const char* form, const std::string& text) {
    std::vector<uint32_t> p = parse_numbers(text, ',', form, 2, MaxSkips + 1);
    const uint32_t nodes = checked_nodes(p[0]);
    p.erase(p.begin());
    return std::make_unique<ChordalRing>(kind, nodes, p);
}

const NetworkKind symmetric{"chordal", SymmetricForm,
                            "chordal ring of N nodes with one-way links of all skip lengths",
                            [](const std::string& text) {
                                return make(ChordalRing::Kind::Symmetric, SymmetricForm, text);
                            }};
const NetworkKind periodic{
    "prc", PeriodicForm,
    "periodically regular chordal ring: skips distributed over groups of G nodes",
    [](const std::string& text) { return make(ChordalRing::Kind::Periodic, PeriodicForm, text); }};

}  // namespace

ChordalRing::ChordalRing(Kind kind, uint32_t nodes, std::vector<uint32_t> skips)
    : m_kind(kind), m_nodes(nodes), m_skips(std::move(skips)) {
    uint32_t before = 1;
    for (uint32_t skip : m_skips) {
        const bool goes_up = is_periodic() ? skip >= before : skip > before;
        if (!goes_up || skip == 1 || skip >= nodes)
            throw NetworkError(fmt::format(
                "a skip of {} does not fit; skips go up, from more than 1 to less than {}", skip,
                nodes));
        before = skip;
    }
    const uint32_t g = group();
    if (nodes % g != 0)
        throw NetworkError(fmt::format(
            "{} skips make groups of {}, which do not divide {} nodes; allowed is a divisor of {}",
            g, g, nodes, nodes));
    for (uint32_t skip : m_skips)
        if (skip % g != 0)
            throw NetworkError(fmt::format(
                "a skip of {} is no multiple of the group size {}; allowed are multiples of it",
                skip, g));
}

std::string ChordalRing::name() const {
    return fmt::format("{}:{},{}", is_periodic() ? "prc" : "chordal", m_nodes, joined(m_skips));
}

std::unique_ptr<Routing> ChordalRing::routing(const std::string& name) const {
    if (name == "negative-hop") return make_negative_hop_routing(*this);
    if (is_periodic()) return std::make_unique<PeriodicGreedy>(*this);
    return std::make_unique<SymmetricGreedy>(*this);
}

std::vector<NodeId> ChordalRing::representatives() const {
    std::vector<NodeId> nodes(group());
    for (uint32_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
    return nodes;
}

std::vector<uint32_t> greedy_path(const ChordalRing& ring, NodeId from, NodeId to) {
    std::vector<uint32_t> path;
    const std::vector<uint32_t>& skips = ring.skips();
    while (ring.is_periodic() && from != to && from % ring.group() != 0) {
        from = (from + 1) % ring.nodes();
        path.push_back(1);
    }
    uint32_t d = ring.ahead(from, to);
    for (size_t h = skips.size() + 1; h-- > 0 && d != 0;) {
        const uint32_t skip = h == 0 ? 1 : skips[h - 1];
        for (; d >= skip; d -= skip) path.push_back(skip);
        if (!ring.is_periodic() || d == 0) continue;
        path.push_back(1);
        --d;
    }
    return path;
}

std::vector<uint32_t> as_met_hops(const ChordalRing& ring, NodeId from) {
    constexpr uint32_t Never = ~0u / 2;
    const uint32_t nodes = ring.nodes();
    std::vector<uint32_t> best(nodes, Never), skips{0};  // fewest of the nodes met, by length
    skips.resize(nodes, Never);
    for (uint32_t steps = 0; steps < nodes; ++steps) {
        if (steps < ring.group()) {
            const uint32_t skip = ring.length((from + steps) % nodes, 1);
            for (uint32_t d = skip; d < nodes; ++d)
                skips[d] = std::min(skips[d], skips[d - skip] + 1);
        }
        for (uint32_t d = steps; d < nodes; ++d)
            best[d] = std::min(best[d], steps + skips[d - steps]);
    }
    return best;
}

std::unique_ptr<Routing> make_fault_tolerant_greedy(const ChordalRing& ring, BrokenLinks broken) {
    return std::make_unique<FaultTolerantGreedy>(ring, std::move(broken));
}

uint32_t greedy_bound(const ChordalRing& ring) {
    const auto count = uint32_t(ring.skips().size());
    const uint32_t all = sum(ratios(ring));
    return ring.is_periodic() ? all + count - 3 : all - count - 1;
}

uint32_t improved_greedy_bound(const ChordalRing& ring) {
    const std::vector<uint32_t>& skips = ring.skips();
    uint32_t bound = greedy_bound(ring);
    for (size_t h = 0; h + 1 < skips.size(); ++h)
        bound -= ceil_div(skips[h + 1], skips[h]) - ceil_div(skips[h + 1] - 1, skips[h]);
    return bound;
}

std::optional<uint32_t> diameter_formula(const ChordalRing& ring) {
    std::vector<uint32_t> chain = ring.skips();
    chain.push_back(ring.nodes());
    for (size_t i = 1; i < chain.size(); ++i)
        if (chain[i] % chain[i - 1] != 0 || chain[i] == chain[i - 1]) return std::nullopt;
    const uint32_t all = sum(ratios(ring));
    if (!ring.is_periodic()) return all - uint32_t(chain.size());
    return ring.group() == 1 ? all - 2 : all - 3;
}

uint64_t contiguous_cut(const ChordalRing& ring) {
    return 2 + 2 * uint64_t(sum(ring.skips())) / ring.group();
}

std::optional<std::vector<uint32_t>> best_skips(uint32_t nodes, Least what) {
    std::optional<std::vector<uint32_t>> best;
    using Quality = std::tuple<uint32_t, int64_t>;  // less is better
    Quality least{};
    for (uint32_t g = 1; uint64_t(g) << g <= nodes; ++g) {
        if (nodes % g != 0) continue;
        for (uint32_t first = g == 1 ? 2 : g; first < nodes; first += g) {
            if (nodes % first != 0) continue;
            std::vector<uint32_t> skips{first};
            for_chains(nodes, g, skips, [&](const std::vector<uint32_t>& all) {
                const ChordalRing ring(ChordalRing::Kind::Periodic, nodes, all);
                const Quality q{
                    what == Least::Diameter ? *diameter_formula(ring) : greedy_bound(ring),
                    -int64_t(contiguous_cut(ring))};
                if (best && q >= least) return;
                least = q;
                best = all;
            });
        }
    }
    return best;
}

namespace {

// Diameter and sum of distances of a periodic ring, from one group of nodes, breadth first. Stops
// beyond `limit`.
struct Spread {
    uint32_t diameter;
    uint64_t sum;
};
Spread spread_of(uint32_t nodes, const std::vector<uint32_t>& skips, uint32_t limit,
                 std::vector<uint32_t>& distance, std::vector<uint32_t>& queue) {
    constexpr uint32_t Unknown = ~0u;
    const auto g = uint32_t(skips.size());
    Spread spread{0, 0};
    for (uint32_t from = 0; from < g; ++from) {
        distance.assign(nodes, Unknown);
        queue.assign(1, from);
        distance[from] = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const uint32_t at = queue[i];
            if (distance[at] > limit) return {distance[at], ~uint64_t(0)};
            spread.sum += distance[at];
            spread.diameter = std::max(spread.diameter, distance[at]);
            for (const uint32_t length : {1u, skips[g - 1 - at % g]}) {
                const uint32_t to = (at + length) % nodes;
                if (distance[to] != Unknown) continue;
                distance[to] = distance[at] + 1;
                queue.push_back(to);
            }
        }
    }
    return spread;
}

}  // namespace

FoundRing search_skips(uint32_t nodes, uint32_t starts, uint64_t seed) {
    if (nodes < 4 || nodes > 1u << 16)
        throw NetworkError(fmt::format("a search needs 4 to 65536 nodes, not {}", nodes));
    Random random(seed);
    FoundRing best{{}, ~0u};
    uint64_t least = ~uint64_t(0);
    std::vector<uint32_t> distance, queue;
    for (uint32_t g = 1; g <= 8; ++g) {
        if (nodes % g != 0 || nodes / g < 3) continue;
        const auto draw = [&] { return g * (1 + random.below(nodes / g - 1)); };
        for (uint32_t start = 0; start < starts; ++start) {
            std::vector<uint32_t> skips(g);
            for (uint32_t& skip : skips) skip = std::max(2u, draw());
            Spread now = spread_of(nodes, skips, nodes, distance, queue);
            // Skips in any order are those of another ring; the class requires ascending skips, so
            // only sorted lists are compared.
            for (uint32_t idle = 0; idle < 60;) {
                std::vector<uint32_t> other = skips;
                other[random.below(g)] = std::max(2u, draw());
                std::sort(other.begin(), other.end());
                const Spread s = spread_of(nodes, other, now.diameter, distance, queue);
                const bool is_better =
                    std::tie(s.diameter, s.sum) < std::tie(now.diameter, now.sum);
                idle = is_better ? 0 : idle + 1;
                if (!is_better) continue;
                skips = other;
                now = s;
            }
            std::sort(skips.begin(), skips.end());
            now = spread_of(nodes, skips, nodes, distance, queue);
            const uint64_t mean = now.sum / g;
            if (std::tie(now.diameter, mean) >= std::tie(best.diameter, least)) continue;
            best = {skips, now.diameter};
            least = mean;
        }
    }
    return best;
}

}  // namespace rdt
