// SPDX-License-Identifier: MIT
#include <rdt/machine/machine.h>

#include <fmt/core.h>

#include <algorithm>

#include <rdt/machine/check.h>
#include <rdt/cosim/inside.h>
#include <rdt/machine/router_array.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

Machine::Machine(const Config& config, FastFeatures* fast)
    : m_fast(fast),
      m_config(config),
      m_geometry(config.side),
      m_disturbances(m_geometry),
      m_slices(m_geometry.nodes()) {}

Machine::~Machine() = default;

void Machine::make_mbps() {
    m_mbp.reserve(2 * nodes());
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t m = 0; m < 2; ++m) m_mbp.emplace_back(PortM0 + m);
    carry_all(m_carrier);
}

std::vector<SignalView> Machine::signal_views(uint32_t node) {
    std::vector<SignalView> all{signal_view(node)};
    if (m_check)
        for (SignalView& other : m_check->signal_views(node)) all.push_back(std::move(other));
    return all;
}

RouterArray* Machine::routers_with_insides() {
    if (routers() != nullptr && routers()->has_insides()) return routers();
    return m_check ? m_check->routers_with_insides() : nullptr;
}

std::vector<Inside> Machine::insides(uint32_t node) {
    RouterArray* const array = routers_with_insides();
    return array != nullptr ? array->insides(node) : std::vector<Inside>();
}

void Machine::settle() {
    RouterArray* const array = routers_with_insides();
    if (array == nullptr) return;
    std::vector<core::PinsIn> in;
    for (uint32_t n = 0; n < nodes(); ++n) in.push_back(inputs(n));
    array->settle(in, true);
}

void Machine::settled() {
    if (m_check) m_check->compare_blocks();
    if (on_settled) on_settled();
}

void Machine::join_check() {
    if (m_check) m_check->join();
}

size_t Machine::compared_signals() const { return m_check ? m_check->signals() : 0; }

size_t Machine::bytes_used() const {
    const uint64_t resident = resident_bytes();
    const uint64_t grown = resident > m_resident_before ? resident - m_resident_before : 0;
    return std::max(bytes(), size_t(grown));
}

void Machine::clock() {
    m_disturbances.begin_cycle();
    advance(true);
    m_disturbances.end_cycle();
    ++m_now;
}

bool Machine::skip(uint64_t cycles) {
    if (m_fast == nullptr || m_check || on_settled || m_disturbances.has_flips()) return false;
    if (!m_fast->can_skip(cycles)) return false;
    m_fast->do_skip(cycles);
    m_now += cycles;
    return true;
}

// A difference is more informative than the assertion that it causes.
void Machine::advance(bool rst_n) {
    if (m_check && m_check->settle(rst_n)) settled();
    step(rst_n);
    if (m_check) m_check->clock(rst_n);
    if (routers() == nullptr || !routers()->failed()) return;
    const std::string report = fmt::format("assertion of the RTL failed at node {} in cycle {}",
                                           *routers()->failed(), now());
    throw MachineError(m_check ? m_check->explain(report, *routers()->failed()) : report);
}

void Machine::cut(uint32_t node, uint32_t port) {
    const auto sever = [this](uint32_t n, uint32_t p) {
        m_disturbances.cut(n, p);
        on_disturbance(n);
    };
    sever(node, port);
    if (is_network(port)) sever(m_geometry.neighbor(node, port), opposite(port));
    else sever(node, MbpReads + port - PortM0);
}

void Machine::stick(uint32_t node, uint32_t port, const core::LinkPinsIn& bits, bool value) {
    m_disturbances.stick(node, port, bits, value);
    on_disturbance(node);
}

void Machine::configure(uint32_t node) {
    const RouteConfig c = multicast_config(m_geometry, node);
    const auto all = [](uint32_t ports) { return (1u << ports) - 1; };
    mbp(node, 0).send(0, setup_packet({{RegX, uint32_t(m_geometry.x_of(node))},
                                       {RegY, uint32_t(m_geometry.y_of(node))},
                                       {RegRank, m_config.upper_rank ? c.rank : 0},
                                       {RegXfer, c.xfer},
                                       {RegDateline, c.dateline},
                                       {RegMask, c.mask}}));
    mbp(node, 0).send(
        0, setup_packet({{RegTimeout, m_config.timeout},
                         {RegTEnt, m_config.t_ent},
                         {RegTAck, m_config.t_ack},
                         {RegRanks, m_config.upper_rank ? c.ranks : 0},
                         {RegLink, m_config.upper_rank ? all(NumNetworkPorts) : all(PortE1)},
                         {RegCtrl, m_config.ctrl()}}));
}

void Machine::bring_up() {
    for (int n = 0; n < 2; ++n) advance(false);
    for (uint32_t n = 0; n < nodes(); ++n) configure(n);
    // A link that is not up is never silent on both sides for as long as this.
    constexpr int Quiet = 16;
    for (int quiet = 0; quiet < Quiet; quiet = idle() && links_are_silent() ? quiet + 1 : 0)
        clock();
}

// But those that are cut or have stuck pins, which may never come up.
bool Machine::links_are_silent() const {
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (!has_link(p) || m_disturbances.is_broken(n, p)) continue;
            for (const core::LinkPinsOut& end : {pins(n, p), far_pins(n, p)})
                if (end.req != ReqIdle || end.cred != VcNone) return false;
        }
    return true;
}

// A chip that shows nothing but its pins is seen to be down while it calls.
bool Machine::is_down(uint32_t node, uint32_t port) const {
    const fast::ChipState* chip = state(node);
    return chip != nullptr ? !chip->link(port).up() : pins(node, port).req == ReqCall;
}

uint32_t Machine::links_down() const {
    uint32_t count = 0;
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (!has_link(p)) continue;
            // A link between two chips counts at its first end.
            if (!is_network(p)) count += is_down(n, p) || !mbp(n, p - PortM0).up() ? 1 : 0;
            else if (p < opposite(p))
                count += is_down(n, p) || is_down(m_geometry.neighbor(n, p), opposite(p)) ? 1 : 0;
        }
    return count;
}

bool Machine::idle() const {
    for (const Endpoint& e : m_mbp)
        if (e.queued() + e.held() + e.acks_queued() != 0 || e.sending() || e.receiving())
            return false;
    for (uint32_t n = 0; n < nodes(); ++n) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut out = pins(n, p);
            const bool calls = out.req == ReqCall && (out.cred == 0 || out.cred == 3);
            if (out.oe || (!calls && (out.req != ReqIdle || out.cred != 0))) return false;
        }
        const fast::ChipState* r = state(n);
        if (r == nullptr) continue;
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (!r->input(p).quiet(r->link(p).rx_valid)) return false;
        if (r->local().q().st != fast::Local::Idle || !r->ack().quiet(0, 0) ||
            r->inject().q().st != fast::Inject::Idle)
            return false;
    }
    return true;
}

}  // namespace rdt::machine
