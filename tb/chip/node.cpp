// SPDX-License-Identifier: MIT
// A node as one unit of 36 bits against two slices of 18: the same on every pin, in
// every cycle of random load, whatever the bodies carry. C++ core and SystemC shell.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>

#include <rdt/machine/endpoint.h>
#include <rdt/cosim/kernel.h>
#include "common/answer.h"
#include "common/node_traffic.h"
#include "common/run_options.h"
#include "common/setup.h"
#include <rdt/node.h>

namespace rdt::tb {
using machine::Endpoint;
using machine::Kernel;

namespace {

using machine::Endpoint;
using machine::Kernel;

// The same pins to both slices and to the whole; the outcome is compared.
class Node {
public:
    explicit Node(uint64_t seed) : m_random(seed) {
        for (uint32_t p = 0; p < NumPorts; ++p) m_ends.push_back(std::make_unique<Endpoint>(p));
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_ends[p]->on_receive = [this, p](const Endpoint::Received& r) {
                ++m_received;
                answer_copy(*m_ends[p], p, r.flits, 8);
            };
        m_ends[PortM0]->send(
            0, setup_write({{RegRank, 1}, {RegRanks, 1}, {RegCtrl, 1}, {RegLink, 0xFF}}));
    }

    void clock(bool shoot = false) {
        core::PinsIn slice[2];
        core::PinsIn whole;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (m_now > 100 && m_ends[p]->queued() < 3)
                m_ends[p]->send(uint32_t(m_random() % vcs_of(p)), any_packet(m_random));
            const core::LinkPinsOut far = m_ends[p]->pins();
            const core::LinkPinsOut mine = m_slice[0].pins(p);
            const uint32_t other = m_other[p](far, m_random);
            for (uint32_t k = 0; k < 2; ++k)
                slice[k].link[p] = {mine.oe  ? m_slice[k].pins(p).d
                                    : far.oe ? flit_t(k == 0 ? uint32_t(far.d) : other)
                                             : 0,
                                    far.req, far.cred};
            whole.link[p] = {slice[0].link[p].d | slice[1].link[p].d << FlitW, far.req, far.cred};
            m_ends[p]->clock(mine, m_now);
        }
        slice[0].shoot = slice[1].shoot = whole.shoot = shoot;
        slice[0].slice = m_slice[1].slice();
        slice[1].slice = m_slice[0].slice();
        whole.slice = m_whole.slice();
        for (uint32_t k = 0; k < 2; ++k) m_slice[k].clock(slice[k]);
        m_whole.clock(whole);
        ++m_now;
        compare();
    }

    uint64_t received() const { return m_received; }
    uint64_t wide_bodies() const { return m_wide_bodies; }
    bool ok() const { return m_error.empty(); }
    const std::string& error() const { return m_error; }

private:
    void compare() {
        for (uint32_t p = 0; p < NumPorts && ok(); ++p) {
            const core::LinkPinsOut a = m_slice[0].pins(p);
            const core::LinkPinsOut b = m_slice[1].pins(p);
            const core::LinkPinsOut w = m_whole.pins(p);
            if (w.oe && a.d != b.d) ++m_wide_bodies;
            if (w.d != (a.d | b.d << FlitW) || w.oe != a.oe || w.oe != b.oe || w.req != a.req ||
                w.req != b.req || w.cred != a.cred || w.cred != b.cred)
                m_error = fmt::format("port {} differs at cycle {}: {:05x} {:05x} and {:09x}",
                                      to_string(Port(p)), m_now, a.d, b.d, w.d);
        }
        if (m_whole.err() != m_slice[0].err() || m_whole.slice() != m_slice[1].slice())
            m_error = fmt::format("err or slice differs at cycle {}", m_now);
    }

    std::mt19937_64 m_random;
    std::array<fast::Router, 2> m_slice;
    fast::Router m_whole{TwoLanes};
    std::vector<std::unique_ptr<Endpoint>> m_ends;
    std::array<OtherHalf, NumPorts> m_other;
    uint64_t m_now = 0;
    uint64_t m_received = 0;
    uint64_t m_wide_bodies = 0;
    std::string m_error;
};

TEST(node, one_unit_of_36_bits_does_what_two_slices_do) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(200000);
    Node node(seed);
    for (uint64_t n = 0; n < cycles && node.ok(); ++n) node.clock();
    EXPECT_EQ(node.error(), "") << "seed=" << seed << "\nrerun: "
                                << rerun_line("chip_node", "node.one_unit*", seed, cycles);
    EXPECT_GT(node.received(), cycles / 10);
    EXPECT_GT(node.wide_bodies(), cycles / 10);
}

TEST(node, dump_of_36_bits_is_that_of_two_slices) {
    Node node(seed_or(2));
    for (uint64_t n = 0; n < 3000 && node.ok(); ++n) node.clock(n == 1000);
    EXPECT_EQ(node.error(), "");
}

TEST(node, header_whose_halves_differ_is_malformed) {
    fast::InputUnit in(1, PortM0, TwoLanes);
    const Flits good = encode(leaving_by(PortE0));
    const RouteConfig cfg;
    for (size_t damaged = 0; damaged < 4; ++damaged) {
        in.reset();
        for (uint32_t k = 0; k < 3; ++k) {
            flit_t d = good[k] * TwoLanes;
            if (k == damaged) d ^= flit_t(0x21) << FlitW;  // two bits: the parity is right
            const fast::InputUnit::Rx rx{true, k == 0, k == 2, 0, d};
            in.look_at(rx, cfg, {});
            EXPECT_EQ(in.events(false).bad, k == damaged) << "flit " << k;
            in.update({}, {});
        }
        EXPECT_EQ(in.pkt_mask(), damaged < 3 ? 0u : 1u);
    }
}

// The shell: a packet goes through with both its halves.
TEST(node, systemc_module_carries_both_halves) {
    Kernel kernel;
    sc_core::sc_signal<bool> clk("clk"), rst_ni("rst_ni"), shoot("shoot"), slice("slice"),
        err("err"), slice_o("slice_o");
    sigs<2 * FlitW> d_i("d_i", NumPorts), d_o("d_o", NumPorts);
    sigs<2> req_i("req_i", NumPorts), req_o("req_o", NumPorts), cred_i("cred_i", NumPorts),
        cred_o("cred_o", NumPorts);
    sigs<1> oe("oe", NumPorts);
    rdt::node node("node");
    node.clk_i(clk);
    node.rst_ni(rst_ni);
    node.shoot_i(shoot);
    node.slice_i(slice);
    node.err_o(err);
    node.slice_o(slice_o);
    node.d_i(d_i);
    node.d_o(d_o);
    node.d_oe_o(oe);
    node.req_i(req_i);
    node.req_o(req_o);
    node.cred_i(cred_i);
    node.cred_o(cred_o);
    Endpoint m0(PortM0);
    Endpoint m1(PortM1);
    PacketSpec p = leaving_by(PortM1);
    p.body = {1, 2, 3};
    m0.send(0, encode(p));
    std::vector<uint64_t> seen;
    for (uint64_t t = 0; t < 60; ++t) {
        for (Endpoint* end : {&m0, &m1}) {
            const uint32_t port = end == &m0 ? PortM0 : PortM1;
            const core::LinkPinsOut far = end->pins();
            d_i[port].write(far.oe ? far.d * TwoLanes : 0);
            req_i[port].write(far.req);
            cred_i[port].write(far.cred);
            if (t != 0)
                end->clock({uint32_t(d_o[port].read()) & SliceMask, oe[port].read(),
                            uint32_t(req_o[port].read()), uint32_t(cred_o[port].read())},
                           t);
        }
        rst_ni.write(t != 0);
        clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        if (oe[PortM1].read()) seen.push_back(d_o[PortM1].read());
    }
    std::vector<uint64_t> expected;
    for (uint32_t flit : encode(p)) expected.push_back(flit * TwoLanes);
    EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace rdt::tb
