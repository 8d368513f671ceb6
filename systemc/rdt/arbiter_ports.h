// SPDX-License-Identifier: MIT
// The ports of rdt_arbiter: whatever has them can be the arbiter of a chip.
#pragma once

#include <rdt/core/format.h>
#include <rdt/block.h>

namespace rdt {

class arbiter_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    ins<NumOuts> want_i{"want_i", NumPorts};  // the outputs that each input requests
    ins<NumOuts> cand_i{"cand_i", NumPorts};  // and may request in the next cycle
    ins<1> line_gnt_i{"line_gnt_i", NumOuts};
    ins<1> pkt_i{"pkt_i", NumPorts - PortM0};  // inputs 8 and 9 hold a packet
    outs<NumOuts> gnt_o{"gnt_o", NumPorts};
    outs<1> gnt_out_o{"gnt_out_o", NumOuts};
    outs<1> cand_any_o{"cand_any_o", NumPorts};
    outs<NumPorts> xsel_o{"xsel_o", NumOuts};
    out<1> slice_o{"slice_o"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(want_i, rtl.want_i);
        visit(cand_i, rtl.cand_i);
        visit(line_gnt_i, rtl.line_gnt_i);
        visit(pkt_i, rtl.pkt_i);
        visit(gnt_o, rtl.gnt_o);
        visit(gnt_out_o, rtl.gnt_out_o);
        visit(cand_any_o, rtl.cand_any_o);
        visit(xsel_o, rtl.xsel_o);
        visit(slice_o, rtl.slice_o);
    }

protected:
    explicit arbiter_ports(sc_core::sc_module_name name) : block(name) {}
};

}  // namespace rdt
