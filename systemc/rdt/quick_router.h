// SPDX-License-Identifier: MIT
// The chip as one process, for machines of many nodes: pin for pin and clock for clock what
// router.h is, without anything inside that could be looked at.
//
// Every pin that leaves the chip is a register, so one process at the rising
// edge is the whole interface; the behaviour is fast::Router.
#pragma once

#include <systemc>

#include <rdt/fast/router.h>

namespace rdt {

// `D` is the word on the data pins of a link.
template <typename D>
class basic_quick_router : public sc_core::sc_module {
public:
    template <typename T>
    using ins = sc_core::sc_vector<sc_core::sc_in<T>>;
    template <typename T>
    using outs = sc_core::sc_vector<sc_core::sc_out<T>>;

    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    ins<D> d_i{"d_i", NumPorts};
    ins<uint32_t> req_i{"req_i", NumPorts};
    ins<uint32_t> cred_i{"cred_i", NumPorts};
    sc_core::sc_in<bool> shoot_i{"shoot_i"};
    sc_core::sc_in<bool> slice_i{"slice_i"};
    outs<D> d_o{"d_o", NumPorts};
    outs<bool> d_oe_o{"d_oe_o", NumPorts};
    outs<uint32_t> req_o{"req_o", NumPorts};
    outs<uint32_t> cred_o{"cred_o", NumPorts};
    sc_core::sc_out<bool> err_o{"err_o"};
    sc_core::sc_out<bool> slice_o{"slice_o"};

    basic_quick_router(sc_core::sc_module_name name, flit_t lanes)
        : sc_module(name), m_core(lanes) {
        SC_HAS_PROCESS(basic_quick_router);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

    // For the checkers: every register of every block.
    const fast::Router& state() const { return m_core; }

private:
    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            for (uint32_t p = 0; p < NumPorts; ++p) {
                m_pins.link[p] = {d_i[p].read(), req_i[p].read(), cred_i[p].read()};
            }
            m_pins.shoot = shoot_i.read();
            m_pins.slice = slice_i.read();
            m_core.clock(m_pins);
        }
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut pins = m_core.pins(p);
            d_o[p].write(D(pins.d));
            d_oe_o[p].write(pins.oe);
            req_o[p].write(pins.req);
            cred_o[p].write(pins.cred);
        }
        err_o.write(m_core.err());
        slice_o.write(m_core.slice());
    }

    fast::Router m_core;
    core::PinsIn m_pins;
};

class quick_router : public basic_quick_router<uint32_t> {
public:
    explicit quick_router(sc_core::sc_module_name name) : basic_quick_router(name, OneLane) {}
};

}  // namespace rdt
