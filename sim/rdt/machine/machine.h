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

#include <rdt/machine/endpoint.h>
#include <rdt/machine/packet_fast_path.h>
#include <rdt/machine/link_counter.h>
#include <rdt/cosim/signals.h>
#include <rdt/net/rdt/rdt_geometry.h>
#include <rdt/support/usage.h>

namespace rdt {
class PruningCaches;
}

namespace rdt::machine {

struct Inside;
class Check;
class RouterArray;

enum class Engine { Fast, SystemC, Rtl };

struct Config {
    int side = 8;  // one of Geometry::sides
    Engine engine = Engine::Fast;
    std::vector<Engine> check;  // compared with `engine` at every node in every cycle
    // Nodes at which a check of RTL and SystemC compares all signals of all blocks; by default
    // default_check_blocks().
    std::optional<std::vector<uint32_t>> check_blocks;
    bool event_driven = true;          // false: the fast engine simulates every cycle
    bool gates = false;                // engine rtl is gates of the RTL (gate_routers.h)
    std::vector<uint32_t> rtl_nodes;   // of the SystemC engine: these nodes are Verilated RTL
    std::set<std::string> rtl_blocks;  // of the SystemC engine: these kinds are Verilated RTL
    bool upper_rank = true;            // false: a plain 2-D torus of the same chips
    uint32_t t_ent = 0;                // registers of the same names, the same for all nodes
    uint32_t t_ack = 0;
    uint32_t timeout = 0;
    bool guard = true;     // only a node's own MBP 0 may write its registers
    bool sink = false;     // outputs whose other end is gone consume packets; needs a timeout
    bool drop = false;     // packets that time out are consumed; needs a timeout
    bool faults = false;   // set before the run if pins will be inverted or links cut
    unsigned threads = 1;  // of the fast engine
    // Entries of a pruning cache in every router, which the chip does not have: engine fast alone.
    uint32_t pruning = 0;
    std::string rerun;  // the line that runs this again, for a report of a difference
    uint64_t seed = 1;  // named in it

    // Register Ctrl of all chips.
    uint32_t ctrl() const {
        return (guard ? core::Config::CtrlGuard : 0) | (sink ? core::Config::CtrlSink : 0) |
               (drop ? core::Config::CtrlDrop : 0);
    }
};

// A difference between two models, an assertion of the RTL, or a model that stopped with an error.
struct MachineError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Inverts these bits of the pins that a router reads from a link. Ports from MbpReads on: what MBP
// 0 and MBP 1 read from their chip.
constexpr uint32_t MbpReads = NumPorts;
struct Flip {
    uint32_t node;
    uint32_t port;
    core::LinkPinsIn bits;
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
    // The fast path past the MBPs, for engines with one; nullptr ends its use.
    virtual PacketFastPath* fast_path(PacketFastPath::Client* /*client*/) { return nullptr; }
    // Of all routers; nullptr: they have none.
    virtual PruningCaches* pruning() const { return nullptr; }
    virtual unsigned lanes() const { return 1; }
    virtual unsigned lane_of(uint32_t /*node*/) const { return 0; }

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
        m_flips.push_back(flip);
        m_had_disturbance = true;
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

protected:
    explicit Machine(const Config& config);

    // Takes all that MBPs send.
    void carry_all(Carrier* carrier) {
        m_carrier = carrier;
        for (Endpoint& end : m_mbp) end.carried_by(carrier);
    }
    // The clock that comes next, of an engine that leaves some out.
    void set_now(uint64_t clock) { m_now = clock; }

    // One cycle of routers and MBPs; all inputs are pins() and mbp().pins() of before.
    virtual void step(bool rst_n) = 0;
    // Nothing is in flight, and no fault is there: cycles may be left out.
    virtual bool can_skip(uint64_t /*cycles*/) const { return false; }
    virtual void do_skip(uint64_t /*cycles*/) {}
    virtual SignalView signal_view(uint32_t node) = 0;
    // Used by engines that count flits on their links here.
    LinkCounter& flits() {
        if (!m_flits) m_flits.emplace(nodes());
        return *m_flits;
    }
    // An engine that has insides calls this when they have settled.
    void settled();
    // Something other than the models' pins will be seen at a node, in the coming clock or from it
    // on: for an engine that leaves out nodes in which nothing happens.
    virtual void on_disturbance(uint32_t /*node*/) {}

    // Inputs of a router at one of its ports, given the outputs of the other end.
    core::LinkPinsIn seen(uint32_t node, uint32_t port, const core::LinkPinsOut& far) const {
        core::LinkPinsIn in{far.oe ? far.d : 0, far.req, far.cred};
        if (is_disturbed(node)) disturb(node, port, in);
        return in;
    }
    // Inputs of an MBP, given the outputs of its router.
    core::LinkPinsOut seen_by_mbp(uint32_t node, uint32_t m, const core::LinkPinsOut& chip) const {
        if (!is_disturbed(node)) return chip;
        core::LinkPinsIn in{chip.oe ? chip.d : 0, chip.req, chip.cred};
        disturb(node, MbpReads + m, in);
        return {in.d, chip.oe || in.d != 0, in.req, in.cred};
    }
    bool is_disturbed(uint32_t node) const { return m_disturbed[node] != 0; }
    bool slice_seen(uint32_t node) const { return m_slices[node]; }
    // Whether anything ever was. Until then no end receives an undriven flit.
    bool had_disturbance() const { return m_had_disturbance; }
    // Whether anything is now, or will be in the coming clock.
    bool has_disturbance() const;
    void disturb(uint32_t node, uint32_t port, core::LinkPinsIn& in) const;

private:
    struct Stuck {
        uint32_t node;
        uint32_t port;
        core::LinkPinsIn bits;
        bool value;
    };
    friend std::unique_ptr<Machine> make_machine(const Config& config);
    void make_mbps();
    void advance(bool rst_n);
    RouterArray* routers_with_insides();
    void configure(uint32_t node);
    bool is_down(uint32_t node, uint32_t port) const;
    bool links_are_silent() const;
    bool is_broken(uint32_t node, uint32_t port) const;

    const uint64_t m_resident_before = resident_bytes();
    Config m_config;
    Geometry m_geometry;
    std::vector<Endpoint> m_mbp;  // created on first use
    Carrier* m_carrier = nullptr;
    uint64_t m_now = 0;
    std::vector<Flip> m_flips;  // flips in the coming cycle
    std::vector<Stuck> m_stuck;
    bool m_had_disturbance = false;
    std::vector<uint16_t> m_cut;        // by node: ports
    std::vector<uint16_t> m_broken;     // by node: ports that are cut or have stuck pins
    std::vector<uint16_t> m_disturbed;  // by node: these, and those flipped in this cycle
    std::vector<bool> m_slices;
    mutable std::optional<LinkCounter> m_flits;
    std::unique_ptr<Check> m_check;
};

// An engine: what users call it, and what makes it where it is linked.
struct EngineKind {
    using MakeMachine = std::unique_ptr<Machine> (*)(const Config&);
    // Routers of these nodes, in this order.
    using MakeRouters = std::unique_ptr<RouterArray> (*)(const Config&,
                                                         const std::vector<uint32_t>& nodes);

    Engine engine;
    const char* name;      // name in --engine and in JSON
    const char* title;     // in tables
    const char* needs;     // an engine that is not in the build needs this
    bool shows_registers;  // Machine::state()
    bool has_threads;
    bool can_have_rtl;  // single nodes and blocks
    MakeMachine make_machine = nullptr;
    MakeRouters make_routers = nullptr;
    bool is_linked() const { return make_machine != nullptr || make_routers != nullptr; }

    static const std::vector<EngineKind>& all();
    static const EngineKind& of(Engine engine);
    static const EngineKind* named(const std::string& name);
};
// Makes an engine known: a static object in its own file.
struct EngineRegistration {
    EngineRegistration(Engine engine, EngineKind::MakeMachine make);
    EngineRegistration(Engine engine, EngineKind::MakeRouters make);
};
// As "RTL compared with SystemC".
std::string title_of(const Config& config);
// The engine that carries the traffic: with a check the fast one, if it takes part.
Engine running_engine(const Config& config);
// Four nodes, from the first to the last.
std::vector<uint32_t> default_check_blocks(uint32_t nodes);

// Throws std::invalid_argument for an invalid configuration: an unsupported size, nodes that do not
// exist, an engine that is not in this build.
void check_config(const Config& config);
std::unique_ptr<Machine> make_machine(const Config& config);

}  // namespace rdt::machine
