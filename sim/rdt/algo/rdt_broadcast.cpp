// SPDX-License-Identifier: MIT
// Broadcasts of the RDT paper's section V-B and Table VI: rank by rank on the perfect RDT, with
// changes of rank on the RDT itself, and on the tree that the paper compares with.
#include <fmt/core.h>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/broadcast.h>
#include <rdt/net/rdt/broadcast_steps.h>
#include <rdt/net/rdt/rdt_family.h>
#include <rdt/net/rdt/rdt_network.h>

namespace rdt::algo {

namespace {

const Parameter From{"from", "0", "node that has the message, by index"};

NodeId source_of(const Parameters& p, const Network& network) {
    return NodeId(p.number("from", 0, network.nodes() - 1));
}

// Figure 13 (a), from the top rank down: a step to the four neighbors, a second one from the
// South neighbor to its three others. A top torus of more than these eight nodes takes further
// steps, in which every node that has the message forwards it.
class RankByRank {
public:
    RankByRank(const Network& network, uint32_t top_rank, NodeId source)
        : m_network(network), m_has(network.nodes(), false), m_holders{source} {
        m_has[source] = true;
        for (uint32_t rank = top_rank + 1; rank-- > 0;) spread(rank, rank == top_rank);
    }
    const Schedule& schedule() const { return m_schedule; }

private:
    enum Direction { East, West, North, South };

    void spread(uint32_t rank, bool is_top) {
        const std::vector<NodeId> roots = m_holders;
        begin();
        for (NodeId node : roots)
            for (Direction d : {East, West, North, South}) send(node, rank, d);
        std::vector<NodeId> relays;
        for (NodeId node : roots) relays.push_back(*m_network.neighbor(node, 4 * rank + South));
        begin();
        for (NodeId node : relays)
            for (Direction d : {East, West, South}) send(node, rank, d);
        for (bool is_new = is_top; is_new; is_new = !m_schedule.steps.back().empty()) {
            const std::vector<NodeId> all = m_holders;
            begin();
            for (NodeId node : all)
                for (Direction d : {East, West, North, South}) send(node, rank, d);
        }
        if (is_top) m_schedule.steps.pop_back();
    }
    void begin() { m_schedule.steps.emplace_back(); }
    void send(NodeId from, uint32_t rank, Direction d) {
        const NodeId to = *m_network.neighbor(from, 4 * rank + d);
        if (m_has[to]) return;
        m_has[to] = true;
        m_holders.push_back(to);
        m_schedule.steps.back().push_back({from, 4 * rank + uint32_t(d)});
    }

    const Network& m_network;
    std::vector<bool> m_has;
    std::vector<NodeId> m_holders;
    Schedule m_schedule;
};

Outcome outcome_of(const Network& network, const Schedule& schedule, NodeId source,
                   std::optional<uint64_t> bound) {
    const BroadcastResult r =
        run_broadcast(network, PortModel::AllPort, schedule, source, 1, uint32_t(1));
    uint64_t messages = 0;
    for (const auto& step : schedule.steps) messages += step.size();
    return {r.steps, bound, r.complete, "", {{"messages", messages}}};
}

Outcome on_perfect(const Network& network, const Parameters& p) {
    const auto rdt = as_family(network);
    if (rdt->tori().n() != 2)
        throw NetworkError("the eight receivers of figure 13 are those of n = 2, not n = " +
                           std::to_string(rdt->tori().n()));
    const NodeId source = source_of(p, network);
    const uint32_t top = rdt->ranks();
    Outcome o =
        outcome_of(network, RankByRank(network, top, source).schedule(), source, 2 * (top + 1));
    const uint64_t on_top = rdt->tori().size(top).nodes();
    if (on_top > 8)
        o.text = fmt::format(
            "the top torus has {} nodes; figure 13's two steps on it would reach eight\n", on_top);
    return o;
}

Outcome broadcast_on_rdt(const Network& network, const Parameters& p) {
    if (const auto* family = dynamic_cast<const RdtFamily*>(&network)) {
        if (family->is_perfect()) return on_perfect(network, p);
        throw NetworkError("broadcast needs rdt:SIDE, or a perfect RDT with n = 2");
    }
    const Geometry& g = dynamic_cast<const RdtNetwork&>(network).geometry();
    const BroadcastSteps b = broadcast_steps(g);
    Outcome o{b.steps, 3 * uint64_t(g.top_rank()) + 2, b.reached == g.nodes(), "", {}};
    o.counts = {{"messages", b.messages}};
    o.text = "from the source that takes longest; bound: 3R+2\n";
    return o;
}

// From the last leaf up to the root and down again.
Outcome on_tree(const Network& network, const Parameters& p) {
    const NodeId source = p.text("from") == "last" ? network.nodes() - 1 : source_of(p, network);
    return outcome_of(network, flood(network, source), source, std::nullopt);
}

const Algorithm prdt{
    "prdt", "broadcast", "figure 13 from the top rank down, in 2(R+1) steps", {From}, on_perfect};
const Algorithm rdt_{"rdt",
                     "broadcast",
                     "as the paper does it, with changes of rank; perfect ones as prdt",
                     {{"from", "0", "node that has the message, by index; perfect RDTs only"}},
                     broadcast_on_rdt};
const Algorithm tree{"tree",
                     "broadcast",
                     "up from a leaf and down again, all ports",
                     {{"from", "last", "node that has the message, by index, or last"}},
                     on_tree};

}  // namespace

}  // namespace rdt::algo
