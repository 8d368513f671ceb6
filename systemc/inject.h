// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_inject.sv.
#pragma once

#include <systemc>

#include "core/inject.h"

namespace rdt {

class inject : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<bool> snd_v_i{"snd_v_i"};
    sc_core::sc_in<uint32_t> snd_port_i{"snd_port_i"};
    sc_core::sc_in<uint32_t> snd_tag_i{"snd_tag_i"};
    sc_core::sc_in<uint32_t> snd_st_i{"snd_st_i"};
    sc_core::sc_in<uint32_t> loc_want_i{"loc_want_i"};
    sc_core::sc_in<uint32_t> loc_x_i{"loc_x_i"};
    sc_core::sc_in<uint32_t> gnt_i{"gnt_i"};
    sc_core::sc_out<bool> snd_take_o{"snd_take_o"};
    sc_core::sc_out<uint32_t> want_o{"want_o"};
    sc_core::sc_out<uint32_t> x_o{"x_o"};
    sc_core::sc_out<uint32_t> loc_gnt_o{"loc_gnt_o"};

    explicit inject(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(inject);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << snd_v_i << loc_want_i << loc_x_i << gnt_i;
    }

    const core::Inject& state() const { return m_core; }

private:
    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            m_core.clock({snd_v_i.read(),
                          {snd_port_i.read(), snd_tag_i.read(), snd_st_i.read()},
                          loc_want_i.read(),
                          loc_x_i.read(),
                          gnt_i.read()});
        }
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const bool snd_v = snd_v_i.read();
        const uint32_t loc_want = loc_want_i.read();
        snd_take_o.write(m_core.snd_take(snd_v));
        want_o.write(m_core.want(snd_v, loc_want));
        x_o.write(m_core.x(loc_x_i.read()));
        loc_gnt_o.write(m_core.loc_gnt(snd_v, loc_want, gnt_i.read()));
    }

    core::Inject m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
