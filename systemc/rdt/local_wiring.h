// SPDX-License-Identifier: MIT
// The outside and the inside of LOCAL: its ports, its submodules and the wires between them, as
// in rtl/rdt_local.sv. local.h has its behavior.
#pragma once

#include <rdt/data_width.h>
#include <rdt/local_fsm.h>
#include <rdt/local_tx.h>
#include <rdt/notice.h>
#include <rdt/regs.h>
#include <rdt/setup.h>
#include <rdt/shot.h>
#include <rdt/local_ports.h>

namespace rdt {

class local_wiring : public local_ports {
public:
    notice u_notice{"u_notice"};
    setup u_setup{"u_setup"};
    shot u_shot;
    local_fsm u_fsm{"u_fsm"};
    local_tx u_tx{"u_tx"};
    regs u_regs{"u_regs"};

protected:
    local_wiring(sc_core::sc_module_name name, uint32_t entries)
        : local_ports(name, entries), u_shot("u_shot", entries) {
        connect_notice();
        connect_setup();
        connect_shot();
        connect_fsm();
        connect_tx();
        connect_regs();
    }

    // The current action, and its flit.
    net<1> idle{"idle"}, recv{"recv"}, tx{"tx"}, put{"put"}, putrx{"putrx"};
    net<1> sent{"sent"}, gives_up{"gives_up"};
    net<2> kind{"kind"};
    net<4> ridx{"ridx"};
    // The packet that comes.
    net<1> last{"last"}, refuse{"refuse"}, err{"err"}, is_read{"is_read"}, put_good{"put_good"};
    net<1> mbp{"mbp"};
    net<4> len{"len"}, flit_err{"flit_err"};
    net<DataW> d{"d"};
    // Notices.
    net<1> note{"note"}, late{"late"};
    nets<1> lost_place{"lost_place", NumPorts};
    net<4> note_code{"note_code"}, note_port{"note_port"};
    net<2> note_vc{"note_vc"};
    net<3> note_tag{"note_tag"};
    // Shoot-down.
    net<1> trigger{"trigger"}, shot_halt{"shot_halt"}, shot_recv{"shot_recv"}, puts{"puts"};
    net<1> shot_end{"shot_end"}, run{"run"}, is_slot{"is_slot"}, is_entry{"is_entry"}, fits{"fits"};
    net<1> refused{"refused"};
    net<1> step{"step"}, found{"found"}, shot_sent{"shot_sent"}, dumped{"dumped"};
    net<1> follows{"follows"};
    net<2> shot_state{"shot"}, flit{"flit"};
    net<6> plan{"plan"};
    net<17> shot_flit{"shot_flit"};
    // Registers that others see, and the flit they make.
    net<2> vc{"vc"};
    net<4> code{"code"}, port{"port"};
    net<3> tag{"tag"};
    net<17> h0{"h0"}, h1{"h1"}, h2{"h2"};
    net<5> addr{"addr"};
    net<1> tx_last{"tx_last"};
    net<WireW> tx_x{"tx_x"};
    // Access to the registers, and events.
    net<1> reg_we{"reg_we"}, guard{"guard"}, shoot{"shoot"}, on_late{"on_late"};
    net<1> slice_bad{"slice_bad"}, slice_differs{"slice_differs"};
    net<1> set_header{"set_header"}, set_setup{"set_setup"}, set_lost{"set_lost"};
    net<1> err_sent{"err_sent"};
    net<16> wdata{"wdata"}, value{"value"}, xy{"xy"};

private:
    void connect_notice() {
        u_notice.clk_i(clk_i);
        u_notice.rst_ni(rst_ni);
        u_notice.idle_i(idle);
        u_notice.to_pend_i(to_pend_i);
        u_notice.to_vc_i(to_vc_i);
        u_notice.to_ack_o(to_ack_o);
        u_notice.late_o(late);
        u_notice.stray_i(stray_i);
        u_notice.stray_port_i(stray_port_i);
        u_notice.stray_tag_i(stray_tag_i);
        u_notice.ev_sync_i(lost_place);
        u_notice.ev_sunk_i(ev_sunk_i);
        u_notice.any_o(note);
        u_notice.code_o(note_code);
        u_notice.port_o(note_port);
        u_notice.vc_o(note_vc);
        u_notice.tag_o(note_tag);
    }

    void connect_setup() {
        u_setup.clk_i(clk_i);
        u_setup.idle_i(idle);
        u_setup.recv_i(recv);
        u_setup.idx_i(ridx);
        u_setup.d_i(d);
        u_setup.last_i(last);
        u_setup.len_i(len);
        u_setup.refuse_i(refuse);
        u_setup.err_o(flit_err);
        u_setup.we_o(reg_we);
        u_setup.addr_o(addr);
    }

    void connect_fsm() {
        u_fsm.clk_i(clk_i);
        u_fsm.rst_ni(rst_ni);
        u_fsm.note_i(note);
        u_fsm.gnt_i(gnt_i);
        u_fsm.found_i(found);
        u_fsm.last_i(last);
        u_fsm.shot_end_i(shot_end);
        u_fsm.slot_i(is_slot);
        u_fsm.refused_i(refused);
        u_fsm.err_i(err);
        u_fsm.read_i(is_read);
        u_fsm.good_i(put_good);
        u_fsm.mbp_i(mbp);
        u_fsm.m_credit_i(m_credit_i);
        u_fsm.loc_gnt_i(loc_gnt_i);
        u_fsm.loc_want_o(loc_want_o);
        u_fsm.kind_o(kind);
        u_fsm.sent_o(sent);
        u_fsm.gives_up_o(gives_up);
        u_fsm.tx_last_i(tx_last);
        u_fsm.follows_i(follows);
        u_fsm.gnt_mbp0_i(gnt_mbp0_i);
        u_fsm.idle_o(idle);
        u_fsm.recv_o(recv);
        u_fsm.tx_o(tx);
        u_fsm.dump_o(dump_o);
        u_fsm.dumping_o(dumping_o);
        u_fsm.dumped_o(dumped);
        u_fsm.put_o(put);
        u_fsm.putrx_o(putrx);
        u_fsm.idx_o(ridx);
    }

    void connect_shot() {
        u_shot.clk_i(clk_i);
        u_shot.rst_ni(rst_ni);
        u_shot.trigger_i(trigger);
        u_shot.shot_o(shot_state);
        u_shot.halt_o(shot_halt);
        u_shot.recv_i(shot_recv);
        u_shot.put_i(puts);
        u_shot.table_i(idle);
        u_shot.h0_i(h0);
        u_shot.h1_i(h1);
        u_shot.h2_i(h2);
        u_shot.plan_i(plan);
        u_shot.end_i(shot_end);
        u_shot.run_i(run);
        u_shot.slot_o(is_slot);
        u_shot.entry_o(is_entry);
        u_shot.fits_o(fits);
        u_shot.step_i(step);
        u_shot.found_o(found);
        u_shot.sent_i(shot_sent);
        u_shot.dumped_i(dumped);
        u_shot.follows_o(follows);
        u_shot.flit_i(flit);
        u_shot.flit_o(shot_flit);
        u_shot.xy_i(xy);
        u_shot.look_o(look_o);
        u_shot.ctx_i(ctx_i);
        u_shot.ent_look_o(ent_look_o);
        u_shot.ent_tag_o(ent_tag_o);
        u_shot.ent_put_o(ent_put_o);
        u_shot.ent_used_i(ent_used_i);
    }

    void connect_tx() {
        u_tx.kind_i(kind);
        u_tx.idx_i(ridx);
        u_tx.code_i(code);
        u_tx.port_i(port);
        u_tx.vc_i(vc);
        u_tx.tag_i(tag);
        u_tx.h0_i(h0);
        u_tx.h1_i(h1);
        u_tx.h2_i(h2);
        u_tx.addr_i(addr);
        u_tx.value_i(value);
        u_tx.xy_i(xy);
        u_tx.shot_i(shot_flit);
        u_tx.last_o(tx_last);
        u_tx.x_o(tx_x);
    }

    void connect_regs() {
        u_regs.clk_i(clk_i);
        u_regs.rst_ni(rst_ni);
        u_regs.we_i(reg_we);
        u_regs.addr_i(addr);
        u_regs.wdata_i(wdata);
        u_regs.rdata_o(value);
        u_regs.set_header_i(set_header);
        u_regs.set_timeout_i(late);
        u_regs.set_setup_i(set_setup);
        u_regs.set_ack_i(stray_i);
        u_regs.set_table_i(ev_table_i);
        u_regs.set_lost_i(set_lost);
        u_regs.err_sent_i(err_sent);
        u_regs.slice_differs_i(slice_differs);
        u_regs.ev_body_i(ev_body_i);
        u_regs.ev_frame_i(ev_frame_i);
        u_regs.ev_over_i(ev_over_i);
        u_regs.ev_cred_i(ev_cred_i);
        u_regs.ev_owed_i(ev_owed_i);
        u_regs.ev_sync_i(lost_place);
        u_regs.ev_sunk_i(ev_sunk_i);
        u_regs.up_i(up_i);
        u_regs.shot_i(shot_state);
        u_regs.halt_i(halt_o);
        u_regs.shoot_o(shoot);
        u_regs.on_late_o(on_late);
        u_regs.slice_bad_o(slice_bad);
        u_regs.guard_o(guard);
        u_regs.sink_o(sink_o);
        u_regs.xy_o(xy);
        u_regs.rank_o(rank_o);
        u_regs.xfer_o(xfer_o);
        u_regs.dateline_o(dateline_o);
        u_regs.link_o(link_o);
        u_regs.mask_o(mask_o);
        u_regs.ranks_o(ranks_o);
        u_regs.tick_o(tick_o);
        u_regs.tick_ent_o(tick_ent_o);
        u_regs.end_o(end_o);
        u_regs.drop_o(drop_o);
        u_regs.tick_ack_o(tick_ack_o);
        u_regs.slow_o(slow_o);
        u_regs.err_o(err_o);
    }
};

}  // namespace rdt
