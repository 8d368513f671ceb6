// SPDX-License-Identifier: MIT
// The shuffle-exchange network of 2^N nodes: one link to the word shifted left by a place with its
// highest bit at the end (shuffle), one back, and one to the word whose last bit differs.
#include <fmt/core.h>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

constexpr const char* ShuffleExchangeForm = "shuffle:N";

NodeId across(NodeId node, uint32_t port, uint32_t bits) {
    const NodeId all = (1u << bits) - 1;
    if (port == 0) return (node << 1 | node >> (bits - 1)) & all;
    return port == 1 ? (node >> 1 | node << (bits - 1)) & all : node ^ 1;
}

class ShuffleExchange : public GraphNetwork {
public:
    explicit ShuffleExchange(uint32_t bits)
        : GraphNetwork(fmt::format("shuffle:{}", bits), 1u << bits, 3,
                       [bits](NodeId node, uint32_t port) { return across(node, port, bits); }),
          m_bits(bits) {}
    std::string label(NodeId node) const override { return fmt::format("0b{:0{}b}", node, m_bits); }

private:
    const uint32_t m_bits;
};

const NetworkKind shuffle_exchange_kind{
    "shuffle", ShuffleExchangeForm, "shuffle-exchange network of 2^N nodes",
    [](const std::string& text) {
        return std::make_unique<ShuffleExchange>(parse_number(text, ShuffleExchangeForm, 2, 20));
    }};

}  // namespace

}  // namespace rdt
