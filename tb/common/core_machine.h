// SPDX-License-Identifier: MIT
// A machine of C++ routers of any kind: chips of 18 bits, which may be the slices of nodes
// (show_slice()), or nodes of 36 bits. MBPs of 36 bits send the same in both lanes, and a flit with
// a parity error in either lane is malformed for them.
#pragma once

#include <vector>

#include <rdt/fast/router.h>
#include <rdt/machine/machine.h>

namespace rdt::tb {

class CoreMachine : public machine::Machine {
public:
    CoreMachine(const machine::Config& config, const ChipOptions& options)
        : Machine(config), m_lanes(options.lanes), m_in(nodes()), m_left(2 * nodes()) {
        for (uint32_t n = 0; n < nodes(); ++n) m_chips.emplace_back(options);
    }

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_chips[node].pins(port);
    }
    core::LinkPinsOut mbp_pins(uint32_t node, uint32_t m) const override {
        core::LinkPinsOut out = mbp(node, m).pins();
        out.d *= m_lanes;
        return out;
    }
    bool err(uint32_t node) const override { return m_chips[node].err(); }
    bool slice(uint32_t node) const { return m_chips[node].slice(); }
    const fast::ChipState* state(uint32_t node) const override { return &m_chips[node]; }
    size_t bytes() const override { return nodes() * sizeof(fast::Router); }

protected:
    machine::SignalView signal_view(uint32_t) override {
        throw std::logic_error("a CoreMachine records nothing");
    }
    void step(bool rst_n) override {
        for (uint32_t n = 0; n < nodes(); ++n) m_in[n] = inputs(n);
        for (uint32_t n = 0; n < nodes(); ++n) {
            for (uint32_t m = 0; m < 2 && rst_n; ++m) {
                core::LinkPinsOut seen = seen_by_mbp(n, m, pins(n, PortM0 + m));
                seen.d = first_lane(seen, m_left[2 * n + m]);
                mbp(n, m).clock(seen, now());
            }
            if (rst_n) m_chips[n].clock(m_in[n]);
            else m_chips[n].reset();
        }
    }

private:
    // A parity error in the second lane becomes one in the first. `left`: flits of the packet.
    flit_t first_lane(const core::LinkPinsOut& seen, uint32_t& left) const {
        const uint32_t d = slice0(seen.d);
        if (!seen.oe) left = 0;
        if (m_lanes == OneLane || !seen.oe) return d;
        const bool is_head = left == 0;
        if (is_head) left = get(d, H0Type) == int(TypeAck) ? 1 : uint32_t(get(d, H0Len)) + 1;
        --left;
        const auto is_good = [is_head](uint32_t lane) { return odd(lane) != is_head; };
        return is_good(d) && !is_good(slice1(seen.d)) ? d ^ ParityBit : d;
    }

    const flit_t m_lanes;
    std::vector<fast::Router> m_chips;
    std::vector<core::PinsIn> m_in;
    std::vector<uint32_t> m_left;
};

}  // namespace rdt::tb
