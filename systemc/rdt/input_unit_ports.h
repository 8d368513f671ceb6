// SPDX-License-Identifier: MIT
// The ports of rdt_input_unit: whatever has them can be the input unit of a chip.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/flit.h>
#include <rdt/block.h>

namespace rdt {

class input_unit_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // configuration
    in<5> rank_i{"rank_i"};  // bit r: the node is on rank r
    in<4> xfer_i{"xfer_i"};
    in<8> dateline_i{"dateline_i"};
    in<8> mask_i{"mask_i"};
    in<4> ranks_i{"ranks_i"};
    // own line
    in<1> rx_valid_i{"rx_valid_i"};
    in<1> rx_first_i{"rx_first_i"};
    in<1> rx_last_i{"rx_last_i"};
    in<2> rx_vc_i{"rx_vc_i"};
    in<DataW> rx_d_i{"rx_d_i"};
    out<1> cred_ret_o{"cred_ret_o"};
    out<2> cred_vc_o{"cred_vc_o"};
    out<3> cred_add_o{"cred_add_o"};
    out<3> room_o{"room_o"};
    out<1> bad_o{"bad_o"};
    in<1> up_i{"up_i"};
    // arbiter and crossbar
    in<31> credit_i{"credit_i"};
    in<11> gnt_i{"gnt_i"};
    out<11> want_o{"want_o"};
    out<11> cand_o{"cand_o"};
    out<WireW> rd_x_o{"rd_x_o"};
    out<1> pkt_o{"pkt_o"};
    // LOCAL
    out<4> rd_err_o{"rd_err_o"};
    out<2> rd_vc_o{"rd_vc_o"};
    in<1> tick_i{"tick_i"};
    in<1> to_ack_i{"to_ack_i"};
    out<1> to_pend_o{"to_pend_o"};
    out<2> to_vc_o{"to_vc_o"};
    out<1> ev_body_o{"ev_body_o"};
    out<1> ev_frame_o{"ev_frame_o"};
    out<1> ev_over_o{"ev_over_o"};
    // LOCAL: shoot-down
    in<1> halt_i{"halt_i"};
    in<1> raw_i{"raw_i"};    // packets are for LOCAL, whatever they are
    in<1> keep_i{"keep_i"};  // the credit is not given back
    in<1> free_i{"free_i"};  // but now it is
    in<1> run_i{"run_i"};    // an MBP may take its packet back
    in<1> drop_i{"drop_i"};  // a packet that times out is consumed
    in<3> look_i{"look_i"};
    in<1> dump_i{"dump_i"};
    in<1> put_we_i{"put_we_i"};
    in<1> put_set_i{"put_set_i"};
    in<4> put_addr_i{"put_addr_i"};
    in<DataW> put_d_i{"put_d_i"};
    in<PutCtxW> put_ctx_i{"put_ctx_i"};  // {pend, plan}
    out<CtxW> ctx_o{"ctx_o"};            // {pkt, pend, plan}
    out<1> clash_o{"clash_o"};
    out<1> vacant_o{"vacant_o"};  // the selected buffer is empty, without a credit outstanding
    // rdt_ack
    out<1> ack_v_o{"ack_v_o"};
    out<AckTagW> ack_tag_o{"ack_tag_o"};
    out<AckStW> ack_st_o{"ack_st_o"};
    out<4> ack_gen_o{"ack_gen_o"};
    in<1> ack_take_i{"ack_take_i"};
    out<HeldW> held_o{"held_o"};  // entries of the multicasts here that have an entry
    out<1> ent_req_o{"ent_req_o"};
    out<10> ent_set_o{"ent_set_o"};
    out<TagW> ent_tag_o{"ent_tag_o"};
    out<1> ent_vct_o{"ent_vct_o"};
    out<1> ent_old_o{"ent_old_o"};
    in<1> ent_gnt_i{"ent_gnt_i"};
    in<TagW> ent_new_i{"ent_new_i"};
    in<1> slow_i{"slow_i"};
    in<1> tick_ent_i{"tick_ent_i"};
    out<1> retry_o{"retry_o"};
    in<1> retry_ack_i{"retry_ack_i"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(rank_i, rtl.rank_i);
        visit(xfer_i, rtl.xfer_i);
        visit(dateline_i, rtl.dateline_i);
        visit(mask_i, rtl.mask_i);
        visit(ranks_i, rtl.ranks_i);
        visit(rx_valid_i, rtl.rx_valid_i);
        visit(rx_first_i, rtl.rx_first_i);
        visit(rx_last_i, rtl.rx_last_i);
        visit(rx_vc_i, rtl.rx_vc_i);
        visit(rx_d_i, rtl.rx_d_i);
        visit(cred_ret_o, rtl.cred_ret_o);
        visit(cred_vc_o, rtl.cred_vc_o);
        visit(cred_add_o, rtl.cred_add_o);
        visit(room_o, rtl.room_o);
        visit(bad_o, rtl.bad_o);
        visit(up_i, rtl.up_i);
        visit(credit_i, rtl.credit_i);
        visit(gnt_i, rtl.gnt_i);
        visit(want_o, rtl.want_o);
        visit(cand_o, rtl.cand_o);
        visit(rd_x_o, rtl.rd_x_o);
        visit(pkt_o, rtl.pkt_o);
        visit(rd_err_o, rtl.rd_err_o);
        visit(rd_vc_o, rtl.rd_vc_o);
        visit(tick_i, rtl.tick_i);
        visit(to_ack_i, rtl.to_ack_i);
        visit(to_pend_o, rtl.to_pend_o);
        visit(to_vc_o, rtl.to_vc_o);
        visit(ev_body_o, rtl.ev_body_o);
        visit(ev_frame_o, rtl.ev_frame_o);
        visit(ev_over_o, rtl.ev_over_o);
        visit(halt_i, rtl.halt_i);
        visit(raw_i, rtl.raw_i);
        visit(keep_i, rtl.keep_i);
        visit(free_i, rtl.free_i);
        visit(run_i, rtl.run_i);
        visit(drop_i, rtl.drop_i);
        visit(look_i, rtl.look_i);
        visit(dump_i, rtl.dump_i);
        visit(put_we_i, rtl.put_we_i);
        visit(put_set_i, rtl.put_set_i);
        visit(put_addr_i, rtl.put_addr_i);
        visit(put_d_i, rtl.put_d_i);
        visit(put_ctx_i, rtl.put_ctx_i);
        visit(ctx_o, rtl.ctx_o);
        visit(clash_o, rtl.clash_o);
        visit(vacant_o, rtl.vacant_o);
        visit(ack_v_o, rtl.ack_v_o);
        visit(ack_tag_o, rtl.ack_tag_o);
        visit(ack_st_o, rtl.ack_st_o);
        visit(ack_gen_o, rtl.ack_gen_o);
        visit(ack_take_i, rtl.ack_take_i);
        visit(held_o, rtl.held_o);
        visit(ent_req_o, rtl.ent_req_o);
        visit(ent_set_o, rtl.ent_set_o);
        visit(ent_tag_o, rtl.ent_tag_o);
        visit(ent_vct_o, rtl.ent_vct_o);
        visit(ent_old_o, rtl.ent_old_o);
        visit(ent_gnt_i, rtl.ent_gnt_i);
        visit(ent_new_i, rtl.ent_new_i);
        visit(slow_i, rtl.slow_i);
        visit(tick_ent_i, rtl.tick_ent_i);
        visit(retry_o, rtl.retry_o);
        visit(retry_ack_i, rtl.retry_ack_i);
    }

protected:
    explicit input_unit_ports(sc_core::sc_module_name name, uint32_t entries = 0)
        : block(name, entries) {}
};

}  // namespace rdt
