// SPDX-License-Identifier: MIT
// Cube-connected cycles: a hypercube of n dimensions with a ring of n nodes in the place of each
// corner. Node n*corner + place; ports 0 and 1 lead up and down the ring, port 2 to the corner
// that differs in bit `place`.
#include <fmt/core.h>

#include <cmath>

#include "net/graph_network.h"
#include "net/parameters.h"

namespace rdt {

namespace {

constexpr const char* Form = "ccc:N";

class CubeConnectedCycles : public GraphNetwork {
public:
    explicit CubeConnectedCycles(uint32_t n)
        : GraphNetwork(fmt::format("ccc:{}", n), n << n, 3,
                       [=](NodeId node, uint32_t port) {
                           const uint32_t corner = node / n;
                           const uint32_t place = node % n;
                           if (port == 2) return (corner ^ 1u << place) * n + place;
                           return corner * n + (place + (port == 0 ? 1 : n - 1)) % n;
                       }),
          m_n(n) {}

    std::string label(NodeId node) const override {
        return fmt::format("{},{}", node / m_n, node % m_n);
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

const NetworkKind kind{
    "ccc", Form, "cube-connected cycles of N*2^N nodes", [](const std::string& text) {
        return std::make_unique<CubeConnectedCycles>(parse_number(text, Form, 3, 17));
    }};

}  // namespace

}  // namespace rdt
