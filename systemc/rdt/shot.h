// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_shot.sv: the shoot-down, in which the chip hands what it holds to MBP 0: its
// state, the scan over buffers and ack entries while they are dumped, and which of them LOCAL looks
// at. Specification 4.12.
//
// The scan begins one cycle after halt_o, so that grants of the last cycle of Run have taken
// effect.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/plan.h>
#include <rdt/ports.h>

namespace rdt {

class shot : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> trigger_i{"trigger_i"};  // shoots down, if nothing is shot down yet
    out<2> shot_o{"shot_o"};
    out<1> halt_o{"halt_o"};
    // where LOCAL is
    in<1> recv_i{"recv_i"};    // it takes a packet, and has H0 and H1 of it
    in<1> put_i{"put_i"};      // or puts one back
    in<1> table_i{"table_i"};  // it may read the ack table
    // a SHOT packet from MBP 0
    in<17> h0_i{"h0_i"};
    in<17> h1_i{"h1_i"};
    in<17> h2_i{"h2_i"};     // not yet that of the packet coming in
    in<6> plan_i{"plan_i"};  // the upper bits of it: {mc, k, ent}
    in<1> end_i{"end_i"};    // its last flit
    in<1> run_i{"run_i"};    // a packet was put back, the last one
    out<1> slot_o{"slot_o"};
    out<1> entry_o{"entry_o"};
    out<1> fits_o{"fits_o"};  // a slot's context makes sense
    // the scan
    in<1> step_i{"step_i"};         // LOCAL has nothing else to do
    out<1> found_o{"found_o"};      // it has to send a SHOT packet
    in<1> sent_i{"sent_i"};         // that has been sent
    in<1> dumped_i{"dumped_i"};     // the packet of a slot, too
    out<1> follows_o{"follows_o"};  // a packet has to follow the SHOT packet
    in<2> flit_i{"flit_i"};         // flit of the SHOT packet
    out<17> flit_o{"flit_o"};
    in<16> xy_i{"xy_i"};
    // input units and rdt_ack
    out<30> look_o{"look_o"};
    in<CtxW> ctx_i{"ctx_i"};
    out<1> ent_look_o{"ent_look_o"};
    out<TagW> ent_tag_o{"ent_tag_o"};
    out<1> ent_put_o{"ent_put_o"};
    in<1> ent_used_i{"ent_used_i"};

    explicit shot(sc_core::sc_module_name name, uint32_t entries = NumEntries)
        : block(name, entries), Entries(entries) {
        RDT_METHOD(show);
        sensitive << m_clocked;
        RDT_METHOD(look);
        sensitive << m_clocked << recv_i << put_i << table_i << h0_i << h1_i << end_i;
        RDT_METHOD(judge);
        sensitive << h0_i << h1_i << plan_i;
        RDT_METHOD(find);
        sensitive << m_clocked << step_i << ctx_i << ent_used_i;
        RDT_METHOD(packet);
        sensitive << m_clocked << flit_i << ctx_i << h1_i << h2_i << xy_i;
    }

    // At the edge; LOCAL calls it.
    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) {
            q = Regs{};
        } else {
            scan();
            if (run_i.read()) q.shot = ShotRun;
            if (end_i.read()) obey();
            if (trigger_i.read() && before.shot == ShotRun) begin_dump();
            q.halted = before.shot != ShotRun;
        }
        if (changed(before, q)) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("shot_q", 2, q.shot);
        visit("halted_q", 1, q.halted);
        visit("scan_q", is_banked() ? 6 : 5, q.scan);
    }

private:
    struct Regs {
        uint32_t shot = ShotRun;
        uint32_t halted = 0;
        uint32_t scan = 0;  // 20 slots, then the entries, then the end
    };

    static constexpr uint32_t SlotOfMbp0 = 18;
    static constexpr uint32_t FirstEntry = 20;
    uint32_t end() const { return FirstEntry + Entries; }

    struct Slot {
        uint32_t port;
        uint32_t vc;
        bool exists() const { return port < NumPorts && vc < vcs_of(port); }
    };
    // The context of a slot, as its input unit shows it.
    struct Context {
        bool pkt;
        uint32_t pend;
        bool mc;
        uint32_t k;
        uint32_t tag;
        bool ent;
        // A packet for LOCAL goes there, and is not dumped.
        bool dumpable() const { return pkt && (pend >> PortLocal & 1) == 0; }
    };

    // Slots are numbered by port, then by VC.
    static Slot nth_slot(uint32_t n) {
        uint32_t port = 0;
        for (; port < NumPorts && n >= vcs_of(port); ++port) n -= vcs_of(port);
        return {port, n};
    }

    bool at_slot() const { return q.scan < FirstEntry; }
    bool at_end() const { return q.scan == end(); }
    bool at_entry() const { return !at_slot() && !at_end(); }
    // Means nothing at a slot and at the end.
    uint32_t entry_tag() const {
        const uint32_t n = q.scan - FirstEntry + 1;
        if (!is_banked()) return n & 7;
        return at_entry() ? tag_of_entry(n) : 0;
    }
    // The tag in the packet that comes in.
    uint32_t tag_in() const {
        const uint32_t h0 = h0_i.read();
        return bank_of(h0, H0Shotbank, Entries) | uint32_t(get(h0, H0Tag));
    }

    uint32_t what() const { return uint32_t(get(h0_i.read(), H0What)); }

    Context context() const {
        const uint32_t c = ctx_i.read();
        const unsigned plan_width = bits_of(PlanW);
        const Plan p = Plan::of(c, bits_of(TagW));
        const uint32_t pend = c >> plan_width & 0x7FF;
        return {(c >> (11 + plan_width) & 1) != 0, pend, p.mc, p.k, p.tag, p.ent};
    }

    // The packet coming in puts an entry of the ack table back, in this cycle.
    bool puts_entry() const {
        return end_i.read() && what() == WhatEntry && entry_of_tag(tag_in(), Entries) != 0;
    }
    bool steps() const { return step_i.read() && q.shot == ShotDump && q.halted; }
    // A step of the dump finds something to be sent.
    bool finds() const {
        if (!steps()) return false;
        if (at_slot()) return context().dumpable();
        return at_end() || ent_used_i.read();
    }

    void show() {
        shot_o.write(q.shot);
        halt_o.write(q.shot != ShotRun);
        follows_o.write(at_slot());
    }

    // The slot and the entry that LOCAL looks at.
    void look() {
        Slot slot = nth_slot(q.scan);
        if (recv_i.read() || put_i.read()) {
            const uint32_t h1 = h1_i.read();
            slot = {uint32_t(get(h1, H1Slotport)), uint32_t(get(h1, H1Slotvc))};
        }
        look_o.write(slot.exists() ? 1u << (3 * slot.port + slot.vc) : 0);
        ent_tag_o.write(recv_i.read() ? tag_in() : entry_tag());
        ent_put_o.write(puts_entry());
        ent_look_o.write((q.shot == ShotDump && at_entry() && table_i.read()) || puts_entry());
    }

    // A restored packet must not name LOCAL or a VC that does not exist, or wait for an entry in
    // vain.
    void judge() {
        const uint32_t plan = plan_i.read();
        const bool mc = (plan >> 5 & 1) != 0;
        const uint32_t k = plan >> 1 & 15;
        const bool ent = (plan & 1) != 0;
        const uint32_t pend = uint32_t(get(h1_i.read(), H1Slotpend));
        const bool to_outputs = pend != 0 && pend >> PortLocal == 0;
        bool fits = false;
        if (to_outputs && mc) fits = !ent || get(h0_i.read(), H0Tag) != 0;
        else if (to_outputs) fits = !ent && (pend & (pend - 1)) == 0 && k < vcs_of(lowest(pend));
        fits_o.write(fits);
        slot_o.write(what() == WhatSlot);
        entry_o.write(what() == WhatEntry);
    }

    void find() { found_o.write(finds()); }

    // The packet that reports the dump.
    void packet() {
        if (q.shot != ShotDump) return flit_o.write(0);
        const uint32_t k = flit_i.read();
        uint32_t kind = WhatEntry, tag = entry_tag();
        uint32_t h1 = h1_i.read(), h2 = h2_i.read();
        if (at_slot()) {
            const Context c = context();
            const Slot slot = nth_slot(q.scan);
            kind = WhatSlot;
            tag = c.tag;
            h1 = slot.port << H1Slotport.lo | slot.vc << H1Slotvc.lo | c.pend;
            h2 = uint32_t(c.mc) << H2Slotmc.lo | c.k << H2Slotplan.lo |
                 uint32_t(c.ent) << H2Slotent.lo;
        } else if (at_end()) {
            kind = WhatEnd;
            tag = 0;
            h1 = 0;
            h2 = xy_i.read();
        }
        const uint32_t h0 = TypeShot << H0Type.lo | 2u << H0Len.lo | (tag & 7) << H0Tag.lo |
                            tag >> 3 << H0Shotbank.lo | kind;
        flit_o.write(k == 0 ? h0 : k == 1 ? h1 : h2);
    }

    void begin_dump() {
        q.shot = ShotDump;
        q.scan = 0;
    }

    void scan() {
        if (q.shot == ShotDump) {
            const bool nothing_here = steps() && !finds();
            if (sent_i.read() && at_end()) {
                q.shot = ShotDone;
                q.scan = SlotOfMbp0;
            } else if (dumped_i.read() || (sent_i.read() && at_entry()) || nothing_here) {
                ++q.scan;
            }
        } else if (q.shot != ShotRun && step_i.read() && context().dumpable()) {
            // MBP 0 sent a packet before it received the shoot-down, and cannot send another.
            q.shot = ShotDump;
        }
    }

    // A SHOT packet of MBP 0 has come.
    void obey() {
        switch (what()) {
        case WhatSlot:
            q.shot = ShotRestart;
            q.scan = SlotOfMbp0;
            break;
        case WhatEntry:
            if (!puts_entry()) break;
            q.shot = ShotRestart;
            if (get(h0_i.read(), H0Run) != 0) q.shot = ShotRun;
            else q.scan = SlotOfMbp0;
            break;
        case WhatEnd: begin_dump(); break;
        default: q.shot = ShotRun; break;
        }
    }

    const uint32_t Entries;  // entries of the ack table
    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
