// SPDX-License-Identifier: MIT
// A custom arbiter (docs/tutorials/block.md): the requesting input with the lowest number gets an
// output. Links have lower numbers than MBPs, so that traffic in transit still goes first.
#pragma once

#include <rdt/arbiter_ports.h>

class own_arbiter : public rdt::arbiter_ports {
public:
    explicit own_arbiter(sc_core::sc_module_name name) : arbiter_ports(name) {
        RDT_HAS_PROCESS(own_arbiter);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(grant);
        for (auto& want : want_i) sensitive << want;
        for (auto& line_gnt : line_gnt_i) sensitive << line_gnt;
        SC_METHOD(candidates);
        for (auto& cand : cand_i) sensitive << cand;
    }

protected:
    // The input granted output o in this cycle; NumPorts: none.
    virtual uint32_t winner(uint32_t o) const {
        uint32_t i = 0;
        while (i < rdt::NumPorts && (uint32_t(want_i[i].read()) >> o & 1) == 0) ++i;
        return line_gnt_i[o].read() ? i : rdt::NumPorts;
    }

private:
    void grant() {
        uint32_t outs[rdt::NumPorts] = {};  // outputs that each input has won
        for (uint32_t o = 0; o < rdt::NumOuts; ++o) {
            const uint32_t i = winner(o);
            if (i < rdt::NumPorts) outs[i] |= 1u << o;
            gnt_out_o[o].write(i < rdt::NumPorts);
        }
        for (uint32_t i = 0; i < rdt::NumPorts; ++i) gnt_o[i].write(outs[i]);
    }

    void candidates() {
        uint32_t any = 0;
        for (auto& cand : cand_i) any |= uint32_t(cand.read());
        for (uint32_t o = 0; o < rdt::NumPorts; ++o) cand_any_o[o].write(any >> o & 1);
    }

    // The column of the crossbar stays with the last winner while its packet goes through.
    void clock() {
        for (uint32_t o = 0; o < rdt::NumOuts; ++o) {
            const uint32_t i = winner(o);
            if (!rst_ni.read()) xsel_o[o].write(0);
            else if (i < rdt::NumPorts) xsel_o[o].write(1u << i);
        }
        slice_o.write(false);  // the two slices of a node are not compared with each other
    }
};
