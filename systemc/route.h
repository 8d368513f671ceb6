// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_route.sv. The name route is taken by the function that is the behaviour.
#pragma once

#include <systemc>

#include "core/route.h"

namespace rdt {

class route_step : public sc_core::sc_module {
public:
    sc_core::sc_in<uint32_t> h0_i{"h0_i"};
    sc_core::sc_in<uint32_t> h1_i{"h1_i"};
    sc_core::sc_in<uint32_t> h2_i{"h2_i"};
    sc_core::sc_in<uint32_t> in_vc_i{"in_vc_i"};
    sc_core::sc_in<uint32_t> rank_i{"rank_i"};
    sc_core::sc_in<uint32_t> xfer_i{"xfer_i"};
    sc_core::sc_in<uint32_t> dateline_i{"dateline_i"};
    sc_core::sc_in<bool> bad_map_i{"bad_map_i"};
    sc_core::sc_in<bool> raw_i{"raw_i"};
    sc_core::sc_out<uint32_t> dst_o{"dst_o"};
    sc_core::sc_out<uint32_t> ovc_o{"ovc_o"};
    sc_core::sc_out<uint32_t> err_o{"err_o"};

    route_step(sc_core::sc_module_name name, uint32_t in_port)
        : sc_module(name), m_in_port(in_port) {
        SC_HAS_PROCESS(route_step);
        SC_METHOD(comb);
        sensitive << h0_i << h1_i << h2_i << in_vc_i << rank_i << xfer_i << dateline_i << bad_map_i
                  << raw_i;
    }

private:
    void comb() {
        const Header h{h0_i.read(), h1_i.read(), h2_i.read()};
        const Route r = raw_i.read() ? route_raw(h)
                                     : route(h, m_in_port, in_vc_i.read(),
                                             {rank_i.read(), xfer_i.read(), dateline_i.read()},
                                             bad_map_i.read());
        dst_o.write(r.dst);
        ovc_o.write(r.ovc);
        err_o.write(r.err);
    }

    uint32_t m_in_port;
};

}  // namespace rdt
