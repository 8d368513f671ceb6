// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local.sv: LOCAL, crossbar output 10. Receives SETUP and SHOT packets and packets
// with a malformed header, answers them with packets to the MBPs, and reports errors to MBP 0;
// dumps and restores the state of the router (the shoot-down of the paper). This module holds the
// packet that is received, reported or restored. local_fsm has the control, setup the body of a
// SETUP, regs the registers, notice the pending reports, shot the state of a shoot-down.
// Specification 4.8 and 4.12.
//
// One packet at a time; ready_o and x_gnt_o are low until its answer has been sent, or local_fsm
// has given it up.
#pragma once

#include <rdt/local_wiring.h>

namespace rdt {

class local : public local_wiring {
public:
    explicit local(sc_core::sc_module_name name, uint32_t entries = NumEntries)
        : local_wiring(name, entries) {
        RDT_CLOCKED(clock);
        RDT_METHOD(show);
        sensitive << m_clocked;
        RDT_METHOD(grant);
        sensitive << idle << put << ridx << note << gnt_i;
        RDT_METHOD(step_on);
        sensitive << m_clocked << recv << put << putrx << ridx;
        RDT_METHOD(take);
        sensitive << m_clocked << recv << putrx << ridx << x_i << clash_i << rd_err_i[PortM0]
                  << flit_err << is_entry << ent_put_o;
        RDT_METHOD(guard_writes);
        sensitive << m_clocked << guard;
        RDT_METHOD(send);
        sensitive << tx << kind << sent << gives_up << ev_lost_i << tx_last << tx_x;
        RDT_METHOD(halt);
        sensitive << shot_halt << shot_state << slice_bad << shoot_i << shoot << on_late << late;
        RDT_METHOD(compare);
        sensitive << slice_o_i << slice_i;
        RDT_METHOD(lose_place);
        for (int i = 0; i < NumPorts; ++i) sensitive << ev_sync_i[i] << ev_owed_i[i];
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("code_q", 4, q.code);
        visit("port_q", 4, q.port);
        visit("vc_q", 2, q.vc);
        visit("h0_q", 17, q.h0);
        visit("h1_q", 17, q.h1);
        visit("h2_q", 17, q.h2);
        visit("e_q", 4, q.e);
        visit("tag_q", 3, q.tag);
    }

private:
    struct Regs {
        uint32_t code = ErrNone;
        uint32_t port = 0;  // where the packet came from
        uint32_t vc = 0;
        uint32_t h0 = 0, h1 = 0, h2 = 0;  // its header
        uint32_t e = ErrNone;             // the first error of this packet
        uint32_t tag = 0;
    };

    static uint32_t payload(uint64_t x) { return uint32_t(x) & PayloadMask; }
    // The lowest bit of H2 that belongs to an ack entry.
    int ent_h2_lo() const { return is_banked() ? H2Entbank.lo : H2Entgen.lo; }
    static uint32_t type(uint32_t h0) { return uint32_t(get(h0, H0Type)); }

    // The flit on x_i ends the packet.
    bool is_last(uint64_t x) const { return code_on(x) == CodeLast && ridx.read() != 0; }
    uint32_t err_now() const { return q.e != ErrNone ? q.e : uint32_t(flit_err.read()); }

    // The last flit of a SHOT packet.
    bool is_shot_end(uint64_t x) const {
        return recv.read() && is_last(x) && q.code == ErrNone && type(q.h0) == TypeShot;
    }
    bool is_refused() const { return is_entry.read() && !ent_put_o.read(); }

    // A packet on its way back into its buffer. One that goes back into port 8's own buffer stands
    // in it already; its last flits may still be coming in.
    bool at8() const { return uint32_t(get(q.h1, H1Slotport)) == PortM0; }
    bool is_good_put() const { return q.e == ErrNone && q.code == ErrNone && !clash_i.read(); }

    // Values that depend on the packet only.
    void show() {
        code.write(q.code);
        port.write(q.port);
        vc.write(q.vc);
        tag.write(q.tag);
        h0.write(q.h0);
        h1.write(q.h1);
        h2.write(q.h2);
        len.write(uint32_t(get(q.h0, H0Len)));
        is_read.write(get(q.h0, H0Len) == 3);
        mbp.write(get(q.h0, H0Mbp) != 0);
        Plan p;
        p.mc = get(q.h2, H2Slotmc) != 0;
        p.k = uint32_t(get(q.h2, H2Slotplan));
        p.tag = bank_of(q.h0, H0Shotbank, num_entries()) | uint32_t(get(q.h0, H0Tag));
        p.ent = get(q.h2, H2Slotent) != 0;
        put_ctx_o.write(uint32_t(get(q.h1, H1Slotpend)) << bits_of(PlanW) | p.wires(bits_of(TagW)));
        ent_h1_o.write(q.h1);
    }

    void grant() {
        const bool free = idle.read() && !note.read();
        ready_o.write(idle.read() || put.read());
        only_mbp0_o.write(put.read());
        raw_o.write(put.read());
        x_gnt_o.write(free || (put.read() && ridx.read() == 1));
        step.write(free && !gnt_i.read());
    }

    void step_on() {
        shot_recv.write(recv.read() && ridx.read() >= 2);
        puts.write(put.read() || putrx.read());
        flit.write(uint32_t(ridx.read()) & 3);
        put_addr_o.write(ridx.read());
        keep_o.write(put.read() && at8() && q.e == ErrNone);
    }

    // Only MBP 0 may write if there is a guard.
    void guard_writes() { refuse.write(guard.read() && q.port != PortM0); }

    // Effect of the flit on x_i.
    void take() {
        const uint64_t x = x_i.read();
        const bool is_end = is_last(x);
        const bool ends = recv.read() && is_end;
        const bool shot_ends = is_shot_end(x);
        const bool put_ends = putrx.read() && is_end;
        const bool bad_put = put_ends && !is_good_put();
        const uint32_t put_err = ridx.read() == 0 ? uint32_t(rd_err_i[PortM0].read()) : q.code;
        d.write(flit_on(x));
        last.write(is_end);
        err.write(q.code != ErrNone || err_now() != ErrNone);
        put_good.write(is_good_put());
        refused.write(is_refused());
        wdata.write(x & 0xFFFF);
        plan.write(payload(x) >> H2Slotent.lo);
        shot_end.write(shot_ends);
        put_d_o.write(flit_on(x));
        put_we_o.write(putrx.read() && q.e == ErrNone && !at8() && put_err == ErrNone);
        put_set_o.write(put_ends && !bad_put);
        run.write(put_ends && !bad_put && get(q.h0, H0Run) != 0);
        give_o.write(bad_put && at8());
        ent_h2_o.write(payload(x) >> ent_h2_lo());
        set_header.write(ends && q.code != ErrNone);
        set_setup.write((ends && q.code == ErrNone && err_now() != ErrNone) || bad_put ||
                        (shot_ends && is_refused()));
    }

    void send() {
        loc_x_o.write(tx.read() ? uint64_t(tx_x.read()) : 0);
        err_sent.write(sent.read() && kind.read() < local_tx::KindAnswer);
        shot_sent.write(tx.read() && tx_last.read() && kind.read() == local_tx::KindShot);
        set_lost.write(ev_lost_i.read() || gives_up.read());
    }

    void halt() {
        halt_o.write(shot_halt.read() || slice_bad.read());
        run_o.write(shot_state.read() == ShotRun);
        trigger.write(shoot_i.read() || shoot.read() || (on_late.read() && late.read()));
    }
    void compare() { slice_differs.write(slice_o_i.read() != slice_i.read()); }
    // A lost credit means a lost packet or lost synchronization: it is reported alike.
    void lose_place() {
        for (int i = 0; i < NumPorts; ++i)
            lost_place[i].write(ev_sync_i[i].read() || ev_owed_i[i].read());
    }

    void clock() {
        u_notice.clock();
        u_setup.clock();
        u_shot.clock();
        u_fsm.clock();
        u_regs.clock();
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else advance();
        if (changed(before, q)) m_clocked.notify();
    }

    void advance() {
        if (idle.read()) begin();
        else if (recv.read()) receive(x_i.read());
        else if (putrx.read()) put_back(x_i.read());
    }

    // The reported event, or an entry of the ack table, which is read for one cycle.
    void begin() {
        q.e = ErrNone;
        if (note.read()) {
            q.code = note_code.read();
            q.port = note_port.read();
            q.vc = note_vc.read();
            q.tag = note_tag.read();
        }
        if (ent_look_o.read() && found.read()) {
            q.h1 = ent_h1_i.read();
            q.h2 = uint32_t(ent_h2_i.read()) << ent_h2_lo();
        }
    }

    void receive(uint64_t x) {
        const bool shot_ends = is_shot_end(x);
        q.e = err_now();
        switch (ridx.read()) {
        case 0: {
            const uint32_t from = lowest(sel_i.read());
            q.h0 = payload(x);
            q.port = from;
            q.vc = rd_vc_i[from].read();
            q.code = rd_err_i[from].read();
            break;
        }
        case 1: q.h1 = payload(x); break;
        case 2: q.h2 = payload(x); break;
        default: break;
        }
        if (shot_ends) {
            if (is_slot.read()) q.e = vacant_i.read() && fits.read() ? ErrNone : ErrBadShot;
            else if (is_refused()) q.code = ErrBadShot;
        } else if (is_last(x) && q.code == ErrNone) {
            q.code = q.e;
        }
    }

    // A flit of a packet that goes back into its buffer. Ack, Shot and Err are never in one: a
    // context has come without its packet.
    void put_back(uint64_t x) {
        if (clash_i.read()) q.e = ErrBadShot;
        if (ridx.read() == 0) {
            const uint32_t t = type(payload(x));
            const bool alien = t == TypeAck || t == TypeShot || t == TypeErr;
            if (alien || is_multicast(payload(x)) != (get(q.h2, H2Slotmc) != 0)) q.e = ErrBadShot;
            q.code = rd_err_i[PortM0].read();
        } else if (is_last(x)) {
            if (q.code == ErrNone) q.code = q.e;
        }
    }

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
