// SPDX-License-Identifier: MIT
// One packet buffer, twin of rtl/rdt_buffer_ram.sv: 16 flits, flit k of a packet at
// address k. Virtual cut-through needs buffers that hold a whole packet. Written at the clock edge;
// read without a cycle, the old flit in the cycle of a write.
#pragma once

#include <array>
#include <string>

#include <rdt/data_width.h>
#include <rdt/block.h>

namespace rdt {

class buffer_ram : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> we_i{"we_i"};
    in<4> waddr_i{"waddr_i"};
    in<DataW> wdata_i{"wdata_i"};
    in<4> raddr_i{"raddr_i"};
    out<DataW> rdata_o{"rdata_o"};

    explicit buffer_ram(sc_core::sc_module_name name) : block(name) {}

    void clock() {
        if (we_i.read()) q.mem[waddr_i.read()] = wdata_i.read();
    }
    void comb() { rdata_o.write(q.mem[raddr_i.read()]); }

    template <typename Visit>
    void registers(Visit&& visit) const {
        for (unsigned a = 0; a < q.mem.size(); ++a)
            visit(("mem_q[" + std::to_string(a) + "]").c_str(), DataW, q.mem[a]);
    }

private:
    struct Regs {
        std::array<flit_t, 16> mem{};
    };

    Regs q;
};

}  // namespace rdt
