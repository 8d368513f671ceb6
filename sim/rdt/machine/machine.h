// SPDX-License-Identifier: MIT
// A whole machine: N x N nodes, each a router chip and two MBPs, wired as an RDT.
//
// One interface for all engines: the fast engine, the SystemC design and the Verilated RTL. Every
// engine delivers every packet in the same cycle. The MBPs are Endpoints in all of them. A machine
// can carry the routers of other engines at every node and compare them in every cycle
// (Config::check).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <rdt/machine/disturbances.h>
#include <rdt/machine/endpoint.h>
#include <rdt/machine/engine_kind.h>
#include <rdt/machine/fast_features.h>
#include <rdt/machine/link_counter.h>
#include <rdt/cosim/signals.h>
#include <rdt/net/rdt/rdt_geometry.h>
#include <rdt/support/usage.h>

namespace rdt::machine {

struct Inside;
class Check;
class RouterArray;

// A difference between two models, an assertion of the RTL, or a model that stopped with an error.
struct MachineError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Machine {
public:
    virtual ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    const Config& config() const { return m_config; }
    const Geometry& geometry() const { return m_geometry; }
    uint32_t nodes() const { return m_geometry.nodes(); }
    uint64_t now() const { return m_now; }
    // Ports that have a link, by bit.
    uint32_t links() const {
        return m_config.upper_rank ? (1u << NumPorts) - 1 : 3u << PortM0 | ((1u << PortE1) - 1);
    }
    bool has_link(uint32_t port) const { return (links() >> port & 1) != 0; }

    // Sends and receives at MBP m of a node. Callbacks of nodes of different lanes may come from
    // different threads; in each lane nodes come in order.
    Endpoint& mbp(uint32_t node, uint32_t m) {
        if (m_mbp.empty()) make_mbps();
        return m_mbp[2 * node + m];
    }
    const Endpoint& mbp(uint32_t node, uint32_t m) const {
        return const_cast<Machine*>(this)->mbp(node, m);
    }
    // Features of the fast engine, as fast_features.h has them, or what goes for all others.
    PacketFastPath* fast_path(PacketFastPath::Client* client) {
        return m_fast != nullptr ? m_fast->fast_path(client) : nullptr;
    }
    PruningCaches* pruning() const { return m_fast != nullptr ? m_fast->pruning() : nullptr; }
    unsigned lanes() const { return m_fast != nullptr ? m_fast->lanes() : 1; }
    unsigned lane_of(uint32_t node) const { return m_fast != nullptr ? m_fast->lane_of(node) : 0; }

    // One cycle of everything. Throws MachineError.
    void clock();
    // Leaves out so many cycles at once, if the engine knows that nothing can happen in them unless
    // an MBP is given something to send. Returns whether it has done so.
    bool skip(uint64_t cycles);

    // From reset, with all links off, to a machine that carries packets: SETUP packets through MBP
    // 0 configure each node's position, and all links come up. Comes before anything else.
    virtual void bring_up();

    // Links that carry nothing now: cut, broken, or resynchronization.
    virtual uint32_t links_down() const;

    // Nothing is held by a chip, on a line or in an MBP. A link that is down calls, and is idle.
    virtual bool idle() const;

    // Inverts pins for the coming clock.
    void flip(const Flip& flip) {
        m_disturbances.flip(flip);
        on_disturbance(flip.node);
    }
    // From now on neither end of the link sees the other.
    void cut(uint32_t node, uint32_t port);
    // From now on the chip reads these bits of a link as all 1 or all 0, whatever is driven.
    void stick(uint32_t node, uint32_t port, const core::LinkPinsIn& bits, bool value);

    // Pins as registered by the last cycle.
    virtual core::LinkPinsOut pins(uint32_t node, uint32_t port) const = 0;
    virtual core::LinkPinsOut mbp_pins(uint32_t node, uint32_t m) const {
        return mbp(node, m).pins();
    }
    // Flits that an end has sent since reset, by port and then MBP.
    virtual uint64_t flits_sent(uint32_t node, uint32_t end) const {
        return m_flits ? m_flits->flits(node, end) : 0;
    }
    virtual bool err(uint32_t node) const = 0;
    // The registers of a node until the next cycle; none if the engine does not show them
    // (EngineKind::shows_registers). Not from a callback of the fast engine.
    virtual const fast::ChipState* state(uint32_t /*node*/) const { return nullptr; }
    // What can be recorded of a node, for each engine that it has a router of.
    std::vector<SignalView> signal_views(uint32_t node);
    // Everything inside a node's router, in the SystemC design and, if it is linked, in the RTL:
    // requested before the first cycle. Empty if no router is the SystemC design.
    std::vector<Inside> insides(uint32_t node);
    // A machine that has insides calls this in every cycle, when all signals have settled.
    std::function<void()> on_settled;
    // The same for the cycle that would come next.
    void settle();
    // Outputs of the other end of a node's link.
    core::LinkPinsOut far_pins(uint32_t node, uint32_t port) const {
        return is_network(port) ? pins(m_geometry.neighbor(node, port), opposite(port))
                                : mbp_pins(node, port - PortM0);
    }
    // Inputs of a node's router in the coming cycle.
    core::PinsIn inputs(uint32_t node) const {
        return inputs(node, [this](uint32_t n, uint32_t p) { return pins(n, p); });
    }
    // The same for a caller that has pins(n, p) at hand.
    template <typename PinsOf>
    core::PinsIn inputs(uint32_t node, PinsOf&& pins_of) const {
        core::PinsIn in;
        for (uint32_t p = 0; p < NumPorts; ++p)
            in.link[p] = seen(node, p,
                              is_network(p) ? pins_of(m_geometry.neighbor(node, p), opposite(p))
                                            : mbp_pins(node, p - PortM0));
        in.slice = m_slices[node];
        return in;
    }
    // The level that the other slice of a node shows from now on (SystemC and RTL); 0 at first.
    void show_slice(uint32_t node, bool level) { m_slices[node] = level; }
    // The routers, of an engine that has them one by one.
    virtual RouterArray* routers() { return nullptr; }
    // Compares with routers of other engines; none without Config::check.
    Check* check() { return m_check.get(); }
    // Signals compared in every cycle.
    size_t compared_signals() const;
    virtual size_t bytes() const = 0;  // memory of the routers, approximately
    // Growth of the process since the machine was created, and at least that.
    size_t bytes_used() const;
    // Memory of the process before the machine and its routers were created.
    void set_resident_before(uint64_t bytes) { m_resident_before = bytes; }

protected:
    explicit Machine(const Config& config, FastFeatures* fast = nullptr);

    // Takes all that MBPs send.
    void carry_all(Carrier* carrier) {
        m_carrier = carrier;
        for (Endpoint& end : m_mbp) end.carried_by(carrier);
    }
    // The clock that comes next, of an engine that leaves some out.
    void set_now(uint64_t clock) { m_now = clock; }

    // One cycle of routers and MBPs; all inputs are pins() and mbp().pins() of before.
    virtual void step(bool rst_n) = 0;
    virtual SignalView signal_view(uint32_t node) = 0;
    // Used by engines that count flits on their links here.
    LinkCounter& flits() {
        if (!m_flits) m_flits.emplace(nodes());
        return *m_flits;
    }
    // An engine that has insides calls this when they have settled.
    void settled();
    // An engine that has its routers one by one calls this after their edge, before the MBPs'.
    void join_check();
    // Something other than the models' pins will be seen at a node, in the coming clock or from it
    // on: for an engine that leaves out nodes in which nothing happens.
    virtual void on_disturbance(uint32_t /*node*/) {}

    // Inputs of a router at one of its ports, given the outputs of the other end.
    core::LinkPinsIn seen(uint32_t node, uint32_t port, const core::LinkPinsOut& far) const {
        core::LinkPinsIn in{far.oe ? far.d : 0, far.req, far.cred};
        if (m_disturbances.are_at(node)) m_disturbances.apply(node, port, in);
        return in;
    }
    // Inputs of an MBP, given the outputs of its router.
    core::LinkPinsOut seen_by_mbp(uint32_t node, uint32_t m, const core::LinkPinsOut& chip) const {
        if (!m_disturbances.are_at(node)) return chip;
        core::LinkPinsIn in{chip.oe ? chip.d : 0, chip.req, chip.cred};
        m_disturbances.apply(node, MbpReads + m, in);
        return {in.d, chip.oe || in.d != 0, in.req, in.cred};
    }
    const Disturbances& disturbances() const { return m_disturbances; }
    bool slice_seen(uint32_t node) const { return m_slices[node]; }

private:
    friend std::unique_ptr<Machine> make_machine(const Config& config);
    void make_mbps();
    void advance(bool rst_n);
    RouterArray* routers_with_insides();
    void configure(uint32_t node);
    bool is_down(uint32_t node, uint32_t port) const;
    bool links_are_silent() const;

    FastFeatures* const m_fast;
    uint64_t m_resident_before = resident_bytes();
    Config m_config;
    Geometry m_geometry;
    std::vector<Endpoint> m_mbp;  // created on first use
    Carrier* m_carrier = nullptr;
    uint64_t m_now = 0;
    Disturbances m_disturbances;
    std::vector<bool> m_slices;
    mutable std::optional<LinkCounter> m_flits;
    std::unique_ptr<Check> m_check;
};

std::unique_ptr<Machine> make_machine(const Config& config);

}  // namespace rdt::machine
