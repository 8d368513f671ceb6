// SPDX-License-Identifier: MIT
// An MBP as a SystemC module around the project's model of one (rdt::machine::Endpoint).
#pragma once

#include <systemc>

#include <rdt/machine/endpoint.h>
#include <rdt/pins.h>

class mbp : public sc_core::sc_module {
public:
    rdt::pin_in<1> clk_i{"clk_i"};
    // pins of the chip
    rdt::pin_in<18> d_i{"d_i"};
    rdt::pin_in<1> d_oe_i{"d_oe_i"};
    rdt::pin_in<2> req_i{"req_i"};
    rdt::pin_in<2> cred_i{"cred_i"};
    // own pins
    rdt::pin_out<18> d_o{"d_o"};
    rdt::pin_out<2> req_o{"req_o"};
    rdt::pin_out<2> cred_o{"cred_o"};

    mbp(sc_core::sc_module_name name, uint32_t port) : sc_module(name), end(port) {
        RDT_HAS_PROCESS(mbp);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

    rdt::machine::Endpoint end;

private:
    void clock() {
        end.clock({uint32_t(d_i.read()), bool(d_oe_i.read()), uint32_t(req_i.read()),
                   uint32_t(cred_i.read())},
                  m_now++);
        const rdt::core::LinkPinsOut pins = end.pins();
        d_o.write(pins.oe ? uint32_t(pins.d) : 0);
        req_o.write(pins.req);
        cred_o.write(pins.cred);
    }
    uint64_t m_now = 0;
};
