// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_setup.sv: the body of a SETUP packet: commands that read or write a register,
// each write followed by its data. An error is reported with the flit that has it. Specification
// 4.8.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/flit.h>
#include <rdt/ports.h>

namespace rdt {

class setup : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> idle_i{"idle_i"};
    in<1> recv_i{"recv_i"};
    in<4> idx_i{"idx_i"};
    in<DataW> d_i{"d_i"};
    in<1> last_i{"last_i"};
    in<4> len_i{"len_i"};        // a read is alone in its packet
    in<1> refuse_i{"refuse_i"};  // writes are not for this sender
    out<4> err_o{"err_o"};
    out<1> we_o{"we_o"};
    out<5> addr_o{"addr_o"};

    explicit setup(sc_core::sc_module_name name) : block(name) {
        RDT_METHOD(comb);
        sensitive << m_clocked << recv_i << idx_i << d_i << last_i << len_i << refuse_i;
    }

    // At the edge; LOCAL calls it.
    void clock() {
        const Regs before = q;
        const uint32_t d = slice0(d_i.read());
        if (idle_i.read()) q.cmd = 0;
        if (recv_i.read() && is_cmd()) {
            const bool good = error() == ErrNone;
            q.cmd = good && (d >> 15 & 1) != 0;
            if (good) q.addr = d & 0x1F;
        } else if (recv_i.read() && is_data()) {
            q.cmd = 0;
        }
        if (changed(before, q)) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("cmd_q", 1, q.cmd);
        visit("addr_q", 5, q.addr);
    }

private:
    struct Regs {
        uint32_t cmd = 0;   // a write waits for its data
        uint32_t addr = 0;  // of the register
    };

    bool is_cmd() const { return idx_i.read() >= 3 && idx_i.read() % 2 == 1; }
    bool is_data() const { return idx_i.read() >= 4 && idx_i.read() % 2 == 0 && q.cmd != 0; }

    uint32_t error() const {
        const uint32_t d = slice0(d_i.read());
        if (!is_cmd() && !is_data()) return ErrNone;
        if (!is_good_flit(d_i.read(), DataLanes)) return ErrBodyParity;
        if (is_data()) return refuse_i.read() ? ErrRefused : ErrNone;
        const bool writes = (d >> 15 & 1) != 0;
        const uint32_t addr = d & 0x7FFF;
        if (writes ? last_i.read() : len_i.read() != 3) return ErrBadLength;
        const bool read_only = addr == RegId || addr == RegShot || addr == RegDown;
        if (addr > RegSunkCnt || (writes && read_only)) return ErrUnknownReg;
        return ErrNone;
    }

    void comb() {
        if (!recv_i.read() && !m_receives) return;
        m_receives = recv_i.read();
        const uint32_t err = error();
        err_o.write(err);
        we_o.write(recv_i.read() && is_data() && err == ErrNone);
        addr_o.write(q.addr);
    }

    Regs q;
    bool m_receives = true;  // recv_i when comb() was called last
    delta_event m_clocked;
};

}  // namespace rdt
