// SPDX-License-Identifier: MIT
// Packed exponential connections, one dimension: a row of N nodes, and from node i, if 2^t is the
// largest power of two in it, links to i - 2^(t+1) and i + 2^(t+1). There are half as many links of
// every next length, so a cut crosses about one of each. Ports 0 and 1 lead to the next and the
// previous node, 2 and 3 up and down by the node's own length.
#include <fmt/core.h>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

constexpr const char* PecForm = "pec:N";

class PackedExponential : public GraphNetwork {
public:
    explicit PackedExponential(uint32_t nodes)
        : GraphNetwork(fmt::format("pec:{}", nodes), nodes, 4,
                       [=](NodeId node, uint32_t port) -> std::optional<NodeId> {
                           // Node 0 is a multiple of every power.
                           if (port >= 2 && node == 0) return std::nullopt;
                           const uint32_t length = port < 2 ? 1 : 2 * (node & ~(node - 1));
                           if (port % 2 != 0)
                               return node < length ? std::nullopt
                                                    : std::optional<NodeId>(node - length);
                           return node + length < nodes ? std::optional<NodeId>(node + length)
                                                        : std::nullopt;
                       }) {}
};

const NetworkKind pec_kind{"pec", PecForm, "packed exponential connections, a row of N nodes",
                           [](const std::string& text) {
                               return std::make_unique<PackedExponential>(
                                   parse_number(text, PecForm, 2, uint32_t(MaxNodes)));
                           }};

}  // namespace

}  // namespace rdt
