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
    sc_core::sc_in<bool> raw_i{"raw_i"};
    sc_core::sc_in<bool> tick_i{"tick_i"};
    sc_core::sc_in<bool> slow_i{"slow_i"};
    sc_core::sc_in<bool> sink_i{"sink_i"};
    sc_core::sc_in<uint32_t> rank_i{"rank_i"};
    sc_core::sc_in<uint32_t> x_i{"x_i"};
    sc_core::sc_in<bool> gnt_i{"gnt_i"};
    sc_core::sc_in<bool> cand_any_i{"cand_any_i"};
    sc_core::sc_in<bool> line_gnt_i{"line_gnt_i"};
    sc_core::sc_in<bool> line_void_i{"line_void_i"};
    sc_core::sc_in<bool> hush_i{"hush_i"};
    sc_core::sc_in<bool> ask_i{"ask_i"};
    sc_core::sc_in<bool> call_i{"call_i"};
    sc_core::sc_in<bool> down_i{"down_i"};
    sc_core::sc_in<bool> up_i{"up_i"};
    sc_core::sc_in<bool> ann_i{"ann_i"};
    sc_core::sc_in<uint32_t> cred_i{"cred_i"};
    sc_core::sc_in<bool> loc_want_i{"loc_want_i"};
    sc_core::sc_in<uint32_t> loc_x_i{"loc_x_i"};
    sc_core::sc_in<uint32_t> gen_i{"gen_i"};
    sc_core::sc_out<uint32_t> d_o{"d_o"};
    sc_core::sc_out<bool> d_oe_o{"d_oe_o"};
    sc_core::sc_out<uint32_t> req_o{"req_o"};
    sc_core::sc_out<uint32_t> credit_o{"credit_o"};
    sc_core::sc_out<bool> xb_gnt_o{"xb_gnt_o"};
    sc_core::sc_out<bool> loc_gnt_o{"loc_gnt_o"};
    sc_core::sc_out<bool> tx_o{"tx_o"};
    sc_core::sc_out<bool> late_o{"late_o"};
    sc_core::sc_out<bool> ev_cred_o{"ev_cred_o"};
    sc_core::sc_out<bool> ev_owed_o{"ev_owed_o"};
    sc_core::sc_out<bool> ev_sunk_o{"ev_sunk_o"};

    output_unit(sc_core::sc_module_name name, uint32_t out_port, uint32_t num_vc)
        : sc_module(name), m_core(out_port, num_vc) {
        SC_HAS_PROCESS(output_unit);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << tick_i << slow_i << sink_i << x_i << gnt_i << line_gnt_i << down_i
                  << up_i << ann_i << cred_i << loc_want_i << loc_x_i;
    }

    const core::OutputUnit& state() const { return m_core; }

private:
    core::OutputUnit::In read() const {
        core::OutputUnit::In in;
        in.raw = raw_i.read();
        in.tick = tick_i.read();
        in.slow = slow_i.read();
        in.sink = sink_i.read();
        in.rank = rank_i.read();
        in.x = from_wires(x_i.read());
        in.gnt = gnt_i.read();
        in.cand_any = cand_any_i.read();
        in.line_gnt = line_gnt_i.read();
        in.line_void = line_void_i.read();
        in.hush = hush_i.read();
        in.ask = ask_i.read();
        in.call = call_i.read();
        in.down = down_i.read();
        in.up = up_i.read();
        in.ann = ann_i.read();
        in.cred = cred_i.read();
        in.loc_want = loc_want_i.read();
        in.loc_x = from_wires(loc_x_i.read());
        in.gen = gen_i.read();
        return in;
    }

    void clock() {
        if (!rst_ni.read()) m_core.reset();
        else m_core.clock(read());
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const bool loc_want = loc_want_i.read();
        const bool offer = m_core.offer(line_gnt_i.read(), sink_i.read());
        const core::OutputUnit::Events events = m_core.events(read());
        d_o.write(m_core.q().d);
        d_oe_o.write(m_core.q().oe);
        req_o.write(m_core.q().req);
        tx_o.write(m_core.q().tx);
        credit_o.write(m_core.credit(sink_i.read()));
        late_o.write(m_core.late(up_i.read()));
        xb_gnt_o.write(core::OutputUnit::xb_gnt(offer, loc_want) != 0);
        loc_gnt_o.write(core::OutputUnit::loc_gnt(offer, loc_want) != 0);
        ev_cred_o.write(events.cred);
        ev_owed_o.write(events.owed);
        ev_sunk_o.write(events.sunk);
    }

    core::OutputUnit m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
