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
    sc_core::sc_in<bool> gnt8_i{"gnt8_i"};
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
    sc_core::sc_in<uint32_t> ev_owed_i{"ev_owed_i"};
    sc_core::sc_in<uint32_t> ev_sync_i{"ev_sync_i"};
    sc_core::sc_in<uint32_t> ev_sunk_i{"ev_sunk_i"};
    sc_core::sc_in<uint32_t> up_i{"up_i"};
    sc_core::sc_in<bool> ev_lost_i{"ev_lost_i"};
    sc_core::sc_in<bool> ev_table_i{"ev_table_i"};
    sc_core::sc_in<bool> stray_i{"stray_i"};
    sc_core::sc_in<uint32_t> stray_port_i{"stray_port_i"};
    sc_core::sc_in<uint32_t> stray_tag_i{"stray_tag_i"};
    sc_core::sc_in<uint32_t> ctx_i{"ctx_i"};
    sc_core::sc_in<bool> clash_i{"clash_i"};
    sc_core::sc_in<bool> vacant_i{"vacant_i"};
    sc_core::sc_in<bool> ent_used_i{"ent_used_i"};
    sc_core::sc_in<uint32_t> ent_h1_i{"ent_h1_i"};
    sc_core::sc_in<uint32_t> ent_h2_i{"ent_h2_i"};
    sc_core::sc_out<bool> x_gnt_o{"x_gnt_o"};
    sc_core::sc_out<bool> ready_o{"ready_o"};
    sc_core::sc_out<bool> only8_o{"only8_o"};
    sc_core::sc_out<uint32_t> to_ack_o{"to_ack_o"};
    sc_core::sc_out<bool> tick_o{"tick_o"};
    sc_core::sc_out<bool> tick_ent_o{"tick_ent_o"};
    sc_core::sc_out<bool> tick_ack_o{"tick_ack_o"};
    sc_core::sc_out<bool> slow_o{"slow_o"};
    sc_core::sc_out<bool> sink_o{"sink_o"};
    sc_core::sc_out<uint32_t> loc_want_o{"loc_want_o"};
    sc_core::sc_out<uint32_t> loc_x_o{"loc_x_o"};
    sc_core::sc_out<uint32_t> rank_o{"rank_o"};
    sc_core::sc_out<uint32_t> xfer_o{"xfer_o"};
    sc_core::sc_out<uint32_t> dateline_o{"dateline_o"};
    sc_core::sc_out<uint32_t> link_o{"link_o"};
    sc_core::sc_out<uint32_t> mask_o{"mask_o"};
    sc_core::sc_out<uint32_t> ranks_o{"ranks_o"};
    sc_core::sc_out<bool> err_o{"err_o"};
    sc_core::sc_out<bool> halt_o{"halt_o"};
    sc_core::sc_out<bool> raw_o{"raw_o"};
    sc_core::sc_out<bool> keep_o{"keep_o"};
    sc_core::sc_out<bool> give_o{"give_o"};
    sc_core::sc_out<bool> dump_o{"dump_o"};
    sc_core::sc_out<bool> dumping_o{"dumping_o"};
    sc_core::sc_out<bool> put_we_o{"put_we_o"};
    sc_core::sc_out<bool> put_set_o{"put_set_o"};
    sc_core::sc_out<uint32_t> look_o{"look_o"};
    sc_core::sc_out<uint32_t> put_addr_o{"put_addr_o"};
    sc_core::sc_out<uint32_t> put_d_o{"put_d_o"};
    sc_core::sc_out<uint32_t> put_ctx_o{"put_ctx_o"};
    sc_core::sc_out<bool> ent_look_o{"ent_look_o"};
    sc_core::sc_out<uint32_t> ent_tag_o{"ent_tag_o"};
    sc_core::sc_out<bool> ent_put_o{"ent_put_o"};
    sc_core::sc_out<uint32_t> ent_h1_o{"ent_h1_o"};
    sc_core::sc_out<uint32_t> ent_h2_o{"ent_h2_o"};

    explicit local(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(local);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << to_pend_i << m_credit_i << up_i << x_i << sel_i << ctx_i
                  << clash_i << ent_used_i << ent_h1_i << ent_h2_i;
        for (uint32_t i = 0; i < NumPorts; ++i) sensitive << rd_err_i[i];
    }

    const core::Local& state() const { return m_core; }

private:
    // Index of the lowest bit, for vectors that are one-hot when they matter.
    static uint32_t lowest(uint32_t bits) { return bits != 0 ? uint32_t(__builtin_ctz(bits)) : 0; }

    // Of the input selected; of input 8 while a packet is put back.
    uint32_t rd_err() const {
        const bool is_put = m_core.q().st == core::Local::PutRx;
        return rd_err_i[is_put ? uint32_t(PortM0) : lowest(sel_i.read())].read();
    }
    core::EntryLook ent() const { return {ent_used_i.read(), ent_h1_i.read(), ent_h2_i.read()}; }

    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            core::Local::In in;
            in.shoot = shoot_i.read();
            in.own_slice = slice_o_i.read();
            in.slice = slice_i.read();
            in.x = from_wires(x_i.read());
            in.gnt = gnt_i.read();
            in.gnt8 = gnt8_i.read();
            in.sel_port = lowest(sel_i.read());
            in.rd_err = rd_err();
            in.rd_vc = rd_vc_i.read() >> 2 * in.sel_port & 3;
            in.to_pend = to_pend_i.read();
            in.to_vc = to_vc_i.read() >> 2 * lowest(in.to_pend) & 3;
            in.m_credit = m_credit_i.read();
            in.loc_gnt = loc_gnt_i.read();
            in.ev_body = ev_body_i.read();
            in.ev_frame = ev_frame_i.read();
            in.ev_over = ev_over_i.read();
            in.ev_cred = ev_cred_i.read();
            in.ev_owed = ev_owed_i.read();
            in.ev_sync = ev_sync_i.read();
            in.ev_sunk = ev_sunk_i.read();
            in.up = up_i.read();
            in.ev_lost = ev_lost_i.read();
            in.ev_table = ev_table_i.read();
            in.stray = stray_i.read();
            in.stray_port = stray_port_i.read();
            in.stray_tag = stray_tag_i.read();
            in.ctx = core::context_of(ctx_i.read());
            in.clash = clash_i.read();
            in.vacant = vacant_i.read();
            in.ent = ent();
            m_core.clock(in);
        }
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::Config& cfg = m_core.config();
        const uint32_t to_pend = to_pend_i.read();
        x_gnt_o.write(m_core.x_gnt(to_pend));
        ready_o.write(m_core.ready());
        only8_o.write(m_core.only8());
        to_ack_o.write(m_core.to_ack(to_pend));
        tick_o.write(m_core.tick());
        tick_ent_o.write(m_core.tick_ent());
        tick_ack_o.write(m_core.tick_ack());
        slow_o.write(m_core.slow());
        sink_o.write(m_core.sink());
        loc_want_o.write(m_core.loc_want(m_credit_i.read()));
        loc_x_o.write(to_wires(m_core.loc_x(core::context_of(ctx_i.read()), up_i.read())));
        rank_o.write(cfg.route.rank);
        xfer_o.write(cfg.route.xfer);
        dateline_o.write(cfg.route.dateline);
        link_o.write(cfg.link);
        mask_o.write(cfg.route.mask);
        ranks_o.write(cfg.route.ranks);
        err_o.write(m_core.err());
        shoot_down();
    }

    void shoot_down() {
        const stream_t x = from_wires(x_i.read());
        const bool clash = clash_i.read();
        const core::SlotName slot = m_core.look();
        halt_o.write(m_core.halt());
        raw_o.write(m_core.raw());
        keep_o.write(m_core.keep());
        give_o.write(m_core.give(x, clash));
        dump_o.write(m_core.dump());
        dumping_o.write(m_core.dumping());
        put_we_o.write(m_core.put_we(rd_err()));
        put_set_o.write(m_core.put_set(x, clash));
        look_o.write(slot.exists() ? 1u << (3 * slot.port + slot.vc) : 0);
        put_addr_o.write(m_core.q().ridx);
        put_d_o.write(stream_flit(x));
        put_ctx_o.write(to_bits(m_core.put_ctx()) & 0xFFFFF);
        ent_look_o.write(m_core.ent_look(x));
        ent_tag_o.write(m_core.ent_tag());
        ent_put_o.write(m_core.ent_put(x));
        ent_h1_o.write(m_core.ent_h1());
        ent_h2_o.write(core::Local::ent_h2(x));
    }

    core::Local m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
