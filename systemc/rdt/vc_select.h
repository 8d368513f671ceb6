// SPDX-License-Identifier: MIT
// Selects the VC of an input that requests, and its outputs, twin of rtl/rdt_vc_select.sv: the
// first in cyclic order from sel_i that holds a packet and has a credit on some pending output. One
// packet at a time and only outputs with a credit, so no VC waits behind a blocked one.
// Combinational. Words over VCs have bit v for VC v.
#pragma once

#include <rdt/core/format.h>
#include <rdt/block.h>

namespace rdt {

class vc_select : public block {
public:
    const uint32_t num_vc;

    in<1> halt_i{"halt_i"};
    in<3> dump_i{"dump_i"};            // dump of this VC, in a halted router
    in<3> val_i{"val_i"};              // VC v holds a packet
    ins<1> ent_i{"ent_i", num_vc};     // that has to wait for an ack entry
    ins<11> pend_i{"pend_i", num_vc};  // outputs it still has to go to
    ins<2> ovc_i{"ovc_i", num_vc};     // VC on rank-0 ports
    ins<1> uvc_i{"uvc_i", num_vc};     // VC on upper ports
    in<31> credit_i{"credit_i"};       // bit 3*o + v: of output o for VC v
    in<1> open_i{"open_i"};            // otherwise set_o is empty
    in<2> sel_i{"sel_i"};
    in<3> fresh_i{"fresh_i"};  // a packet comes in
    in<2> fresh_vc_i{"fresh_vc_i"};
    in<11> rdy_i{"rdy_i"};    // outputs it may request, with credits
    out<2> sel_o{"sel_o"};    // sel_i if there is none
    out<2> next_o{"next_o"};  // the VC after sel_i
    out<11> set_o{"set_o"};   // outputs of VC sel_o

    vc_select(sc_core::sc_module_name name, uint32_t vcs) : block(name), num_vc(vcs) {}

    void comb() {
        const uint32_t from = sel_i.read();
        const uint32_t val = val_i.read();
        const uint32_t fresh = fresh_i.read();
        const bool halt = halt_i.read();
        const uint32_t credit = credit_i.read();
        uint32_t sel = from;
        uint32_t set = 0;
        for (uint32_t i = 0, v = from; i < num_vc && set == 0; ++i, v = after(v)) {
            if ((fresh >> v & 1) != 0) set = set_of_fresh(halt);
            else if ((val >> v & 1) != 0)
                set = halt ? set_when_halted(v, credit) : set_of(v, credit);
            if (set != 0) sel = v;
        }
        sel_o.write(sel);
        next_o.write(after(from));
        set_o.write(open_i.read() ? set : 0);
    }

private:
    static constexpr uint32_t UpperPorts = 0xFu << PortE1;

    uint32_t after(uint32_t v) const { return v + 1 == num_vc ? 0 : v + 1; }

    // The VC on which the packet of VC v leaves through output o.
    uint32_t vc_on(uint32_t o, uint32_t v) const {
        if (o >= PortM0) return 0;
        if (o >= PortE1) return uvc_i[v].read() ? 1 : 0;
        const uint32_t ovc = ovc_i[v].read();
        if (o >= PortN0) return ovc & 1;
        return ovc < 2 ? ovc : 2;
    }

    // Outputs that the packet of VC v still has to go to and that have a credit for it.
    uint32_t ready(uint32_t v, uint32_t credit) const {
        const uint32_t pend = pend_i[v].read();
        uint32_t set = 0;
        for (uint32_t o = 0; pend >> o != 0; ++o)
            if ((pend >> o & 1) != 0 && (credit >> (3 * o + vc_on(o, v)) & 1) != 0) set |= 1u << o;
        return set;
    }

    // Upper ports or others, not both: those copies have different headers and go in different
    // passes, and neither kind waits for the other.
    static uint32_t of_one_kind(uint32_t set) {
        return (set & UpperPorts) != 0 ? set & UpperPorts : set;
    }
    uint32_t set_of(uint32_t v, uint32_t credit) const {
        return ent_i[v].read() ? 0 : of_one_kind(ready(v, credit));
    }

    // A packet counts from the cycle it is routed in.
    uint32_t set_of_fresh(bool halt) const {
        const uint32_t rdy = rdy_i.read();
        return halt ? rdy & 1u << PortLocal : of_one_kind(rdy);
    }

    // In a halted chip only packets for LOCAL continue, and the one that is dumped, to MBP 0.
    uint32_t set_when_halted(uint32_t v, uint32_t credit) const {
        const bool dumped = (dump_i.read() >> v & 1) != 0;
        if (dumped && (credit >> 3 * PortM0 & 1) != 0) return 1u << PortM0;
        return ready(v, credit) & 1u << PortLocal;
    }
};

}  // namespace rdt
