// SPDX-License-Identifier: MIT
// Cube-connected cycles: a hypercube of n dimensions with a ring of n nodes at each corner. Node
// n*corner + place; ports 0 and 1 lead up and down the ring, port 2 to the corner that differs in
// bit `place`.
#include <fmt/core.h>

#include <cmath>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/families/ring_classes.h>
#include <rdt/net/graph/shortest_routing.h>

namespace rdt {

namespace {

constexpr const char* CccForm = "ccc:N";

constexpr uint32_t Lateral = 2;

// Shortest paths. The network looks the same from everywhere, so what is found once for node 0
// holds for every destination; for half of them its mirror image is used, which loads both
// directions of the rings alike. The tag's second word is the state of RingClasses.
class CccRouting : public Routing {
public:
    CccRouting(const Network& network, uint32_t n) : m_n(n), m_port(network.nodes(), NoPort) {
        const auto shortest = make_shortest_routing(network);
        Choices choices;
        for (NodeId node = 1; node < network.nodes(); ++node) {
            shortest->next(node, 0, {}, {NoPort, 0}, choices);
            m_port[node] = choices[0].port;
        }
    }

    uint32_t vcs() const override { return RingClasses::vcs(m_n); }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        const bool mirrored = is_odd(dst);
        const uint32_t ahead = (at % m_n + m_n - dst % m_n) % m_n;
        const uint32_t place = mirrored ? (m_n - ahead) % m_n : ahead;
        const uint32_t port =
            m_port[turned(at / m_n ^ dst / m_n, dst % m_n, mirrored) * m_n + place];
        if (port == Lateral) RingClasses::add_lateral(out, port, tag[1]);
        else RingClasses::add_local(out, mirrored ? 1 - port : port, tag[1]);
    }

    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        if (taken.port == Lateral) return {0, RingClasses::after_lateral(tag[1], is_odd(at))};
        const bool wraps = at % m_n == (taken.port == 0 ? m_n - 1 : 0);
        return {0, RingClasses::after_local(tag[1], wraps)};
    }

private:
    bool is_odd(NodeId node) const { return __builtin_parity(node / m_n) != 0; }

    // Bit `place` becomes bit 0, those above it, or those below, become 1, 2 and so on.
    uint32_t turned(uint32_t corner, uint32_t place, bool mirrored) const {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < m_n; ++i)
            bits |= (corner >> (mirrored ? place + m_n - i : place + i) % m_n & 1) << i;
        return bits;
    }

    const uint32_t m_n;
    std::vector<uint16_t> m_port;  // to take for node 0
};

class CubeConnectedCycles : public GraphNetwork {
public:
    explicit CubeConnectedCycles(uint32_t n)
        : GraphNetwork(fmt::format("ccc:{}", n), n << n, 3,
                       [=](NodeId node, uint32_t port) {
                           const uint32_t corner = node / n;
                           const uint32_t place = node % n;
                           if (port == Lateral) return (corner ^ 1u << place) * n + place;
                           return corner * n + (place + (port == 0 ? 1 : n - 1)) % n;
                       }),
          m_n(n) {}

    std::string label(NodeId node) const override {
        return fmt::format("{},{}", node / m_n, node % m_n);
    }
    std::vector<std::string> routings() const override { return {"optimal", "negative-hop"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (name == "optimal") return std::make_unique<CccRouting>(*this, m_n);
        return GraphNetwork::routing(name);
    }
    std::vector<NodeId> representatives() const override { return {0}; }
    // Corners in a square, each with its ring.
    Position position(NodeId node) const override {
        const uint32_t half = m_n / 2;
        const uint32_t corner = node / m_n;
        const double angle = 2 * M_PI * (node % m_n) / m_n + 0.2;
        return {4.0 * (corner & ((1u << half) - 1)) + 1.2 * std::sin(angle),
                4.0 * (corner >> half) - 1.2 * std::cos(angle)};
    }

private:
    const uint32_t m_n;
};

const NetworkKind ccc_kind{
    "ccc", CccForm, "cube-connected cycles of N*2^N nodes", [](const std::string& text) {
        return std::make_unique<CubeConnectedCycles>(parse_number(text, CccForm, 3, 17));
    }};

}  // namespace

}  // namespace rdt
