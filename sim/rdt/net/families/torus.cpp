// SPDX-License-Identifier: MIT
// Tori and meshes of any number of dimensions. Node x + A*y + A*B*z; port 2*d leads up in
// dimension d, port 2*d + 1 down. A ring of two nodes has one link, seen as port 2*d by both.
//
// Dimension-order routing goes the shorter way around. Where both are as long, up from even
// coordinates and down from odd ones, which loads both directions alike if all nodes send to all;
// or as a packet draws, which does so under every pattern.
#include <fmt/core.h>

#include <algorithm>

#include <rdt/net/graph/network.h>
#include <rdt/net/graph/parameters.h>
#include <rdt/support/divisor.h>

namespace rdt {

namespace {

struct Shape {
    bool wraps;
    std::vector<uint32_t> sides;
    std::vector<uint32_t> strides;
    std::vector<Divisor> by_side = {};
    std::vector<Divisor> by_stride = {};

    void add(uint32_t side, uint32_t stride) {
        sides.push_back(side);
        strides.push_back(stride);
        by_side.emplace_back(side);
        by_stride.emplace_back(stride);
    }
    uint32_t dimensions() const { return uint32_t(sides.size()); }
    uint32_t coordinate(NodeId node, uint32_t d) const {
        return by_side[d].remainder(by_stride[d].quotient(node));
    }

    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const {
        const uint32_t d = port / 2;
        const bool up = port % 2 == 0;
        const uint32_t last = sides[d] - 1;
        const uint32_t c = coordinate(node, d);
        if (wraps && last == 1 && !up) return std::nullopt;
        if (c != (up ? last : 0)) return up ? node + strides[d] : node - strides[d];
        if (!wraps) return std::nullopt;
        return up ? node - last * strides[d] : node + last * strides[d];
    }

    // `turned`: the other way where both are as long.
    bool goes_up(uint32_t from, uint32_t to, uint32_t d, bool turned) const {
        if (!wraps) return to > from;
        const uint32_t side = sides[d];
        const uint32_t ahead = to - from + (to < from ? side : 0);
        // Branch-free, because the branch is unpredictable.
        const bool at_tie = side == 2 || ((from % 2 == 0) != turned);
        return (2 * ahead < side) | ((2 * ahead == side) & at_tie);
    }
    // Both ways are as long; a ring of two nodes has one way only.
    bool is_tie(uint32_t from, uint32_t to, uint32_t d) const {
        return wraps && sides[d] > 2 && 2 * (from > to ? from - to : to - from) == sides[d];
    }
    bool has_ties() const {
        return wraps && std::any_of(sides.begin(), sides.end(),
                                    [](uint32_t side) { return side > 2 && side % 2 == 0; });
    }
    // Is the link between the last and the first node of the ring still ahead? Distances of
    // different nodes.
    static bool wrap_is_ahead(uint32_t from, uint32_t to, bool up) { return (from > to) == up; }
};

// The ways of a dimension from each coordinate to each other, computed once for rings that are not
// too long. `turned`: the other of two ways that are as long.
class Ways {
public:
    static constexpr uint32_t Up = 1;
    static constexpr uint32_t Crosses = 4;  // between the last and the first node

    Ways(const Shape& shape, uint32_t dimension)
        : m_shape(shape), m_dimension(dimension), m_side(shape.sides[dimension]) {
        for (uint32_t i = 0; m_side <= LongestKept && i < m_side * m_side; ++i) {
            const uint32_t from = i / m_side;
            const uint32_t to = i % m_side;
            m_kept.push_back(uint8_t(find(from, to, false) | find(from, to, true) << 1 |
                                     uint32_t(shape.is_tie(from, to, dimension)) << 4));
        }
    }
    uint32_t between(uint32_t from, uint32_t to, uint32_t turned) const {
        return m_kept.empty() ? find(from, to, turned != 0) : m_kept[from * m_side + to] >> turned;
    }
    uint32_t is_tie(uint32_t from, uint32_t to) const {
        return m_kept.empty() ? m_shape.is_tie(from, to, m_dimension)
                              : m_kept[from * m_side + to] >> 4;
    }

private:
    static constexpr uint32_t LongestKept = 256;

    uint32_t find(uint32_t from, uint32_t to, bool turned) const {
        const bool up = m_shape.goes_up(from, to, m_dimension, turned);
        const bool crosses = m_shape.wraps && from != to && Shape::wrap_is_ahead(from, to, up);
        return (up ? Up : 0) | (crosses ? Crosses : 0);
    }

    const Shape& m_shape;
    const uint32_t m_dimension;
    const uint32_t m_side;
    std::vector<uint8_t> m_kept;  // bits of find(), those of the turned way one on, then is_tie()
};

// Dally and Seitz: on a ring a packet is in VC 0 until it has crossed from the last node to the
// first (or back), then in VC 1; one that does not cross is in VC 1 all the way. Bit d of the tag
// is the VC in which a packet passes through dimension d once no crossing is ahead; of its second
// word that a tie in dimension d is turned.
class DimensionOrder : public Routing {
public:
    explicit DimensionOrder(const Shape& shape)
        : m_shape(shape), m_draws(shape.has_ties() ? 1u << shape.dimensions() : 1) {
        for (uint32_t d = 0; d < m_shape.dimensions(); ++d) m_ways.emplace_back(m_shape, d);
    }
    uint32_t vcs() const override { return 2; }
    uint32_t draws() const override { return m_draws; }
    bool keeps_tag() const override { return true; }
    RouteTag start(NodeId src, NodeId dst) const override { return tag_of(src, dst, 0); }
    RouteTag start_drawn(NodeId src, NodeId dst, uint32_t draw) const override {
        return tag_of(src, dst, draw);
    }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        if (at == dst) return;
        uint32_t from = m_shape.by_side[0].cut_off(at);
        uint32_t to = m_shape.by_side[0].cut_off(dst);
        if (m_is_flat) {
            // No branch here either.
            const bool second = from == to;
            add(second ? at : from, second ? dst : to, second, tag, out);
            return;
        }
        uint32_t d = 0;
        while (from == to) {
            ++d;
            from = m_shape.by_side[d].cut_off(at);
            to = m_shape.by_side[d].cut_off(dst);
        }
        add(from, to, d, tag, out);
    }

protected:
    // Bit d of `draw` turns a tie in dimension d.
    virtual RouteTag tag_of(NodeId src, NodeId dst, uint32_t draw) const {
        uint32_t turned = 0;
        for (uint32_t d = 0; draw >> d != 0; ++d) {
            const Divisor& side = m_shape.by_side[d];
            const uint32_t from = side.cut_off(src);
            turned |= draw & m_ways[d].is_tie(from, side.cut_off(dst)) << d;
        }
        return {m_shape.wraps ? ~0ull : 0, turned};
    }
    const Shape m_shape;
    std::vector<Ways> m_ways;  // by dimension

private:
    // The way in dimension d, whose coordinates are not the same.
    void add(uint32_t from, uint32_t to, uint32_t d, const RouteTag& tag, Choices& out) const {
        const uint32_t way = m_ways[d].between(from, to, tag[1] >> d & 1);
        const uint32_t port = 2 * d + ((way & Ways::Up) != 0 ? 0 : 1);
        if (!m_shape.wraps) out.add(port, 1);  // nothing to cross: either will do
        out.add(port, (way & Ways::Crosses) != 0 ? 0 : tag[0] >> d & 1);
    }

    const uint32_t m_draws;
    const bool m_is_flat = m_shape.dimensions() == 2;
};

// The same, but packets that do not cross are spread over both VCs.
class BalancedDimensionOrder : public DimensionOrder {
public:
    using DimensionOrder::DimensionOrder;

protected:
    RouteTag tag_of(NodeId src, NodeId dst, uint32_t draw) const override {
        uint64_t bits = 0;
        uint32_t turned = 0;
        for (uint32_t d = 0; d < m_shape.dimensions(); ++d) {
            const Divisor& side = m_shape.by_side[d];
            const uint32_t from = side.cut_off(src);
            const uint32_t to = side.cut_off(dst);
            turned |= draw & m_ways[d].is_tie(from, to) << d;
            const bool crosses =
                (m_ways[d].between(from, to, turned >> d & 1) & Ways::Crosses) != 0;
            bits |= uint64_t(crosses | ((from / 2 + to) % 2 == 0)) << d;
        }
        return {bits, turned};
    }
};

class Grid : public Network {
public:
    Grid(bool wraps, const std::vector<uint32_t>& sides) : m_shape{wraps, {}, {}}, m_nodes(1) {
        for (uint32_t side : sides) {
            if (side < 2)
                throw NetworkError(
                    fmt::format("a side of {} is too short; it has to be 2 or more", side));
            m_shape.add(side, m_nodes);
            m_nodes = checked_nodes(uint64_t(m_nodes) * side);
        }
    }

    std::string name() const override {
        return (m_shape.wraps ? "torus:" : "mesh:") + joined(m_shape.sides, "x");
    }
    uint32_t nodes() const override { return m_nodes; }
    uint32_t ports() const override { return 2 * m_shape.dimensions(); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return m_shape.neighbor(node, port);
    }
    uint32_t port_back(NodeId, uint32_t port) const override {
        return m_shape.wraps && m_shape.sides[port / 2] == 2 ? port : port ^ 1;
    }

    std::string label(NodeId node) const override { return joined(coordinates(node)); }
    NodeId parse(const std::string& text) const override {
        if (text.find(',') == std::string::npos) return Network::parse(text);
        const size_t dims = m_shape.dimensions();
        const auto c = parse_numbers(text, ',', "x,y,... of " + name(), dims, dims);
        NodeId node = 0;
        for (uint32_t d = 0; d < dims; ++d) {
            if (c[d] >= m_shape.sides[d])
                throw NetworkError(fmt::format("{} has no node {}", name(), text));
            node += c[d] * m_shape.strides[d];
        }
        return node;
    }

    std::vector<std::string> routings() const override {
        if (m_shape.wraps) return {"dor-balanced", "dor"};
        return {"dor"};
    }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (!m_shape.wraps) return std::make_unique<DimensionOrder>(m_shape);
        if (name == "dor-balanced") return std::make_unique<BalancedDimensionOrder>(m_shape);
        return std::make_unique<DimensionOrder>(m_shape);
    }

    // Dimensions lie alternately across and down, each beyond the extent of those before it; a
    // little askew, so that no link hides behind another.
    Position position(NodeId node) const override {
        double extent[2] = {1, 1};
        Position p;
        for (uint32_t d = 0; d < m_shape.dimensions(); ++d) {
            const double c = m_shape.coordinate(node, d);
            double& across = extent[d % 2];
            (d % 2 == 0 ? p.x : p.y) += c * across;
            if (d >= 2) (d % 2 == 0 ? p.y : p.x) += c * 0.3;
            across *= m_shape.sides[d] + (d >= 2 ? 0 : 1);
        }
        return p;
    }

    Position period() const override {
        if (!m_shape.wraps || m_shape.dimensions() > 2) return {};
        return {double(m_shape.sides[0]), m_shape.dimensions() == 2 ? double(m_shape.sides[1]) : 0};
    }
    std::vector<NodeId> representatives() const override {
        if (m_shape.wraps) return {0};
        return {};
    }
    // Across the longest side, if that is even. A ring is cut twice, one of two nodes once.
    std::optional<uint64_t> known_bisection() const override {
        const uint32_t longest = *std::max_element(m_shape.sides.begin(), m_shape.sides.end());
        if (longest % 2 != 0) return std::nullopt;
        return uint64_t(m_nodes / longest) * (m_shape.wraps && longest > 2 ? 2 : 1);
    }

private:
    std::vector<uint32_t> coordinates(NodeId node) const {
        std::vector<uint32_t> c;
        for (uint32_t d = 0; d < m_shape.dimensions(); ++d)
            c.push_back(m_shape.coordinate(node, d));
        return c;
    }

    Shape m_shape;
    uint32_t m_nodes;
};

std::unique_ptr<Network> make(bool wraps, const std::string& form, const std::string& parameters) {
    return std::make_unique<Grid>(wraps, parse_numbers(parameters, 'x', form, 1, 16));
}

const NetworkKind torus{"torus", "torus:AxB[xC...]", "torus of any dimensions",
                        [](const auto& p) { return make(true, "torus:AxB[xC...]", p); }};
const NetworkKind mesh{"mesh", "mesh:AxB[xC...]", "mesh of any dimensions",
                       [](const auto& p) { return make(false, "mesh:AxB[xC...]", p); }};

}  // namespace

}  // namespace rdt
