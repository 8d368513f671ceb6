// SPDX-License-Identifier: MIT
// Chips, wires and endpoints: anything from one chip with ten endpoints to a
// patch of a network, whatever the chips are made of. Every link is watched.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/link_checker.h"
#include <rdt/cosim/chip_pins.h>
#include <rdt/machine/endpoint.h>

namespace rdt::tb {

using machine::ChipPins;
using machine::Endpoint;

class WiredChips {
public:
    explicit WiredChips(uint32_t nodes) : m_chips(nodes) {
        for (uint32_t n = 0; n < nodes; ++n) m_chips[n].partner = n;
    }
    virtual ~WiredChips() = default;
    WiredChips(const WiredChips&) = delete;
    WiredChips& operator=(const WiredChips&) = delete;

    // Before the first cycle. `bad_flits`: wrong parity or length will be sent on purpose.
    void wire(uint32_t node_a, uint32_t port_a, uint32_t node_b, uint32_t port_b);
    Endpoint& attach(uint32_t node, uint32_t port, bool bad_flits = false);
    // Chips, links and endpoints; the endpoints keep what they have to send.
    void reset();

    // Two chips are the slices of one node: each sees the other's slice_o.
    void pair(uint32_t a, uint32_t b) {
        m_chips[a].partner = b;
        m_chips[b].partner = a;
    }

    // From now on the chip reads these bits of a link as all 1 or all 0. It is no longer checked.
    void stick(uint32_t node, uint32_t port, const core::LinkPinsIn& bits, bool value) {
        m_stuck.push_back({{node, port}, bits, value});
        m_links[m_link_of.at({node, port})].watched = false;
    }

    // In the next cycle the chip reads these bits of D inverted. The link is still watched: what is
    // driven is right.
    void flip_d(uint32_t node, uint32_t port, flit_t bits) {
        m_flips.push_back({{node, port}, bits});
    }

    void shoot(uint32_t node, bool level) { m_chips[node].in.shoot = level; }

    // One cycle of everything. False after the first error; see error().
    bool clock();
    bool clocks(uint64_t n) {
        while (n-- > 0)
            if (!clock()) return false;
        return true;
    }
    // Until nothing is queued, held, on a line or in a buffer, and all links that are on are
    // up; false and an error that names the ports with flits if that takes more than `limit`
    // cycles.
    bool drain(uint64_t limit);
    bool idle() const;
    // No ack in flight: none queued, on a line, landed, or complete and not sent.
    bool acks_idle() const;

    const std::string& error() const { return m_error; }
    uint64_t now() const { return m_now; }
    uint32_t nodes() const { return uint32_t(m_chips.size()); }
    const ChipPins& pins(uint32_t node) const { return m_chips[node].out; }
    const core::PinsIn& inputs(uint32_t node) const { return m_chips[node].in; }
    virtual const fast::ChipState& state(uint32_t node) const = 0;
    Endpoint& endpoint(uint32_t node, uint32_t port) { return *m_ends.at({node, port}); }
    const LinkChecker& link(uint32_t node, uint32_t port) const {
        return m_links[m_link_of.at({node, port})].checker;
    }
    // The endpoint discards a credit: its packet is already in the buffer.
    void forfeit(uint32_t node, uint32_t port, uint32_t vc);

protected:
    struct Chip {
        core::PinsIn in;
        ChipPins out;
        uint32_t partner;  // whose slice_o it sees
    };
    using At = std::pair<uint32_t, uint32_t>;  // node, port

    Chip& chip(uint32_t node) { return m_chips[node]; }
    void fail(const std::string& what) {
        if (m_error.empty()) m_error = what;
    }
    // One cycle of all chips: `in` to `out`.
    virtual void clock_chips(bool rst_n) = 0;
    // It holds nothing that has to continue.
    virtual bool is_chip_idle(uint32_t node) const;

private:
    struct Link {
        At a;
        std::optional<At> b;  // none: an endpoint
        LinkChecker checker;
        bool watched = true;
    };
    struct Stuck {
        At at;
        core::LinkPinsIn bits;
        bool value;
    };

    struct Flip {
        At at;
        flit_t bits;
    };

    core::LinkPinsOut far_end(const Link& link) const;
    void drive();
    std::string holders() const;

    std::vector<Chip> m_chips;
    std::vector<Link> m_links;
    std::vector<Stuck> m_stuck;
    std::vector<Flip> m_flips;
    std::map<At, size_t> m_link_of;
    std::map<At, std::unique_ptr<Endpoint>> m_ends;
    std::string m_error;
    uint64_t m_now = 0;
    bool m_in_reset = true;
};

// C++ core only.
class CoreChips : public WiredChips {
public:
    explicit CoreChips(uint32_t nodes, const ChipOptions& options = {})
        : WiredChips(nodes), m_cores(nodes, fast::Router(options)) {}
    const fast::ChipState& state(uint32_t node) const override { return m_cores[node]; }

private:
    void clock_chips(bool rst_n) override {
        for (uint32_t n = 0; n < nodes(); ++n) {
            fast::Router& core = m_cores[n];
            if (rst_n) core.clock(chip(n).in);
            else core.reset();
            for (uint32_t p = 0; p < NumPorts; ++p) chip(n).out.link[p] = core.pins(p);
            chip(n).out.err = core.err();
            chip(n).out.slice = core.slice();
        }
    }

    std::vector<fast::Router> m_cores;
};

}  // namespace rdt::tb
