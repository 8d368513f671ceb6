// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/broadcast_traffic.h>

#include <nlohmann/json.hpp>

#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

namespace {

constexpr uint32_t EightNodes = 0xFF;

// Receivers of a map byte in the axes of its rank.
constexpr Vec Receivers[8] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, -1}, {0, -2}};

}  // namespace

BroadcastTraffic::BroadcastTraffic(const Machine& machine, double load, uint32_t flits,
                                   uint64_t seed)
    : m_geometry(machine.geometry()),
      m_upper_rank(machine.config().upper_rank),
      m_flits(flits),
      m_random(seed),
      m_trials(machine.nodes(), load / (double(flits) * machine.nodes()), m_random) {
    if (m_geometry.top_rank() != 1)
        throw std::invalid_argument("broadcasts without the upper rank are for 8 x 8 nodes");
    const Axes axes = axes_of(1);
    for (size_t i = 0; i < m_roots.size(); ++i)
        m_roots[i] = Receivers[i].x * axes.x + Receivers[i].y * axes.y;
}

void BroadcastTraffic::clock(Transport& transport) {
    const uint64_t now = m_clock++;
    if (m_stopped) return;
    m_trials.clock(now, [&](uint32_t node) {
        const uint64_t number = m_begun++;
        m_open[number] = {transport.machine().now(), m_geometry.nodes()};
        expand(transport, node, number);
        if (m_upper_rank) return;
        for (size_t i = 1; i < m_roots.size(); ++i) {
            Message m;
            m.source = node;
            m.destination = m_geometry.shifted(node, m_roots[i]);
            m.source_mbp = m.mbp = uint32_t(number & 1);
            m.flits = m_flits;
            m.user = number;
            transport.send(m);
        }
    });
}

// The multicast by which a node reaches all, or all of its part.
void BroadcastTraffic::expand(Transport& transport, uint32_t node, uint64_t number) {
    Message m;
    m.source = node;
    m.source_mbp = m.mbp = uint32_t(number & 1);
    m.maps = m_upper_rank ? full_maps(m_geometry) : map_byte(0, EightNodes);
    m.flits = m_flits;
    m.user = number;
    transport.send(m);
}

void BroadcastTraffic::delivered(Transport& transport, const Packet& packet, const Delivery& d) {
    const uint64_t number = packet.message.user;
    if (!packet.is_multicast()) {
        expand(transport, d.node, number);
        return;
    }
    Open& open = m_open.at(number);
    if (--open.missing != 0) return;
    m_latency.add(d.tail + 1 - open.born);
    ++m_done;
    m_open.erase(number);
}

void BroadcastTraffic::add_figures(nlohmann::ordered_json& json) const {
    json["broadcasts"] = m_done;
    json["broadcast_latency"] = mean_latency();
}

}  // namespace rdt::machine
