// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_input_unit.sv.
#pragma once

#include <systemc>

#include "core/input_unit.h"

namespace rdt {

class input_unit : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<uint32_t> rank_i{"rank_i"};
    sc_core::sc_in<uint32_t> xfer_i{"xfer_i"};
    sc_core::sc_in<uint32_t> dateline_i{"dateline_i"};
    sc_core::sc_in<uint32_t> mask_i{"mask_i"};
    sc_core::sc_in<uint32_t> ranks_i{"ranks_i"};
    sc_core::sc_in<bool> rx_valid_i{"rx_valid_i"};
    sc_core::sc_in<bool> rx_first_i{"rx_first_i"};
    sc_core::sc_in<bool> rx_last_i{"rx_last_i"};
    sc_core::sc_in<uint32_t> rx_vc_i{"rx_vc_i"};
    sc_core::sc_in<uint32_t> rx_d_i{"rx_d_i"};
    sc_core::sc_in<uint32_t> credit_i{"credit_i"};
    sc_core::sc_in<uint32_t> gnt_i{"gnt_i"};
    sc_core::sc_in<bool> tick_i{"tick_i"};
    sc_core::sc_in<bool> to_ack_i{"to_ack_i"};
    sc_core::sc_in<bool> ack_take_i{"ack_take_i"};
    sc_core::sc_in<bool> ent_gnt_i{"ent_gnt_i"};
    sc_core::sc_in<uint32_t> ent_new_i{"ent_new_i"};
    sc_core::sc_in<bool> tick_ent_i{"tick_ent_i"};
    sc_core::sc_in<bool> retry_ack_i{"retry_ack_i"};
    sc_core::sc_in<bool> halt_i{"halt_i"};
    sc_core::sc_in<bool> raw_i{"raw_i"};
    sc_core::sc_in<bool> keep_i{"keep_i"};
    sc_core::sc_in<uint32_t> look_i{"look_i"};
    sc_core::sc_in<bool> up_i{"up_i"};
    sc_core::sc_in<bool> free_i{"free_i"};
    sc_core::sc_in<bool> dump_i{"dump_i"};
    sc_core::sc_in<bool> put_we_i{"put_we_i"};
    sc_core::sc_in<bool> put_set_i{"put_set_i"};
    sc_core::sc_in<uint32_t> put_addr_i{"put_addr_i"};
    sc_core::sc_in<uint32_t> put_d_i{"put_d_i"};
    sc_core::sc_in<uint32_t> put_ctx_i{"put_ctx_i"};
    sc_core::sc_out<uint32_t> want_o{"want_o"};
    sc_core::sc_out<uint32_t> cand_o{"cand_o"};
    sc_core::sc_out<uint32_t> rd_x_o{"rd_x_o"};
    sc_core::sc_out<uint32_t> rd_err_o{"rd_err_o"};
    sc_core::sc_out<uint32_t> rd_vc_o{"rd_vc_o"};
    sc_core::sc_out<bool> cred_ret_o{"cred_ret_o"};
    sc_core::sc_out<uint32_t> cred_vc_o{"cred_vc_o"};
    sc_core::sc_out<uint32_t> cred_add_o{"cred_add_o"};
    sc_core::sc_out<bool> to_pend_o{"to_pend_o"};
    sc_core::sc_out<uint32_t> to_vc_o{"to_vc_o"};
    sc_core::sc_out<bool> ev_body_o{"ev_body_o"};
    sc_core::sc_out<bool> ev_frame_o{"ev_frame_o"};
    sc_core::sc_out<bool> ev_over_o{"ev_over_o"};
    sc_core::sc_out<bool> bad_o{"bad_o"};
    sc_core::sc_out<uint32_t> held_o{"held_o"};
    sc_core::sc_out<bool> ack_v_o{"ack_v_o"};
    sc_core::sc_out<uint32_t> ack_tag_o{"ack_tag_o"};
    sc_core::sc_out<uint32_t> ack_st_o{"ack_st_o"};
    sc_core::sc_out<uint32_t> ack_gen_o{"ack_gen_o"};
    sc_core::sc_out<bool> ent_req_o{"ent_req_o"};
    sc_core::sc_out<uint32_t> ent_set_o{"ent_set_o"};
    sc_core::sc_out<uint32_t> ent_tag_o{"ent_tag_o"};
    sc_core::sc_out<bool> retry_o{"retry_o"};
    sc_core::sc_out<uint32_t> room_o{"room_o"};
    sc_core::sc_out<bool> pkt_o{"pkt_o"};
    sc_core::sc_out<uint32_t> ctx_o{"ctx_o"};
    sc_core::sc_out<bool> clash_o{"clash_o"};
    sc_core::sc_out<bool> vacant_o{"vacant_o"};

    input_unit(sc_core::sc_module_name name, uint32_t num_vc, uint32_t in_port)
        : sc_module(name), m_core(num_vc, in_port) {
        SC_HAS_PROCESS(input_unit);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << rank_i << xfer_i << dateline_i << mask_i << ranks_i << rx_valid_i
                  << rx_first_i << rx_last_i << rx_vc_i << rx_d_i << credit_i << gnt_i << ack_take_i
                  << retry_ack_i << halt_i << raw_i << keep_i << look_i << up_i << free_i << dump_i
                  << put_we_i;
    }

    const core::InputUnit& state() const { return m_core; }

private:
    core::InputUnit::Rx rx() const {
        return {rx_valid_i.read(), rx_first_i.read(), rx_last_i.read(), rx_vc_i.read(),
                rx_d_i.read()};
    }
    core::InputUnit::Shot shot() const {
        return {halt_i.read(),
                raw_i.read(),
                keep_i.read(),
                free_i.read(),
                dump_i.read(),
                look_i.read(),
                put_we_i.read(),
                put_set_i.read(),
                put_addr_i.read(),
                put_d_i.read(),
                core::context_of(put_ctx_i.read())};
    }
    RouteConfig config() const {
        return {rank_i.read(), xfer_i.read(), dateline_i.read(), mask_i.read(), ranks_i.read()};
    }
    uint32_t present(const core::InputUnit::Shot& shot) {
        return m_core.present(rx(), config(), credit_i.read(), shot);
    }

    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            present(shot());
            m_core.clock(
                {gnt_i.read(), tick_i.read(), to_ack_i.read(), ack_take_i.read(), ent_gnt_i.read(),
                 ent_new_i.read(), tick_ent_i.read(), retry_ack_i.read()},
                shot());
        }
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::InputUnit::Shot s = shot();
        cand_o.write(present(s));
        want_o.write(m_core.want());
        rd_x_o.write(to_wires(m_core.stream(config())));
        rd_err_o.write(m_core.rd_err());
        rd_vc_o.write(m_core.q().rd_vc);
        cred_ret_o.write(m_core.cred_ret(gnt_i.read(), s));
        cred_vc_o.write(m_core.cred_vc());
        const uint32_t timed_out = m_core.timed_out();
        const bool pending = timed_out != core::InputUnit::MaxVc;
        to_pend_o.write(pending);
        to_vc_o.write(pending ? timed_out : 0);
        const core::InputUnit::Events events = m_core.events(ack_take_i.read());
        ev_body_o.write(events.body);
        ev_frame_o.write(events.frame);
        ev_over_o.write(events.over);
        bad_o.write(events.bad);
        acks();
        room_o.write(m_core.room());
        pkt_o.write(m_core.pkt_mask() != 0);
        const uint32_t looked_at = s.look != 0 ? uint32_t(__builtin_ctz(s.look)) : 0;
        ctx_o.write(s.look != 0 ? to_bits(m_core.context(looked_at)) : 0);
        vacant_o.write(s.look != 0 && m_core.vacant(looked_at, up_i.read()));
        clash_o.write(core::InputUnit::clash(s, rx_valid_i.read()));
    }

    void acks() {
        const core::InputUnit::Regs& q = m_core.q();
        ack_v_o.write(q.ack_v);
        ack_tag_o.write(q.ack.tag);
        ack_st_o.write(q.ack.status);
        ack_gen_o.write(q.ack.gen);
        held_o.write(m_core.held() & ((1u << NumEntries) - 1));
        const uint32_t v = m_core.without_entry();
        const bool waits = v != core::InputUnit::MaxVc;
        ent_req_o.write(waits && !halt_i.read());
        ent_set_o.write(waits ? q.slot[v].pend & 0x3FF : 0);
        ent_tag_o.write(waits ? q.slot[v].tag : 0);
        retry_o.write(m_core.retry() && !halt_i.read());
        cred_add_o.write(
            m_core.cred_add(waits && retry_ack_i.read(), free_i.read(), halt_i.read()));
    }

    core::InputUnit m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
