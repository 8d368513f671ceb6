// SPDX-License-Identifier: MIT
// The ports of rdt_output_unit: whatever has them can be the output unit of a chip.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/flit.h>
#include <rdt/block.h>

namespace rdt {

class output_unit_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> raw_i{"raw_i"};  // a packet is dumped as it is
    in<1> tick_i{"tick_i"};
    in<1> slow_i{"slow_i"};
    in<1> sink_i{"sink_i"};  // a dead output consumes packets
    in<5> rank_i{"rank_i"};  // bit r: the node is on rank r
    // crossbar
    in<WireW> x_i{"x_i"};
    in<1> gnt_i{"gnt_i"};
    in<1> cand_any_i{"cand_any_i"};
    out<1> xb_gnt_o{"xb_gnt_o"};
    out<3> credit_o{"credit_o"};
    // own line
    in<1> line_gnt_i{"line_gnt_i"};
    in<1> line_void_i{"line_void_i"};
    in<1> hush_i{"hush_i"};
    in<1> ask_i{"ask_i"};
    in<1> call_i{"call_i"};
    in<1> down_i{"down_i"};
    in<1> up_i{"up_i"};
    in<1> ann_i{"ann_i"};
    out<1> tx_o{"tx_o"};
    out<1> late_o{"late_o"};  // some credit does not come back
    // rdt_inject
    in<1> loc_want_i{"loc_want_i"};
    in<WireW> loc_x_i{"loc_x_i"};
    out<1> loc_gnt_o{"loc_gnt_o"};
    // rdt_ack
    in<GenW> gen_i{"gen_i"};  // generation of each entry
    // LOCAL
    out<1> ev_cred_o{"ev_cred_o"};
    out<1> ev_owed_o{"ev_owed_o"};
    out<1> ev_sunk_o{"ev_sunk_o"};
    // pins
    in<2> cred_i{"cred_i"};
    out<DataW> d_o{"d_o"};
    out<1> d_oe_o{"d_oe_o"};
    out<2> req_o{"req_o"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(raw_i, rtl.raw_i);
        visit(tick_i, rtl.tick_i);
        visit(slow_i, rtl.slow_i);
        visit(sink_i, rtl.sink_i);
        visit(rank_i, rtl.rank_i);
        visit(x_i, rtl.x_i);
        visit(gnt_i, rtl.gnt_i);
        visit(cand_any_i, rtl.cand_any_i);
        visit(xb_gnt_o, rtl.xb_gnt_o);
        visit(credit_o, rtl.credit_o);
        visit(line_gnt_i, rtl.line_gnt_i);
        visit(line_void_i, rtl.line_void_i);
        visit(hush_i, rtl.hush_i);
        visit(ask_i, rtl.ask_i);
        visit(call_i, rtl.call_i);
        visit(down_i, rtl.down_i);
        visit(up_i, rtl.up_i);
        visit(ann_i, rtl.ann_i);
        visit(tx_o, rtl.tx_o);
        visit(late_o, rtl.late_o);
        visit(loc_want_i, rtl.loc_want_i);
        visit(loc_x_i, rtl.loc_x_i);
        visit(loc_gnt_o, rtl.loc_gnt_o);
        visit(gen_i, rtl.gen_i);
        visit(ev_cred_o, rtl.ev_cred_o);
        visit(ev_owed_o, rtl.ev_owed_o);
        visit(ev_sunk_o, rtl.ev_sunk_o);
        visit(cred_i, rtl.cred_i);
        visit(d_o, rtl.d_o);
        visit(d_oe_o, rtl.d_oe_o);
        visit(req_o, rtl.req_o);
    }

protected:
    explicit output_unit_ports(sc_core::sc_module_name name, uint32_t entries = 0)
        : block(name, entries) {}
};

}  // namespace rdt
