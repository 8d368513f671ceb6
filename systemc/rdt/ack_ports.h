// SPDX-License-Identifier: MIT
// The ports of rdt_ack: whatever has them can be acknowledge combining of a chip.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/block.h>

namespace rdt {

class ack_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> tick_i{"tick_i"};
    in<1> end_i{"end_i"};  // the wait of the lane's entry
    // input units
    ins<1> ack_v_i{"ack_v_i", NumPorts};
    ins<AckTagW> ack_tag_i{"ack_tag_i", NumPorts};
    ins<AckStW> ack_st_i{"ack_st_i", NumPorts};
    ins<4> ack_gen_i{"ack_gen_i", 2};  // generations of ports 8 and 9
    outs<1> ack_take_o{"ack_take_o", NumPorts};
    ins<1> ent_req_i{"ent_req_i", NumPorts};
    ins<10> ent_set_i{"ent_set_i", NumPorts};
    ins<TagW> ent_tag_i{"ent_tag_i", NumPorts};
    ins<1> ent_vct_i{"ent_vct_i", 2};         // ports 0 and 1: the request is of VC-T
    ins<1> ent_old_i{"ent_old_i", NumPorts};  // requests that go first
    outs<1> ent_gnt_o{"ent_gnt_o", NumPorts};
    out<TagW> ent_new_o{"ent_new_o"};
    in<HeldW> held_i{"held_i"};  // bit n-1: a copy with the tag of entry n waits in a buffer
    // rdt_inject
    out<1> snd_v_o{"snd_v_o"};
    out<4> snd_port_o{"snd_port_o"};
    out<TagW> snd_tag_o{"snd_tag_o"};
    out<6> snd_st_o{"snd_st_o"};
    in<1> snd_take_i{"snd_take_i"};
    in<10> busy_i{"busy_i"};  // ports that may not be sent an ack yet
    // output units
    out<GenW> gen_o{"gen_o"};
    // LOCAL
    out<1> stray_o{"stray_o"};
    out<4> stray_port_o{"stray_port_o"};
    out<3> stray_tag_o{"stray_tag_o"};
    out<1> ev_table_o{"ev_table_o"};
    in<1> look_i{"look_i"};
    in<TagW> look_tag_i{"look_tag_i"};
    out<1> look_used_o{"look_used_o"};
    out<17> look_h1_o{"look_h1_o"};
    out<EntH2W> look_h2_o{"look_h2_o"};
    in<1> put_i{"put_i"};  // with look_i
    in<17> put_h1_i{"put_h1_i"};
    in<EntH2W> put_h2_i{"put_h2_i"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(tick_i, rtl.tick_i);
        visit(end_i, rtl.end_i);
        visit(ack_v_i, rtl.ack_v_i);
        visit(ack_tag_i, rtl.ack_tag_i);
        visit(ack_st_i, rtl.ack_st_i);
        visit(ack_gen_i, rtl.ack_gen_i);
        visit(ack_take_o, rtl.ack_take_o);
        visit(ent_req_i, rtl.ent_req_i);
        visit(ent_set_i, rtl.ent_set_i);
        visit(ent_tag_i, rtl.ent_tag_i);
        visit(ent_vct_i, rtl.ent_vct_i);
        visit(ent_old_i, rtl.ent_old_i);
        visit(ent_gnt_o, rtl.ent_gnt_o);
        visit(ent_new_o, rtl.ent_new_o);
        visit(held_i, rtl.held_i);
        visit(snd_v_o, rtl.snd_v_o);
        visit(snd_port_o, rtl.snd_port_o);
        visit(snd_tag_o, rtl.snd_tag_o);
        visit(snd_st_o, rtl.snd_st_o);
        visit(snd_take_i, rtl.snd_take_i);
        visit(busy_i, rtl.busy_i);
        visit(gen_o, rtl.gen_o);
        visit(stray_o, rtl.stray_o);
        visit(stray_port_o, rtl.stray_port_o);
        visit(stray_tag_o, rtl.stray_tag_o);
        visit(ev_table_o, rtl.ev_table_o);
        visit(look_i, rtl.look_i);
        visit(look_tag_i, rtl.look_tag_i);
        visit(look_used_o, rtl.look_used_o);
        visit(look_h1_o, rtl.look_h1_o);
        visit(look_h2_o, rtl.look_h2_o);
        visit(put_i, rtl.put_i);
        visit(put_h1_i, rtl.put_h1_i);
        visit(put_h2_i, rtl.put_h2_i);
    }

protected:
    ack_ports(sc_core::sc_module_name name, uint32_t entries = 0) : block(name, entries) {}
};

}  // namespace rdt
