// SPDX-License-Identifier: MIT
// The ports of rdt_local: whatever has them can be LOCAL of a chip.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/format.h>
#include <rdt/block.h>

namespace rdt {

class local_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // pins
    in<1> shoot_i{"shoot_i"};
    in<1> slice_o_i{"slice_o_i"};
    in<1> slice_i{"slice_i"};
    out<1> err_o{"err_o"};
    // crossbar column 10
    in<WireW> x_i{"x_i"};
    in<1> gnt_i{"gnt_i"};
    in<10> sel_i{"sel_i"};
    out<1> x_gnt_o{"x_gnt_o"};
    out<1> ready_o{"ready_o"};
    out<1> only_mbp0_o{"only_mbp0_o"};
    in<1> gnt_mbp0_i{"gnt_mbp0_i"};  // output 8 was granted
    // input units
    ins<4> rd_err_i{"rd_err_i", NumPorts};
    ins<2> rd_vc_i{"rd_vc_i", NumPorts};
    ins<1> to_pend_i{"to_pend_i", NumPorts};
    ins<2> to_vc_i{"to_vc_i", NumPorts};
    outs<1> to_ack_o{"to_ack_o", NumPorts};
    out<1> tick_o{"tick_o"};
    out<1> tick_ent_o{"tick_ent_o"};
    out<1> end_o{"end_o"};    // the wait of the lane's ack entry
    out<1> drop_o{"drop_o"};  // packets that time out are consumed
    out<1> run_o{"run_o"};    // no shoot-down
    // output units and links
    out<1> slow_o{"slow_o"};
    out<1> sink_o{"sink_o"};
    // rdt_ack
    out<1> tick_ack_o{"tick_ack_o"};
    in<1> stray_i{"stray_i"};
    in<4> stray_port_i{"stray_port_i"};
    in<3> stray_tag_i{"stray_tag_i"};
    in<1> ev_table_i{"ev_table_i"};
    out<1> ent_look_o{"ent_look_o"};
    out<TagW> ent_tag_o{"ent_tag_o"};
    in<1> ent_used_i{"ent_used_i"};
    in<17> ent_h1_i{"ent_h1_i"};
    in<EntH2W> ent_h2_i{"ent_h2_i"};
    out<1> ent_put_o{"ent_put_o"};
    out<17> ent_h1_o{"ent_h1_o"};
    out<EntH2W> ent_h2_o{"ent_h2_o"};
    // rdt_inject, and the credits of the MBPs
    in<2> m_credit_i{"m_credit_i"};
    in<2> loc_gnt_i{"loc_gnt_i"};
    out<2> loc_want_o{"loc_want_o"};
    out<WireW> loc_x_o{"loc_x_o"};
    // events
    ins<1> ev_body_i{"ev_body_i", NumPorts};
    ins<1> ev_frame_i{"ev_frame_i", NumPorts};
    ins<1> ev_over_i{"ev_over_i", NumPorts};
    ins<1> ev_cred_i{"ev_cred_i", NumPorts};
    ins<1> ev_owed_i{"ev_owed_i", NumPorts};
    ins<1> ev_sync_i{"ev_sync_i", NumPorts};
    ins<1> ev_sunk_i{"ev_sunk_i", NumPorts};
    in<1> ev_lost_i{"ev_lost_i"};   // rdt_inject dropped an ack
    ins<1> up_i{"up_i", NumPorts};  // links that are up
    // shoot-down
    out<1> halt_o{"halt_o"};
    out<1> raw_o{"raw_o"};
    out<1> keep_o{"keep_o"};
    out<1> give_o{"give_o"};
    out<1> dump_o{"dump_o"};
    out<1> dumping_o{"dumping_o"};
    out<30> look_o{"look_o"};
    in<CtxW> ctx_i{"ctx_i"};
    out<1> put_we_o{"put_we_o"};
    out<1> put_set_o{"put_set_o"};
    out<4> put_addr_o{"put_addr_o"};
    out<DataW> put_d_o{"put_d_o"};
    out<PutCtxW> put_ctx_o{"put_ctx_o"};
    in<1> clash_i{"clash_i"};
    in<1> vacant_i{"vacant_i"};  // the selected slot is empty, without a credit outstanding
    // configuration
    out<5> rank_o{"rank_o"};  // bit r: the node is on rank r
    out<4> xfer_o{"xfer_o"};
    out<8> dateline_o{"dateline_o"};
    out<8> link_o{"link_o"};
    out<8> mask_o{"mask_o"};
    out<4> ranks_o{"ranks_o"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(shoot_i, rtl.shoot_i);
        visit(slice_o_i, rtl.slice_o_i);
        visit(slice_i, rtl.slice_i);
        visit(err_o, rtl.err_o);
        visit(x_i, rtl.x_i);
        visit(gnt_i, rtl.gnt_i);
        visit(sel_i, rtl.sel_i);
        visit(x_gnt_o, rtl.x_gnt_o);
        visit(ready_o, rtl.ready_o);
        visit(only_mbp0_o, rtl.only_mbp0_o);
        visit(gnt_mbp0_i, rtl.gnt_mbp0_i);
        visit(rd_err_i, rtl.rd_err_i);
        visit(rd_vc_i, rtl.rd_vc_i);
        visit(to_pend_i, rtl.to_pend_i);
        visit(to_vc_i, rtl.to_vc_i);
        visit(to_ack_o, rtl.to_ack_o);
        visit(tick_o, rtl.tick_o);
        visit(tick_ent_o, rtl.tick_ent_o);
        visit(end_o, rtl.end_o);
        visit(drop_o, rtl.drop_o);
        visit(run_o, rtl.run_o);
        visit(slow_o, rtl.slow_o);
        visit(sink_o, rtl.sink_o);
        visit(tick_ack_o, rtl.tick_ack_o);
        visit(stray_i, rtl.stray_i);
        visit(stray_port_i, rtl.stray_port_i);
        visit(stray_tag_i, rtl.stray_tag_i);
        visit(ev_table_i, rtl.ev_table_i);
        visit(ent_look_o, rtl.ent_look_o);
        visit(ent_tag_o, rtl.ent_tag_o);
        visit(ent_used_i, rtl.ent_used_i);
        visit(ent_h1_i, rtl.ent_h1_i);
        visit(ent_h2_i, rtl.ent_h2_i);
        visit(ent_put_o, rtl.ent_put_o);
        visit(ent_h1_o, rtl.ent_h1_o);
        visit(ent_h2_o, rtl.ent_h2_o);
        visit(m_credit_i, rtl.m_credit_i);
        visit(loc_gnt_i, rtl.loc_gnt_i);
        visit(loc_want_o, rtl.loc_want_o);
        visit(loc_x_o, rtl.loc_x_o);
        visit(ev_body_i, rtl.ev_body_i);
        visit(ev_frame_i, rtl.ev_frame_i);
        visit(ev_over_i, rtl.ev_over_i);
        visit(ev_cred_i, rtl.ev_cred_i);
        visit(ev_owed_i, rtl.ev_owed_i);
        visit(ev_sync_i, rtl.ev_sync_i);
        visit(ev_sunk_i, rtl.ev_sunk_i);
        visit(ev_lost_i, rtl.ev_lost_i);
        visit(up_i, rtl.up_i);
        visit(halt_o, rtl.halt_o);
        visit(raw_o, rtl.raw_o);
        visit(keep_o, rtl.keep_o);
        visit(give_o, rtl.give_o);
        visit(dump_o, rtl.dump_o);
        visit(dumping_o, rtl.dumping_o);
        visit(look_o, rtl.look_o);
        visit(ctx_i, rtl.ctx_i);
        visit(put_we_o, rtl.put_we_o);
        visit(put_set_o, rtl.put_set_o);
        visit(put_addr_o, rtl.put_addr_o);
        visit(put_d_o, rtl.put_d_o);
        visit(put_ctx_o, rtl.put_ctx_o);
        visit(clash_i, rtl.clash_i);
        visit(vacant_i, rtl.vacant_i);
        visit(rank_o, rtl.rank_o);
        visit(xfer_o, rtl.xfer_o);
        visit(dateline_o, rtl.dateline_o);
        visit(link_o, rtl.link_o);
        visit(mask_o, rtl.mask_o);
        visit(ranks_o, rtl.ranks_o);
    }

protected:
    explicit local_ports(sc_core::sc_module_name name, uint32_t entries = 0)
        : block(name, entries) {}
};

}  // namespace rdt
