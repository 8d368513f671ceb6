// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_glue.sv: the gates between the blocks of the chip. Combined reports of ten ports
// to LOCAL and the ack table, and the ports from which LOCAL receives packets. Combinational.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/block.h>

namespace rdt {

class glue : public block {
public:
    // LOCAL is ready, or only for a packet that comes back from MBP 0
    in<1> ready_i{"ready_i"};
    in<1> only_mbp0_i{"only_mbp0_i"};
    outs<1> ready_o{"ready_o", NumPorts};
    // shoot-down
    ins<CtxW> ctx_i{"ctx_i", NumPorts};
    out<CtxW> ctx_o{"ctx_o"};
    ins<1> clash_i{"clash_i", NumPorts};
    out<1> clash_o{"clash_o"};
    ins<1> vacant_i{"vacant_i", NumPorts};
    out<1> vacant_o{"vacant_o"};
    // acks
    ins<HeldW> held_i{"held_i", NumPorts};
    out<HeldW> held_o{"held_o"};
    in<1> ev_table_i{"ev_table_i"};
    ins<1> retry_ack_i{"retry_ack_i", NumPorts};  // reported like a full table
    out<1> ev_table_o{"ev_table_o"};

    explicit glue(sc_core::sc_module_name name, uint32_t entries = 0) : block(name, entries) {
        RDT_METHOD(spread_ready);
        sensitive << ready_i << only_mbp0_i;
        RDT_METHOD(gather_contexts);
        for (uint32_t p = 0; p < NumPorts; ++p) sensitive << ctx_i[p] << clash_i[p] << vacant_i[p];
        RDT_METHOD(gather_held);
        for (auto& h : held_i) sensitive << h;
        RDT_METHOD(gather_events);
        sensitive << ev_table_i;
        for (auto& r : retry_ack_i) sensitive << r;
    }

private:
    void spread_ready() {
        for (uint32_t p = 0; p < NumPorts; ++p)
            ready_o[p].write(ready_i.read() && (p == PortM0 || !only_mbp0_i.read()));
    }
    // Only the input unit that is looked at shows a context.
    void gather_contexts() {
        uint32_t any = 0;
        bool clashes = false;
        bool is_vacant = false;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            any |= uint32_t(ctx_i[p].read());
            clashes |= clash_i[p].read();
            is_vacant |= vacant_i[p].read();
        }
        ctx_o.write(any);
        clash_o.write(clashes);
        vacant_o.write(is_vacant);
    }
    void gather_held() {
        uint32_t any = 0;
        for (const auto& h : held_i) any |= uint32_t(h.read());
        held_o.write(any);
    }
    void gather_events() {
        bool any = ev_table_i.read();
        for (const auto& r : retry_ack_i) any |= r.read();
        ev_table_o.write(any);
    }
};

}  // namespace rdt
