// SPDX-License-Identifier: MIT
// The crossbar, twin of rtl/rdt_crossbar.sv: ten streams in, eleven out, each output the stream of
// the input that the arbiter has selected for it. It is one AND-OR plane without a register: a
// flit goes from the register behind the RAM through crossbar and header rewrite to the output
// register in a single cycle.
#pragma once

#include <rdt/core/format.h>
#include <rdt/crossbar_ports.h>
#include <rdt/ports.h>

namespace rdt {

class crossbar : public crossbar_ports {
public:
    explicit crossbar(sc_core::sc_module_name name) : crossbar_ports(name) {
        RDT_METHOD(comb);
        for (auto& x : x_i) sensitive << x;
        for (auto& sel : sel_i) sensitive << sel;
    }

    template <typename Visit>
    void registers(Visit&&) const {}

private:
    void comb() {
        for (int o = 0; o < NumOuts; ++o) {
            uint64_t column = 0;
            for (auto sel = uint32_t(sel_i[o].read()); sel != 0; sel &= sel - 1)
                column |= x_i[lowest(sel)].read();
            x_o[o].write(column);
        }
    }
};

}  // namespace rdt
