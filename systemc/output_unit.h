// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_output_unit.sv.
#pragma once

#include <systemc>

#include "core/output_unit.h"

namespace rdt {

class output_unit : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<bool> link_en_i{"link_en_i"};
    sc_core::sc_in<bool> raw_i{"raw_i"};
    sc_core::sc_in<bool> tick_i{"tick_i"};
    sc_core::sc_in<uint32_t> rank_i{"rank_i"};
    sc_core::sc_in<uint32_t> x_i{"x_i"};
    sc_core::sc_in<bool> gnt_i{"gnt_i"};
    sc_core::sc_in<bool> cand_any_i{"cand_any_i"};
    sc_core::sc_in<bool> line_gnt_i{"line_gnt_i"};
    sc_core::sc_in<bool> line_void_i{"line_void_i"};
    sc_core::sc_in<uint32_t> cred_i{"cred_i"};
    sc_core::sc_in<bool> loc_want_i{"loc_want_i"};
    sc_core::sc_in<uint32_t> loc_x_i{"loc_x_i"};
    sc_core::sc_out<uint32_t> d_o{"d_o"};
    sc_core::sc_out<bool> d_oe_o{"d_oe_o"};
    sc_core::sc_out<uint32_t> req_o{"req_o"};
    sc_core::sc_out<uint32_t> credit_o{"credit_o"};
    sc_core::sc_out<bool> xb_gnt_o{"xb_gnt_o"};
    sc_core::sc_out<bool> loc_gnt_o{"loc_gnt_o"};
    sc_core::sc_out<bool> ev_cred_o{"ev_cred_o"};
    sc_core::sc_out<bool> ev_owed_o{"ev_owed_o"};

    output_unit(sc_core::sc_module_name name, uint32_t out_port, uint32_t num_vc)
        : sc_module(name), m_core(out_port, num_vc) {
        SC_HAS_PROCESS(output_unit);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << link_en_i << tick_i << x_i << loc_x_i << line_gnt_i << cred_i
                  << loc_want_i;
    }

    const core::OutputUnit& state() const { return m_core; }

private:
    core::OutputUnit::In read() const {
        return {link_en_i.read(),  raw_i.read(),           tick_i.read(),
                rank_i.read(),     from_wires(x_i.read()), gnt_i.read(),
                cand_any_i.read(), line_gnt_i.read(),      line_void_i.read(),
                cred_i.read(),     loc_want_i.read(),      from_wires(loc_x_i.read())};
    }

    void clock() {
        if (!rst_ni.read()) m_core.reset();
        else m_core.clock(read());
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const bool line_gnt = line_gnt_i.read();
        const bool loc_want = loc_want_i.read();
        d_o.write(m_core.q().d);
        d_oe_o.write(m_core.q().oe);
        req_o.write(m_core.q().req);
        credit_o.write(m_core.credit(link_en_i.read()));
        xb_gnt_o.write(core::OutputUnit::xb_gnt(line_gnt, loc_want) != 0);
        loc_gnt_o.write(core::OutputUnit::loc_gnt(line_gnt, loc_want) != 0);
        ev_cred_o.write(m_core.ev_cred(cred_i.read()));
        ev_owed_o.write(m_core.ev_owed(read()));
    }

    core::OutputUnit m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
