// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_bitmap.sv. The name bitmap is taken by the function that is the behaviour.
#pragma once

#include <systemc>

#include "core/bitmap.h"

namespace rdt {

class bitmap_generator : public sc_core::sc_module {
public:
    sc_core::sc_in<uint32_t> h0_i{"h0_i"};
    sc_core::sc_in<uint32_t> h1_i{"h1_i"};
    sc_core::sc_in<uint32_t> h2_i{"h2_i"};
    sc_core::sc_in<uint32_t> rank_i{"rank_i"};
    sc_core::sc_in<uint32_t> xfer_i{"xfer_i"};
    sc_core::sc_in<uint32_t> mask_i{"mask_i"};
    sc_core::sc_in<uint32_t> ranks_i{"ranks_i"};
    sc_core::sc_out<uint32_t> set_o{"set_o"};
    sc_core::sc_out<bool> relay_o{"relay_o"};
    sc_core::sc_out<bool> expl_o{"expl_o"};
    sc_core::sc_out<bool> exp0_o{"exp0_o"};
    sc_core::sc_out<bool> xfer_o{"xfer_o"};
    sc_core::sc_out<bool> bad_map_o{"bad_map_o"};

    bitmap_generator(sc_core::sc_module_name name, uint32_t in_port)
        : sc_module(name), m_in_port(in_port) {
        SC_HAS_PROCESS(bitmap_generator);
        SC_METHOD(comb);
        sensitive << h0_i << h1_i << h2_i << rank_i << xfer_i << mask_i << ranks_i;
    }

private:
    void comb() {
        const Bitmap map = bitmap({h0_i.read(), h1_i.read(), h2_i.read()}, m_in_port,
                                  {rank_i.read(), xfer_i.read(), 0, mask_i.read(), ranks_i.read()});
        set_o.write(map.set);
        relay_o.write(map.relay);
        expl_o.write(map.expl);
        exp0_o.write(map.exp0);
        xfer_o.write(map.xfer);
        bad_map_o.write(map.bad);
    }

    uint32_t m_in_port;
};

}  // namespace rdt
