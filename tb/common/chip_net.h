// SPDX-License-Identifier: MIT
// Chips, wires and endpoints: anything from one chip with ten endpoints to a
// patch of a network. Every chip is two, the Verilated RTL and the SystemC
// module, on the same pins and compared in every clock; every link is watched.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "Vrdt_router.h"
#include "machine/chip.h"
#include "machine/endpoint.h"
#include "common/link_checker.h"
#include "machine/lockstep.h"

namespace rdt::tb {

using machine::ChipPins;
using machine::Endpoint;
using machine::Kernel;
using machine::Lockstep;
using machine::RtlChip;
using machine::ScChip;

class ChipNet {
public:
    ChipNet(uint32_t nodes, const std::string& name, uint64_t seed, const std::string& rerun);
    ~ChipNet();

    // Before the first clock. `bad_flits`: wrong parity or length will be sent on purpose.
    void wire(uint32_t node_a, uint32_t port_a, uint32_t node_b, uint32_t port_b);
    Endpoint& attach(uint32_t node, uint32_t port, bool bad_flits = false);
    void reset();

    // Writes the pins and buffers of both sides of all chips to a wave file from now on.
    void record(const std::string& path) { m_lockstep.record(path); }

    void shoot(uint32_t node, bool level) { m_chips[node].in.shoot = level; }

    // One clock of everything. False after the first error; see error().
    bool clock();
    bool clocks(uint64_t n) {
        while (n-- > 0)
            if (!clock()) return false;
        return true;
    }
    // Until nothing is queued, held, on a line or in a buffer; false and an
    // error that names the ports with flits if that takes more than `limit` clocks.
    bool drain(uint64_t limit);
    bool idle() const;

    const std::string& error() const { return m_error; }
    uint64_t now() const { return m_now; }
    const ChipPins& pins(uint32_t node) const { return m_chips[node].out; }
    const core::Router& state(uint32_t node) const { return m_chips[node].systemc->state(); }
    Endpoint& endpoint(uint32_t node, uint32_t port) { return *m_ends.at({node, port}); }
    const LinkChecker& link(uint32_t node, uint32_t port) const {
        return m_links[m_link_of.at({node, port})].checker;
    }
    size_t compared_signals() const { return m_lockstep.signals(); }

private:
    using At = std::pair<uint32_t, uint32_t>;  // node, port
    struct Chip {
        std::unique_ptr<RtlChip<Vrdt_router>> rtl;
        std::unique_ptr<ScChip> systemc;
        core::Router::PinsIn in;
        ChipPins out;
    };
    struct Link {
        At a;
        std::optional<At> b;  // none: an endpoint
        LinkChecker checker;
    };

    void compare_chip(uint32_t node);
    void drive();
    void fail(const std::string& what);
    std::string holders() const;

    Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::vector<Chip> m_chips;
    std::vector<Link> m_links;
    std::map<At, size_t> m_link_of;
    std::map<At, std::unique_ptr<Endpoint>> m_ends;
    Lockstep m_lockstep;
    std::string m_error;
    uint64_t m_now = 0;
    bool m_in_reset = true;
};

}  // namespace rdt::tb
