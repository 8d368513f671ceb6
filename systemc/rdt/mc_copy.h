// SPDX-License-Identifier: MIT
// The header of a multicast as one pass of the input unit sends it, twin of rtl/rdt_mc_copy.sv: the
// map bytes that this node has expanded are taken out, except for what the South, the one relay,
// still has to do, and the tag becomes that of the own ack entry. Parity is carried, not made
// again. Flits are unchanged while head_i is 0. With banks of entries H1 has two bits of the tag.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/bitmap.h>
#include <rdt/block.h>

namespace rdt {

class mc_copy : public block {
public:
    in<1> clk_i{"clk_i"};
    in<5> rank_i{"rank_i"};    // bit r: the node is on rank r
    in<3> ranks_i{"ranks_i"};  // bit r-1: some node of the machine is on rank r
    in<3> head_i{"head_i"};    // the flit is H2, H1, H0 of a multicast
    in<1> up_i{"up_i"};        // the pass goes to the upper ports
    in<1> relay_i{"relay_i"};
    in<1> expl_i{"expl_i"};
    in<1> exp0_i{"exp0_i"};
    in<TagW> tag_i{"tag_i"};
    in<DataW> flit_i{"flit_i"};
    out<DataW> flit_o{"flit_o"};

    explicit mc_copy(sc_core::sc_module_name name) : block(name) {}

    void clock() {
        if ((head_i.read() & H0) == 0) return;
        q.lpra = type() == TypeMcLpra;
        q.larp = type() == TypeMcLarp;
    }

    void comb() {
        const flit_t flit = flit_i.read();
        const uint32_t head = head_i.read();
        if (head == 0) {
            flit_o.write(flit);
            return;
        }
        CopyPlan p;
        p.up = up_i.read();
        p.relay = relay_i.read();
        p.expl = expl_i.read();
        p.exp0 = exp0_i.read();
        p.rank = rank_on(rank_i.read());
        p.ranks = ranks_i.read();
        p.type = (head & H0) != 0 ? type() : q.lpra ? TypeMcLpra : q.larp ? TypeMcLarp : TypeMcSm;
        p.tag = tag_i.read();
        const unsigned k = (head & H0) != 0 ? 0 : (head & H1) != 0 ? 1 : 2;
        flit_t out = copy_of(flit, k, p, DataLanes);
        if (k == 1 && is_banked())
            out = carry_parity(out, with(slice0(out), H1Bank, int(p.tag >> 3)), DataLanes);
        flit_o.write(out);
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("lpra_q", 1, q.lpra);
        visit("larp_q", 1, q.larp);
    }

private:
    enum Head : uint32_t { H0 = 1, H1 = 2, H2 = 4 };

    // The type in H0, for the flits that follow it.
    struct Regs {
        bool lpra = false;
        bool larp = false;
    };

    uint32_t type() const { return uint32_t(get(slice0(flit_i.read()), H0Type)); }

    Regs q;
};

}  // namespace rdt
