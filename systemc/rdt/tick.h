// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_tick.sv: a tick every period + 1 cycles that are not halted; none while the
// period is 0. A period that is written counts from then on.
#pragma once

#include <rdt/block.h>

namespace rdt {

template <unsigned Width = 16>
class tick : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> halt_i{"halt_i"};
    in<Width> period_i{"period_i"};
    in<1> load_i{"load_i"};  // next_i is written as the period
    in<Width> next_i{"next_i"};
    out<1> tick_o{"tick_o"};

    explicit tick(sc_core::sc_module_name name) : block(name) {
        RDT_METHOD(comb);
        sensitive << m_clocked << halt_i << period_i;
    }

    // At the edge; the registers call it.
    void clock() {
        const bool was_zero = q.cnt == 0;
        if (!rst_ni.read()) q = Regs{};
        else if (load_i.read()) q.cnt = next_i.read();
        else if (!halt_i.read()) q.cnt = q.cnt == 0 ? uint32_t(period_i.read()) : q.cnt - 1;
        if ((q.cnt == 0) != was_zero) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("cnt_q", Width, q.cnt);
    }

private:
    struct Regs {
        uint32_t cnt = 0;
    };

    void comb() { tick_o.write(period_i.read() != 0 && q.cnt == 0 && !halt_i.read()); }

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
