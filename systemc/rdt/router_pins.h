// SPDX-License-Identifier: MIT
// Pins of the router chip, named as in rtl/rdt_router.sv: common to all its SystemC modules, so
// that one can replace another.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/pins.h>

namespace rdt {

// A link has `DataWidth` data pins: those of a slice, or those of a node of two.
template <unsigned DataWidth = FlitW, typename Module = sc_core::sc_module>
class router_pins : public Module {
public:
    pin_in<1> clk_i{"clk_i"};
    pin_in<1> rst_ni{"rst_ni"};
    pins_in<DataWidth> d_i{"d_i", NumPorts};
    pins_out<DataWidth> d_o{"d_o", NumPorts};
    pins_out<1> d_oe_o{"d_oe_o", NumPorts};
    pins_in<2> req_i{"req_i", NumPorts};
    pins_out<2> req_o{"req_o", NumPorts};
    pins_in<2> cred_i{"cred_i", NumPorts};
    pins_out<2> cred_o{"cred_o", NumPorts};
    pin_out<1> err_o{"err_o"};
    pin_in<1> shoot_i{"shoot_i"};
    pin_in<1> slice_i{"slice_i"};
    pin_out<1> slice_o{"slice_o"};

protected:
    template <typename... Args>
    explicit router_pins(sc_core::sc_module_name name, const Args&... args)
        : Module(name, args...) {}
};

}  // namespace rdt
