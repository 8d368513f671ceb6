// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/rdt_network.h>

#include <fmt/core.h>

#include <rdt/net/graph/parameters.h>
#include <rdt/net/rdt/rdt_family.h>
#include <rdt/net/rdt/rdt_faults.h>
#include <rdt/net/rdt/rdt_routing.h>

namespace rdt {

namespace {

int parse_side(const std::string& parameters, const std::string& form) {
    const auto side = int(parse_number(parameters, form, 1, MaxNodes));
    if (!Geometry::is_supported(side))
        throw NetworkError(fmt::format(
            "{0}: N {1}: must be {2}, which the vectors in headers reach; for more use "
            "rdt:512,2,4,4 (all ranks at every node) or, not for rdt lab, rdt:512,2,4,1",
            form, side, Geometry::SidesText));
    return side;
}

std::string label_of(const Geometry& g, NodeId node) {
    return std::to_string(g.x_of(node)) + "," + std::to_string(g.y_of(node));
}

NodeId parse_label(const Geometry& g, const std::string& name, const std::string& text) {
    const auto c = parse_numbers(text, ',', "x,y of " + name, 2, 2);
    const auto side = uint32_t(g.side());
    if (c[0] >= side || c[1] >= side)
        throw NetworkError(fmt::format("{} has no node {}", name, text));
    return c[0] + side * c[1];
}

// As in the paper's figures: (0,0) at the top left.
Position position_of(const Geometry& g, NodeId node) {
    return {double(g.x_of(node)), double(g.y_of(node))};
}

std::unique_ptr<Network> make_rdt(const std::string& parameters) {
    const size_t slash = parameters.find('/');
    if (slash != std::string::npos) {
        if (parameters.substr(slash) != "/1")
            throw NetworkError(
                fmt::format("rdt:{}: the number after the slash must be 1", parameters));
        return std::make_unique<RdtNetwork>(parse_side(parameters.substr(0, slash), "rdt:N/1"),
                                            MissingRank::One);
    }
    if (parameters.find(',') == std::string::npos)
        return std::make_unique<RdtNetwork>(parse_side(parameters, "rdt:N"));
    const auto p = parse_numbers(parameters, ',', "rdt:N,n,R,m", 4, 4);
    checked_nodes(uint64_t(p[0]) * p[0]);
    return std::make_unique<RdtFamily>(int(p[0]), int(p[1]), p[2], p[3]);
}

const NetworkKind rdt_kind{
    "rdt", "rdt:N[/1][,n,R,m]",
    "RDT(2,R,1)/alpha of N x N nodes, N = 4, 8, 16, ... 256; rdt:64/1: rank 1 "
    "replaces missing ranks; rdt:256,3,4,4: any RDT(n,R,m)",
    make_rdt};
const NetworkKind prdt_kind{
    "prdt", "prdt:N", "perfect RDT of N x N nodes: every node has every rank",
    [](const auto& p) { return std::make_unique<PrdtNetwork>(parse_side(p, "prdt:N")); }};

}  // namespace

std::string RdtNetwork::name() const {
    const char* suffix = m_geometry.missing_rank() == MissingRank::One ? "/1" : "";
    return fmt::format("rdt:{}{}", m_geometry.side(), suffix);
}

std::string RdtNetwork::label(NodeId node) const { return label_of(m_geometry, node); }

NodeId RdtNetwork::parse(const std::string& text) const {
    if (text.find(',') == std::string::npos) return Network::parse(text);
    return parse_label(m_geometry, name(), text);
}

Position RdtNetwork::position(NodeId node) const { return position_of(m_geometry, node); }

namespace {

struct NamedRouting {
    const char* name;
    std::unique_ptr<Routing> (*make)(const RdtNetwork&);
};
// "-simple": the vectors of simple vector routing instead of the best ones.
constexpr NamedRouting Routings[] = {
    {"deadlock-free", [](const RdtNetwork& n) { return make_descending_routing(n); }},
    {"deadlock-free-simple",
     [](const RdtNetwork& n) { return make_descending_routing(n, VectorSource::Simple); }},
    {"floating", [](const RdtNetwork& n) { return make_floating_routing(n); }},
    {"floating-simple",
     [](const RdtNetwork& n) { return make_floating_routing(n, VectorSource::Simple); }},
    {"floating-negative-hop",
     [](const RdtNetwork& n) { return make_routing_around(n, "floating-negative-hop", {}); }},
    {"fixed", make_fixed_routing},
    {"fixed-highest-first", make_highest_first_routing},
    {"closed", make_closed_routing},
    {"adaptive", make_adaptive_routing},
    {"adaptive-turn", make_turn_routing},
    {"hypercube", make_hypercube_routing},
};

}  // namespace

std::vector<std::string> RdtNetwork::routings() const {
    std::vector<std::string> names;
    for (const NamedRouting& r : Routings) names.emplace_back(r.name);
    return names;
}

std::unique_ptr<Routing> RdtNetwork::routing(const std::string& name) const {
    for (const NamedRouting& r : Routings)
        if (name == r.name) return r.make(*this);
    throw NetworkError(fmt::format("{} has no routing \"{}\"", this->name(), name));
}

// One of every kind.
std::vector<NodeId> RdtNetwork::representatives() const {
    std::vector<NodeId> nodes;
    for (uint32_t kind = 0; kind < NumKinds; ++kind) {
        const Vec at = example_of(kind);
        nodes.push_back(m_geometry.index(at.x, at.y));
    }
    return nodes;
}

PrdtNetwork::PrdtNetwork(int side) : m_geometry(side) {
    const uint32_t ranks = top_rank() + 1;
    m_neighbors.resize(nodes() * ports());
    m_datelines.assign(nodes() * ranks, 0);
    for (NodeId node = 0; node < nodes(); ++node)
        for (uint32_t port = 0; port < ports(); ++port)
            m_neighbors[node * ports() + port] = m_geometry.shifted(node, step_of(port / 4, port));
    for (uint32_t port = 0; port < ports(); port += 2)
        for_each_ring(
            nodes(), [&](uint32_t node) { return *neighbor(node, port); },
            [&](uint32_t first, uint32_t last) {
                m_datelines[last * ranks + port / 4] |= uint8_t(1u << port % 4);
                m_datelines[first * ranks + port / 4] |= uint8_t(2u << port % 4);
            });
}

std::string PrdtNetwork::label(NodeId node) const { return label_of(m_geometry, node); }

NodeId PrdtNetwork::parse(const std::string& text) const {
    if (text.find(',') == std::string::npos) return Network::parse(text);
    return parse_label(m_geometry, name(), text);
}

Position PrdtNetwork::position(NodeId node) const { return position_of(m_geometry, node); }

std::unique_ptr<Routing> PrdtNetwork::routing(const std::string&) const {
    return make_simple_routing(*this);
}

}  // namespace rdt
