// SPDX-License-Identifier: MIT
// The ports of rdt_reduce: whatever has them can combine the operands of a chip.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/block.h>

namespace rdt {

class reduce_ports : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // links
    ins<1> rx_valid_i{"rx_valid_i", NumPorts};
    ins<1> rx_first_i{"rx_first_i", NumPorts};
    ins<FlitW> rx_d_i{"rx_d_i", NumPorts};
    // rdt_ack
    ins<1> ack_take_i{"ack_take_i", NumPorts};
    ins<3> ack_tag_i{"ack_tag_i", NumPorts};
    in<1> stray_i{"stray_i"};
    ins<1> ent_gnt_i{"ent_gnt_i", NumPorts};
    in<3> ent_new_i{"ent_new_i"};
    in<1> put_i{"put_i"};
    in<3> look_tag_i{"look_tag_i"};
    in<1> snd_take_i{"snd_take_i"};
    in<3> snd_tag_i{"snd_tag_i"};
    // rdt_inject
    ins<1> want_i{"want_i", NumPorts};
    ins<1> gnt_i{"gnt_i", NumPorts};
    in<1> lost_i{"lost_i"};
    out<FlitW> flip_o{"flip_o"};  // bits to invert in the flit of rdt_inject

protected:
    explicit reduce_ports(sc_core::sc_module_name name) : block(name) {}
};

}  // namespace rdt
