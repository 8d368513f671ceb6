// SPDX-License-Identifier: MIT
// The RDT and the perfect RDT as networks of the lab. Node x + N*y, label "x,y".
#pragma once

#include <rdt/net/graph/network.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

// RDT(2,R,1) with assignment alpha: ports E0 W0 N0 S0 E1 W1 N1 S1, as on the chip.
class RdtNetwork : public Network {
public:
    explicit RdtNetwork(int side, MissingRank missing = MissingRank::Highest)
        : m_geometry(side, missing) {}
    const Geometry& geometry() const { return m_geometry; }

    std::string name() const override;
    uint32_t nodes() const override { return m_geometry.nodes(); }
    uint32_t ports() const override { return NumNetworkPorts; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return m_geometry.neighbor(node, port);
    }
    uint32_t port_back(NodeId, uint32_t port) const override { return opposite(port); }
    std::string label(NodeId node) const override;
    NodeId parse(const std::string& text) const override;
    std::vector<std::string> routings() const override;
    std::unique_ptr<Routing> routing(const std::string& name) const override;
    Position position(NodeId node) const override;
    Position period() const override {
        return {double(m_geometry.side()), double(m_geometry.side())};
    }
    std::vector<NodeId> representatives() const override;

private:
    Geometry m_geometry;
};

// PRDT(2,R): every node has a port E W N S of every rank, 4 * rank + direction.
class PrdtNetwork : public Network {
public:
    explicit PrdtNetwork(int side);
    const Geometry& geometry() const { return m_geometry; }
    uint32_t top_rank() const { return m_geometry.top_rank(); }
    // Bit d: the hop in direction d of that rank crosses a dateline.
    uint32_t datelines(NodeId node, uint32_t rank) const {
        return m_datelines[node * (top_rank() + 1) + rank];
    }

    std::string name() const override { return "prdt:" + std::to_string(m_geometry.side()); }
    uint32_t nodes() const override { return m_geometry.nodes(); }
    uint32_t ports() const override { return 4 * (top_rank() + 1); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return m_neighbors[node * ports() + port];
    }
    uint32_t port_back(NodeId, uint32_t port) const override { return opposite(port); }
    std::string label(NodeId node) const override;
    NodeId parse(const std::string& text) const override;
    std::vector<std::string> routings() const override { return {"simple"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override;
    Position position(NodeId node) const override;
    Position period() const override {
        return {double(m_geometry.side()), double(m_geometry.side())};
    }
    std::vector<NodeId> representatives() const override { return {0}; }

private:
    Geometry m_geometry;
    std::vector<uint32_t> m_neighbors;
    std::vector<uint8_t> m_datelines;
};

}  // namespace rdt
