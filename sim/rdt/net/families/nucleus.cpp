// SPDX-License-Identifier: MIT
#include <rdt/net/families/nucleus.h>

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

class Graph : public GraphNetwork {
public:
    Graph(std::string name, uint32_t nodes, uint32_t ports, const Rule& rule)
        : GraphNetwork(std::move(name), nodes, ports, rule) {}
};

bool is_power_of_two(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

std::shared_ptr<const Network> complete(const std::string& name, uint32_t size) {
    return std::make_shared<Graph>(name, size, size - 1, [size](NodeId node, uint32_t port) {
        return is_power_of_two(size) ? node ^ (port + 1) : (node + port + 1) % size;
    });
}

// Ports 0 to k-1 as in the hypercube, port k to the opposite corner.
std::shared_ptr<const Network> folded_cube(const std::string& name, uint32_t bits) {
    return std::make_shared<Graph>(name, 1u << bits, bits + 1, [bits](NodeId node, uint32_t port) {
        return node ^ (port < bits ? 1u << port : (1u << bits) - 1);
    });
}

// Nodes 0 to 4 on the outer ring, 5 to 9 on the inner star.
std::shared_ptr<const Network> petersen(const std::string& name) {
    return std::make_shared<Graph>(name, 10, 3, [](NodeId node, uint32_t port) {
        if (port == 2) return (node + 5) % 10;
        const uint32_t step = node < 5 ? 1 : 2;
        return node / 5 * 5 + (node + (port == 0 ? step : 5 - step)) % 5;
    });
}

// The product of complete graphs of these sizes, the first one lowest in the node number: the
// generalized hypercube of that mixed radix.
std::shared_ptr<const Network> generalized_cube(const std::string& name,
                                                const std::vector<uint32_t>& radices) {
    uint64_t nodes = 1;
    uint32_t ports = 0;
    for (const uint32_t radix : radices) {
        nodes *= radix;
        ports += radix - 1;
        if (nodes > 1024)
            throw NetworkError(fmt::format("nucleus {}: it has more than 1024 nodes", name));
    }
    return std::make_shared<Graph>(name, uint32_t(nodes), ports,
                                   [radices](NodeId node, uint32_t port) {
                                       uint32_t weight = 1;
                                       for (const uint32_t radix : radices) {
                                           if (port + 1 < radix) {
                                               const uint32_t digit = node / weight % radix;
                                               const uint32_t other = (digit + port + 1) % radix;
                                               return node - digit * weight + other * weight;
                                           }
                                           port -= radix - 1;
                                           weight *= radix;
                                       }
                                       return node;
                                   });
}

}  // namespace

std::shared_ptr<const Network> make_nucleus(const std::string& name) {
    const size_t digit = std::min(name.find_first_of("0123456789"), name.size());
    const std::string kind = name.substr(0, digit);
    const auto size = [&](uint32_t min, uint32_t max) {
        return parse_number(name.substr(digit), kind + "N", min, max);
    };
    if (name == "petersen") return petersen(name);
    const size_t power = name.find('^');
    if (kind == "q" && power != std::string::npos) {
        const uint32_t dimensions = parse_number(name.substr(1, power - 1), "qN^M", 1, 10);
        const uint32_t radix = parse_number(name.substr(power + 1), "qN^M", 2, 32);
        return generalized_cube(name, std::vector<uint32_t>(dimensions, radix));
    }
    if (kind == "h") {
        const auto radices = parse_numbers(name.substr(1), 'x', "hAxB...", 1, 10);
        for (const uint32_t radix : radices)
            if (radix < 2)
                throw NetworkError(fmt::format("nucleus {}: a radix is at least 2", name));
        return generalized_cube(name, radices);
    }
    if (kind == "mesh") return make_network("mesh:" + name.substr(4));
    if (kind == "q") return make_network(fmt::format("hypercube:{}", size(1, 10)));
    if (kind == "k") return complete(name, size(2, 256));
    if (kind == "ring") return make_network(fmt::format("torus:{}", size(3, 1024)));
    if (kind == "path") return make_network(fmt::format("mesh:{}", size(2, 1024)));
    if (kind == "star") return make_network(fmt::format("star:{}", size(2, 6)));
    if (kind == "fq") return folded_cube(name, size(2, 10));
    throw NetworkError(fmt::format(
        "unknown nucleus \"{}\": must be one of qN, qN^M, hAxB, kN, ringN, pathN, meshAxB, "
        "starN, petersen, fqN",
        name));
}

std::optional<uint32_t> cube_bits(const Network& graph) {
    if (!is_power_of_two(graph.nodes())) return std::nullopt;
    for (NodeId node = 0; node < graph.nodes(); ++node)
        for (NodeId bit = 1; bit < graph.nodes(); bit *= 2) {
            bool found = false;
            for (uint32_t port = 0; port < graph.ports() && !found; ++port)
                found = graph.neighbor(node, port) == (node ^ bit);
            if (!found) return std::nullopt;
        }
    return uint32_t(__builtin_ctz(graph.nodes()));
}

}  // namespace rdt
