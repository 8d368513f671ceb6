// SPDX-License-Identifier: MIT
// A node as one unit of 36 bits: a header whose halves differ, and both halves of a packet through
// the SystemC module. wide.cpp compares it with two slices of 18 bits.
#include <gtest/gtest.h>

#include <rdt/machine/endpoint.h>
#include <rdt/cosim/kernel.h>
#include "common/node_traffic.h"
#include <rdt/node.h>

namespace rdt::tb {
namespace {

using machine::Endpoint;
using machine::Kernel;

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
