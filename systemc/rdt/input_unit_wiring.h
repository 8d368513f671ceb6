// SPDX-License-Identifier: MIT
// The input unit as a netlist: its ports, the blocks in it and the wires between them. input_unit.h
// drives the wires. Words over VCs have bit v for VC v.
#pragma once

#include <rdt/ack_port.h>
#include <rdt/arrival.h>
#include <rdt/bitmap_gen.h>
#include <rdt/buffer_ram.h>
#include <rdt/read_pass.h>
#include <rdt/slot.h>
#include <rdt/vc_select.h>
#include <rdt/input_unit_ports.h>

namespace rdt {

class input_unit_wiring : public input_unit_ports {
public:
    const uint32_t num_vc;
    const uint32_t in_port;

protected:
    input_unit_wiring(sc_core::sc_module_name name, uint32_t vcs, uint32_t port, uint32_t entries)
        : input_unit_ports(name, entries), num_vc(vcs), in_port(port) {
        for (uint32_t v = 0; v < num_vc; ++v) bind_vc(v);
        bind_arrival();
        bind_read_pass();
        bind_bitmap_gen();
        bind_ack_port();
        bind_vc_select();
    }

    // arriving packet
    var<1> has_room{"has_room"}, ram_we{"ram_we"}, fresh{"fresh"}, is_short{"is_short"},
        over{"over"};
    var<5> idx{"idx"};
    // slots
    vars<1> load{"load", num_vc}, sel_oh{"sel_oh", num_vc}, to_oh{"to_oh", num_vc},
        short_oh{"short_oh", num_vc};
    var<11> load_pend{"load_pend"};
    var<1> gnt{"gnt"};
    vars<11> pend{"pend", num_vc};
    vars<1> old{"old", num_vc}, pois{"pois", num_vc};
    // buffers
    vars<1> we_oh{"we_oh", num_vc};
    var<4> ram_waddr{"ram_waddr"};
    var<DataW> ram_wdata{"ram_wdata"};
    vars<DataW> ram_d{"ram_d", num_vc};
    // the pass that is read
    var<1> dumped{"dumped"}, fin{"fin"}, rd_pois{"rd_pois"};
    var<1> short_now{"short"}, short_dump{"short_dump"}, short_more{"short_more"};
    var<4> next_idx{"next_idx"}, rd_len{"rd_len"};
    var<3> rd_oh{"rd_oh"}, next_oh{"next_oh"}, head{"head"};
    var<1> rd_on{"rd_on"}, rd_up{"rd_up"}, rd_loc{"rd_loc"};
    var<2> code{"code"};
    // bit-map generator
    var<1> h0_we{"h0_we"}, h1_we{"h1_we"}, rt_bad{"rt_bad"}, rd_odd{"rd_odd"};
    var<4> len{"len"}, rd_err{"rd_err"};
    var<11> rt_set{"rt_set"}, rt_rdy{"rt_rdy"};
    var<3> fresh_oh{"fresh_oh"}, put_oh{"put_oh"}, ent_gnt{"ent_gnt"};
    var<PlanW> put_plan{"put_plan"}, look_plan{"look_plan"};
    vars<1> mc{"mc", num_vc}, ent{"ent", num_vc}, uvc{"uvc", num_vc};
    vars<TagW> tag{"tag", num_vc};
    vars<2> ovc{"ovc", num_vc};
    var<DataW> flit{"flit"}, copy{"copy"};
    var<2> rd_ovc{"rd_ovc"};
    // acks
    var<1> land{"land"}, recall{"recall"}, ev_land{"ev_land"};
    var<LandW> land_ack{"land_ack"};
    var<3> drop_oh{"drop_oh"};
    var<TagW> land_tag{"land_tag"};
    var<3> wait_ent{"wait"}, ent_oh{"ent_oh"};
    var<6> land_st{"land_st"};
    var<4> land_gen{"land_gen"};
    // candidates
    var<3> dump_oh{"dump_oh"}, val{"val"};
    var<1> open{"open"};
    var<2> sel_now{"sel_q"}, sel{"sel"}, sel_next{"sel_next"};

public:
    sc_core::sc_vector<slot> u_slot{"u_slot", num_vc};
    sc_core::sc_vector<buffer_ram> u_ram{"u_ram", num_vc};
    bitmap_gen u_bitmap_gen{"u_bitmap_gen", num_vc, in_port};
    ack_port u_ack_port{"u_ack_port", num_vc, in_port};
    vc_select u_vc_select{"u_vc_select", num_vc};
    arrival u_arrival{"u_arrival"};
    read_pass u_read_pass{"u_read_pass", num_vc};

private:
    void bind_vc(uint32_t v) {
        u_slot[v].clk_i(clk_i);
        u_slot[v].load_i(load[v]);
        u_slot[v].pend_i(load_pend);
        u_slot[v].sel_i(sel_oh[v]);
        u_slot[v].gnt_any_i(gnt);
        u_slot[v].gnt_i(gnt_i);
        u_slot[v].tick_i(tick_i);
        u_slot[v].to_ack_i(to_oh[v]);
        u_slot[v].short_i(short_oh[v]);
        u_slot[v].pend_o(pend[v]);
        u_slot[v].old_o(old[v]);
        u_slot[v].pois_o(pois[v]);

        u_ram[v].clk_i(clk_i);
        u_ram[v].we_i(we_oh[v]);
        u_ram[v].waddr_i(ram_waddr);
        u_ram[v].wdata_i(ram_wdata);
        u_ram[v].raddr_i(next_idx);
        u_ram[v].rdata_o(ram_d[v]);
    }

    void bind_arrival() {
        u_arrival.clk_i(clk_i);
        u_arrival.rst_ni(rst_ni);
        u_arrival.rx_valid_i(rx_valid_i);
        u_arrival.rx_first_i(rx_first_i);
        u_arrival.rx_last_i(rx_last_i);
        u_arrival.rx_d_i(rx_d_i);
        u_arrival.room_i(has_room);
        u_arrival.err_i(rt_bad);
        u_arrival.len_i(len);
        u_arrival.idx_o(idx);
        u_arrival.we_o(ram_we);
        u_arrival.fresh_o(fresh);
        u_arrival.land_o(land);
        u_arrival.short_o(is_short);
        u_arrival.over_o(over);
        u_arrival.bad_o(bad_o);
        u_arrival.ev_body_o(ev_body_o);
        u_arrival.ev_frame_o(ev_frame_o);
    }

    void bind_read_pass() {
        u_read_pass.clk_i(clk_i);
        u_read_pass.rst_ni(rst_ni);
        u_read_pass.gnt_i(gnt_i);
        u_read_pass.sel_i(sel_now);
        u_read_pass.dumped_i(dumped);
        u_read_pass.fin_i(fin);
        u_read_pass.pois_i(rd_pois);
        u_read_pass.short_i(short_now);
        u_read_pass.short_dump_i(short_dump);
        u_read_pass.short_more_i(short_more);
        u_read_pass.len_i(rd_len);
        u_read_pass.odd_i(rd_odd);
        u_read_pass.ovc_i(rd_ovc);
        u_read_pass.vc_o(rd_vc_o);
        u_read_pass.oh_o(rd_oh);
        u_read_pass.on_o(rd_on);
        u_read_pass.head_o(head);
        u_read_pass.up_o(rd_up);
        u_read_pass.loc_o(rd_loc);
        u_read_pass.code_o(code);
        u_read_pass.open_o(open);
        u_read_pass.next_idx_o(next_idx);
        u_read_pass.next_oh_o(next_oh);
    }

    void bind_bitmap_gen() {
        u_bitmap_gen.clk_i(clk_i);
        u_bitmap_gen.rank_i(rank_i);
        u_bitmap_gen.xfer_i(xfer_i);
        u_bitmap_gen.dateline_i(dateline_i);
        u_bitmap_gen.mask_i(mask_i);
        u_bitmap_gen.ranks_i(ranks_i);
        u_bitmap_gen.h0_we_i(h0_we);
        u_bitmap_gen.h1_we_i(h1_we);
        u_bitmap_gen.d_i(rx_d_i);
        u_bitmap_gen.vc_i(rx_vc_i);
        u_bitmap_gen.raw_i(raw_i);
        u_bitmap_gen.credit_i(credit_i);
        u_bitmap_gen.len_o(len);
        u_bitmap_gen.set_o(rt_set);
        u_bitmap_gen.rdy_o(rt_rdy);
        u_bitmap_gen.bad_o(rt_bad);
        u_bitmap_gen.fresh_i(fresh_oh);
        u_bitmap_gen.put_i(put_oh);
        u_bitmap_gen.put_plan_i(put_plan);
        u_bitmap_gen.ent_gnt_i(ent_gnt);
        u_bitmap_gen.ent_new_i(ent_new_i);
        u_bitmap_gen.look_i(look_i);
        u_bitmap_gen.look_plan_o(look_plan);
        u_bitmap_gen.mc_o(mc);
        u_bitmap_gen.tag_o(tag);
        u_bitmap_gen.ent_o(ent);
        u_bitmap_gen.ovc_o(ovc);
        u_bitmap_gen.uvc_o(uvc);
        u_bitmap_gen.rd_i(next_oh);
        u_bitmap_gen.up_i(rd_up);
        u_bitmap_gen.head_i(head);
        u_bitmap_gen.flit_i(flit);
        u_bitmap_gen.flit_o(copy);
        u_bitmap_gen.vc_o(rd_ovc);
        u_bitmap_gen.err_o(rd_err);
        u_bitmap_gen.odd_o(rd_odd);
    }

    void bind_ack_port() {
        u_ack_port.clk_i(clk_i);
        u_ack_port.rst_ni(rst_ni);
        u_ack_port.land_i(land_ack);
        u_ack_port.land_tag_i(land_tag);
        u_ack_port.land_st_i(land_st);
        u_ack_port.land_gen_i(land_gen);
        u_ack_port.ack_take_i(ack_take_i);
        u_ack_port.ack_v_o(ack_v_o);
        u_ack_port.ack_tag_o(ack_tag_o);
        u_ack_port.ack_st_o(ack_st_o);
        u_ack_port.ack_gen_o(ack_gen_o);
        u_ack_port.ev_over_o(ev_land);
        u_ack_port.halt_i(halt_i);
        u_ack_port.wait_i(wait_ent);
        u_ack_port.pend_i(pend);
        u_ack_port.tag_i(tag);
        u_ack_port.ent_gnt_i(ent_gnt_i);
        u_ack_port.slow_i(slow_i);
        u_ack_port.tick_ent_i(tick_ent_i);
        u_ack_port.retry_ack_i(retry_ack_i);
        u_ack_port.ent_oh_o(ent_oh);
        u_ack_port.ent_req_o(ent_req_o);
        u_ack_port.ent_set_o(ent_set_o);
        u_ack_port.ent_tag_o(ent_tag_o);
        u_ack_port.ent_vct_o(ent_vct_o);
        u_ack_port.ent_old_o(ent_old_o);
        u_ack_port.retry_o(retry_o);
    }

    void bind_vc_select() {
        u_vc_select.halt_i(halt_i);
        u_vc_select.dump_i(dump_oh);
        u_vc_select.val_i(val);
        u_vc_select.ent_i(ent);
        u_vc_select.pend_i(pend);
        u_vc_select.ovc_i(ovc);
        u_vc_select.uvc_i(uvc);
        u_vc_select.credit_i(credit_i);
        u_vc_select.open_i(open);
        u_vc_select.sel_i(sel_now);
        u_vc_select.fresh_i(fresh_oh);
        u_vc_select.fresh_vc_i(rx_vc_i);
        u_vc_select.rdy_i(rt_rdy);
        u_vc_select.sel_o(sel);
        u_vc_select.next_o(sel_next);
        u_vc_select.set_o(cand_o);
    }
};

}  // namespace rdt
