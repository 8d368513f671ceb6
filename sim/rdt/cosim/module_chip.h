// SPDX-License-Identifier: MIT
// A SystemC router and its signals behind the interface of RtlChip (rtl_chip.h).
#pragma once

#include <string>
#include <systemc>

#include <rdt/cosim/chip_pins.h>
#include <rdt/cosim/kernel.h>

namespace rdt::machine {

// A SystemC module with the pins of the chip, and its signals. The clock belongs to the bench. Pins
// have to settle before the edge: REQ reaches the blocks without a register.
template <typename Router>
class ModuleChip {
public:
    template <typename... Args>
    ModuleChip(const std::string& name, sc_core::sc_signal<bool>& clk, const Args&... args)
        : m_router(name.c_str(), args...),
          m_d_i((name + "_d_i").c_str(), NumPorts),
          m_req_i((name + "_req_i").c_str(), NumPorts),
          m_cred_i((name + "_cred_i").c_str(), NumPorts),
          m_d_o((name + "_d_o").c_str(), NumPorts),
          m_d_oe_o((name + "_d_oe_o").c_str(), NumPorts),
          m_req_o((name + "_req_o").c_str(), NumPorts),
          m_cred_o((name + "_cred_o").c_str(), NumPorts) {
        m_router.clk_i(clk);
        m_router.rst_ni(m_rst_ni);
        m_router.shoot_i(m_shoot_i);
        m_router.slice_i(m_slice_i);
        m_router.err_o(m_err_o);
        m_router.slice_o(m_slice_o);
        m_router.d_i(m_d_i);
        m_router.req_i(m_req_i);
        m_router.cred_i(m_cred_i);
        m_router.d_o(m_d_o);
        m_router.d_oe_o(m_d_oe_o);
        m_router.req_o(m_req_o);
        m_router.cred_o(m_cred_o);
    }

    // Signals that keep their values are not visited: they are 200 bytes each.
    void drive(const core::PinsIn& in, bool rst_n) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsIn& now = in.link[p];
            const core::LinkPinsIn& before = m_driven.link[p];
            if (now.d != before.d) m_d_i[p].write(now.d);
            if (now.req != before.req) m_req_i[p].write(now.req);
            if (now.cred != before.cred) m_cred_i[p].write(now.cred);
        }
        m_driven = in;
        m_shoot_i.write(in.shoot);
        m_slice_i.write(in.slice);
        m_rst_ni.write(rst_n);
    }

    ChipPins pins() const {
        ChipPins out;
        for (uint32_t p = 0; p < NumPorts; ++p)
            out.link[p] = {uint32_t(m_d_o[p].read()), m_d_oe_o[p].read(),
                           uint32_t(m_req_o[p].read()), uint32_t(m_cred_o[p].read())};
        out.err = m_err_o.read();
        out.slice = m_slice_o.read();
        return out;
    }

    const fast::Router& state() const { return m_router.state(); }  // single-process model
    Router& module() { return m_router; }
    const Router& module() const { return m_router; }

private:
    // Signals for a vector of ports.
    template <typename Ports>
    using for_ports = sc_core::sc_vector<
        sc_core::sc_signal<std::decay_t<decltype(std::declval<Ports&>()[0].read())>>>;

    Router m_router;
    core::PinsIn m_driven;
    sc_core::sc_signal<bool> m_rst_ni, m_shoot_i, m_slice_i, m_err_o, m_slice_o;
    for_ports<decltype(Router::d_i)> m_d_i;
    for_ports<decltype(Router::req_i)> m_req_i;
    for_ports<decltype(Router::cred_i)> m_cred_i;
    for_ports<decltype(Router::d_o)> m_d_o;
    sc_core::sc_vector<sc_core::sc_signal<bool>> m_d_oe_o;
    for_ports<decltype(Router::req_o)> m_req_o;
    for_ports<decltype(Router::cred_o)> m_cred_o;
};

}  // namespace rdt::machine
