// SPDX-License-Identifier: MIT
// The star graph. A node is an order of the symbols 1 to n; port i-2 exchanges the first symbol
// with the i-th. The index counts the orders alphabetically.
#include <fmt/core.h>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/partition.h>
#include <rdt/net/families/permutation.h>

namespace rdt {

namespace {

constexpr const char* StarForm = "star:N";

// The first symbol goes to its place; once 1 is first, the lowest place with a wrong symbol is
// opened. Shortest. An exchange makes an odd order even and an even one odd, so that these are the
// two colors of the negative-hop scheme (net/negative_hop.h), and the tag counts the descents.
class StarRouting : public Routing {
public:
    explicit StarRouting(uint32_t symbols) {
        for (NodeId node = 0; node < factorial(symbols); ++node)
            m_order.emplace_back(symbols, node);
    }

    uint32_t vcs() const override { return 3 * (m_order[0].size() - 1) / 2 / 2 + 1; }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        const Permutation order = m_order[at].seen_from(m_order[dst]);
        uint32_t place = order[1];
        if (place == 1)
            for (place = 2; order[place] == place;) ++place;
        out.add(place - 2, uint32_t(tag[0]));
    }

    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel) const override {
        return {tag[0] + (m_order[at].is_odd() ? 1 : 0), 0};
    }

private:
    std::vector<Permutation> m_order;
};

class Star : public GraphNetwork, public WithNaturalOrder {
public:
    explicit Star(uint32_t symbols)
        : GraphNetwork(fmt::format("star:{}", symbols), factorial(symbols), symbols - 1,
                       [=](NodeId node, uint32_t port) {
                           Permutation order(symbols, node);
                           order.swap_first_with(port + 2);
                           return order.index();
                       }),
          m_symbols(symbols) {}

    std::string label(NodeId node) const override {
        return Permutation(m_symbols, node).to_string();
    }
    // An order read as a number is more than there are nodes, so it is never taken for an index.
    NodeId parse(const std::string& text) const override {
        const auto order = Permutation::parse(text, m_symbols);
        return order ? order->index() : Network::parse(text);
    }
    std::vector<std::string> routings() const override { return {"optimal", "negative-hop"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (name == "optimal") return std::make_unique<StarRouting>(m_symbols);
        return GraphNetwork::routing(name);
    }
    std::vector<NodeId> representatives() const override { return {0}; }
    std::vector<double> natural_order() const override {
        std::vector<double> value(nodes());
        for (NodeId node = 0; node < nodes(); ++node)
            value[node] = from_the_last(Permutation(m_symbols, node));
        return value;
    }

private:
    const uint32_t m_symbols;
};

const NetworkKind star_kind{"star", StarForm, "star graph of N! nodes",
                            [](const std::string& text) {
                                return std::make_unique<Star>(parse_number(text, StarForm, 2, 10));
                            }};

}  // namespace

}  // namespace rdt
