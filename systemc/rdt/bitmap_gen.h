// SPDX-License-Identifier: MIT
// The bit-map generator of one input, twin of rtl/rdt_bitmap_gen.sv: from the header of a packet to
// the set of crossbar outputs it goes to, and to the header that each of its copies leaves with.
// u_route judges the header and routes all but multicasts, u_bitmap multicasts; what they find is
// kept for each buffer in u_plan. set_o, rdy_o and bad_o are valid in the cycle of fresh_i. Words
// over VCs have bit v for VC v. The input unit calls load() when a header may have come in, keep()
// after the edge, entries() with a grant of an ack entry and copy() for each flit that is read.
#pragma once

#include <rdt/data_width.h>
#include <rdt/bitmap.h>
#include <rdt/mc_copy.h>
#include <rdt/plan.h>
#include <rdt/route.h>

namespace rdt {

class bitmap_gen : public block {
public:
    const uint32_t num_vc;

    in<1> clk_i{"clk_i"};
    // configuration
    in<5> rank_i{"rank_i"};  // bit r: the node is on rank r
    in<4> xfer_i{"xfer_i"};
    in<8> dateline_i{"dateline_i"};
    in<8> mask_i{"mask_i"};
    in<4> ranks_i{"ranks_i"};
    // the header coming in
    in<1> h0_we_i{"h0_we_i"};
    in<1> h1_we_i{"h1_we_i"};
    in<DataW> d_i{"d_i"};
    in<2> vc_i{"vc_i"};
    in<1> raw_i{"raw_i"};
    in<31> credit_i{"credit_i"};
    out<4> len_o{"len_o"};
    out<11> set_o{"set_o"};  // outputs it goes to
    out<11> rdy_o{"rdy_o"};  // those that it may request at once
    out<1> bad_o{"bad_o"};   // it goes to LOCAL with an error
    // what is kept for each buffer
    in<3> fresh_i{"fresh_i"};
    in<3> put_i{"put_i"};
    in<PlanW> put_plan_i{"put_plan_i"};
    in<3> ent_gnt_i{"ent_gnt_i"};
    in<TagW> ent_new_i{"ent_new_i"};
    in<3> look_i{"look_i"};
    out<PlanW> look_plan_o{"look_plan_o"};
    outs<1> mc_o{"mc_o", num_vc};
    outs<TagW> tag_o{"tag_o", num_vc};
    outs<1> ent_o{"ent_o", num_vc};
    outs<2> ovc_o{"ovc_o", num_vc};
    outs<1> uvc_o{"uvc_o", num_vc};
    // the pass that is read
    in<3> rd_i{"rd_i"};      // its buffer, a cycle before
    in<1> up_i{"up_i"};      // it goes to the upper ports
    in<3> head_i{"head_i"};  // the flit is H2, H1, H0, and may be changed
    in<DataW> flit_i{"flit_i"};
    out<DataW> flit_o{"flit_o"};
    out<2> vc_o{"vc_o"};    // it goes out on
    out<4> err_o{"err_o"};  // of its packet
    out<1> odd_o{"odd_o"};  // its packet has an error, or is not on VC 0

    bitmap_gen(sc_core::sc_module_name name, uint32_t vcs, uint32_t in_port)
        : block(name), num_vc(vcs), u_route("u_route", in_port), u_bitmap("u_bitmap", in_port) {
        bind_route();
        bind_bitmap();
        for (uint32_t v = 0; v < num_vc; ++v) bind_plan(v);
        bind_mc_copy();
    }

    void clock_plans() {
        for (auto& u : u_plan) u.clock();
    }
    // Whether another packet is read. Its plan is chosen a cycle before it is needed.
    bool clock() {
        u_mc_copy.clock();
        const uint32_t payload = d_i.read() & PayloadMask;
        if (h0_we_i.read()) q.h0 = payload;
        if (h1_we_i.read()) q.h1 = payload;
        uint32_t plan = 0;
        for (uint32_t v = 0; v < num_vc; ++v)
            if ((rd_i.read() >> v & 1) != 0) plan |= uint32_t(plan_word[v]);
        const bool is_other = plan != q.rd_plan;
        q.rd_plan = plan;
        return is_other;
    }

    // Data of the new packet, or of the restored one. The header goes to u_route and u_bitmap when
    // it is complete.
    void load() {
        const uint32_t fresh = fresh_i.read();
        const uint32_t put = put_i.read();
        len_o.write(uint32_t(get(q.h0, H0Len)));
        for (uint32_t v = 0; v < num_vc; ++v) load_oh[v].write(((fresh | put) >> v & 1) != 0);
        if (fresh != 0) load_fresh();
        else if (put != 0) load_plan.write(put_plan_i.read());
    }

    void entries() {
        for (uint32_t v = 0; v < num_vc; ++v) ent_gnt[v].write((ent_gnt_i.read() >> v & 1) != 0);
    }

    void keep() {
        uint32_t look_plan = 0;
        for (uint32_t v = 0; v < num_vc; ++v) {
            u_plan[v].comb();
            const uint32_t wires = plan_word[v];
            const Plan p = Plan::of(wires, bits_of(TagW));
            mc_o[v].write(p.mc);
            tag_o[v].write(p.tag);
            ent_o[v].write(p.ent);
            if ((look_i.read() >> v & 1) != 0) look_plan |= wires;
        }
        look_plan_o.write(look_plan);
    }

    // The packet that is read, and its flit.
    void copy() {
        const Plan p = Plan::of(q.rd_plan, bits_of(TagW));
        const uint32_t ovc = p.ovc() == 3 ? 2 : p.ovc();  // a code of 0 would void the grant
        vc_o.write(p.mc && up_i.read() ? p.uvc() : ovc);
        err_o.write(p.mc ? 0 : p.k);
        odd_o.write(ovc != 0 || (!p.mc && p.k != 0));
        head.write(p.mc ? uint32_t(head_i.read()) : 0);
        relay.write(p.relay());
        expl.write(p.expl());
        exp0.write(p.exp0());
        rd_tag.write(p.tag);
        ranks.write(ranks_i.read() & 7);  // rank 4 is below no other
        u_mc_copy.comb();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("h0_q", 17, q.h0);
        visit("h1_q", 17, q.h1);
        visit("rd_plan_q", bits_of(PlanW), q.rd_plan);
    }

private:
    struct Regs {
        uint32_t h0 = 0;
        uint32_t h1 = 0;
        uint32_t rd_plan = 0;  // plan of the packet that is read
    };

    void load_fresh() {
        h0.write(q.h0);
        h1.write(q.h1);
        h2.write(d_i.read() & PayloadMask);
        credit.write(credit_i.read());
        u_bitmap.comb();
        u_route.comb();
        const uint32_t err = rt_err.read();
        Plan p;
        p.mc = err == ErrNone && rt_mc.read();
        const auto t = uint32_t(get(uint32_t(h0.read()), H0Tag));
        p.tag = bank_of(uint32_t(h1.read()), H1Bank, num_entries()) | t;
        p.ent = p.mc && t != 0;
        if (err != ErrNone) p.k = err;
        else if (p.mc) p.k = how_copied();
        else p.k = rt_ovc.read();
        bad_o.write(err != ErrNone);
        set_o.write(p.mc ? uint32_t(bm_set.read()) : uint32_t(rt_set.read()));
        // A multicast with a tag has to wait for an ack entry.
        if (p.ent) rdy_o.write(0);
        else rdy_o.write(p.mc ? uint32_t(bm_rdy.read()) : uint32_t(rt_rdy.read()));
        load_plan.write(p.wires(bits_of(TagW)));
    }
    uint32_t how_copied() const {
        return uint32_t(bm_relay.read()) << 3 | uint32_t(bm_expl.read()) << 2 |
               uint32_t(bm_xfer.read()) << 1 | uint32_t(bm_exp0.read());
    }

    void bind_route() {
        u_route.clk_i(clk_i);
        u_route.h0_i(h0);
        u_route.h1_i(h1);
        u_route.h2_i(h2);
        u_route.in_vc_i(vc_i);
        u_route.rank_i(rank_i);
        u_route.xfer_i(xfer_i);
        u_route.dateline_i(dateline_i);
        u_route.bad_map_i(bm_bad);
        u_route.raw_i(raw_i);
        u_route.credit_i(credit);
        u_route.set_o(rt_set);
        u_route.rdy_o(rt_rdy);
        u_route.ovc_o(rt_ovc);
        u_route.mc_o(rt_mc);
        u_route.err_o(rt_err);
    }
    void bind_bitmap() {
        u_bitmap.clk_i(clk_i);
        u_bitmap.h0_i(h0);
        u_bitmap.h1_i(h1);
        u_bitmap.h2_i(h2);
        u_bitmap.rank_i(rank_i);
        u_bitmap.xfer_i(xfer_i);
        u_bitmap.mask_i(mask_i);
        u_bitmap.ranks_i(ranks_i);
        u_bitmap.in_vc_i(vc_i);
        u_bitmap.credit_i(credit);
        u_bitmap.set_o(bm_set);
        u_bitmap.rdy_o(bm_rdy);
        u_bitmap.relay_o(bm_relay);
        u_bitmap.expl_o(bm_expl);
        u_bitmap.exp0_o(bm_exp0);
        u_bitmap.xfer_o(bm_xfer);
        u_bitmap.bad_map_o(bm_bad);
    }
    void bind_plan(uint32_t v) {
        u_plan[v].clk_i(clk_i);
        u_plan[v].load_i(load_oh[v]);
        u_plan[v].plan_i(load_plan);
        u_plan[v].ent_gnt_i(ent_gnt[v]);
        u_plan[v].ent_new_i(ent_new_i);
        u_plan[v].plan_o(plan_word[v]);
        u_plan[v].ovc_o(ovc_o[v]);
        u_plan[v].uvc_o(uvc_o[v]);
    }
    void bind_mc_copy() {
        u_mc_copy.clk_i(clk_i);
        u_mc_copy.rank_i(rank_i);
        u_mc_copy.ranks_i(ranks);
        u_mc_copy.head_i(head);
        u_mc_copy.up_i(up_i);
        u_mc_copy.relay_i(relay);
        u_mc_copy.expl_i(expl);
        u_mc_copy.exp0_i(exp0);
        u_mc_copy.tag_i(rd_tag);
        u_mc_copy.flit_i(flit_i);
        u_mc_copy.flit_o(flit_o);
    }

    var<17> h0{"h0"}, h1{"h1"}, h2{"h2"};
    var<31> credit{"credit"};
    var<11> rt_set{"rt_set"}, rt_rdy{"rt_rdy"};
    var<4> rt_err{"rt_err"};
    var<2> rt_ovc{"rt_ovc"};
    var<1> rt_mc{"rt_mc"};
    var<10> bm_set{"bm_set"}, bm_rdy{"bm_rdy"};
    var<1> bm_relay{"bm_relay"}, bm_expl{"bm_expl"}, bm_exp0{"bm_exp0"}, bm_xfer{"bm_xfer"},
        bm_bad{"bm_bad"};
    vars<1> load_oh{"load_oh", num_vc}, ent_gnt{"ent_gnt", num_vc};
    var<PlanW> load_plan{"load_plan"};
    vars<PlanW> plan_word{"plan", num_vc};
    var<3> head{"head"}, ranks{"ranks"};
    var<TagW> rd_tag{"rd_tag"};
    var<1> relay{"relay"}, expl{"expl"}, exp0{"exp0"};

    Regs q;

public:
    class route u_route;
    class bitmap u_bitmap;
    sc_core::sc_vector<plan> u_plan{"u_plan", num_vc};
    mc_copy u_mc_copy{"u_mc_copy"};
};

}  // namespace rdt
