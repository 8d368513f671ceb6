// SPDX-License-Identifier: MIT
// The ports of rdt_crossbar: whatever has them can be the crossbar of a chip.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/format.h>
#include <rdt/block.h>

namespace rdt {

class crossbar_ports : public block {
public:
    ins<WireW> x_i{"x_i", NumPorts};
    ins<NumPorts> sel_i{"sel_i", NumOuts};  // bit i: input i
    outs<WireW> x_o{"x_o", NumOuts};

    // visit(port, pin) for all of them; the pins of `rtl` have the same names.
    template <typename Visit, typename Rtl>
    void each_port(Visit&& visit, Rtl& rtl) {
        visit(x_i, rtl.x_i);
        visit(sel_i, rtl.sel_i);
        visit(x_o, rtl.x_o);
    }

protected:
    explicit crossbar_ports(sc_core::sc_module_name name) : block(name) {}
};

}  // namespace rdt
