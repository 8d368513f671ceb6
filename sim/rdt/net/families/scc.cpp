// SPDX-License-Identifier: MIT
// Star-connected cycles: a star graph of n symbols with a ring of n-1 nodes for each node. Node
// (n-1) * index of the order + place - 2, the places on a ring being 2 to n; ports 0 and 1 lead up
// and down the ring, port 2 to the order with the first symbol and that of the place exchanged. A
// node is written place:order, as 3:34125.
#include <fmt/core.h>

#include <atomic>
#include <cmath>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/partition.h>
#include <rdt/net/families/ring_classes.h>
#include <rdt/net/families/scc_search.h>

namespace rdt {

namespace {

constexpr const char* SccForm = "scc:N";
constexpr uint32_t Lateral = 2;

// Shortest paths by the paper's search, which the source does once: the tag's first word holds the
// lateral links still to be taken, four bits each, the next one lowest; the second the state of
// RingClasses. The network looks the same from everywhere, so a path is searched for once for each
// place that a source can have relative to its destination.
class SccRouting : public Routing {
public:
    explicit SccRouting(uint32_t n)
        : m_n(n), m_paths(std::make_unique<std::atomic<uint64_t>[]>((n - 1) * factorial(n))) {
        for (NodeId node = 0; node < factorial(n); ++node) m_order.emplace_back(n, node);
    }

    uint32_t vcs() const override { return RingClasses::vcs(3 * (m_n - 1) / 2); }

    RouteTag start(NodeId src, NodeId dst) const override {
        // Renamed so that the destination is 2:12...n.
        const uint32_t turn = place_of(dst) - 2;
        const Permutation order = turned(order_of(src).seen_from(order_of(dst)), turn);
        const uint32_t place = turned(place_of(src), turn);
        std::atomic<uint64_t>& path = m_paths[order.index() * (m_n - 1) + place - 2];
        uint64_t laterals = path.load(std::memory_order_relaxed);
        if (laterals == 0) {
            const SccRoute route = scc_search({place, order}, {2, Permutation(m_n)});
            for (size_t i = 0; i < route.laterals.size(); ++i)
                laterals |= uint64_t(route.laterals[i]) << 4 * i;
            path.store(laterals, std::memory_order_relaxed);
        }
        uint64_t back = 0;
        for (uint32_t i = 0; laterals >> i != 0; i += 4)
            back |= uint64_t(turned(laterals >> i & 15, m_n - 1 - turn)) << i;
        return {back, 0};
    }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        const uint32_t place = place_of(at);
        const uint32_t target = tag[0] != 0 ? uint32_t(tag[0] & 15) : place_of(dst);
        if (place == target) {
            if (tag[0] != 0) RingClasses::add_lateral(out, Lateral, tag[1]);
            return;
        }
        const uint32_t side = m_n - 1;
        const uint32_t ahead = (target + side - place) % side;
        const bool up = 2 * ahead == side ? side == 2 || place % 2 == 0 : 2 * ahead < side;
        RingClasses::add_local(out, up ? 0 : 1, tag[1]);
    }

    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        if (taken.port == Lateral)
            return {tag[0] >> 4, RingClasses::after_lateral(tag[1], order_of(at).is_odd())};
        const bool wraps = place_of(at) == (taken.port == 0 ? m_n : 2);
        return {tag[0], RingClasses::after_local(tag[1], wraps)};
    }

private:
    uint32_t place_of(NodeId node) const { return node % (m_n - 1) + 2; }
    const Permutation& order_of(NodeId node) const { return m_order[node / (m_n - 1)]; }

    // Places, and symbols other than 1, are moved down the ring.
    uint32_t turned(uint32_t place, uint32_t by) const {
        return (place - 2 + m_n - 1 - by) % (m_n - 1) + 2;
    }
    Permutation turned(const Permutation& order, uint32_t by) const {
        const auto turned_symbol = [&](uint32_t s) { return s == 1 ? 1 : turned(s, by); };
        std::array<uint32_t, Permutation::MaxSize> symbols{};
        for (uint32_t place = 1; place <= m_n; ++place)
            symbols[turned_symbol(place) - 1] = turned_symbol(order[place]);
        return Permutation(m_n, symbols);
    }

    const uint32_t m_n;
    std::vector<Permutation> m_order;
    // 0: not searched for yet, or no lateral links. Threads may do a search twice, alike.
    const std::unique_ptr<std::atomic<uint64_t>[]> m_paths;
};

class StarConnectedCycles : public GraphNetwork, public WithNaturalOrder {
public:
    explicit StarConnectedCycles(uint32_t n)
        : GraphNetwork(fmt::format("scc:{}", n), (n - 1) * factorial(n), 3,
                       [=](NodeId node, uint32_t port) {
                           const uint32_t side = n - 1;
                           const uint32_t place = node % side;
                           if (port != Lateral)
                               return node - place + (place + (port == 0 ? 1 : side - 1)) % side;
                           Permutation order(n, node / side);
                           order.swap_first_with(place + 2);
                           return order.index() * side + place;
                       }),
          m_n(n) {}

    std::string label(NodeId node) const override {
        return fmt::format("{}:{}", node % (m_n - 1) + 2,
                           Permutation(m_n, node / (m_n - 1)).to_string());
    }
    NodeId parse(const std::string& text) const override {
        const size_t colon = text.find(':');
        if (colon == std::string::npos) return Network::parse(text);
        const auto order = Permutation::parse(text.substr(colon + 1), m_n);
        const std::string digits = text.substr(0, colon);
        const bool is_place = !digits.empty() && digits.size() <= 2 &&
                              digits.find_first_not_of("0123456789") == std::string::npos;
        const uint32_t place = is_place ? uint32_t(std::stoul(digits)) : 0;
        if (!order || place < 2 || place > m_n)
            throw NetworkError(
                fmt::format("{} has no node \"{}\"; one is written PLACE:ORDER with a place from 2 "
                            "to {} and the "
                            "symbols 1 to {} once each, as {}",
                            name(), text, m_n, m_n, label(nodes() - 1)));
        return order->index() * (m_n - 1) + place - 2;
    }
    std::vector<std::string> routings() const override { return {"optimal", "negative-hop"}; }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (name == "optimal") return std::make_unique<SccRouting>(m_n);
        return GraphNetwork::routing(name);
    }
    std::vector<NodeId> representatives() const override { return {0}; }
    std::vector<double> natural_order() const override {
        std::vector<double> value(nodes());
        for (NodeId node = 0; node < nodes(); ++node)
            value[node] = from_the_last(Permutation(m_n, node / (m_n - 1)));
        return value;
    }
    // Orders in rows, those with the same first symbol below each other, each with its ring.
    Position position(NodeId node) const override {
        const uint32_t index = node / (m_n - 1);
        const uint32_t row = factorial(m_n - 1);
        const double angle = 2 * M_PI * (node % (m_n - 1)) / (m_n - 1) + 0.2;
        const double radius = 0.35 * (m_n - 1);
        return {3 * radius * (index % row) + radius * std::sin(angle),
                3 * radius * (index / row) - radius * std::cos(angle)};
    }

private:
    const uint32_t m_n;
};

const NetworkKind scc_kind{
    "scc", SccForm, "star-connected cycles of (N-1)*N! nodes", [](const std::string& text) {
        return std::make_unique<StarConnectedCycles>(parse_number(text, SccForm, 3, 9));
    }};

}  // namespace

}  // namespace rdt
