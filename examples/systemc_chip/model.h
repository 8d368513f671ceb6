// SPDX-License-Identifier: MIT
// A chip with its two MBPs; the eight links to other chips are off. `Router` is rdt::router, the
// design of blocks, or rdt::quick_router, one process that does the same in every cycle.
#pragma once

#include <cstdio>
#include <vector>

#include "mbp.h"

template <typename Router>
class model : public sc_core::sc_module {
public:
    rdt::pin_in<1> clk_i{"clk_i"};
    rdt::pin_in<1> rst_ni{"rst_ni"};
    Router chip;
    mbp m0{"m0", rdt::PortM0};
    mbp m1{"m1", rdt::PortM1};

    template <typename... Args>
    explicit model(sc_core::sc_module_name name, const Args&... args)
        : sc_module(name), chip("chip", args...) {
        chip.clk_i(clk_i);
        chip.rst_ni(rst_ni);
        chip.d_i(m_d_i);
        chip.d_o(m_d_o);
        chip.d_oe_o(m_d_oe);
        chip.req_i(m_req_i);
        chip.req_o(m_req_o);
        chip.cred_i(m_cred_i);
        chip.cred_o(m_cred_o);
        chip.err_o(m_err);
        chip.shoot_i(m_shoot);
        chip.slice_i(m_slice);
        chip.slice_o(m_slice);
        connect(m0, rdt::PortM0);
        connect(m1, rdt::PortM1);
    }

private:
    void connect(mbp& m, uint32_t port) {
        m.clk_i(clk_i);
        m.d_i(m_d_o[port]);
        m.d_oe_i(m_d_oe[port]);
        m.req_i(m_req_o[port]);
        m.cred_i(m_cred_o[port]);
        m.d_o(m_d_i[port]);
        m.req_o(m_req_i[port]);
        m.cred_o(m_cred_i[port]);
    }

    // Signals for a vector of ports of the chip, whatever its type is.
    template <typename Ports>
    using for_ports = sc_core::sc_vector<
        sc_core::sc_signal<std::decay_t<decltype(std::declval<Ports&>()[0].read())>>>;
    for_ports<decltype(Router::d_i)> m_d_i{"d_i", rdt::NumPorts};
    for_ports<decltype(Router::d_o)> m_d_o{"d_o", rdt::NumPorts};
    for_ports<decltype(Router::d_oe_o)> m_d_oe{"d_oe", rdt::NumPorts};
    for_ports<decltype(Router::req_i)> m_req_i{"req_i", rdt::NumPorts};
    for_ports<decltype(Router::req_o)> m_req_o{"req_o", rdt::NumPorts};
    for_ports<decltype(Router::cred_i)> m_cred_i{"cred_i", rdt::NumPorts};
    for_ports<decltype(Router::cred_o)> m_cred_o{"cred_o", rdt::NumPorts};
    sc_core::sc_signal<bool> m_err{"err"}, m_shoot{"shoot"}, m_slice{"slice"};
};

struct arrival {
    int clocks = -1;             // cycles of the first flit through the router
    std::vector<uint32_t> data;  // of the packet, without its header
};

// Sends a packet from MBP 0 to MBP 1 and returns what came.
template <typename Router, typename... Args>
arrival send_one(const Args&... args) {
    sc_core::sc_signal<bool> clk("clk"), rst_n("rst_n");
    model<Router> m("model", args...);
    m.clk_i(clk);
    m.rst_ni(rst_n);
    uint64_t sent = 0;
    arrival came;
    m.m0.end.on_start = [&](const auto&, uint64_t clock) { sent = clock; };
    m.m1.end.on_receive = [&](const rdt::machine::Endpoint::Received& r) {
        came.clocks = int(r.clock - sent);
        for (size_t k = 3; k < r.flits.size(); ++k)
            came.data.push_back(uint32_t(r.flits[k]) & rdt::PayloadMask);
    };

    // To MBP 1 of the same node: no vectors, hops to spare (docs/packet.md). H0Len is the number of
    // flits less one, and has to be: an endpoint sends what it is given.
    rdt::machine::Flits flits;
    const uint32_t h0 = rdt::with(rdt::with(0, rdt::H0Type, rdt::TypeUni), rdt::H0Len, 4);
    flits.push_back(rdt::make_head(rdt::with(h0, rdt::H0Mbp, 1)));
    flits.push_back(rdt::make_flit(0));
    flits.push_back(rdt::make_flit(rdt::with(0, rdt::H2Hop, 60)));
    for (const uint32_t data : {0x1234u, 0xCAFEu}) flits.push_back(rdt::make_flit(data));
    m.m0.end.send(0, flits);
    for (int clock = 0; clock < 400 && came.clocks < 0; ++clock) {
        rst_n.write(clock > 2);
        for (const bool level : {true, false}) {
            clk.write(level);
            sc_core::sc_start(5, sc_core::SC_NS);
        }
    }
    return came;
}

// Prints what came; the exit code.
inline int report(const arrival& came) {
    const bool pass = came.clocks == 6 && came.data == std::vector<uint32_t>{0x1234, 0xCAFE};
    std::printf("%s:", pass ? "PASS" : "FAIL");
    for (const uint32_t data : came.data) std::printf(" %x", data);
    std::printf(" came to MBP 1, first flit after %d cycles\n", came.clocks);
    return pass ? 0 : 1;
}
