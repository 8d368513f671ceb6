// SPDX-License-Identifier: MIT
#include <rdt/net/families/rhsn.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <rdt/net/graph/negative_hop.h>
#include <rdt/net/families/nucleus.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

SwapShape::SwapShape(uint32_t nucleus_nodes, std::vector<uint32_t> levels)
    : m_nucleus_nodes(nucleus_nodes), m_levels(std::move(levels)) {
    uint64_t digits = 1;
    m_block_digits.push_back(1);
    m_block_size.push_back(nucleus_nodes);
    for (uint32_t l : m_levels) {
        digits *= l;
        m_block_size.push_back(
            checked_power(nucleus_nodes, uint32_t(std::min<uint64_t>(digits, 64))));
        m_block_digits.push_back(uint32_t(digits));
    }
}

uint32_t SwapShape::links() const {
    uint32_t links = 0;
    for (uint32_t l : m_levels) links += l - 1;
    return links;
}

namespace {

uint32_t power(uint32_t base, uint32_t exponent) {
    uint32_t result = 1;
    for (uint32_t i = 0; i < exponent; ++i) result *= base;
    return result;
}

}  // namespace

uint32_t SwapShape::block(NodeId node, uint32_t depth, uint32_t index) const {
    const uint32_t size = block_size(depth);
    return node / power(size, index) % size;
}

NodeId SwapShape::with_block(NodeId node, uint32_t depth, uint32_t index, uint32_t value) const {
    const uint32_t scale = power(block_size(depth), index);
    return node - block(node, depth, index) * scale + value * scale;
}

NodeId SwapShape::swapped(NodeId node, uint32_t depth, uint32_t level) const {
    const uint32_t low = block(node, depth, 0);
    const uint32_t high = block(node, depth, level - 1);
    return with_block(with_block(node, depth, 0, high), depth, level - 1, low);
}

namespace {

NodeId across(const SwapShape& shape, NodeId node, uint32_t depth, uint32_t level,
              bool diameter_links) {
    const uint32_t low = shape.block(node, depth, 0);
    if (!diameter_links || shape.block(node, depth, level - 1) != low)
        return shape.swapped(node, depth, level);
    const uint32_t opposite = shape.block_size(depth) - 1 - low;
    return shape.with_block(shape.with_block(node, depth, 0, opposite), depth, level - 1, opposite);
}

std::optional<NodeId> neighbor_of(const Network& nucleus, const SwapShape& shape,
                                  bool diameter_links, NodeId node, uint32_t port) {
    if (port < nucleus.ports()) {
        const uint32_t digit = node % nucleus.nodes();
        const auto other = nucleus.neighbor(digit, port);
        if (!other) return std::nullopt;
        return node - digit + *other;
    }
    port -= nucleus.ports();
    for (uint32_t depth = 1; depth <= shape.depth(); ++depth) {
        if (port < shape.levels(depth) - 1)
            return across(shape, node, depth, port + 2, diameter_links);
        port -= shape.levels(depth) - 1;
    }
    return std::nullopt;
}

// The tag holds the source and the hops made; with them the way is known.
class PathRouting : public Routing {
public:
    PathRouting(std::function<Rhsn::Path(NodeId, NodeId)> path_of, uint32_t vcs)
        : m_path_of(std::move(path_of)), m_vcs(vcs) {}
    uint32_t vcs() const override { return m_vcs; }
    RouteTag start(NodeId src, NodeId) const override { return {src, 0}; }
    void next(NodeId, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        const Rhsn::Path path = m_path_of(NodeId(tag[0]), dst);
        if (tag[1] < path.size()) out.add(path[tag[1]].port, path[tag[1]].vc);
    }
    RouteTag advance(NodeId, const RouteTag& tag, OutChannel) const override {
        return {tag[0], tag[1] + 1};
    }

private:
    const std::function<Rhsn::Path(NodeId, NodeId)> m_path_of;
    const uint32_t m_vcs;
};

}  // namespace

Rhsn::Rhsn(const std::string& name, std::shared_ptr<const Network> nucleus, const SwapShape& shape,
           bool diameter_links)
    : GraphNetwork(name, shape.nodes(), nucleus->ports() + shape.links(),
                   [&](NodeId node, uint32_t port) {
                       return neighbor_of(*nucleus, shape, diameter_links, node, port);
                   }),
      m_nucleus(std::move(nucleus)),
      m_shape(shape),
      m_diameter_links(diameter_links),
      m_nucleus_routing(make_negative_hop_routing(*m_nucleus)) {}

uint32_t Rhsn::swap_port(uint32_t depth, uint32_t level) const {
    uint32_t port = m_nucleus->ports() + level - 2;
    for (uint32_t d = 1; d < depth; ++d) port += m_shape.levels(d) - 1;
    return port;
}

std::string Rhsn::label(NodeId node) const {
    std::vector<uint32_t> digits;
    for (uint32_t i = m_shape.digits(); i-- > 0;) digits.push_back(m_shape.block(node, 1, i));
    return joined(digits, ".");
}

// The nucleus as a ring; digits above it alternately across and down, each farther than all below.
Position Rhsn::position(NodeId node) const {
    const uint32_t size = m_shape.nucleus_nodes();
    const double angle = 2 * M_PI * (node % size) / size + 0.3;
    const double radius = std::max(1.0, size / 8.0);
    Position p{radius * std::sin(angle), -radius * std::cos(angle)};
    double across = 3.2 * radius, down = across;
    for (uint32_t i = 1; i < m_shape.digits(); ++i) {
        double& step = i % 2 == 1 ? across : down;
        (i % 2 == 1 ? p.x : p.y) += step * m_shape.block(node, 1, i);
        step *= size + 0.3;
    }
    return p;
}

namespace {

// Whether `moved`, a permutation of the nodes, takes links to links.
template <class Moved>
bool is_symmetry(const Network& graph, Moved&& moved) {
    for (NodeId v = 0; v < graph.nodes(); ++v)
        for (uint32_t port = 0; port < graph.ports(); ++port) {
            const auto to = graph.neighbor(v, port);
            bool found = !to;
            for (uint32_t p = 0; p < graph.ports() && !found; ++p)
                found = graph.neighbor(moved(v), p) == moved(*to);
            if (!found) return false;
        }
    return true;
}

}  // namespace

std::vector<NodeId> Rhsn::representatives() const {
    const uint32_t size = m_shape.nucleus_nodes();
    bool by_bits = (size & (size - 1)) == 0;
    for (uint32_t bit = 1; bit < size && by_bits; bit *= 2)
        by_bits = is_symmetry(*m_nucleus, [bit](NodeId v) { return v ^ bit; });
    // Rotated digits have other opposites than before.
    const bool by_rotation =
        !m_diameter_links && is_symmetry(*m_nucleus, [size](NodeId v) { return (v + 1) % size; });
    if (!by_bits && !by_rotation) return {};
    std::vector<NodeId> nodes(m_shape.nodes() / size);
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
}

void Rhsn::swap(Walk& walk, uint32_t depth, uint32_t level) const {
    const NodeId to = m_shape.swapped(walk.at, depth, level);
    if (to == walk.at) return;
    walk.path.push_back({walk.at, swap_port(depth, level), walk.swaps * m_nucleus_routing->vcs()});
    walk.at = to;
    ++walk.swaps;
}

void Rhsn::walk_to(Walk& walk, uint32_t depth, uint32_t blocks, uint32_t to) const {
    if (depth == 0) {
        const uint32_t size = m_shape.nucleus_nodes();
        RouteTag tag = m_nucleus_routing->start(walk.at % size, to);
        OutChannel in{NoPort, 0};
        Choices choices;
        for (;;) {
            const NodeId digit = walk.at % size;
            m_nucleus_routing->next(digit, to, tag, in, choices);
            if (choices.empty()) return;
            const OutChannel out = choices[0];
            walk.path.push_back(
                {walk.at, out.port, walk.swaps * m_nucleus_routing->vcs() + out.vc});
            tag = m_nucleus_routing->advance(digit, tag, out);
            in = {uint16_t(m_nucleus->port_back(digit, out.port)), out.vc};
            walk.at += *m_nucleus->neighbor(digit, out.port) - digit;
        }
    }
    const uint32_t below = depth == 1 ? 0 : m_shape.levels(depth - 1);
    for (uint32_t level = blocks; level >= 2; --level) {
        const uint32_t target = m_shape.block(to, depth, level - 1);
        if (m_shape.block(walk.at, depth, level - 1) == target) continue;
        walk_to(walk, depth - 1, below, target);
        swap(walk, depth, level);
    }
    walk_to(walk, depth - 1, below, m_shape.block(to, depth, 0));
}

Rhsn::Path Rhsn::recursive_path(NodeId from, NodeId to) const {
    Walk walk{from, 0, {}};
    const uint32_t depth = m_shape.depth();
    walk_to(walk, depth, depth == 0 ? 0 : m_shape.levels(depth), to);
    return walk.path;
}

std::unique_ptr<Routing> Rhsn::path_routing(std::function<Path(NodeId, NodeId)> path_of,
                                            uint32_t swaps) const {
    const uint32_t vcs = (swaps + 1) * m_nucleus_routing->vcs();
    if (vcs > 256)
        throw NetworkError(
            fmt::format("{} would need {} virtual channels for this routing; 256 "
                        "are allowed",
                        name(), vcs));
    return std::make_unique<PathRouting>(std::move(path_of), vcs);
}

std::unique_ptr<Routing> Rhsn::routing(const std::string& name) const {
    if (name != "recursive") return GraphNetwork::routing(name);
    return path_routing([this](NodeId from, NodeId to) { return recursive_path(from, to); },
                        m_shape.digits() - 1);
}

namespace {

constexpr const char* RhsnForm = "rhsn:L,...,L,NUCLEUS[+d]";

std::unique_ptr<Network> make_rhsn(const std::string& text) {
    const bool diameter_links = text.size() > 2 && text.compare(text.size() - 2, 2, "+d") == 0;
    const std::string plain = text.substr(0, text.size() - (diameter_links ? 2 : 0));
    const size_t comma = plain.rfind(',');
    if (comma == std::string::npos)
        throw NetworkError(fmt::format("cannot read \"{}\"; the form is {}", text, RhsnForm));
    std::vector<uint32_t> levels = parse_numbers(plain.substr(0, comma), ',', RhsnForm, 1, 5);
    std::reverse(levels.begin(), levels.end());
    for (uint32_t l : levels)
        if (l < 1 || l > 22)
            throw NetworkError(
                fmt::format("{} is out of range; the levels of {} go from 1 to 22", l, RhsnForm));
    const auto nucleus = make_nucleus(plain.substr(comma + 1));
    const SwapShape shape(nucleus->nodes(), levels);
    return std::make_unique<Rhsn>("rhsn:" + text, nucleus, shape, diameter_links);
}

const NetworkKind rhsn_kind{"rhsn", RhsnForm,
                            "recursive hierarchical swapped network; HSN, HCN, HFN", make_rhsn};

}  // namespace

}  // namespace rdt
