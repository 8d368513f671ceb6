// SPDX-License-Identifier: MIT
// The links of a machine, as traffic patterns and tables need them. It has no routings: the routers
// of the machine decide.
#pragma once

#include <fmt/core.h>

#include <rdt/machine/machine.h>
#include <rdt/net/graph/network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt::machine {

class MachineNetwork : public Network {
public:
    explicit MachineNetwork(const Machine& machine)
        : m_geometry(machine.geometry()), m_upper_rank(machine.config().upper_rank) {}

    std::string name() const override {
        const int side = m_geometry.side();
        return m_upper_rank ? fmt::format("rdt:{}", side) : fmt::format("torus:{0}x{0}", side);
    }
    uint32_t nodes() const override { return m_geometry.nodes(); }
    uint32_t ports() const override {
        return m_upper_rank ? uint32_t(NumNetworkPorts) : uint32_t(PortE1);
    }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return m_geometry.neighbor(node, port);
    }
    uint32_t port_back(NodeId, uint32_t port) const override { return opposite(port); }
    // A node is its index or "x,y".
    NodeId parse(const std::string& text) const override {
        if (text.find(',') == std::string::npos) return Network::parse(text);
        const auto c = parse_numbers(text, ',', "x,y of " + name(), 2, 2);
        const auto side = uint32_t(m_geometry.side());
        if (c[0] >= side || c[1] >= side)
            throw NetworkError(fmt::format("{} has no node {}", name(), text));
        return c[0] + side * c[1];
    }
    std::vector<std::string> routings() const override { return {}; }
    std::unique_ptr<Routing> routing(const std::string&) const override {
        throw NetworkError(name() + ": the routers decide the routing");
    }

private:
    const Geometry& m_geometry;
    bool m_upper_rank;
};

}  // namespace rdt::machine
