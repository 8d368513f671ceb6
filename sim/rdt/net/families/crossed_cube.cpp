// SPDX-License-Identifier: MIT
// Efe's crossed cube: a hypercube some of whose links are crossed, which halves the diameter.
// Port d changes bit d; of every pair of bits below it whose lower bit is set, the upper one
// changes too, and a lone bit below bit d (d odd) stays.
#include <fmt/core.h>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

constexpr const char* CrossedCubeForm = "crossed:N";

// Two pairs of bits are related if they are 00-00, 10-10, 01-11 or 11-01: along port d all pairs
// below are related, bits above are equal and, if d is odd, so is the lone bit d-1.
NodeId across(NodeId node, uint32_t d) {
    NodeId other = node ^ 1u << d;
    for (uint32_t i = 0; 2 * i + 1 < d; ++i)
        if ((node >> (2 * i) & 1) != 0) other ^= 2u << (2 * i);
    return other;
}

class CrossedCube : public GraphNetwork {
public:
    explicit CrossedCube(uint32_t n)
        : GraphNetwork(fmt::format("crossed:{}", n), 1u << n, n, across), m_n(n) {}
    std::string label(NodeId node) const override { return fmt::format("0b{:0{}b}", node, m_n); }

private:
    const uint32_t m_n;
};

const NetworkKind crossed_cube_kind{
    "crossed", CrossedCubeForm, "crossed cube of 2^N nodes", [](const std::string& text) {
        return std::make_unique<CrossedCube>(parse_number(text, CrossedCubeForm, 1, 20));
    }};

}  // namespace

}  // namespace rdt
