// SPDX-License-Identifier: MIT
// Tori and meshes of any number of dimensions. Node x + A*y + A*B*z; port 2*d leads up in
// dimension d, port 2*d + 1 down. A ring of two nodes has one link, seen as port 2*d by both.
//
// Dimension-order routing goes the shorter way around; where both are as long, up from even
// coordinates and down from odd ones, which loads both directions alike.
#include <fmt/core.h>

#include <algorithm>

#include <rdt/net/graph/network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

struct Shape {
    bool wraps;
    std::vector<uint32_t> sides;
    std::vector<uint32_t> strides;

    uint32_t dimensions() const { return uint32_t(sides.size()); }
    uint32_t coordinate(NodeId node, uint32_t d) const { return node / strides[d] % sides[d]; }

    std::optional<NodeId> neighbour(NodeId node, uint32_t port) const {
        const uint32_t d = port / 2;
        const bool up = port % 2 == 0;
        const uint32_t last = sides[d] - 1;
        const uint32_t c = coordinate(node, d);
        if (wraps && last == 1 && !up) return std::nullopt;
        if (c != (up ? last : 0)) return up ? node + strides[d] : node - strides[d];
        if (!wraps) return std::nullopt;
        return up ? node - last * strides[d] : node + last * strides[d];
    }

    bool goes_up(uint32_t from, uint32_t to, uint32_t d) const {
        if (!wraps) return to > from;
        const uint32_t side = sides[d];
        const uint32_t ahead = (to + side - from) % side;
        if (2 * ahead == side) return side == 2 || from % 2 == 0;
        return 2 * ahead < side;
    }
    // Is the link between the last and the first node of the ring still ahead?
    static bool wrap_is_ahead(uint32_t from, uint32_t to, bool up) {
        return up ? from > to : from < to;
    }
};

// Dally and Seitz: on a ring a packet is in VC 0 until it has crossed from the last node to the
// first (or back), then in VC 1; one that does not cross is in VC 1 all the way.
class DimensionOrder : public Routing {
public:
    explicit DimensionOrder(const Shape& shape) : m_shape(shape) {}
    uint32_t vcs() const override { return 2; }

    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel, Choices& out) const override {
        out.clear();
        for (uint32_t d = 0; d < m_shape.dimensions(); ++d) {
            const uint32_t from = m_shape.coordinate(at, d);
            const uint32_t to = m_shape.coordinate(dst, d);
            if (from == to) continue;
            const bool up = m_shape.goes_up(from, to, d);
            add(out, 2 * d + (up ? 0 : 1), Shape::wrap_is_ahead(from, to, up), tag[0] >> d & 1);
            return;
        }
    }

protected:
    virtual void add(Choices& out, uint32_t port, bool wrap_is_ahead, bool /*tag*/) const {
        out.add(port, wrap_is_ahead ? 0 : 1);
    }
    const Shape m_shape;
};

// The same, but packets that do not cross are spread over both VCs: bit d of the tag is the VC in
// which a packet passes through dimension d once no crossing is ahead.
class BalancedDimensionOrder : public DimensionOrder {
public:
    using DimensionOrder::DimensionOrder;

    RouteTag start(NodeId src, NodeId dst) const override {
        uint64_t bits = 0;
        for (uint32_t d = 0; d < m_shape.dimensions(); ++d) {
            const uint32_t from = m_shape.coordinate(src, d);
            const uint32_t to = m_shape.coordinate(dst, d);
            const bool crosses = Shape::wrap_is_ahead(from, to, m_shape.goes_up(from, to, d));
            bits |= uint64_t(crosses || (from / 2 + to) % 2 == 0 ? 1 : 0) << d;
        }
        return {bits, 0};
    }

protected:
    void add(Choices& out, uint32_t port, bool wrap_is_ahead, bool tag) const override {
        out.add(port, wrap_is_ahead ? 0 : tag ? 1 : 0);
    }
};

// Without rings there is nothing to cross: either VC will do.
class MeshDimensionOrder : public DimensionOrder {
public:
    using DimensionOrder::DimensionOrder;

protected:
    void add(Choices& out, uint32_t port, bool, bool) const override {
        out.add(port, 1);
        out.add(port, 0);
    }
};

class Grid : public Network {
public:
    Grid(bool wraps, const std::vector<uint32_t>& sides) : m_shape{wraps, sides, {}}, m_nodes(1) {
        for (uint32_t side : sides) {
            if (side < 2)
                throw NetworkError(
                    fmt::format("a side of {} is too short; it has to be 2 or more", side));
            m_shape.strides.push_back(m_nodes);
            m_nodes = checked_nodes(uint64_t(m_nodes) * side);
        }
    }

    std::string name() const override {
        return (m_shape.wraps ? "torus:" : "mesh:") + joined(m_shape.sides, "x");
    }
    uint32_t nodes() const override { return m_nodes; }
    uint32_t ports() const override { return 2 * m_shape.dimensions(); }
    std::optional<NodeId> neighbour(NodeId node, uint32_t port) const override {
        return m_shape.neighbour(node, port);
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
        if (m_shape.wraps) return {"dor", "dor-balanced"};
        return {"dor"};
    }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (!m_shape.wraps) return std::make_unique<MeshDimensionOrder>(m_shape);
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
