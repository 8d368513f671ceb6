// SPDX-License-Identifier: MIT
// The ports of rdt_link_io: whatever has them can be one link of a chip.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/format.h>
#include <rdt/block.h>

namespace rdt {

class link_io_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> link_en_i{"link_en_i"};
    in<1> slow_i{"slow_i"};
    // pins
    in<DataW> d_i{"d_i"};
    in<2> req_i{"req_i"};
    in<2> cred_i{"cred_i"};
    out<2> cred_o{"cred_o"};
    // own output unit
    in<2> own_req_i{"own_req_i"};
    in<1> own_oe_i{"own_oe_i"};
    in<1> tx_i{"tx_i"};      // a stream runs
    in<1> late_i{"late_i"};  // a credit is missing
    out<1> line_gnt_o{"line_gnt_o"};
    out<1> line_void_o{"line_void_o"};
    out<1> hush_o{"hush_o"};  // requests are blocked, because this end will resynchronize
    out<1> ask_o{"ask_o"};    // but for that the other end stops
    out<1> call_o{"call_o"};  // in Sync, Sync or Zero or Ann, from the next cycle on
    out<1> down_o{"down_o"};
    out<1> up_o{"up_o"};
    out<1> ann_o{"ann_o"};
    out<1> ev_sync_o{"ev_sync_o"};
    // own input unit
    in<1> bad_i{"bad_i"};
    in<1> cred_ret_i{"cred_ret_i"};
    in<2> cred_vc_i{"cred_vc_i"};
    in<3> cred_add_i{"cred_add_i"};
    in<3> room_i{"room_i"};  // VCs whose buffer is empty and not reserved
    out<1> rx_valid_o{"rx_valid_o"};
    out<1> rx_first_o{"rx_first_o"};
    out<1> rx_last_o{"rx_last_o"};
    out<2> rx_vc_o{"rx_vc_o"};
    out<DataW> rx_d_o{"rx_d_o"};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(clk_i, rtl.clk_i);
        visit(rst_ni, rtl.rst_ni);
        visit(link_en_i, rtl.link_en_i);
        visit(slow_i, rtl.slow_i);
        visit(d_i, rtl.d_i);
        visit(req_i, rtl.req_i);
        visit(cred_i, rtl.cred_i);
        visit(cred_o, rtl.cred_o);
        visit(own_req_i, rtl.own_req_i);
        visit(own_oe_i, rtl.own_oe_i);
        visit(tx_i, rtl.tx_i);
        visit(late_i, rtl.late_i);
        visit(line_gnt_o, rtl.line_gnt_o);
        visit(line_void_o, rtl.line_void_o);
        visit(hush_o, rtl.hush_o);
        visit(ask_o, rtl.ask_o);
        visit(call_o, rtl.call_o);
        visit(down_o, rtl.down_o);
        visit(up_o, rtl.up_o);
        visit(ann_o, rtl.ann_o);
        visit(ev_sync_o, rtl.ev_sync_o);
        visit(bad_i, rtl.bad_i);
        visit(cred_ret_i, rtl.cred_ret_i);
        visit(cred_vc_i, rtl.cred_vc_i);
        visit(cred_add_i, rtl.cred_add_i);
        visit(room_i, rtl.room_i);
        visit(rx_valid_o, rtl.rx_valid_o);
        visit(rx_first_o, rtl.rx_first_o);
        visit(rx_last_o, rtl.rx_last_o);
        visit(rx_vc_o, rtl.rx_vc_o);
        visit(rx_d_o, rtl.rx_d_o);
    }

protected:
    explicit link_io_ports(sc_core::sc_module_name name) : block(name) {}
};

}  // namespace rdt
