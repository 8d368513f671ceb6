// SPDX-License-Identifier: MIT
// The ports of rdt_inject: whatever has them can be the injector of a chip.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/format.h>
#include <rdt/block.h>

namespace rdt {

class inject_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // rdt_ack
    in<1> snd_v_i{"snd_v_i"};
    in<4> snd_port_i{"snd_port_i"};
    in<TagW> snd_tag_i{"snd_tag_i"};
    in<6> snd_st_i{"snd_st_i"};
    out<1> snd_take_o{"snd_take_o"};
    out<10> busy_o{"busy_o"};
    // multicasts that have waited too long for an ack entry, and do not get one now
    ins<1> retry_i{"retry_i", NumPorts};
    ins<1> ent_gnt_i{"ent_gnt_i", NumPorts};
    ins<TagW> ent_tag_i{"ent_tag_i", NumPorts};
    outs<1> retry_ack_o{"retry_ack_o", NumPorts};
    // LOCAL
    in<2> loc_want_i{"loc_want_i"};
    in<WireW> loc_x_i{"loc_x_i"};
    out<2> loc_gnt_o{"loc_gnt_o"};
    out<1> ev_lost_o{"ev_lost_o"};
    // output units
    ins<1> gnt_i{"gnt_i", NumPorts};
    outs<1> want_o{"want_o", NumPorts};
    out<WireW> x_o{"x_o"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(snd_v_i, rtl.snd_v_i);
        visit(snd_port_i, rtl.snd_port_i);
        visit(snd_tag_i, rtl.snd_tag_i);
        visit(snd_st_i, rtl.snd_st_i);
        visit(snd_take_o, rtl.snd_take_o);
        visit(busy_o, rtl.busy_o);
        visit(retry_i, rtl.retry_i);
        visit(ent_gnt_i, rtl.ent_gnt_i);
        visit(ent_tag_i, rtl.ent_tag_i);
        visit(retry_ack_o, rtl.retry_ack_o);
        visit(loc_want_i, rtl.loc_want_i);
        visit(loc_x_i, rtl.loc_x_i);
        visit(loc_gnt_o, rtl.loc_gnt_o);
        visit(ev_lost_o, rtl.ev_lost_o);
        visit(gnt_i, rtl.gnt_i);
        visit(want_o, rtl.want_o);
        visit(x_o, rtl.x_o);
    }

protected:
    explicit inject_ports(sc_core::sc_module_name name, uint32_t entries = 0)
        : block(name, entries) {}
};

}  // namespace rdt
