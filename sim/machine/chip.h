// SPDX-License-Identifier: MIT
// One chip behind one interface, whatever models it: the Verilated RTL, the SystemC design of
// blocks, or the quick SystemC module.
#pragma once

#include <verilated.h>

#include <memory>
#include <string>
#include <systemc>

#include "machine/chip_pins.h"
#include "machine/kernel.h"
#include "quick_router.h"

namespace rdt::machine {

// `Model` is a Verilated rdt_router, with or without tracing.
template <typename Model>
class RtlChip {
public:
    RtlChip(VerilatedContext* context, const std::string& name)
        : m_model(std::make_unique<Model>(context, name.c_str())) {
        m_model->eval();  // with the clock low, so that the first edge is one
    }
    ~RtlChip() { m_model->final(); }

    // Pins for the coming edge.
    void drive(const core::PinsIn& in, bool rst_n) {
        uint32_t d[6] = {};
        uint32_t req = 0;
        uint32_t cred = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsIn& l = in.link[p];
            const uint64_t shifted = uint64_t(l.d) << (18 * p % 32);
            d[18 * p / 32] |= uint32_t(shifted);
            if (18 * p / 32 < 5) d[18 * p / 32 + 1] |= uint32_t(shifted >> 32);
            req |= l.req << 2 * p;
            cred |= l.cred << 2 * p;
        }
        for (int w = 0; w < 6; ++w) m_model->d_i[w] = d[w];
        m_model->req_i = req;
        m_model->cred_i = cred;
        m_model->shoot_i = in.shoot;
        m_model->slice_i = in.slice;
        m_model->rst_ni = rst_n;
    }

    void edge() {
        m_model->clk_i = 1;
        m_model->eval();
        m_model->clk_i = 0;
        m_model->eval();
    }

    uint32_t d_o(uint32_t p) const {
        const uint32_t w = 18 * p / 32;
        uint64_t words = m_model->d_o[w];
        if (w < 5) words |= uint64_t(m_model->d_o[w + 1]) << 32;
        return uint32_t(words >> (18 * p % 32)) & 0x3FFFF;
    }
    bool d_oe_o(uint32_t p) const { return m_model->d_oe_o >> p & 1; }
    uint32_t req_o(uint32_t p) const { return m_model->req_o >> 2 * p & 3; }
    uint32_t cred_o(uint32_t p) const { return m_model->cred_o >> 2 * p & 3; }

    ChipPins pins() const {
        ChipPins out;
        for (uint32_t p = 0; p < NumPorts; ++p)
            out.link[p] = {d_o(p), d_oe_o(p), req_o(p), cred_o(p)};
        out.err = m_model->err_o;
        out.slice = m_model->slice_o;
        return out;
    }

    Model& model() { return *m_model; }

private:
    std::unique_ptr<Model> m_model;
};

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

    void drive(const core::PinsIn& in, bool rst_n) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_d_i[p].write(in.link[p].d);
            m_req_i[p].write(in.link[p].req);
            m_cred_i[p].write(in.link[p].cred);
        }
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

    const fast::Router& state() const { return m_router.state(); }  // of the quick one
    Router& module() { return m_router; }

private:
    // Signals for a vector of ports.
    template <typename Ports>
    using for_ports = sc_core::sc_vector<
        sc_core::sc_signal<std::decay_t<decltype(std::declval<Ports&>()[0].read())>>>;

    Router m_router;
    sc_core::sc_signal<bool> m_rst_ni, m_shoot_i, m_slice_i, m_err_o, m_slice_o;
    for_ports<decltype(Router::d_i)> m_d_i;
    for_ports<decltype(Router::req_i)> m_req_i;
    for_ports<decltype(Router::cred_i)> m_cred_i;
    for_ports<decltype(Router::d_o)> m_d_o;
    sc_core::sc_vector<sc_core::sc_signal<bool>> m_d_oe_o;
    for_ports<decltype(Router::req_o)> m_req_o;
    for_ports<decltype(Router::cred_o)> m_cred_o;
};

using ScChip = ModuleChip<quick_router>;

}  // namespace rdt::machine
