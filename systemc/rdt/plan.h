// SPDX-License-Identifier: MIT
// Results of the bit-map generator for the packet in one buffer, needed when a copy leaves, twin of
// rtl/rdt_plan.sv: the kind, the output VC or how the copies' headers differ, the tag, the request
// for an ack entry. Nothing here means anything while the buffer is empty, so nothing is reset.
#pragma once

#include <rdt/block.h>

namespace rdt {

// {mc, k[3:0], tag, ent} on wires (PlanW).
struct Plan {
    bool mc = false;  // a multicast
    uint32_t k = 0;   // its {relay, expl, xfer, exp0}; of other packets the error, or the output VC
    uint32_t tag = 0;  // of the copies
    bool ent = false;  // waits for an ack entry

    static Plan of(uint32_t wires, unsigned tag_width) {
        const uint32_t kind = wires >> (1 + tag_width);
        const uint32_t tag = wires >> 1 & ((1u << tag_width) - 1);
        return {(kind >> 4 & 1) != 0, kind & 15, tag, (wires & 1) != 0};
    }
    uint32_t wires(unsigned tag_width) const {
        return (uint32_t(mc) << 4 | k) << (1 + tag_width) | tag << 1 | uint32_t(ent);
    }

    bool relay() const { return mc && (k & 8) != 0; }
    bool expl() const { return mc && (k & 4) != 0; }
    bool xfer() const { return mc && (k & 2) != 0; }
    bool exp0() const { return mc && (k & 1) != 0; }

    // VC on rank-0 ports: a transfer hop uses VC-T, a relay of level 0 the second VC.
    uint32_t ovc() const {
        if (!mc) return k & 3;
        if (xfer()) return 2;
        return exp0() && relay() && !expl() ? 1 : 0;
    }
    // VC on upper ports.
    uint32_t uvc() const { return mc ? uint32_t(relay()) : k & 1; }
};

class plan : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> load_i{"load_i"};  // routed, or put back
    in<PlanW> plan_i{"plan_i"};
    in<1> ent_gnt_i{"ent_gnt_i"};     // an ack entry is given
    in<TagW> ent_new_i{"ent_new_i"};  // its tag
    out<PlanW> plan_o{"plan_o"};
    out<2> ovc_o{"ovc_o"};  // VC on rank-0 ports
    out<1> uvc_o{"uvc_o"};  // VC on upper ports

    explicit plan(sc_core::sc_module_name name) : block(name) {}

    void clock() {
        const bool load = load_i.read();
        if (load) q = Plan::of(plan_i.read(), bits_of(TagW));
        if (ent_gnt_i.read()) {
            q.ent = false;
            if (!load) q.tag = ent_new_i.read();
        }
    }

    void comb() {
        plan_o.write(q.wires(bits_of(TagW)));
        ovc_o.write(q.ovc());
        uvc_o.write(q.uvc() != 0);
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("mc_q", 1, q.mc);
        visit("k_q", 4, q.k);
        visit("tag_q", bits_of(TagW), q.tag);
        visit("ent_q", 1, q.ent);
    }

private:
    Plan q;
};

}  // namespace rdt
