// SPDX-License-Identifier: MIT
// State of the packet in one buffer for the multicast controller, twin of rtl/rdt_slot.sv: the
// outputs not granted yet, its age, and whether its body is corrupt. Nothing here means anything
// while the buffer is empty, so nothing is reset.
#pragma once

#include <rdt/block.h>

namespace rdt {

class slot : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> load_i{"load_i"};  // routed, or put back
    in<11> pend_i{"pend_i"};
    // events of the packet
    in<1> sel_i{"sel_i"};  // grants are for this buffer
    in<1> gnt_any_i{"gnt_any_i"};
    in<11> gnt_i{"gnt_i"};
    in<1> tick_i{"tick_i"};
    in<1> to_ack_i{"to_ack_i"};
    in<1> short_i{"short_i"};
    out<11> pend_o{"pend_o"};
    out<1> old_o{"old_o"};  // its age is to be reported
    out<1> pois_o{"pois_o"};

    explicit slot(sc_core::sc_module_name name) : block(name) {}

    void clock() {
        const bool load = load_i.read();
        const bool tick = tick_i.read();
        const bool to_ack = to_ack_i.read();
        if (load) q.pend = pend_i.read();
        else if (granted()) q.pend &= ~uint32_t(gnt_i.read());
        if (load || granted()) q.age = New;
        else if (q.age == Old && to_ack) q.age = Reported;
        else if (q.age < Old && tick) ++q.age;
        q.pois = short_i.read() || (q.pois && !load);
    }

    void comb() {
        pend_o.write(q.pend);
        old_o.write(q.age == Old);
        pois_o.write(q.pois);
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("pend_q", 11, q.pend);
        visit("age_q", 2, q.age);
        visit("pois_q", 1, q.pois);
    }

private:
    enum Age : uint32_t { New, Waits, Old, Reported };

    struct Regs {
        uint32_t pend = 0;  // outputs
        uint32_t age = New;
        bool pois = false;
    };

    bool granted() const { return sel_i.read() && gnt_any_i.read(); }

    Regs q;
};

}  // namespace rdt
