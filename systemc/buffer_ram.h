// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_buffer_ram.sv.
#pragma once

#include <systemc>

#include "core/buffer_ram.h"

namespace rdt {

class buffer_ram : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> we_i{"we_i"};
    sc_core::sc_in<uint32_t> waddr_i{"waddr_i"};
    sc_core::sc_in<uint32_t> wdata_i{"wdata_i"};
    sc_core::sc_in<uint32_t> raddr_i{"raddr_i"};
    sc_core::sc_out<uint32_t> rdata_o{"rdata_o"};

    explicit buffer_ram(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(buffer_ram);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << raddr_i;
    }

private:
    void clock() {
        if (!we_i.read()) return;
        m_core.write(waddr_i.read(), wdata_i.read());
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() { rdata_o.write(m_core.read(raddr_i.read())); }

    core::BufferRam m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
