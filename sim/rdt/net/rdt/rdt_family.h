// SPDX-License-Identifier: MIT
// RDT(n,R,m) for any cardinal number n, highest rank R and number m of upper tori a node has
// (definitions 3 and 4): rdt:SIDE,n,R,m. With m = R it is perfect.
#pragma once

#include <rdt/net/graph/network.h>
#include <rdt/net/rdt/rdt_geometry.h>
#include <rdt/net/rdt/rdt_tori.h>

namespace rdt {

// Node x + SIDE*y, label "x,y". Ports E W N S of rank 0, then of each rank the node has, in
// ascending order.
//
// Which m ranks a node has depends on its place in the minimum node set (i,j), so that all nodes of
// a torus have it. With n = 2 and m = 1 it is assignment alpha, where a rank above R stands for R,
// as in rdt:SIDE; otherwise the ranks are assigned cyclically, m per node, shifted by one for every
// step East and by n for a step of j.
class RdtFamily : public Network {
public:
    static constexpr uint32_t MaxRanks = 15;
    // Throws NetworkError with the values that the definitions allow.
    RdtFamily(int side, int n, uint32_t ranks, uint32_t upper,
              MissingRank missing = MissingRank::Highest);

    const RankTori& tori() const { return m_tori; }
    uint32_t ranks() const { return m_ranks; }
    uint32_t upper() const { return m_upper; }
    bool is_perfect() const { return m_upper == m_ranks; }
    int side() const { return m_tori.side(); }
    Vec at(NodeId node) const { return {int(node) % side(), int(node) / side()}; }
    NodeId index(Vec v) const;
    // Upper ranks of a node, ascending.
    const std::vector<uint32_t>& ranks_of(NodeId node) const { return m_by_kind[kind(node)]; }
    // Rank of a port: 0, or the upper rank.
    uint32_t rank_of(NodeId node, uint32_t port) const {
        return port < 4 ? 0 : ranks_of(node)[port / 4 - 1];
    }
    // The step of a direction (E W N S) of a rank.
    Vec step(uint32_t rank, uint32_t direction) const { return m_steps[4 * rank + direction]; }
    // Independent tori of a rank that some node has.
    uint64_t tori_in_use(uint32_t rank) const;
    // Both components within half of the side.
    Vec displacement(NodeId src, NodeId dst) const;

    std::string name() const override;
    uint32_t nodes() const override { return uint32_t(side()) * uint32_t(side()); }
    uint32_t ports() const override { return 4 * (m_upper + 1); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return index(at(node) + step(rank_of(node, port), port & 3));
    }
    // Upper links join nodes of the same place in the minimum node set, which have the same ranks.
    uint32_t port_back(NodeId, uint32_t port) const override { return opposite(port); }
    std::string label(NodeId node) const override;
    NodeId parse(const std::string& text) const override;
    // "simple" (perfect ones only): simple vector routing, ranks descending, Y before X.
    std::vector<std::string> routings() const override;
    std::unique_ptr<Routing> routing(const std::string& name) const override;
    Position position(NodeId node) const override;
    Position period() const override { return {double(side()), double(side())}; }
    std::vector<NodeId> representatives() const override;

private:
    size_t kind(NodeId node) const;

    RankTori m_tori;
    uint32_t m_ranks;
    uint32_t m_upper;
    std::vector<Vec> m_steps;                      // by 4 * rank + direction
    std::vector<std::vector<uint32_t>> m_by_kind;  // ranks, by place in the minimum node set
};

// rdt:SIDE and prdt:SIDE as members of the family, rdt:SIDE,n,R,m itself; throws NetworkError for
// a network that is no RDT.
std::unique_ptr<RdtFamily> as_family(const Network& network);

// The paper's simple vector routing for any n: the vectors of ranks 0 to `ranks`, each in that
// rank's own axes, ties rounded toward zero.
std::vector<Vec> split(Vec displacement, int n, uint32_t ranks);

// On a perfect RDT, free of deadlock with two virtual channels where no ring is gone round twice.
std::unique_ptr<Routing> make_simple_routing(const RdtFamily& network);

// Theorem 3: at most as many hops.
double theorem3(double side, int n, uint32_t ranks);

}  // namespace rdt
