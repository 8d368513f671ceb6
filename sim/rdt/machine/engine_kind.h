// SPDX-License-Identifier: MIT
// The configuration of a machine, and the engines that can simulate it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <rdt/core/registers.h>

namespace rdt::machine {

class Machine;
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
    bool guard = true;    // only a node's own MBP 0 may write its registers
    bool sink = false;    // outputs whose other end is gone consume packets; needs a timeout
    bool drop = false;    // packets that time out are consumed; needs a timeout
    bool faults = false;  // set before the run if pins will be inverted or links cut
    // Of the fast engine. From two on, a check simulates the routers of two engines at once.
    unsigned threads = 1;
    // Entries of a pruning cache in every router, which the chip does not have: engine fast alone.
    uint32_t pruning = 0;
    // 16 or 32: routers combine operands of so many bits in the answers of a barrier; 0: they do
    // not. Engine systemc, and engine fast cycle by cycle.
    uint32_t reduce_width = 0;
    // Entries of the ack table of every router: 1 to 7, or 13, 19 or 25 in banks. With another
    // number than 7 engine fast simulates every cycle, and there is no engine rtl.
    uint32_t entries = NumEntries;
    std::string rerun;  // the line that runs this again, for a report of a difference
    uint64_t seed = 1;  // named in it

    // Register Ctrl of all chips.
    uint32_t ctrl() const {
        return (guard ? core::Config::CtrlGuard : 0) | (sink ? core::Config::CtrlSink : 0) |
               (drop ? core::Config::CtrlDrop : 0);
    }
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

}  // namespace rdt::machine
