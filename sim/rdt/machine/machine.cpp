// SPDX-License-Identifier: MIT
#include <rdt/machine/machine.h>

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include <rdt/machine/cosim/inside.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

const char* to_string(Engine engine) {
    switch (engine) {
    case Engine::Fast: return "fast";
    case Engine::Events: return "events";
    case Engine::SystemC: return "systemc";
    case Engine::Blocks: return "blocks";
    case Engine::Rtl: return "rtl";
    default: return "lockstep";
    }
}

Machine::Machine(const Config& config)
    : m_config(config),
      m_geometry(config.side),
      m_cut(m_geometry.nodes()),
      m_broken(m_geometry.nodes()),
      m_disturbed(m_geometry.nodes()) {}

void Machine::make_mbps() {
    m_mbp.reserve(2 * nodes());
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t m = 0; m < 2; ++m) m_mbp.emplace_back(PortM0 + m);
    carry_all(m_carrier);
}

std::vector<Inside> Machine::insides(uint32_t /*node*/) { return {}; }

size_t Machine::bytes_used() const {
    const uint64_t resident = resident_bytes();
    const uint64_t grown = resident > m_resident_before ? resident - m_resident_before : 0;
    return std::max(bytes(), size_t(grown));
}

void Machine::clock() {
    for (const Flip& f : m_flips) m_disturbed[f.node] |= uint16_t(1u << f.port);
    step(true);
    for (const Flip& f : m_flips) m_disturbed[f.node] = m_broken[f.node];
    m_flips.clear();
    ++m_now;
}

bool Machine::skip(uint64_t cycles) {
    if (!m_flips.empty() || !can_skip(cycles)) return false;
    do_skip(cycles);
    m_now += cycles;
    return true;
}

bool Machine::has_disturbance() const {
    return !m_flips.empty() || std::any_of(m_disturbed.begin(), m_disturbed.end(),
                                           [](uint16_t ports) { return ports != 0; });
}

void Machine::disturb(uint32_t node, uint32_t port, core::LinkPinsIn& in) const {
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

void Machine::cut(uint32_t node, uint32_t port) {
    m_had_disturbance = true;
    const auto sever = [this](uint32_t n, uint32_t p) {
        m_cut[n] |= uint16_t(1u << p);
        m_broken[n] |= m_cut[n];
        m_disturbed[n] |= m_broken[n];
        on_disturbance(n);
    };
    sever(node, port);
    if (is_network(port)) sever(m_geometry.neighbour(node, port), opposite(port));
    else sever(node, MbpReads + port - PortM0);
}

void Machine::stick(uint32_t node, uint32_t port, const core::LinkPinsIn& bits, bool value) {
    m_had_disturbance = true;
    m_stuck.push_back({node, port, bits, value});
    m_broken[node] |= uint16_t(1u << port);
    m_disturbed[node] |= m_broken[node];
    on_disturbance(node);
}

void Machine::count_links(LinkCounter& counter) const {
    constexpr uint32_t Nodes = LinkCounter::NodesOfWord;
    for (uint32_t word = 0; word < nodes() / Nodes; ++word) {
        uint64_t driven = 0;
        for (uint32_t k = 0; k < Nodes; ++k) {
            const uint32_t n = word * Nodes + k;
            const uint32_t first = k * LinkCounter::EndsOfNode;
            for (uint32_t p = 0; p < NumPorts; ++p)
                driven |= uint64_t(pins(n, p).oe) << (first + p);
            for (uint32_t m = 0; m < 2; ++m)
                driven |= uint64_t(mbp_pins(n, m).oe) << (first + NumPorts + m);
        }
        counter.add(word, driven);
    }
    counter.end_clock();
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
                         {RegCtrl, (m_config.guard ? core::Config::CtrlGuard : 0) |
                                       (m_config.sink ? core::Config::CtrlSink : 0)}}));
}

void Machine::bring_up() {
    for (int n = 0; n < 2; ++n) step(false);
    for (uint32_t n = 0; n < nodes(); ++n) configure(n);
    // A link that is not up is never silent on both sides for as long as this.
    constexpr int Quiet = 16;
    for (int quiet = 0; quiet < Quiet; quiet = idle() && links_are_silent() ? quiet + 1 : 0)
        clock();
}

bool Machine::is_broken(uint32_t node, uint32_t port) const {
    const auto broken = [this](uint32_t n, uint32_t p) { return (m_broken[n] >> p & 1) != 0; };
    return broken(node, port) ||
           (is_network(port) ? broken(m_geometry.neighbour(node, port), opposite(port))
                             : broken(node, MbpReads + port - PortM0));
}

// But those that are cut or have stuck pins, which may never come up.
bool Machine::links_are_silent() const {
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (!has_link(p) || is_broken(n, p)) continue;
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
                count += is_down(n, p) || is_down(m_geometry.neighbour(n, p), opposite(p)) ? 1 : 0;
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

namespace {

std::map<Engine, EngineKind::Make>& engines() {
    static std::map<Engine, EngineKind::Make> all;
    return all;
}

const char* needs_of(Engine engine) {
    switch (engine) {
    case Engine::Fast:
    case Engine::Events: return "nothing";
    case Engine::SystemC: return "SystemC";
    case Engine::Rtl: return "Verilator";
    default: return "SystemC and Verilator";
    }
}

}  // namespace

EngineKind::EngineKind(Engine engine, Make make) { engines()[engine] = make; }

bool has_engine(Engine engine) { return engines().count(engine) != 0; }

std::unique_ptr<Machine> make_machine(const Config& config) {
    if (!Geometry::is_supported(config.side))
        throw std::invalid_argument(
            fmt::format("there is no RDT of {0} x {0} nodes; the side is 8, 16, 32, 64, 128 or 256",
                        config.side));
    const auto nodes = uint32_t(config.side * config.side);
    for (uint32_t n : config.rtl_nodes)
        if (n >= nodes)
            throw std::invalid_argument(
                fmt::format("there is no node {}; the last is {}", n, nodes - 1));
    if (config.sink && config.timeout == 0)
        throw std::invalid_argument("outputs sink only what a timeout has found to be stuck");
    if (!config.rtl_nodes.empty() && config.engine != Engine::SystemC)
        throw std::invalid_argument("only single nodes of a SystemC machine can be RTL");
    if (!config.rtl_blocks.empty() && config.engine != Engine::Blocks)
        throw std::invalid_argument("only a machine of blocks has blocks that can be RTL");
    if (!has_engine(config.engine))
        throw std::invalid_argument(fmt::format("engine {} is not in this build: it needs {}",
                                                to_string(config.engine), needs_of(config.engine)));
    return engines().at(config.engine)(config);
}

}  // namespace rdt::machine
