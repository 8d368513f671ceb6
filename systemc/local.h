// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local.sv. rd_err_i: one element of 4 bits an input.
#pragma once

#include <systemc>

#include "core/local.h"

namespace rdt {

class local : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<bool> shoot_i{"shoot_i"};
    sc_core::sc_in<bool> slice_o_i{"slice_o_i"};
    sc_core::sc_in<bool> slice_i{"slice_i"};
    sc_core::sc_in<uint32_t> x_i{"x_i"};
    sc_core::sc_in<bool> gnt_i{"gnt_i"};
    sc_core::sc_in<uint32_t> sel_i{"sel_i"};
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> rd_err_i{"rd_err_i", NumPorts};
    sc_core::sc_in<uint32_t> rd_vc_i{"rd_vc_i"};
    sc_core::sc_in<uint32_t> to_pend_i{"to_pend_i"};
    sc_core::sc_in<uint32_t> to_vc_i{"to_vc_i"};
    sc_core::sc_in<uint32_t> m_credit_i{"m_credit_i"};
    sc_core::sc_in<uint32_t> loc_gnt_i{"loc_gnt_i"};
    sc_core::sc_in<uint32_t> ev_body_i{"ev_body_i"};
    sc_core::sc_in<uint32_t> ev_frame_i{"ev_frame_i"};
    sc_core::sc_in<uint32_t> ev_over_i{"ev_over_i"};
    sc_core::sc_in<uint32_t> ev_cred_i{"ev_cred_i"};
    sc_core::sc_in<bool> ev_table_i{"ev_table_i"};
    sc_core::sc_in<bool> bad_ack_i{"bad_ack_i"};
    sc_core::sc_in<uint32_t> bad_port_i{"bad_port_i"};
    sc_core::sc_in<uint32_t> bad_tag_i{"bad_tag_i"};
    sc_core::sc_out<bool> x_gnt_o{"x_gnt_o"};
    sc_core::sc_out<bool> ready_o{"ready_o"};
    sc_core::sc_out<uint32_t> to_ack_o{"to_ack_o"};
    sc_core::sc_out<bool> tick_o{"tick_o"};
    sc_core::sc_out<bool> tick_ent_o{"tick_ent_o"};
    sc_core::sc_out<bool> tick_ack_o{"tick_ack_o"};
    sc_core::sc_out<bool> bad_take_o{"bad_take_o"};
    sc_core::sc_out<uint32_t> loc_want_o{"loc_want_o"};
    sc_core::sc_out<uint32_t> loc_x_o{"loc_x_o"};
    sc_core::sc_out<uint32_t> rank_o{"rank_o"};
    sc_core::sc_out<uint32_t> xfer_o{"xfer_o"};
    sc_core::sc_out<uint32_t> dateline_o{"dateline_o"};
    sc_core::sc_out<uint32_t> link_o{"link_o"};
    sc_core::sc_out<uint32_t> mask_o{"mask_o"};
    sc_core::sc_out<bool> quiesce_o{"quiesce_o"};
    sc_core::sc_out<bool> err_o{"err_o"};

    explicit local(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(local);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << to_pend_i << bad_ack_i << m_credit_i;
    }

    const core::Local& state() const { return m_core; }

private:
    // Index of the lowest bit, for vectors that are one-hot when they matter.
    static uint32_t lowest(uint32_t bits) { return bits != 0 ? uint32_t(__builtin_ctz(bits)) : 0; }

    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            core::Local::In in;
            in.shoot = shoot_i.read();
            in.own_slice = slice_o_i.read();
            in.slice = slice_i.read();
            in.x = x_i.read();
            in.gnt = gnt_i.read();
            in.sel_port = lowest(sel_i.read());
            in.rd_err = rd_err_i[in.sel_port].read();
            in.rd_vc = rd_vc_i.read() >> 2 * in.sel_port & 3;
            in.to_pend = to_pend_i.read();
            in.to_vc = to_vc_i.read() >> 2 * lowest(in.to_pend) & 3;
            in.loc_gnt = loc_gnt_i.read();
            in.ev_body = ev_body_i.read();
            in.ev_frame = ev_frame_i.read();
            in.ev_over = ev_over_i.read();
            in.ev_cred = ev_cred_i.read();
            in.ev_table = ev_table_i.read();
            in.bad_ack = bad_ack_i.read();
            in.bad_port = bad_port_i.read();
            in.bad_tag = bad_tag_i.read();
            m_core.clock(in);
        }
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::Local::Config& cfg = m_core.config();
        const uint32_t to_pend = to_pend_i.read();
        x_gnt_o.write(m_core.x_gnt(to_pend, bad_ack_i.read()));
        bad_take_o.write(m_core.bad_take(to_pend, bad_ack_i.read()));
        ready_o.write(m_core.ready());
        to_ack_o.write(m_core.to_ack(to_pend));
        tick_o.write(m_core.tick());
        tick_ent_o.write(m_core.tick_ent());
        tick_ack_o.write(m_core.tick_ack());
        loc_want_o.write(m_core.loc_want(m_credit_i.read()));
        loc_x_o.write(m_core.loc_x());
        rank_o.write(cfg.route.rank);
        xfer_o.write(cfg.route.xfer);
        dateline_o.write(cfg.route.dateline);
        link_o.write(cfg.link);
        mask_o.write(cfg.route.mask);
        quiesce_o.write(m_core.q().quiesce);
        err_o.write(m_core.err());
    }

    core::Local m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
