// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_read_pass.sv: the pass in which an input unit reads a packet to the outputs that
// were granted: the flit and the buffer, and the code for the crossbar. It begins in the cycle
// after its grant and runs without gaps; which flit comes next is known without the grant, so it is
// read a cycle ahead. Words over VCs have bit v for VC v.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/ports.h>

namespace rdt {

class read_pass : public block {
public:
    const uint32_t num_vc;

    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // the pass that begins
    in<11> gnt_i{"gnt_i"};  // for these outputs; 0: none
    in<2> sel_i{"sel_i"};   // of the packet on this VC
    in<1> dumped_i{"dumped_i"};
    in<1> fin_i{"fin_i"};    // no other pass over it follows
    in<1> pois_i{"pois_i"};  // it is short
    // the packet that comes in ends and is short
    in<1> short_i{"short_i"};            // and is read by this pass, or the one that begins
    in<1> short_dump_i{"short_dump_i"};  // and is in the buffer being read, which counts for a dump
    in<1> short_more_i{"short_more_i"};  // and is in it with other passes to follow
    // the flit being read
    in<4> len_i{"len_i"};
    in<1> odd_i{"odd_i"};  // its packet has an error
    in<2> ovc_i{"ovc_i"};
    out<2> vc_o{"vc_o"};
    out<3> oh_o{"oh_o"};      // vc_o, one-hot
    out<1> on_o{"on_o"};      // there is one, and it is not corrupt
    out<3> head_o{"head_o"};  // it is H0, H1, H2
    out<1> up_o{"up_o"};      // for upper ports
    out<1> loc_o{"loc_o"};    // for LOCAL, or dumped
    out<2> code_o{"code_o"};
    out<1> open_o{"open_o"};
    // the flit read in the next cycle, if any
    out<4> next_idx_o{"next_idx_o"};
    out<3> next_oh_o{"next_oh_o"};

    read_pass(sc_core::sc_module_name name, uint32_t vcs) : block(name), num_vc(vcs) {}

    bool is_idle() const { return !q.rd_busy && gnt_i.read() == 0 && !short_i.read(); }

    void clock() {
        if (!rst_ni.read()) {
            q = Regs{};
            return;
        }
        const bool spoils = short_i.read() || (short_dump_i.read() && q.rd_busy && q.rd_raw) ||
                            (short_more_i.read() && q.rd_busy && !q.rd_fin);
        if (q.rd_busy) go_on();
        if (gnt_i.read() != 0) begin();
        q.rd_pois |= spoils;
    }

    void show() {
        const Place now = place();
        vc_o.write(q.rd_vc);
        oh_o.write(1u << q.rd_vc);
        on_o.write(q.rd_busy && !(q.rd_pois && q.rd_idx > 2));
        head_o.write(q.rd_busy && !q.rd_raw && q.rd_idx < 3 ? 1u << q.rd_idx : 0);
        up_o.write(q.rd_up);
        loc_o.write(q.rd_loc);
        open_o.write(now == None || now == Prev || now == Last);
        // The next flit. A pass is granted only when none runs or with the last flit of one.
        const bool goes_on = q.rd_busy && now != Last;
        next_idx_o.write(goes_on ? (q.rd_idx + 1) & 15 : 0);
        next_oh_o.write(1u << (goes_on ? q.rd_vc : uint32_t(sel_i.read())));
    }

    void send_code() { code_o.write(code()); }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("rd_busy_q", 1, q.rd_busy);
        visit("rd_vc_q", 2, q.rd_vc);
        visit("rd_idx_q", 4, q.rd_idx);
        visit("rd_left_q", 4, q.rd_left);
        visit("rd_loc_q", 1, q.rd_loc);
        visit("rd_raw_q", 1, q.rd_raw);
        visit("rd_up_q", 1, q.rd_up);
        visit("rd_fin_q", 1, q.rd_fin);
        visit("rd_pois_q", 1, q.rd_pois);
    }

private:
    struct Regs {
        bool rd_busy = false;
        uint32_t rd_vc = 0;
        uint32_t rd_idx = 0;
        uint32_t rd_left = 0;  // flits still to be read behind this one
        bool rd_loc = false;
        bool rd_raw = false;  // dumped
        bool rd_up = false;
        bool rd_fin = false;
        bool rd_pois = false;
    };

    // No pass is shorter than three flits, so at its first flit rd_left need not be known yet.
    enum Place { None, First, More, Prev, Last };
    Place place() const {
        if (!q.rd_busy) return None;
        if (q.rd_idx == 0) return First;
        return q.rd_left == 0 ? Last : q.rd_left == 1 ? Prev : More;
    }

    void go_on() {
        // A packet with an error is reported with its three flits, whatever length it claims.
        const bool odd_local = q.rd_loc && !q.rd_raw && odd_i.read();
        const uint32_t length = odd_local ? 2 : uint32_t(len_i.read());
        const Place now = place();
        q.rd_left = ((now == First ? length : q.rd_left) - 1) & 15;
        if (now == Last) q.rd_busy = false;
        else q.rd_idx = (q.rd_idx + 1) & 15;
    }

    void begin() {
        const uint32_t granted = gnt_i.read();
        q.rd_busy = true;
        q.rd_vc = sel_i.read();
        q.rd_idx = 0;
        q.rd_loc = (granted >> PortLocal & 1) != 0 || dumped_i.read();
        q.rd_raw = dumped_i.read();
        q.rd_up = (granted >> PortE1 & 0xF) != 0;
        q.rd_fin = fin_i.read();
        q.rd_pois = pois_i.read();
    }

    uint32_t code() const {
        switch (place()) {
        case None: return 0;
        case First: return q.rd_loc ? 1 : uint32_t(ovc_i.read()) + 1;
        case More: return CodeMore;
        case Prev: return CodePenultimate;
        case Last: return CodeLast;
        }
        return 0;
    }
    Regs q;
};

}  // namespace rdt
