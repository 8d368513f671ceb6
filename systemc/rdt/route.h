// SPDX-License-Identifier: MIT
// The routing step, twin of rtl/rdt_route.sv: from a packet's header to its error code, and of all
// but multicasts to its output and output VC. Recursive diagonal torus: the vector of the highest
// rank first, by a transfer hop if this node is not on that rank. It is made when H2 is there; that
// the RTL judges H0 and H1 in the cycle before is not to be seen.
// The behavior is the function rdt::route(); where both are in sight `class route` is the module.
#pragma once

#include <rdt/core/route.h>
#include <rdt/block.h>

namespace rdt {

class route : public block {
public:
    in<1> clk_i{"clk_i"};
    in<17> h0_i{"h0_i"};
    in<17> h1_i{"h1_i"};
    in<17> h2_i{"h2_i"};
    in<2> in_vc_i{"in_vc_i"};
    in<5> rank_i{"rank_i"};  // bit r: the node is on rank r
    in<4> xfer_i{"xfer_i"};
    in<8> dateline_i{"dateline_i"};
    in<1> bad_map_i{"bad_map_i"};
    in<1> raw_i{"raw_i"};  // to LOCAL, whatever it is
    in<31> credit_i{"credit_i"};
    out<11> set_o{"set_o"};  // its output; none of a multicast without an error
    out<11> rdy_o{"rdy_o"};  // the same, if there is a credit for its VC
    out<2> ovc_o{"ovc_o"};
    out<1> mc_o{"mc_o"};  // a multicast, and nothing is wrong with it but perhaps its map
    out<4> err_o{"err_o"};

    route(sc_core::sc_module_name name, uint32_t in_port) : block(name), m_in_port(in_port) {}

    void comb() {
        const Header h{h0_i.read(), h1_i.read(), h2_i.read()};
        RouteConfig cfg;
        cfg.rank = rank_on(rank_i.read());
        cfg.xfer = xfer_i.read();
        cfg.dateline = dateline_i.read();
        const Route r = is_raw() ? route_raw(h)
                                 : rdt::route(h, m_in_port, in_vc_i.read(), cfg, bad_map_i.read());
        const bool multicast =
            !is_raw() && is_multicast(h.h0) && (r.err == ErrNone || r.err == ErrBadMap);
        const uint32_t set = multicast && r.err == ErrNone ? 0 : 1u << r.dst;
        const bool credit = (credit_i.read() >> (3 * r.dst + r.ovc) & 1) != 0;
        set_o.write(set);
        rdy_o.write(credit ? set : 0);
        ovc_o.write(r.ovc);
        mc_o.write(multicast);
        err_o.write(r.err);
    }

private:
    // Only MBP 0 puts packets back.
    bool is_raw() const { return raw_i.read() && m_in_port == PortM0; }

    const uint32_t m_in_port;
};

}  // namespace rdt
