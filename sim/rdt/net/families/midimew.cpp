// SPDX-License-Identifier: MIT
// Midimew (Beivide et al.): the network of degree 4 with the least diameter and mean distance of
// those in which every node n has links to n +- a and n +- b. For N nodes b is the square root of
// N/2, rounded up, and a = b - 1.
#include <fmt/core.h>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

constexpr const char* MidimewForm = "midimew:AxB";

uint32_t stride_of(uint32_t nodes) {
    uint64_t b = 1;
    while (2 * b * b < nodes) ++b;
    return uint32_t(b);
}

class Midimew : public GraphNetwork {
public:
    Midimew(uint32_t columns, uint32_t rows)
        : GraphNetwork(fmt::format("midimew:{}x{}", columns, rows), columns * rows, 4,
                       [=](NodeId node, uint32_t port) {
                           const uint32_t nodes = columns * rows;
                           const uint32_t b = stride_of(nodes);
                           const uint32_t step = port < 2 ? b : b - 1;
                           return (node + (port % 2 == 0 ? step : nodes - step)) % nodes;
                       }) {}
    std::vector<NodeId> representatives() const override { return {0}; }
};

const NetworkKind midimew_kind{"midimew", MidimewForm,
                               "optimal circulant of degree 4 with A*B nodes",
                               [](const std::string& text) {
                                   const auto sides = parse_numbers(text, 'x', MidimewForm, 2, 2);
                                   const uint64_t nodes = uint64_t(sides[0]) * sides[1];
                                   if (checked_nodes(nodes) < 5)
                                       throw NetworkError("a midimew has at least 5 nodes");
                                   return std::make_unique<Midimew>(sides[0], sides[1]);
                               }};

}  // namespace

}  // namespace rdt
