// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_family.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <rdt/net/graph/negative_hop.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/rdt/rdt_network.h>

namespace rdt {

namespace {

void require(bool right, const std::string& otherwise) {
    if (!right) throw NetworkError(otherwise);
}

// The ranks of a node at (i,j) of the minimum node set.
std::vector<uint32_t> dealt(int i, int j, int n, uint32_t ranks, uint32_t upper,
                            MissingRank missing) {
    const bool is_alpha = n == 2 && upper == 1 && ranks <= MaxRank;
    const int places = is_alpha ? int(MaxRank) : int(ranks);
    std::vector<uint32_t> own;
    for (uint32_t t = 0; t < upper; ++t) {
        const int place = int(upper) * (1 - i + n * j) + int(t);
        own.push_back(uint32_t(((place % places) + places) % places) + 1);
        if (is_alpha && own.back() > ranks) own.back() = missing == MissingRank::One ? 1 : ranks;
    }
    std::sort(own.begin(), own.end());
    return own;
}

}  // namespace

RdtFamily::RdtFamily(int side, int n, uint32_t ranks, uint32_t upper, MissingRank missing)
    : m_tori(side, n), m_ranks(ranks), m_upper(upper) {
    checked_nodes(uint64_t(side) * uint64_t(side));
    require(ranks >= 1 && ranks <= std::min(MaxRanks, m_tori.max_rank()),
            fmt::format("with n = {0} a torus of {1} x {1} nodes forms ranks up to {2}, so R is 1 "
                        "to {2}, not {3}",
                        n, side, std::min(MaxRanks, m_tori.max_rank()), ranks));
    require(upper >= 1 && upper <= ranks,
            fmt::format("m, the upper tori of a node, is 1 to R = {}, not {}", ranks, upper));
    for (uint32_t rank = 0; rank <= ranks; ++rank) {
        const Axes a = m_tori.axes(rank);
        for (Vec v : {a.x, -1 * a.x, a.y, -1 * a.y}) m_steps.push_back(v);
    }
    if (is_perfect()) {
        m_by_kind.emplace_back();
        for (uint32_t rank = 1; rank <= ranks; ++rank) m_by_kind[0].push_back(rank);
        return;
    }
    require(side % (2 * n) == 0,
            fmt::format("with m < R the side has to be a multiple of 2n = {}, not {}: ranks are "
                        "given to the 2n x n nodes of the minimum node set",
                        2 * n, side));
    std::set<uint32_t> used;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < 2 * n; ++i) {
            m_by_kind.push_back(dealt(i, j, n, ranks, upper, missing));
            used.insert(m_by_kind.back().begin(), m_by_kind.back().end());
        }
    require(used.size() == ranks,
            fmt::format("{} nodes of the minimum node set with {} ranks each do not have all of "
                        "{}; m has to be larger",
                        2 * n * n, upper, ranks));
}

NodeId RdtFamily::index(Vec v) const {
    const int s = side();
    return NodeId((v.x % s + s) % s + s * ((v.y % s + s) % s));
}

size_t RdtFamily::kind(NodeId node) const {
    if (is_perfect()) return 0;
    const auto [i, j] = m_tori.kind(at(node));
    return size_t(i + 2 * m_tori.n() * j);
}

uint64_t RdtFamily::tori_in_use(uint32_t rank) const {
    uint64_t kinds = 0;
    for (const auto& ranks : m_by_kind)
        kinds += uint64_t(std::count(ranks.begin(), ranks.end(), rank));
    return m_tori.count(rank) * kinds / m_by_kind.size();
}

Vec RdtFamily::displacement(NodeId src, NodeId dst) const {
    const auto shortest = [this](int d) {
        d = (d % side() + side()) % side();
        return d > side() / 2 ? d - side() : d;
    };
    const Vec from = at(src), to = at(dst);
    return {shortest(to.x - from.x), shortest(to.y - from.y)};
}

std::string RdtFamily::name() const {
    return fmt::format("rdt:{},{},{},{}", side(), m_tori.n(), m_ranks, m_upper);
}

std::string RdtFamily::label(NodeId node) const {
    return fmt::format("{},{}", at(node).x, at(node).y);
}

NodeId RdtFamily::parse(const std::string& text) const {
    if (text.find(',') == std::string::npos) return Network::parse(text);
    const auto c = parse_numbers(text, ',', "x,y of " + name(), 2, 2);
    require(c[0] < uint32_t(side()) && c[1] < uint32_t(side()),
            fmt::format("{} has no node {}", name(), text));
    return c[0] + uint32_t(side()) * c[1];
}

std::vector<std::string> RdtFamily::routings() const {
    if (is_perfect()) return {"simple", "negative-hop"};
    return {"negative-hop"};
}

std::unique_ptr<Routing> RdtFamily::routing(const std::string& name) const {
    if (name == "simple") return make_simple_routing(*this);
    return make_negative_hop_routing(*this);
}

Position RdtFamily::position(NodeId node) const { return {double(at(node).x), double(at(node).y)}; }

std::vector<NodeId> RdtFamily::representatives() const {
    if (is_perfect()) return {0};
    std::vector<NodeId> nodes;
    for (int j = 0; j < m_tori.n(); ++j)
        for (int i = 0; i < 2 * m_tori.n(); ++i) nodes.push_back(index({i, j}));
    return nodes;
}

std::unique_ptr<RdtFamily> as_family(const Network& network) {
    if (const auto* rdt = dynamic_cast<const RdtFamily*>(&network))
        return std::make_unique<RdtFamily>(*rdt);
    if (const auto* rdt = dynamic_cast<const RdtNetwork*>(&network)) {
        const Geometry& g = rdt->geometry();
        return std::make_unique<RdtFamily>(g.side(), 2, g.top_rank(), 1, g.missing_rank());
    }
    if (const auto* rdt = dynamic_cast<const PrdtNetwork*>(&network))
        return std::make_unique<RdtFamily>(rdt->geometry().side(), 2, rdt->top_rank(),
                                           rdt->top_rank());
    throw NetworkError(network.name() + " is no RDT; allowed are rdt:... and prdt:...");
}

double theorem3(double side, int n, uint32_t ranks) {
    return side * std::pow(2, std::ceil((double(ranks) - 1) / 2)) / std::pow(2 * n, ranks) +
           n * double(ranks);
}

}  // namespace rdt
