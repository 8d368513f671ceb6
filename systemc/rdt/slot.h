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

    explicit slot(sc_core::sc_module_name name) : block(name) {
        RDT_HAS_PROCESS(slot);
        SC_METHOD(clock);
        SC_METHOD(comb);
        sensitive << m_clocked;
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

    void elaborated() override {
        m_wake |= load_i.posedge_event();
        m_wake |= gnt_any_i.posedge_event();
        m_wake |= tick_i.posedge_event();
        m_wake |= to_ack_i.posedge_event();
        m_wake |= short_i.posedge_event();
    }

    // While nothing happens to the packet it waits for that, not for the cycle.
    void clock() {
        if (!clk_i.posedge()) return wait_for_edge(clk_i);
        const bool load = load_i.read();
        const bool gnt_any = gnt_any_i.read();
        const bool tick = tick_i.read();
        const bool to_ack = to_ack_i.read();
        const bool is_short = short_i.read();
        if (!load && !gnt_any && !tick && !to_ack && !is_short) {
            next_trigger(m_wake);
            return;
        }
        if (load) q.pend = pend_i.read();
        else if (granted()) q.pend &= ~uint32_t(gnt_i.read());
        if (load || granted()) q.age = New;
        else if (q.age == Old && to_ack) q.age = Reported;
        else if (q.age < Old && tick) ++q.age;
        q.pois = is_short || (q.pois && !load);
        m_clocked.notify(sc_core::SC_ZERO_TIME);
        wait_for_edge(clk_i);
    }

    void comb() {
        pend_o.write(q.pend);
        old_o.write(q.age == Old);
        pois_o.write(q.pois);
    }

    Regs q;
    sc_core::sc_event m_clocked;
    sc_core::sc_event_or_list m_wake;
};

}  // namespace rdt
