// SPDX-License-Identifier: MIT
// Simple vector routing on a perfect RDT of any cardinal number.
#include <cstdlib>

#include <rdt/net/rdt/rdt_family.h>

namespace rdt {

namespace {

// a / 2n to the nearest whole number, halves toward zero.
int nearest(int a, int n) { return a >= 0 ? (a + n - 1) / (2 * n) : -((n - 1 - a) / (2 * n)); }

// The vectors follow from the displacement, so the tag holds that and the hops made so far: they
// are used up in descending order of ranks, Y before X on each.
class Simple : public Routing {
public:
    explicit Simple(const RdtFamily& network) : m_network(network) { find_datelines(); }
    uint32_t vcs() const override { return 2; }

    RouteTag start(NodeId src, NodeId dst) const override {
        const Vec d = m_network.displacement(src, dst);
        return {uint64_t(uint32_t(d.x)) << 32 | uint32_t(d.y), 0};
    }
    void next(NodeId at, NodeId, const RouteTag& tag, OutChannel in, Choices& out) const override {
        out.clear();
        const Vec d{int32_t(tag[0] >> 32), int32_t(tag[0] & 0xffffffff)};
        const std::vector<Vec> v = split(d, m_network.tori().n(), m_network.ranks());
        uint64_t behind = 0;
        for (uint32_t rank = m_network.ranks() + 1; rank-- > 0;)
            for (const bool is_y : {true, false}) {
                const int hops = is_y ? v[rank].y : v[rank].x;
                behind += uint64_t(std::abs(hops));
                if (behind <= tag[1]) continue;
                const uint32_t port = 4 * rank + (is_y ? 2 : 0) + (hops < 0 ? 1 : 0);
                const bool straight_on = in.vc == 1 && in.port == opposite(port);
                out.add(port, is_dateline(at, port) || straight_on ? 1 : 0);
                return;
            }
    }
    RouteTag advance(NodeId, const RouteTag& tag, OutChannel) const override {
        return {tag[0], tag[1] + 1};
    }

private:
    bool is_dateline(NodeId at, uint32_t port) const {
        return m_datelines[size_t(at) * m_network.ports() + port];
    }
    void find_datelines() {
        const uint32_t ports = m_network.ports();
        m_datelines.assign(size_t(m_network.nodes()) * ports, false);
        for (uint32_t port = 0; port < ports; port += 2)
            for_each_ring(
                m_network.nodes(), [&](NodeId node) { return *m_network.neighbor(node, port); },
                [&](NodeId first, NodeId last) {
                    m_datelines[size_t(last) * ports + port] = true;
                    m_datelines[size_t(first) * ports + opposite(port)] = true;
                });
    }

    const RdtFamily& m_network;
    std::vector<bool> m_datelines;  // by node * ports + port
};

}  // namespace

std::vector<Vec> split(Vec displacement, int n, uint32_t ranks) {
    std::vector<Vec> v(ranks + 1);
    Vec rest = displacement;
    for (uint32_t r = 0; r < ranks; ++r) {
        const Vec up{nearest(rest.x + rest.y, n), nearest(rest.y - rest.x, n)};
        v[r] = {rest.x - n * (up.x - up.y), rest.y - n * (up.x + up.y)};
        rest = up;
    }
    v[ranks] = rest;
    return v;
}

std::unique_ptr<Routing> make_simple_routing(const RdtFamily& network) {
    return std::make_unique<Simple>(network);
}

}  // namespace rdt
