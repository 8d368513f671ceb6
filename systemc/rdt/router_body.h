// SPDX-License-Identifier: MIT
// How the router chip is put together: its blocks, and the connections of rtl/rdt_router.sv. The
// last part of router.h.
#pragma once

#include <stdexcept>

#include <rdt/ack.h>
#include <rdt/arbiter.h>
#include <rdt/crossbar.h>
#include <rdt/inject.h>
#include <rdt/input_unit.h>
#include <rdt/link_io.h>
#include <rdt/local.h>
#include <rdt/output_unit.h>
#include <rdt/reduce.h>

// In headers; empty in the library.
#ifndef RDT_INLINE
#define RDT_INLINE inline
#endif

namespace rdt {

RDT_INLINE blocks::blocks(const ChipOptions& o)
    : entries(o.entries),
      link_io([o](const char* name, uint32_t p) {
          return std::make_unique<rdt::link_io>(name, vcs_of(p), has_priority(p), is_mbp(p),
                                                o.reg_req && is_network(p));
      }),
      input_unit([o](const char* name, uint32_t p) {
          return std::make_unique<rdt::input_unit>(name, vcs_of(p), p, o.entries);
      }),
      output_unit([o](const char* name, uint32_t p) {
          return std::make_unique<rdt::output_unit>(name, p, vcs_of(p), o.entries,
                                                    o.reg_req && is_network(p));
      }),
      arbiter([](const char* name) { return std::make_unique<rdt::arbiter>(name); }),
      crossbar([](const char* name) { return std::make_unique<rdt::crossbar>(name); }),
      local([o](const char* name) { return std::make_unique<rdt::local>(name, o.entries); }),
      ack([o](const char* name) { return std::make_unique<rdt::ack>(name, o.entries); }),
      inject([o](const char* name) { return std::make_unique<rdt::inject>(name, o.entries); }) {
    if (!is_number_of_entries(o.entries))
        throw std::invalid_argument("no chip has so many ack entries");
    if (o.reduce_width == 0) return;
    reduce = [o](const char* name) { return std::make_unique<rdt::reduce>(name, o.reduce_width); };
}

RDT_INLINE router_signals::router_signals(sc_core::sc_module_name name, uint32_t entries)
    : router_pins(name, entries) {}
RDT_INLINE router_signals::~router_signals() = default;

RDT_INLINE router::router(sc_core::sc_module_name name, const blocks& parts)
    : router_signals(name, parts.entries),
      u_arbiter(parts.arbiter("u_arbiter")),
      u_crossbar(parts.crossbar("u_crossbar")),
      u_local(parts.local("u_local")),
      u_ack(parts.ack("u_ack")),
      u_inject(parts.inject("u_inject")),
      u_reduce(parts.reduce ? parts.reduce("u_reduce") : nullptr) {
    if (u_reduce) m_reduce = std::make_unique<reduce_signals>();
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string number = "_" + std::to_string(p);
        u_link_io[p] = parts.link_io(("u_link_io" + number).c_str(), p);
        u_input_unit[p] = parts.input_unit(("u_input_unit" + number).c_str(), p);
        u_output_unit[p] = parts.output_unit(("u_output_unit" + number).c_str(), p);
        connect_link(p);
        connect_input(p);
        connect_output(p);
    }
    connect_arbiter();
    connect_local();
    connect_ack();
    connect_inject();
    if (u_reduce) connect_reduce();
    connect_glue();
    RDT_METHOD(spread_link);
    sensitive << link;
    RDT_METHOD(enable);
    sensitive << rst_ni;
    for (uint32_t p = 0; p < NumPorts; ++p) sensitive << oe[p];
    RDT_METHOD(spread_look);
    sensitive << look;
    RDT_METHOD(gather_credits);
    for (uint32_t p = 0; p < NumPorts; ++p) sensitive << ready_in[p] << credit[p];
}
RDT_INLINE router::~router() = default;

RDT_INLINE void router::connect_link(uint32_t p) {
    auto& u = *u_link_io[p];
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.link_en_i(link_en[p]);
    u.slow_i(slow);
    u.d_i(d_i[p]);
    u.req_i(req_i[p]);
    u.cred_i(cred_i[p]);
    u.cred_o(cred_o[p]);
    u.own_req_i(req_o[p]);
    u.own_oe_i(oe[p]);
    u.tx_i(tx[p]);
    u.late_i(late[p]);
    u.line_gnt_o(line_gnt[p]);
    u.line_void_o(line_void[p]);
    u.hush_o(hush[p]);
    u.ask_o(ask[p]);
    u.call_o(call[p]);
    u.down_o(down[p]);
    u.up_o(up[p]);
    u.ann_o(ann[p]);
    u.ev_sync_o(ev_sync[p]);
    u.bad_i(bad[p]);
    u.cred_ret_i(cred_ret[p]);
    u.cred_vc_i(cred_vc[p]);
    u.cred_add_i(cred_add[p]);
    u.room_i(room[p]);
    u.rx_valid_o(rx_valid[p]);
    u.rx_first_o(rx_first[p]);
    u.rx_last_o(rx_last[p]);
    u.rx_vc_o(rx_vc[p]);
    u.rx_d_o(rx_d[p]);
}
RDT_INLINE void router::connect_input(uint32_t p) {
    const bool is8 = p == PortM0;
    auto& u = *u_input_unit[p];
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.rank_i(rank);
    u.xfer_i(xfer);
    u.dateline_i(dateline);
    u.mask_i(mask);
    u.ranks_i(ranks);
    u.rx_valid_i(rx_valid[p]);
    u.rx_first_i(rx_first[p]);
    u.rx_last_i(rx_last[p]);
    u.rx_vc_i(rx_vc[p]);
    u.rx_d_i(rx_d[p]);
    u.cred_ret_o(cred_ret[p]);
    u.cred_vc_o(cred_vc[p]);
    u.cred_add_o(cred_add[p]);
    u.room_o(room[p]);
    u.bad_o(bad[p]);
    u.up_i(up[p]);
    u.credit_i(is8 ? credit_mbp0 : credit_in);
    u.gnt_i(gnt[p]);
    u.want_o(want[p]);
    u.cand_o(cand[p]);
    u.rd_x_o(rd_x[p]);
    u.pkt_o(pkt[p]);
    u.rd_err_o(rd_err[p]);
    u.rd_vc_o(rd_vc[p]);
    u.tick_i(tick);
    u.to_ack_i(to_ack[p]);
    u.to_pend_o(to_pend[p]);
    u.to_vc_o(to_vc[p]);
    u.ev_body_o(ev_body[p]);
    u.ev_frame_o(ev_frame[p]);
    u.ev_over_o(ev_over[p]);
    u.halt_i(halt);
    u.raw_i(is8 ? raw : off);
    u.keep_i(is8 ? keep : off);
    u.free_i(is8 ? give : off);
    u.run_i(running);
    u.drop_i(drop);
    u.look_i(look_in[p]);
    u.dump_i(dump);
    u.put_we_i(put_we);
    u.put_set_i(put_set);
    u.put_addr_i(put_addr);
    u.put_d_i(put_d);
    u.put_ctx_i(put_ctx);
    u.ctx_o(ctx[p]);
    u.clash_o(clash[p]);
    u.vacant_o(vacant[p]);
    u.ack_v_o(ack_v[p]);
    u.ack_tag_o(ack_tag[p]);
    u.ack_st_o(ack_st[p]);
    u.ack_gen_o(ack_gen[p]);
    u.ack_take_i(ack_take[p]);
    u.held_o(held[p]);
    u.ent_req_o(ent_req[p]);
    u.ent_set_o(ent_set[p]);
    u.ent_tag_o(ent_tag[p]);
    u.ent_vct_o(ent_vct[p]);
    u.ent_old_o(ent_old[p]);
    u.ent_gnt_i(ent_gnt[p]);
    u.ent_new_i(ent_new);
    u.slow_i(slow);
    u.tick_ent_i(tick_ent);
    u.retry_o(retry[p]);
    u.retry_ack_i(retry_ack[p]);
}
RDT_INLINE void router::connect_output(uint32_t p) {
    const bool is8 = p == PortM0;
    auto& u = *u_output_unit[p];
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.raw_i(is8 ? dumping : off);
    u.tick_i(tick);
    u.slow_i(slow);
    u.sink_i(sink);
    u.rank_i(rank);
    u.x_i(x[p]);
    u.gnt_i(gnt_out[p]);
    u.cand_any_i(cand_any[p]);
    u.xb_gnt_o(xb_gnt[p]);
    u.credit_o(credit[p]);
    u.line_gnt_i(line_gnt[p]);
    u.line_void_i(line_void[p]);
    u.hush_i(hush[p]);
    u.ask_i(ask[p]);
    u.call_i(call[p]);
    u.down_i(down[p]);
    u.up_i(up[p]);
    u.ann_i(ann[p]);
    u.tx_o(tx[p]);
    u.late_o(late[p]);
    u.loc_want_i(inj_want[p]);
    u.loc_x_i(inj_x);
    u.loc_gnt_o(inj_gnt[p]);
    u.gen_i(gen);
    u.ev_cred_o(ev_cred[p]);
    u.ev_owed_o(ev_owed[p]);
    u.ev_sunk_o(ev_sunk[p]);
    u.cred_i(cred_i[p]);
    u.d_o(d_o[p]);
    u.d_oe_o(oe[p]);
    u.req_o(req_o[p]);
}
RDT_INLINE void router::connect_arbiter() {
    auto& u = *u_arbiter;
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.want_i(want);
    u.cand_i(cand);
    for (uint32_t p = 0; p < NumPorts; ++p) u.line_gnt_i[p](xb_gnt[p]);
    u.line_gnt_i[PortLocal](x_gnt);
    for (uint32_t p : {PortM0, PortM1}) u.pkt_i[p - PortM0](pkt[p]);
    u.gnt_o(gnt);
    u.gnt_out_o(gnt_out);
    u.cand_any_o(cand_any);
    u.xsel_o(xsel);
    u.slice_o(slice_o);
    auto& c = *u_crossbar;
    c.x_i(rd_x);
    c.sel_i(xsel);
    c.x_o(x);
}
RDT_INLINE void router::connect_local() {
    auto& u = *u_local;
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.shoot_i(shoot_i);
    u.slice_o_i(slice_o);
    u.slice_i(slice_i);
    u.err_o(err_o);
    u.x_i(x[PortLocal]);
    u.gnt_i(gnt_out[PortLocal]);
    u.sel_i(xsel[PortLocal]);
    u.x_gnt_o(x_gnt);
    u.ready_o(ready);
    u.only_mbp0_o(only_mbp0);
    u.gnt_mbp0_i(gnt_out[PortM0]);
    u.rd_err_i(rd_err);
    u.rd_vc_i(rd_vc);
    u.to_pend_i(to_pend);
    u.to_vc_i(to_vc);
    u.to_ack_o(to_ack);
    u.tick_o(tick);
    u.tick_ent_o(tick_ent);
    u.end_o(end_lane);
    u.drop_o(drop);
    u.run_o(running);
    u.tick_ack_o(tick_ack);
    u.slow_o(slow);
    u.sink_o(sink);
    u.stray_i(stray);
    u.stray_port_i(stray_port);
    u.stray_tag_i(stray_tag);
    u.ev_table_i(ev_table_any);
    u.ent_look_o(look_ent);
    u.ent_tag_o(look_tag);
    u.ent_used_i(look_used);
    u.ent_h1_i(look_h1);
    u.ent_h2_i(look_h2);
    u.ent_put_o(put_ent);
    u.ent_h1_o(put_h1);
    u.ent_h2_o(put_h2);
    u.m_credit_i(m_credit);
    u.loc_gnt_i(loc_gnt);
    u.loc_want_o(loc_want);
    u.loc_x_o(loc_x);
    u.ev_body_i(ev_body);
    u.ev_frame_i(ev_frame);
    u.ev_over_i(ev_over);
    u.ev_cred_i(ev_cred);
    u.ev_owed_i(ev_owed);
    u.ev_sync_i(ev_sync);
    u.ev_sunk_i(ev_sunk);
    u.ev_lost_i(ev_lost);
    u.up_i(up);
    u.halt_o(halt);
    u.raw_o(raw);
    u.keep_o(keep);
    u.give_o(give);
    u.dump_o(dump);
    u.dumping_o(dumping);
    u.look_o(look);
    u.ctx_i(ctx_any);
    u.put_we_o(put_we);
    u.put_set_o(put_set);
    u.put_addr_o(put_addr);
    u.put_d_o(put_d);
    u.put_ctx_o(put_ctx);
    u.clash_i(clash_any);
    u.vacant_i(vacant_any);
    u.rank_o(rank);
    u.xfer_o(xfer);
    u.dateline_o(dateline);
    u.link_o(link);
    u.mask_o(mask);
    u.ranks_o(ranks);
}
RDT_INLINE void router::connect_ack() {
    auto& u = *u_ack;
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.tick_i(tick_ack);
    u.end_i(end_lane);
    u.ack_v_i(ack_v);
    u.ack_tag_i(ack_tag);
    u.ack_st_i(ack_st);
    for (uint32_t p : {PortM0, PortM1}) u.ack_gen_i[p - PortM0](ack_gen[p]);
    u.held_i(held_any);
    u.busy_i(busy);
    u.ack_take_o(ack_take);
    u.ent_req_i(ent_req);
    u.ent_set_i(ent_set);
    u.ent_tag_i(ent_tag);
    for (uint32_t p : {PortE0, PortW0}) u.ent_vct_i[p](ent_vct[p]);
    u.ent_old_i(ent_old);
    u.ent_gnt_o(ent_gnt);
    u.ent_new_o(ent_new);
    u.snd_v_o(snd_v);
    u.snd_port_o(snd_port);
    u.snd_tag_o(snd_tag);
    u.snd_st_o(snd_st);
    u.snd_take_i(snd_take);
    u.stray_o(stray);
    u.stray_port_o(stray_port);
    u.stray_tag_o(stray_tag);
    u.ev_table_o(ev_table);
    u.gen_o(gen);
    u.look_i(look_ent);
    u.look_tag_i(look_tag);
    u.look_used_o(look_used);
    u.look_h1_o(look_h1);
    u.look_h2_o(look_h2);
    u.put_i(put_ent);
    u.put_h1_i(put_h1);
    u.put_h2_i(put_h2);
}
RDT_INLINE void router::connect_inject() {
    auto& u = *u_inject;
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.snd_v_i(snd_v);
    u.snd_port_i(snd_port);
    u.snd_tag_i(snd_tag);
    u.snd_st_i(snd_st);
    u.snd_take_o(snd_take);
    u.retry_i(retry);
    u.ent_gnt_i(ent_gnt);
    u.ent_tag_i(ent_tag);
    u.retry_ack_o(retry_ack);
    u.busy_o(busy);
    u.ev_lost_o(ev_lost);
    u.loc_want_i(loc_want);
    u.loc_x_i(loc_x);
    u.loc_gnt_o(loc_gnt);
    u.gnt_i(inj_gnt);
    u.want_o(inj_want);
    u.x_o(m_reduce ? m_reduce->ack_x : inj_x);
}
RDT_INLINE void router::connect_reduce() {
    auto& u = *u_reduce;
    u.clk_i(clk_i);
    u.rst_ni(rst_ni);
    u.rx_valid_i(rx_valid);
    u.rx_first_i(rx_first);
    u.rx_d_i(m_reduce->rx_slice);
    u.ack_take_i(ack_take);
    u.ack_tag_i(ack_tag);
    u.stray_i(stray);
    u.ent_gnt_i(ent_gnt);
    u.ent_new_i(ent_new);
    u.put_i(put_ent);
    u.look_tag_i(look_tag);
    u.snd_take_i(snd_take);
    u.snd_tag_i(snd_tag);
    u.want_i(inj_want);
    u.gnt_i(inj_gnt);
    u.lost_i(ev_lost);
    u.flip_o(m_reduce->flip);
    RDT_METHOD(spread_slices);
    for (uint32_t p = 0; p < NumPorts; ++p) sensitive << rx_d[p];
    RDT_METHOD(add_result);
    sensitive << m_reduce->ack_x << m_reduce->flip;
}
RDT_INLINE void router::connect_glue() {
    u_glue.ready_i(ready);
    u_glue.only_mbp0_i(only_mbp0);
    u_glue.ready_o(ready_in);
    u_glue.ctx_i(ctx);
    u_glue.ctx_o(ctx_any);
    u_glue.clash_i(clash);
    u_glue.clash_o(clash_any);
    u_glue.vacant_i(vacant);
    u_glue.vacant_o(vacant_any);
    u_glue.held_i(held);
    u_glue.held_o(held_any);
    u_glue.ev_table_i(ev_table);
    u_glue.retry_ack_i(retry_ack);
    u_glue.ev_table_o(ev_table_any);
}
RDT_INLINE void router::gather_credits() {
    uint32_t all = 0;
    for (uint32_t p = 0; p < NumPorts; ++p) all |= uint32_t(credit[p].read()) << 3 * p;
    credit_mbp0.write(all | uint32_t(ready_in[PortM0].read()) << 30);
    credit_in.write(all | uint32_t(ready_in[PortE0].read())
                              << 30);  // as u_glue has it for all others
    m_credit.write((all >> 3 * PortM0 & 1) | (all >> 3 * PortM1 & 1) << 1);
}

}  // namespace rdt
