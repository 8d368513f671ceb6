// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_arbiter.sv. want_i, cand_i and gnt_o: one element of 11 bits an
// input; xsel_o: one element of 10 bits an output.
#pragma once

#include <systemc>

#include "core/arbiter.h"

namespace rdt {

class arbiter : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> want_i{"want_i", NumPorts};
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> cand_i{"cand_i", NumPorts};
    sc_core::sc_in<uint32_t> line_gnt_i{"line_gnt_i"};
    sc_core::sc_in<uint32_t> pkt_i{"pkt_i"};
    sc_core::sc_vector<sc_core::sc_out<uint32_t>> gnt_o{"gnt_o", NumPorts};
    sc_core::sc_out<uint32_t> gnt_out_o{"gnt_out_o"};
    sc_core::sc_out<uint32_t> cand_any_o{"cand_any_o"};
    sc_core::sc_vector<sc_core::sc_out<uint32_t>> xsel_o{"xsel_o", NumOuts};
    sc_core::sc_out<bool> slice_o{"slice_o"};

    explicit arbiter(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(arbiter);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << line_gnt_i;
        for (uint32_t i = 0; i < NumPorts; ++i) sensitive << want_i[i] << cand_i[i];
    }

    const core::Arbiter& state() const { return m_core; }

private:
    using Wants = core::Arbiter::Wants;

    static Wants read(const sc_core::sc_vector<sc_core::sc_in<uint32_t>>& ports) {
        Wants wants{};
        for (uint32_t i = 0; i < NumPorts; ++i) wants[i] = uint16_t(ports[i].read());
        return wants;
    }

    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            m_core.clock(pkt_i.read(), m_core.grant(read(want_i), line_gnt_i.read()));
        }
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::Arbiter::Grants g = m_core.grant(read(want_i), line_gnt_i.read());
        for (uint32_t i = 0; i < NumPorts; ++i) gnt_o[i].write(g.outs[i]);
        gnt_out_o.write(g.out);
        cand_any_o.write(core::Arbiter::any(read(cand_i)) & ~(1u << PortLocal));
        for (uint32_t o = 0; o < NumOuts; ++o) xsel_o[o].write(m_core.q().xsel[o]);
        slice_o.write(m_core.slice());
    }

    core::Arbiter m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
