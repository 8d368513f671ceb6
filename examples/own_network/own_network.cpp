// SPDX-License-Identifier: MIT
// A custom network for all functions of the lab:
//
//   rdt --plugin b/libown_network.so net info wheel:12
//   rdt --plugin b/libown_network.so net cdg wheel:12 --routing hub
//
// A wheel: N nodes on a rim, each linked to the next, and a hub that has a link to each of them.
#include <rdt/net/graph/network.h>
#include <rdt/net/graph/parameters.h>

namespace {

using namespace rdt;

// The hub is node 0; nodes 1 ... N are on the rim, with ports: on, back, hub.
enum Port : uint32_t { On, Back, Hub };

// Through the hub, unless the nodes are neighbors on the rim. The way up and the way down never
// meet, so one virtual channel is enough.
class ByHub : public Routing {
public:
    uint32_t vcs() const override { return 1; }
    void next(NodeId at, NodeId dst, const RouteTag&, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        out.add(at == 0 ? dst - 1 : uint32_t(Hub), 0);
    }
};

class Wheel : public Network {
public:
    explicit Wheel(uint32_t rim) : m_rim(rim) {}
    std::string name() const override { return "wheel:" + std::to_string(m_rim); }
    uint32_t nodes() const override { return m_rim + 1; }
    uint32_t ports() const override { return m_rim; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        if (node == 0) return port + 1;
        switch (port) {
        case On: return node % m_rim + 1;
        case Back: return (node + m_rim - 2) % m_rim + 1;
        case Hub: return 0;
        default: return std::nullopt;
        }
    }
    uint32_t port_back(NodeId node, uint32_t port) const override {
        if (node == 0) return Hub;
        return port == On ? Back : port == Back ? On : node - 1;
    }
    std::vector<std::string> routings() const override { return {"hub"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (name != "hub") throw NetworkError("a wheel has the routing hub, not " + name);
        return std::make_unique<ByHub>();
    }

private:
    const uint32_t m_rim;
};

const NetworkKind kind{"wheel", "wheel:N", "a rim of N nodes and a hub",
                       [](const std::string& text) -> std::unique_ptr<Network> {
                           return std::make_unique<Wheel>(parse_number(text, "wheel:N", 3, 1000));
                       }};

}  // namespace
