// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_inject.sv. ent_tag_i: one element an input.
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
    sc_core::sc_in<uint32_t> retry_i{"retry_i"};
    sc_core::sc_in<uint32_t> ent_gnt_i{"ent_gnt_i"};
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> ent_tag_i{"ent_tag_i", NumPorts};
    sc_core::sc_in<uint32_t> loc_want_i{"loc_want_i"};
    sc_core::sc_in<uint32_t> loc_x_i{"loc_x_i"};
    sc_core::sc_in<uint32_t> gnt_i{"gnt_i"};
    sc_core::sc_out<bool> snd_take_o{"snd_take_o"};
    sc_core::sc_out<uint32_t> retry_ack_o{"retry_ack_o"};
    sc_core::sc_out<uint32_t> busy_o{"busy_o"};
    sc_core::sc_out<bool> ev_lost_o{"ev_lost_o"};
    sc_core::sc_out<uint32_t> want_o{"want_o"};
    sc_core::sc_out<uint32_t> x_o{"x_o"};
    sc_core::sc_out<uint32_t> loc_gnt_o{"loc_gnt_o"};

    explicit inject(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(inject);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << snd_v_i << retry_i << ent_gnt_i << loc_want_i << loc_x_i << gnt_i;
    }

    const core::Inject& state() const { return m_core; }

private:
    core::Inject::In read() const {
        core::Inject::In in;
        in.snd_v = snd_v_i.read();
        in.snd = {snd_port_i.read(), snd_tag_i.read(), snd_st_i.read()};
        in.retry = retry_i.read() & ~ent_gnt_i.read();
        for (uint32_t i = 0; i < NumPorts; ++i) in.ent_tag[i] = ent_tag_i[i].read();
        in.loc_want = loc_want_i.read();
        in.loc_x = from_wires(loc_x_i.read());
        in.gnt = gnt_i.read();
        return in;
    }

    void clock() {
        if (!rst_ni.read()) m_core.reset();
        else m_core.clock(read());
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::Inject::In in = read();
        snd_take_o.write(m_core.snd_take(in.snd_v));
        retry_ack_o.write(m_core.retry_ack(in.snd_v, in.retry));
        busy_o.write(m_core.busy());
        ev_lost_o.write(m_core.ev_lost(in));
        want_o.write(m_core.want(in));
        x_o.write(to_wires(m_core.x(in.loc_x)));
        loc_gnt_o.write(m_core.loc_gnt(in));
    }

    core::Inject m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
