// SPDX-License-Identifier: MIT
#include <rdt/machine/disturbances.h>

#include <algorithm>

namespace rdt::machine {

Disturbances::Disturbances(const Geometry& geometry)
    : m_geometry(geometry),
      m_cut(geometry.nodes()),
      m_broken(geometry.nodes()),
      m_disturbed(geometry.nodes()) {}

void Disturbances::flip(const Flip& flip) {
    m_flips.push_back(flip);
    m_were_any = true;
}

void Disturbances::cut(uint32_t node, uint32_t port) {
    m_cut[node] |= uint16_t(1u << port);
    break_port(node, port);
}

void Disturbances::stick(uint32_t node, uint32_t port, const core::LinkPinsIn& bits, bool value) {
    m_stuck.push_back({node, port, bits, value});
    break_port(node, port);
}

void Disturbances::break_port(uint32_t node, uint32_t port) {
    m_were_any = true;
    m_broken[node] |= uint16_t(1u << port);
    m_disturbed[node] |= m_broken[node];
}

void Disturbances::begin_cycle() {
    for (const Flip& f : m_flips) m_disturbed[f.node] |= uint16_t(1u << f.port);
}

void Disturbances::end_cycle() {
    for (const Flip& f : m_flips) m_disturbed[f.node] = m_broken[f.node];
    m_flips.clear();
}

bool Disturbances::are_any() const {
    return !m_flips.empty() || std::any_of(m_disturbed.begin(), m_disturbed.end(),
                                           [](uint16_t ports) { return ports != 0; });
}

bool Disturbances::is_broken(uint32_t node, uint32_t port) const {
    const auto broken = [this](uint32_t n, uint32_t p) { return (m_broken[n] >> p & 1) != 0; };
    return broken(node, port) ||
           (is_network(port) ? broken(m_geometry.neighbor(node, port), opposite(port))
                             : broken(node, MbpReads + port - PortM0));
}

void Disturbances::apply(uint32_t node, uint32_t port, core::LinkPinsIn& in) const {
    if ((m_cut[node] >> port & 1) != 0) in = {};
    for (const Stuck& s : m_stuck) {
        if (s.node != node || s.port != port) continue;
        const auto force = [&s](auto& pins, auto bits) {
            pins = s.value ? pins | bits : pins & ~bits;
        };
        force(in.d, s.bits.d);
        force(in.req, s.bits.req);
        force(in.cred, s.bits.cred);
    }
    for (const Flip& f : m_flips) {
        if (f.node != node || f.port != port) continue;
        in.d ^= f.bits.d;
        in.req ^= f.bits.req;
        in.cred ^= f.bits.cred;
    }
}

}  // namespace rdt::machine
