// SPDX-License-Identifier: MIT
// The star graph. A node is an order of the symbols 1 to n; port i-2 exchanges the first symbol
// with the i-th. The index counts the orders alphabetically.
#include <fmt/core.h>

#include <numeric>

#include "net/graph_network.h"
#include "net/parameters.h"

namespace rdt {

namespace {

constexpr const char* Form = "star:N";

uint32_t factorial(uint32_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

std::vector<uint32_t> order_of(NodeId node, uint32_t n) {
    std::vector<uint32_t> left(n);
    std::iota(left.begin(), left.end(), 1);
    std::vector<uint32_t> order;
    for (uint32_t i = n; i-- > 0; node %= factorial(i)) {
        const auto it = left.begin() + node / factorial(i);
        order.push_back(*it);
        left.erase(it);
    }
    return order;
}

NodeId index_of(const std::vector<uint32_t>& order) {
    NodeId node = 0;
    for (size_t i = 0; i < order.size(); ++i) {
        uint32_t smaller = 0;
        for (size_t j = i + 1; j < order.size(); ++j) smaller += order[j] < order[i] ? 1 : 0;
        node += smaller * factorial(uint32_t(order.size() - 1 - i));
    }
    return node;
}

class Star : public GraphNetwork {
public:
    explicit Star(uint32_t symbols)
        : GraphNetwork(fmt::format("star:{}", symbols), factorial(symbols), symbols - 1,
                       [=](NodeId node, uint32_t port) {
                           std::vector<uint32_t> order = order_of(node, symbols);
                           std::swap(order[0], order[port + 1]);
                           return index_of(order);
                       }),
          m_symbols(symbols) {}

    std::string label(NodeId node) const override { return joined(order_of(node, m_symbols)); }
    std::vector<NodeId> representatives() const override { return {0}; }

private:
    const uint32_t m_symbols;
};

const NetworkKind kind{"star", Form, "star graph of N! nodes", [](const std::string& text) {
                           return std::make_unique<Star>(parse_number(text, Form, 2, 10));
                       }};

}  // namespace

}  // namespace rdt
