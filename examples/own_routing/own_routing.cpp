// SPDX-License-Identifier: MIT
// A custom routing on an existing network: a torus by another name, with one more routing.
//
//   rdt --plugin b/libown_routing.so net cdg turning:8x8 --routing yx
//   rdt --plugin b/libown_routing.so lab --net turning:8x8 --routing yx --load 0.2
//
// It goes in y first, then in x; the network's own goes in x first. Two virtual channels a ring
// keep it free of deadlock: VC 0 until the packet has passed the end of the ring, VC 1 from then
// on, and all the way if it does not pass it. `net cdg` detects whether that is true.
#include <rdt/net/graph/network.h>

namespace {

using namespace rdt;

class YThenX : public Routing {
public:
    explicit YThenX(uint32_t side) : m_side(side) {}
    uint32_t vcs() const override { return 2; }
    void next(NodeId at, NodeId dst, const RouteTag&, OutChannel, Choices& out) const override {
        out.clear();
        const uint32_t y = at / m_side, to_y = dst / m_side;
        if (y != to_y) step(out, 2, y, to_y);
        else if (at != dst) step(out, 0, at % m_side, dst % m_side);
    }

private:
    // Port 2 * d leads up in dimension d, the next one down; the shorter way.
    void step(Choices& out, uint32_t port, uint32_t from, uint32_t to) const {
        const bool up = 2 * ((to + m_side - from) % m_side) <= m_side;
        const bool end_is_ahead = up ? from > to : from < to;
        out.add(port + (up ? 0 : 1), end_is_ahead ? 0 : 1);
    }
    const uint32_t m_side;
};

// Everything but the routing is the torus'.
class Turning : public Network {
public:
    explicit Turning(const std::string& shape)
        : m_torus(make_network("torus:" + shape)), m_shape(shape), m_side(0) {
        while (m_side * m_side < m_torus->nodes()) ++m_side;
        if (m_torus->ports() != 4 || m_side * m_side != m_torus->nodes())
            throw NetworkError("turning is a square, as turning:8x8");
    }
    std::string name() const override { return "turning:" + m_shape; }
    uint32_t nodes() const override { return m_torus->nodes(); }
    uint32_t ports() const override { return m_torus->ports(); }
    std::optional<NodeId> neighbor(NodeId node, uint32_t port) const override {
        return m_torus->neighbor(node, port);
    }
    uint32_t port_back(NodeId node, uint32_t port) const override {
        return m_torus->port_back(node, port);
    }
    Position position(NodeId node) const override { return m_torus->position(node); }
    Position period() const override { return m_torus->period(); }
    std::vector<std::string> routings() const override {
        auto names = m_torus->routings();
        names.push_back("yx");
        return names;
    }
    std::unique_ptr<Routing> routing(const std::string& name) const override {
        if (name == "yx") return std::make_unique<YThenX>(m_side);
        return m_torus->routing(name);
    }

private:
    std::unique_ptr<Network> m_torus;
    std::string m_shape;
    uint32_t m_side;
};

const NetworkKind kind{"turning", "turning:NxN", "a torus with the routing yx as well",
                       [](const std::string& text) -> std::unique_ptr<Network> {
                           return std::make_unique<Turning>(text);
                       }};

}  // namespace
