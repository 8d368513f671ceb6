// SPDX-License-Identifier: MIT
#include <rdt/net/graph/network.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include <rdt/net/graph/facts.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/net/graph/reverse_links.h>
#include <rdt/net/graph/shortest_routing.h>

namespace rdt {

namespace {

std::string list_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
    return text;
}

}  // namespace

NodeId Network::parse(const std::string& text) const {
    const bool is_index = !text.empty() && text.size() <= 9 &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    if (is_index) {
        const auto node = NodeId(std::stoul(text));
        if (node < nodes()) return node;
        throw NetworkError(
            fmt::format("{} has no node {}; they go from 0 to {}", name(), text, nodes() - 1));
    }
    for (NodeId node = 0; node < nodes(); ++node)
        if (label(node) == text) return node;
    throw NetworkError(
        fmt::format("{} has no node \"{}\"; give an index from 0 to {} or a label like {}", name(),
                    text, nodes() - 1, label(nodes() - 1)));
}

Position Network::position(NodeId node) const {
    const double angle = 2 * M_PI * node / nodes();
    const double radius = nodes() / (2 * M_PI);
    return {radius * std::sin(angle), -radius * std::cos(angle)};
}

NetworkKind::NetworkKind(const std::string& kind, std::string form, std::string about, Make make) {
    const bool is_new =
        all().emplace(kind, Entry{std::move(form), std::move(about), std::move(make)}).second;
    if (!is_new) throw NetworkError(fmt::format("there is a network \"{}\" already", kind));
}

// Not in the header: compilers give such an object different names, and there would be two.
std::map<std::string, NetworkKind::Entry>& NetworkKind::all() {
    static std::map<std::string, Entry> kinds;
    return kinds;
}

namespace {

// "node 3 port 2", by its numbers: labels may be what is wrong.
std::string end_of(NodeId node, uint32_t port) {
    return fmt::format("node {} port {}", node, port);
}

void check_port(const Network& network, NodeId node, uint32_t port) {
    const std::optional<NodeId> other = network.neighbor(node, port);
    if (!other) return;
    const auto fail = [&](const std::string& what) {
        throw NetworkError(fmt::format("{}: {} {}", network.name(), end_of(node, port), what));
    };
    if (*other >= network.nodes())
        fail(fmt::format("leads to node {}; there are {} nodes", *other, network.nodes()));
    if (network.directed()) return;
    const uint32_t back = network.port_back(node, port);
    if (back >= network.ports())
        fail(fmt::format("has port_back() {}; a node has {} ports", back, network.ports()));
    const std::optional<NodeId> returned = network.neighbor(*other, back);
    if (returned != node || network.port_back(*other, back) != port)
        fail(fmt::format("leads to node {}, but {}, which is its port_back(), does not lead back",
                         *other, end_of(*other, back)));
}

}  // namespace

void check_network(const Network& network) {
    constexpr uint32_t MostNodes = 1 << 24;
    const uint32_t nodes = network.nodes();
    const uint32_t ports = network.ports();
    if (nodes < 1 || nodes > MostNodes)
        throw NetworkError(fmt::format("{} has {} nodes; a network has 1 to {}", network.name(),
                                       nodes, MostNodes));
    if (ports < 1 || ports >= NoPort)
        throw NetworkError(fmt::format("{} has {} ports per node; a network has 1 to {}",
                                       network.name(), ports, NoPort - 1));
    for (NodeId node = 0; node < nodes; ++node)
        for (uint32_t port = 0; port < ports; ++port) check_port(network, node, port);
    for (const NodeId node : network.representatives())
        if (node >= nodes)
            throw NetworkError(
                fmt::format("{}: representatives() names node {}; there are {} nodes",
                            network.name(), node, nodes));
}

std::unique_ptr<Network> make_network(const std::string& name) {
    const size_t colon = name.find(':');
    const std::string kind = name.substr(0, colon);
    const auto& kinds = NetworkKind::all();
    const auto it = kinds.find(kind);
    if (it == kinds.end()) {
        std::vector<std::string> known;
        for (const auto& entry : kinds) known.push_back(entry.first);
        const bool looks_like_a_file = name.find_first_of("./") != std::string::npos;
        throw NetworkError(
            fmt::format("unknown network \"{}\"; {}", kind,
                        colon == std::string::npos && looks_like_a_file && kinds.count("file") != 0
                            ? "a file is file:" + name
                            : "known are " + list_of(known)));
    }
    if (colon == std::string::npos)
        throw NetworkError(
            fmt::format("\"{}\" lacks its size; the form is {}", name, it->second.form));
    const std::string parameters = name.substr(colon + 1);
    const auto unreadable = [&] {
        return NetworkError(
            fmt::format("cannot read \"{}\"; the form is {}", parameters, it->second.form));
    };
    if (!it->second.make) throw NetworkError(fmt::format("network \"{}\" has no factory", kind));
    try {
        std::unique_ptr<Network> network = it->second.make(parameters);
        if (!network)
            throw NetworkError(fmt::format("the factory of network \"{}\" returns none", kind));
        if (it->second.is_checked) check_network(*network);
        return network;
    } catch (const NetworkError&) {
        throw;
    } catch (const std::invalid_argument&) {
        throw unreadable();
    } catch (const std::out_of_range&) {
        throw unreadable();
    }
}

std::string routing_name(const Network& network, const std::string& name) {
    if (!name.empty()) return name;
    const std::vector<std::string> known = network.routings();
    if (known.empty())
        throw NetworkError(fmt::format(
            "{} has no routing of its own and none was named; shortest is one for any network, "
            "but may deadlock",
            network.name()));
    return known[0];
}

std::unique_ptr<Routing> make_routing(const Network& network, const std::string& name) {
    std::vector<std::string> known = network.routings();
    const std::string wanted = routing_name(network, name);
    for (const std::string& r : known) {
        if (r != wanted) continue;
        std::unique_ptr<Routing> routing = network.routing(wanted);
        if (!routing)
            throw NetworkError(fmt::format("{} returns no routing \"{}\"", network.name(), wanted));
        constexpr uint32_t MostVcs = 256;
        if (routing->vcs() < 1 || routing->vcs() > MostVcs)
            throw NetworkError(fmt::format("{}: routing {} has {} virtual channels, not 1 to {}",
                                           network.name(), wanted, routing->vcs(), MostVcs));
        return routing;
    }
    if (wanted == "shortest") return make_shortest_routing(network);
    known.push_back("shortest");
    throw NetworkError(
        fmt::format("{} has no routing \"{}\"; it has {}", network.name(), wanted, list_of(known)));
}

namespace {

constexpr size_t MaxDigits = 9;  // fits 32 bits

bool is_number(const std::string& s) {
    return !s.empty() && s.size() <= MaxDigits &&
           s.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::vector<uint32_t> parse_numbers(const std::string& text, char separator,
                                    const std::string& form, size_t least, size_t most) {
    std::vector<uint32_t> numbers;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(separator, begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        if (!is_number(part))
            throw NetworkError(fmt::format("cannot read \"{}\"; the form is {}", text, form));
        numbers.push_back(uint32_t(std::stoul(part)));
        begin = end + 1;
    }
    if (numbers.size() < least || numbers.size() > most)
        throw NetworkError(fmt::format("cannot read \"{}\"; the form is {}", text, form));
    return numbers;
}

uint32_t parse_number(const std::string& text, const std::string& form, uint32_t min,
                      uint32_t max) {
    const uint32_t n = parse_numbers(text, ',', form, 1, 1)[0];
    if (n < min || n > max)
        throw NetworkError(fmt::format("{} is out of range; {} takes {} to {}", n, form, min, max));
    return n;
}

uint32_t checked_nodes(uint64_t nodes) {
    if (nodes > MaxNodes)
        throw NetworkError(fmt::format("too large: more than {} nodes", MaxNodes));
    return uint32_t(nodes);
}

uint32_t checked_power(uint64_t base, uint32_t exponent) {
    uint64_t power = 1;
    for (uint32_t i = 0; i < exponent && power <= MaxNodes; ++i) power *= base;
    return checked_nodes(power);
}

std::string joined(const std::vector<uint32_t>& numbers, const char* separator) {
    std::string text;
    for (uint32_t n : numbers) text += (text.empty() ? "" : separator) + std::to_string(n);
    return text;
}

namespace {

class ShortestRouting : public Routing {
public:
    explicit ShortestRouting(const Network& network)
        : m_network(network),
          m_links(network),
          m_once(std::make_unique<std::once_flag[]>(network.nodes())),
          m_tables(network.nodes()) {}

    uint32_t vcs() const override { return 1; }

    void next(NodeId at, NodeId dst, const RouteTag&, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        std::call_once(m_once[dst], [&] { m_tables[dst] = table(dst); });
        const uint16_t port = m_tables[dst][at];
        if (port == NoPort)
            throw NetworkError("there is no path from " + m_network.label(at) + " to " +
                               m_network.label(dst));
        out.add(port, 0);
    }

private:
    std::vector<uint16_t> table(NodeId dst) const {
        constexpr uint32_t Far = ~0u;
        std::vector<uint16_t> ports(m_network.nodes(), NoPort);
        std::vector<uint32_t> distance(m_network.nodes(), Far);
        std::vector<NodeId> queue{dst};
        distance[dst] = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const NodeId to = queue[i];
            for (const ReverseLinks::Link& link : m_links.into(to)) {
                if (distance[link.from] == Far) {
                    distance[link.from] = distance[to] + 1;
                    queue.push_back(link.from);
                }
                if (distance[link.from] == distance[to] + 1)
                    ports[link.from] = std::min(ports[link.from], link.port);
            }
        }
        return ports;
    }

    const Network& m_network;
    const ReverseLinks m_links;
    const std::unique_ptr<std::once_flag[]> m_once;
    mutable std::vector<std::vector<uint16_t>> m_tables;  // made once each, then only read
};

}  // namespace

std::unique_ptr<Routing> make_shortest_routing(const Network& network) {
    return std::make_unique<ShortestRouting>(network);
}

}  // namespace rdt
