// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_link_io.sv.
#pragma once

#include <systemc>

#include "core/link_io.h"

namespace rdt {

class link_io : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<bool> link_en_i{"link_en_i"};
    sc_core::sc_in<uint32_t> d_i{"d_i"};
    sc_core::sc_in<uint32_t> req_i{"req_i"};
    sc_core::sc_in<uint32_t> cred_i{"cred_i"};
    sc_core::sc_in<uint32_t> own_req_i{"own_req_i"};
    sc_core::sc_in<bool> own_oe_i{"own_oe_i"};
    sc_core::sc_in<bool> tx_i{"tx_i"};
    sc_core::sc_in<bool> late_i{"late_i"};
    sc_core::sc_in<bool> bad_i{"bad_i"};
    sc_core::sc_in<bool> slow_i{"slow_i"};
    sc_core::sc_in<bool> cred_ret_i{"cred_ret_i"};
    sc_core::sc_in<uint32_t> cred_vc_i{"cred_vc_i"};
    sc_core::sc_in<uint32_t> cred_add_i{"cred_add_i"};
    sc_core::sc_in<uint32_t> room_i{"room_i"};
    sc_core::sc_out<bool> line_gnt_o{"line_gnt_o"};
    sc_core::sc_out<bool> line_void_o{"line_void_o"};
    sc_core::sc_out<bool> hush_o{"hush_o"};
    sc_core::sc_out<bool> ask_o{"ask_o"};
    sc_core::sc_out<bool> call_o{"call_o"};
    sc_core::sc_out<bool> down_o{"down_o"};
    sc_core::sc_out<bool> up_o{"up_o"};
    sc_core::sc_out<bool> ann_o{"ann_o"};
    sc_core::sc_out<bool> ev_sync_o{"ev_sync_o"};
    sc_core::sc_out<bool> rx_valid_o{"rx_valid_o"};
    sc_core::sc_out<bool> rx_first_o{"rx_first_o"};
    sc_core::sc_out<bool> rx_last_o{"rx_last_o"};
    sc_core::sc_out<uint32_t> rx_vc_o{"rx_vc_o"};
    sc_core::sc_out<uint32_t> rx_d_o{"rx_d_o"};
    sc_core::sc_out<uint32_t> cred_o{"cred_o"};

    link_io(sc_core::sc_module_name name, uint32_t num_vc, bool prio, bool always_on)
        : sc_module(name), m_core({num_vc, prio, always_on}) {
        SC_HAS_PROCESS(link_io);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << link_en_i << req_i << cred_i << own_req_i << own_oe_i << tx_i
                  << late_i << bad_i << slow_i;
    }

    const core::LinkIo& state() const { return m_core; }

private:
    core::LinkIo::In read() const {
        core::LinkIo::In in;
        in.link_en = link_en_i.read();
        in.d = d_i.read();
        in.req = req_i.read();
        in.cred = cred_i.read();
        in.own_req = own_req_i.read();
        in.own_oe = own_oe_i.read();
        in.tx = tx_i.read();
        in.late = late_i.read();
        in.bad = bad_i.read();
        in.slow = slow_i.read();
        in.cred_ret = cred_ret_i.read();
        in.cred_vc = cred_vc_i.read();
        in.cred_add = cred_add_i.read();
        in.room = room_i.read();
        return in;
    }

    void clock() {
        if (!rst_ni.read()) m_core.reset();
        else m_core.clock(read());
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::LinkIo::Regs& q = m_core.q();
        const core::LinkIo::Out out = m_core.out(read());
        line_gnt_o.write(out.line_gnt);
        line_void_o.write(out.line_void);
        hush_o.write(out.hush);
        ask_o.write(out.ask);
        call_o.write(out.call);
        down_o.write(out.down);
        up_o.write(q.up());
        ann_o.write(q.ann());
        ev_sync_o.write(out.ev_sync);
        rx_valid_o.write(q.rx_valid);
        rx_first_o.write(q.rx_first);
        rx_last_o.write(q.rx_last);
        rx_vc_o.write(q.rx_vc);
        rx_d_o.write(q.rx_d);
        cred_o.write(q.cred);
    }

    core::LinkIo m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
