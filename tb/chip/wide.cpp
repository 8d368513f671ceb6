// SPDX-License-Identifier: MIT
// A node as one chip of 36 bits (rdt_router with DataW = 36) beside rdt_node, two chips of 18 bits:
// the same on every pin in every cycle of random load, and the same as the SystemC design of blocks
// with 36 bits and as the C++ core's node.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <memory>

#include "Vrdt_node.h"
#include "Vrdt_router_36.h"
#include "chip/wide_bench.h"
#include <rdt/fast/router.h>
#include <rdt/cosim/kernel.h>
#include <rdt/machine/endpoint.h>
#include <rdt/core/rtl_pins.h>
#include "common/answer.h"
#include "common/node_traffic.h"
#include "common/run_options.h"

namespace rdt::tb {
namespace {

using machine::Endpoint;

constexpr unsigned NodeW = 2 * FlitW;

class Wide {
public:
    explicit Wide(uint64_t seed) : m_random(seed), m_node(&m_context), m_chip(&m_context) {
        m_context.fatalOnError(false);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_ends.push_back(std::make_unique<Endpoint>(p));
            m_ends[p]->on_receive = [this, p](const Endpoint::Received& r) {
                ++m_received;
                answer_copy(*m_ends[p], p, r.flits, 8);
            };
        }
        m_ends[PortM0]->send(
            0, setup_write({{RegRank, 1}, {RegRanks, 1}, {RegCtrl, 1}, {RegLink, 0xFF}}));
        m_node.rst_ni = m_chip.rst_ni = m_to_systemc.rst_n = false;
        edge();
        m_node.rst_ni = m_chip.rst_ni = m_to_systemc.rst_n = true;
    }
    ~Wide() {
        m_node.final();
        m_chip.final();
    }

    // `lost`: this bit of D is inverted on its way into the chip of 36 bits alone.
    void clock(bool shoot = false, flit_t lost = 0) {
        core::PinsIn in;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (m_now > 100 && m_ends[p]->queued() < 3)
                m_ends[p]->send(uint32_t(m_random() % vcs_of(p)), any_packet(m_random));
            const core::LinkPinsOut far = m_ends[p]->pins();
            const core::LinkPinsOut own = pins(p);
            const flit_t other = m_other[p](far, m_random);
            const flit_t d = own.oe ? own.d : far.oe ? far.d | other << FlitW : 0;
            in.link[p] = {d, far.req, far.cred};
            set_pin_slice(m_chip.d_i, NodeW * p, NodeW, d ^ lost);
            set_pin_slice(m_chip.req_i, 2 * p, 2, far.req);
            set_pin_slice(m_chip.cred_i, 2 * p, 2, far.cred);
            m_to_systemc.d[p] = d;
            m_to_systemc.req[p] = far.req;
            m_to_systemc.cred[p] = far.cred;
            set_pin_slice(m_node.d_i, NodeW * p, NodeW, d);
            set_pin_slice(m_node.req_i, 4 * p, 4, far.req * 5);
            set_pin_slice(m_node.cred_i, 4 * p, 4, far.cred * 5);
            m_ends[p]->clock({own.d & SliceMask, own.oe, own.req, own.cred}, m_now);
        }
        in.shoot = shoot;
        in.slice = m_core.slice();
        m_node.shoot_i = m_chip.shoot_i = shoot;
        m_chip.slice_i = m_chip.slice_o;
        m_to_systemc.shoot = shoot;
        m_to_systemc.slice = m_core.slice();
        m_core.clock(in);
        edge();
        ++m_now;
        compare();
    }

    uint64_t received() const { return m_received; }
    uint64_t wide_bodies() const { return m_wide_bodies; }
    const std::string& error() const { return m_error; }
    bool ok() const { return m_error.empty(); }

private:
    // Pins of the router of 36 bits.
    core::LinkPinsOut pins(uint32_t p) const {
        return {pin_slice(m_chip.d_o, NodeW * p, NodeW), pin_slice(m_chip.d_oe_o, p, 1) != 0,
                uint32_t(pin_slice(m_chip.req_o, 2 * p, 2)),
                uint32_t(pin_slice(m_chip.cred_o, 2 * p, 2))};
    }
    void edge() {
        m_node.clk_i = m_chip.clk_i = 0;
        m_node.eval();
        m_chip.eval();
        m_node.clk_i = m_chip.clk_i = 1;
        m_node.eval();
        m_chip.eval();
        m_systemc.clock(m_to_systemc);
        if (m_context.gotError()) m_error = "assertion in the RTL";
    }
    void compare() {
        const wide_bench::Out systemc = m_systemc.pins();
        for (uint32_t p = 0; p < NumPorts && ok(); ++p) {
            const core::LinkPinsOut one = pins(p);
            if (one.oe && one.d >> FlitW != (one.d & SliceMask)) ++m_wide_bodies;
            const bool as_two = pin_slice(m_node.d_o, NodeW * p, NodeW) == one.d &&
                                pin_slice(m_node.d_oe_o, 2 * p, 2) == (one.oe ? 3u : 0u) &&
                                pin_slice(m_node.req_o, 4 * p, 4) == one.req * 5 &&
                                pin_slice(m_node.cred_o, 4 * p, 4) == one.cred * 5;
            const core::LinkPinsOut blocks{systemc.d[p], systemc.oe[p], systemc.req[p],
                                           systemc.cred[p]};
            if (!(blocks == one))
                m_error = fmt::format("port {} at cycle {}: SystemC and RTL of 36 bits differ",
                                      to_string(Port(p)), m_now);
            else if (!as_two || !(m_core.pins(p) == one))
                m_error = fmt::format("port {} at cycle {}: the chip of 36 bits and {} differ",
                                      to_string(Port(p)), m_now, as_two ? "the core" : "the node");
        }
        if (ok() && (m_node.err_o != (m_chip.err_o ? 3 : 0) || m_core.err() != m_chip.err_o))
            m_error = fmt::format("err differs at cycle {}", m_now);
        if (ok() && (systemc.err != bool(m_chip.err_o) || systemc.slice != bool(m_chip.slice_o)))
            m_error = fmt::format("err or slice of SystemC differs at cycle {}", m_now);
        if (ok() && m_core.slice() != bool(m_chip.slice_o))
            m_error = fmt::format("slice differs at cycle {}", m_now);
    }

    machine::Kernel m_kernel;
    wide_bench::Chip m_systemc;
    wide_bench::In m_to_systemc;
    std::mt19937_64 m_random;
    VerilatedContext m_context;
    Vrdt_node m_node;
    Vrdt_router_36 m_chip;
    fast::Router m_core{TwoLanes};
    std::vector<std::unique_ptr<Endpoint>> m_ends;
    std::array<OtherHalf, NumPorts> m_other;
    uint64_t m_now = 0;
    uint64_t m_received = 0;
    uint64_t m_wide_bodies = 0;
    std::string m_error;
};

TEST(wide, one_chip_of_36_bits_is_the_node_of_two_slices) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(80000);
    Wide wide(seed);
    for (uint64_t n = 0; n < cycles && wide.ok(); ++n) wide.clock();
    EXPECT_EQ(wide.error(), "") << "seed=" << seed << "\nrerun: "
                                << rerun_line("chip_wide", "wide.one_chip*", seed, cycles);
    EXPECT_GT(wide.received(), cycles / 10);
    EXPECT_GT(wide.wide_bodies(), cycles / 10);
}

TEST(wide, a_bit_lost_in_the_second_half_is_found) {
    Wide wide(1);
    for (uint64_t n = 0; n < 3000 && wide.ok(); ++n)
        wide.clock(false, n == 1000 ? flit_t(1) << 30 : 0);
    EXPECT_NE(wide.error(), "");
}

TEST(wide, dump_of_one_chip_is_that_of_two_slices) {
    for (uint64_t seed = 2; seed < 6; ++seed) {
        Wide wide(seed);
        for (uint64_t n = 0; n < 3000 && wide.ok(); ++n) wide.clock(n == 900 + 37 * seed);
        EXPECT_EQ(wide.error(), "") << "seed=" << seed;
    }
}

}  // namespace
}  // namespace rdt::tb
