// SPDX-License-Identifier: MIT
// The hypercube. Port d leads to the node whose index differs in bit d. Routing is e-cube: the
// lowest differing bit first, in whichever of two VCs is free.
#include <fmt/core.h>

#include <rdt/net/graph/network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

constexpr const char* HypercubeForm = "hypercube:D";

class ECube : public Routing {
public:
    uint32_t vcs() const override { return 2; }
    void next(NodeId at, NodeId dst, const RouteTag&, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        const auto port = uint32_t(__builtin_ctz(at ^ dst));
        out.add(port, 1);
        out.add(port, 0);
    }
};

class Hypercube : public Network {
public:
    explicit Hypercube(uint32_t dimensions) : m_dimensions(dimensions) {}
    std::string name() const override { return fmt::format("hypercube:{}", m_dimensions); }
    uint32_t nodes() const override { return 1u << m_dimensions; }
    uint32_t ports() const override { return m_dimensions; }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return node ^ 1u << port;
    }
    uint32_t port_back(NodeId, uint32_t port) const override { return port; }
    std::string label(NodeId node) const override {
        return fmt::format("0b{:0{}b}", node, m_dimensions);
    }
    std::vector<std::string> routings() const override { return {"ecube"}; }
    std::unique_ptr<Routing> routing(const std::string&) const override {
        return std::make_unique<ECube>();
    }
    // Even bits go across, odd ones down, each pair twice as far and a little askew.
    Position position(NodeId node) const override {
        Position p;
        double step = 1;
        for (uint32_t d = 0; d < m_dimensions; ++d) {
            const double on = node >> d & 1;
            p.x += on * (d % 2 == 0 ? step : 0.3 * step);
            p.y += on * (d % 2 == 0 ? 0.15 * step : step);
            if (d % 2 == 1) step *= 2.2;
        }
        return p;
    }

    std::vector<NodeId> representatives() const override { return {0}; }
    std::optional<uint64_t> known_bisection() const override { return nodes() / 2; }

private:
    const uint32_t m_dimensions;
};

const NetworkKind hypercube_kind{
    "hypercube", HypercubeForm, "binary hypercube of 2^D nodes", [](const auto& p) {
        return std::make_unique<Hypercube>(parse_number(p, HypercubeForm, 1, 22));
    }};

}  // namespace

}  // namespace rdt
