// SPDX-License-Identifier: MIT
// The chip as one process, for machines of many nodes: pin for pin and cycle for cycle what
// router.h is, without anything inside that could be looked at.
//
// Every pin that leaves the chip is a register, so one process at the rising
// edge is the whole interface; the behavior is fast::Router.
#pragma once

#include <systemc>

#include <rdt/fast/router.h>
#include <rdt/router_pins.h>

namespace rdt {

template <unsigned DataWidth>
class basic_quick_router : public router_pins<DataWidth> {
    using base = router_pins<DataWidth>;

public:
    using base::clk_i, base::rst_ni, base::d_i, base::req_i, base::cred_i, base::shoot_i,
        base::slice_i, base::d_o, base::d_oe_o, base::req_o, base::cred_o, base::err_o,
        base::slice_o;

    basic_quick_router(sc_core::sc_module_name name, const ChipOptions& options)
        : base(name), m_core(options) {
        RDT_HAS_PROCESS(basic_quick_router);
        SC_METHOD(clock);
        this->sensitive << clk_i.pos();
        this->dont_initialize();
    }

    // For the checkers: every register of every block.
    const fast::Router& state() const { return m_core; }

private:
    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            for (uint32_t p = 0; p < NumPorts; ++p)
                m_pins.link[p] = {flit_t(d_i[p].read()), uint32_t(req_i[p].read()),
                                  uint32_t(cred_i[p].read())};
            m_pins.shoot = shoot_i.read();
            m_pins.slice = slice_i.read();
            m_core.clock(m_pins);
        }
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut pins = m_core.pins(p);
            d_o[p].write(pins.d);
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

class quick_router : public basic_quick_router<FlitW> {
public:
    explicit quick_router(sc_core::sc_module_name name, uint32_t entries = NumEntries)
        : basic_quick_router(name, {OneLane, entries}) {}
};

}  // namespace rdt
