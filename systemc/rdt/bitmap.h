// SPDX-License-Identifier: MIT
// The multicast step of the bit-map generator, twin of rtl/rdt_bitmap.sv: from the five map bytes
// of a multicast's header to the ports its copies go to. Not meant for other types. It is made when
// H2 is there; that the RTL looks at H0 and H1 in the cycle before is not to be seen.
// The behavior is the function rdt::bitmap(); where both are in sight `class bitmap` is the
// module.
#pragma once

#include <rdt/core/bitmap.h>
#include <rdt/plan.h>
#include <rdt/block.h>

namespace rdt {

class bitmap : public block {
public:
    in<1> clk_i{"clk_i"};
    in<17> h0_i{"h0_i"};
    in<17> h1_i{"h1_i"};
    in<17> h2_i{"h2_i"};
    in<5> rank_i{"rank_i"};  // bit r: the node is on rank r
    in<4> xfer_i{"xfer_i"};
    in<8> mask_i{"mask_i"};
    in<4> ranks_i{"ranks_i"};  // bit r-1: some node of the machine is on rank r
    in<2> in_vc_i{"in_vc_i"};
    in<31> credit_i{"credit_i"};
    out<10> set_o{"set_o"};     // none if the map is malformed
    out<10> rdy_o{"rdy_o"};     // those of them that have a credit for the copy's VC
    out<1> relay_o{"relay_o"};  // this node is the South of the one that expanded the level
    out<1> expl_o{"expl_o"};    // the level of the own rank is expanded here
    out<1> exp0_o{"exp0_o"};    // level 0 is expanded here
    out<1> xfer_o{"xfer_o"};    // a copy continues to the node of another rank
    out<1> bad_map_o{"bad_map_o"};

    bitmap(sc_core::sc_module_name name, uint32_t in_port) : block(name), m_in_port(in_port) {}

    void comb() {
        RouteConfig cfg;
        cfg.rank = rank_on(rank_i.read());
        cfg.xfer = xfer_i.read();
        cfg.mask = mask_i.read();
        cfg.ranks = ranks_i.read();
        uint32_t h1 = h1_i.read();
        if (is_banked()) h1 &= ~mask(H1Bank);  // not of map 4
        const Bitmap map =
            rdt::bitmap({h0_i.read(), h1, h2_i.read()}, m_in_port, uint32_t(in_vc_i.read()), cfg);
        set_o.write(map.bad ? 0 : map.set);
        rdy_o.write(map.bad ? 0 : map.set & with_credit(map));
        relay_o.write(map.relay);
        expl_o.write(map.expl);
        exp0_o.write(map.exp0);
        xfer_o.write(map.xfer);
        bad_map_o.write(map.bad);
    }

private:
    // Outputs that have a credit for the VC on which a copy would leave.
    uint32_t with_credit(const Bitmap& map) const {
        Plan p;
        p.mc = true;
        p.k = uint32_t(map.relay) << 3 | uint32_t(map.expl) << 2 | uint32_t(map.xfer) << 1 |
              uint32_t(map.exp0);
        uint32_t outs = 0;
        for (uint32_t o = 0; o < NumPorts; ++o) {
            const uint32_t vc = o < PortE1 ? p.ovc() : o < PortM0 ? p.uvc() : 0;
            if ((credit_i.read() >> (3 * o + vc) & 1) != 0) outs |= 1u << o;
        }
        return outs;
    }

    const uint32_t m_in_port;
};

}  // namespace rdt
