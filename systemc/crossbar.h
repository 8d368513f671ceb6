// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_crossbar.sv. x_i: one stream an input; sel_i: one element of
// 10 bits an output; x_o: one stream an output.
#pragma once

#include <systemc>

#include "core/crossbar.h"

namespace rdt {

class crossbar : public sc_core::sc_module {
public:
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> x_i{"x_i", NumPorts};
    sc_core::sc_vector<sc_core::sc_in<uint32_t>> sel_i{"sel_i", NumOuts};
    sc_core::sc_vector<sc_core::sc_out<uint32_t>> x_o{"x_o", NumOuts};

    explicit crossbar(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(crossbar);
        SC_METHOD(comb);
        for (uint32_t i = 0; i < NumPorts; ++i) sensitive << x_i[i];
        for (uint32_t o = 0; o < NumOuts; ++o) sensitive << sel_i[o];
    }

private:
    void comb() {
        const auto stream_of = [this](uint32_t i) { return x_i[i].read(); };
        for (uint32_t o = 0; o < NumOuts; ++o)
            x_o[o].write(core::crossbar_column(sel_i[o].read(), stream_of));
    }
};

}  // namespace rdt
