// SPDX-License-Identifier: MIT
// Table I: how long the ways are on the perfect RDT and on the RDT, by routing.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/net/graph/analysis.h>
#include <rdt/net/rdt/rdt_network.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

struct Lengths {
    double mean;
    uint32_t longest;
};

// From the network's representatives to every node; they stand for all pairs.
Lengths lengths(const Network& network, const std::string& routing_name) {
    const auto routing = make_routing(network, routing_name);
    uint64_t sum = 0;
    uint32_t longest = 0;
    Choices choices;
    for (NodeId src : network.representatives())
        for (NodeId dst = 0; dst < network.nodes(); ++dst) {
            RouteTag tag = routing->start(src, dst);
            NodeId at = src;
            OutChannel in{NoPort, 0};
            uint32_t hops = 0;
            for (;; ++hops) {
                routing->next(at, dst, tag, in, choices);
                if (choices.empty()) break;
                tag = routing->advance(at, tag, choices[0]);
                in = {uint16_t(network.port_back(at, choices[0].port)), choices[0].vc};
                at = *network.neighbor(at, choices[0].port);
            }
            if (at != dst)
                throw std::runtime_error(fmt::format("{} does not deliver {} to {}", routing_name,
                                                     network.label(src), network.label(dst)));
            sum += hops;
            longest = std::max(longest, hops);
        }
    const double pairs = double(network.representatives().size()) * network.nodes();
    return {double(sum) / pairs, longest};
}

// One square of a network divided into four: the links that stay inside.
class Quarter : public Network {
public:
    explicit Quarter(int side) : m_side(side), m_whole(2 * side) {}
    std::string name() const override { return "quarter of " + m_whole.name(); }
    uint32_t nodes() const override { return uint32_t(m_side * m_side); }
    uint32_t ports() const override { return m_whole.ports(); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        const Geometry& g = m_whole.geometry();
        const int x = int(node) % m_side, y = int(node) / m_side;
        const uint32_t rank = port < PortE1 ? 0 : g.rank(g.index(x, y));
        const Vec to = Vec{x, y} + step_of(rank, port);
        if (to.x < 0 || to.x >= m_side || to.y < 0 || to.y >= m_side) return std::nullopt;
        return NodeId(to.x + m_side * to.y);
    }
    uint32_t port_back(NodeId node, uint32_t port) const override {
        return m_whole.port_back(node, port);
    }
    std::vector<std::string> routings() const override { return {"shortest"}; }
    std::unique_ptr<Routing> routing(const std::string&) const override { return nullptr; }

private:
    int m_side;
    RdtNetwork m_whole;
};

// Vector routing that stays inside one square of a network divided into four. The paper states that
// such a partition is possible, but not how to route in it. Here: the simple vectors of the
// displacement without a way around, ranks in descending order, each reached through a neighbor
// that has it. Where every hop left of a rank would leave the square, one of them is replaced by
// the four hops of the next lower rank that lead as far.
class ConfinedVectors {
public:
    explicit ConfinedVectors(int side) : m_side(side), m_whole(2 * side) {}

    Lengths lengths(uint32_t every) const {
        uint64_t sum = 0, pairs = 0;
        uint32_t longest = 0;
        const auto nodes = uint32_t(m_side * m_side);
        for (uint32_t src = 0; src < nodes; src += every)
            for (uint32_t dst = 0; dst < nodes; dst += every, ++pairs) {
                const uint32_t hops = walk(at(src), at(dst));
                sum += hops;
                longest = std::max(longest, hops);
            }
        return {double(sum) / double(pairs), longest};
    }

private:
    struct Step {
        Vec move;  // on rank 0, to the node that has the rank
        Vec unit;  // of the rank's vector
        Vec hop;   // the same in nodes of the base torus
    };
    Vec at(uint32_t node) const { return {int(node) % m_side, int(node) / m_side}; }
    bool is_inside(Vec v) const { return v.x >= 0 && v.x < m_side && v.y >= 0 && v.y < m_side; }

    // The nearest node, then the one closest to where v0 points, then Y before X.
    std::optional<Step> find(Vec from, uint32_t rank, const Vectors& v) const {
        constexpr Vec Moves[] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        const Vec units[] = {{0, v[rank].y > 0 ? 1 : -1}, {v[rank].x > 0 ? 1 : -1, 0}};
        std::optional<Step> best;
        int least = 1 << 20;
        for (const Vec& move : Moves) {
            const Vec node = from + move;
            if (!is_inside(node) || m_whole.rank(m_whole.index(node.x, node.y)) != rank) continue;
            for (const Vec& unit : units) {
                if ((unit.x != 0 ? v[rank].x : v[rank].y) == 0) continue;
                const Axes axes = axes_of(rank);
                const Vec hop = unit.x * axes.x + unit.y * axes.y;
                if (!is_inside(node + hop)) continue;
                const int cost = 64 * length(move) + 2 * length(v[0] + -1 * move) + unit.x * unit.x;
                if (cost >= least) continue;
                least = cost;
                best = Step{move, unit, hop};
            }
        }
        return best;
    }

    uint32_t walk(Vec from, Vec to) const {
        Vectors v = split(to + -1 * from, m_whole.top_rank());
        int hops = 0;
        for (uint32_t rank = m_whole.top_rank(); rank > 0; --rank)
            while (!(v[rank] == Vec{})) {
                if (const auto step = find(from, rank, v)) {
                    hops += length(step->move) + 1;
                    from = from + step->move + step->hop;
                    v[0] = v[0] + -1 * step->move;
                    v[rank] = v[rank] + -1 * step->unit;
                } else if (v[rank].x != 0) {
                    const int sign = v[rank].x > 0 ? 1 : -1;
                    v[rank].x -= sign;
                    v[rank - 1] = v[rank - 1] + sign * Vec{2, 2};
                } else {
                    const int sign = v[rank].y > 0 ? 1 : -1;
                    v[rank].y -= sign;
                    v[rank - 1] = v[rank - 1] + sign * Vec{-2, 2};
                }
            }
        if (!(from + v[0] == to)) throw std::runtime_error("a confined way ends elsewhere");
        return uint32_t(hops + length(v[0]));
    }

    int m_side;
    Geometry m_whole;
};

struct Row {
    const char* name;
    const char* routing;
    double diameter[3];  // 0: not in the paper
    double mean[3];
};
constexpr Row Rows[] = {
    // The paper's own: the vectors of simple vector routing.
    {"floating vector", "floating-simple", {7, 8, 9}, {5.56, 6.67, 7.82}},
    {"fixed vector", "fixed-highest-first", {9, 11, 15}, {5.67, 7.07, 8.60}},
    {"deadlock-free", "deadlock-free-simple", {11, 12, 17}, {6.68, 8.19, 9.96}},
    // This project's: the best order, and the best vectors.
    {"fixed, best order", "fixed", {}, {}},
    {"floating, best vectors", "floating", {}, {}},
    {"deadlock-free, best vectors", "deadlock-free", {}, {}},
    {"adaptive (first choice)", "adaptive", {}, {}},
};

std::optional<double> printed(double value) {
    return value == 0 ? std::nullopt : std::optional<double>(value);
}

}  // namespace

Report table1(const Options& options) {
    Report r{"table1", "Diameter and average distance of the RDT", {}, {}, {}};
    const double theoretical[] = {5, 6, 8, 10}, simple[] = {6, 7, 9, 10};
    for (int i = 0; i < 4; ++i) {
        const int side = 32 << i;
        const std::string nodes = fmt::format("{} nodes, ", side * side);
        options.say("table1, " + nodes);
        const auto prdt = make_network(fmt::format("prdt:{}", side));
        const auto rdt = make_network(fmt::format("rdt:{}", side));
        const Distances best = distances(*prdt, options.work());
        const Lengths walk = lengths(*prdt, "simple");
        r.values.push_back({nodes + "PRDT diameter", best.diameter, theoretical[i], 0, ""});
        r.values.push_back(
            {nodes + "PRDT simple vector diameter", double(walk.longest), simple[i], 0, ""});
        const auto add_rows = [&](const Network& network, const std::string& suffix) {
            for (const Row& row : Rows) {
                if (!suffix.empty() && row.mean[0] == 0) continue;
                const Lengths l = lengths(network, row.routing);
                const bool in_text = i < 3;
                const std::string name = nodes + row.name + suffix;
                r.values.push_back({name + ", diameter", double(l.longest),
                                    in_text ? printed(row.diameter[i]) : std::nullopt, 0, ""});
                r.values.push_back({name + ", average", l.mean,
                                    in_text ? printed(row.mean[i]) : std::nullopt, 4, ""});
            }
        };
        add_rows(*rdt, "");
        if (side <= 64) add_rows(*make_network(fmt::format("rdt:{}/1", side)), ", rank 1");
        const Distances graph = distances(*rdt, options.work());
        r.values.push_back({nodes + "shortest paths, diameter", graph.diameter, {}, 0, ""});
        r.values.push_back({nodes + "shortest paths, average", graph.mean(), {}, 4, ""});
        if (i == 3 || (i == 2 && options.quick)) continue;
        const double diameter[] = {13, 17, 19}, mean[] = {6.69, 8.37, 9.93};
        const Lengths deadlock_free = lengths(*rdt, "deadlock-free-simple");
        // Every 7th node of the largest: all of its pairs would take minutes.
        const Lengths confined = ConfinedVectors(side).lengths(side > 64 ? 7 : 1);
        r.values.push_back(
            {nodes + "closed partition, diameter", double(confined.longest), diameter[i], 0, ""});
        r.values.push_back({nodes + "closed partition, average", confined.mean, mean[i], 4, ""});
        r.values.push_back({nodes + "closed partition, diameter beyond the whole network's",
                            double(confined.longest) - double(deadlock_free.longest),
                            {},
                            0,
                            "by deadlock-free routing; 2 to 4 in the paper"});
        const Distances closed = distances(Quarter(side), options.work());
        r.values.push_back(
            {nodes + "closed partition, shortest paths, diameter", closed.diameter, {}, 0, ""});
        r.values.push_back(
            {nodes + "closed partition, shortest paths, average", closed.mean(), {}, 4, ""});
    }
    r.notes = {
        "Averages over all ordered pairs, the source itself included.",
        "Beside the paper's numbers stand its rules with its vectors, those of simple vector "
        "routing.",
        "\"rank 1\": rdt:SIDE/1, with rank 1 instead of ranks that do not exist, as in Table III.",
        "Fixed vector: highest rank first. Closed partition: vector routing inside a quarter, with "
        "as many",
        "nodes, of a network four times as large; 16384 nodes: pairs of every 7th node."};
    return r;
}

}  // namespace rdt::paper
