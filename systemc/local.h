// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local.sv: LOCAL, crossbar output 10. Takes SETUP and SHOT packets and packets
// with a bad header, and answers them with packets to the MBPs, and tells MBP 0 of what went wrong;
// dumps what the chip holds and puts it back (the shoot-down of the paper). The registers
// themselves are in regs, what is to be told in notice, the state of a shoot-down in shot.
// Specification 4.8 and 4.12.
//
// One packet at a time; ready_o and x_gnt_o are low until its answer has been sent, or has waited
// for its MBP for SendWait clocks, or not at all if that took nothing the last time: nobody waits
// for an MBP that is gone. A dump waits, since MBP 0 is its only taker.
#pragma once

#include "local_wiring.h"

namespace rdt {

class local : public local_wiring {
public:
    explicit local(sc_core::sc_module_name name) : local_wiring(name) {
        SC_HAS_PROCESS(local);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(show);
        sensitive << m_clocked;
        SC_METHOD(grant);
        sensitive << m_clocked << note << gnt_i;
        SC_METHOD(take);
        sensitive << m_clocked << x_i << clash_i << rd_err_i[PortM0] << guard << is_entry
                  << ent_put_o;
        SC_METHOD(send);
        sensitive << m_clocked << m_credit_i << loc_gnt_i << ev_lost_i << tx_last << tx_x;
        SC_METHOD(halt);
        sensitive << shot_halt << slice_bad << shoot_i << shoot << on_late << late;
        SC_METHOD(compare);
        sensitive << slice_o_i << slice_i;
        SC_METHOD(lose_place);
        for (int i = 0; i < NumPorts; ++i) sensitive << ev_sync_i[i] << ev_owed_i[i];
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("st_q", 3, q.st);
        visit("ridx_q", 4, q.ridx);
        visit("kind_q", 2, q.kind);
        visit("code_q", 4, q.code);
        visit("port_q", 4, q.port);
        visit("vc_q", 2, q.vc);
        visit("h0_q", 17, q.h0);
        visit("h1_q", 17, q.h1);
        visit("h2_q", 17, q.h2);
        visit("cmd_q", 1, q.cmd);
        visit("addr_q", 5, q.addr);
        visit("e_q", 4, q.e);
        visit("tag_q", 3, q.tag);
        visit("wait_q", 10, q.wait);
        visit("deaf_q", 2, q.deaf);
    }

private:
    enum State : uint32_t { StIdle, StRecv, StSend, StTx, StDump, StPut, StPutRx };

    struct Regs {
        uint32_t st = StIdle;
        uint32_t ridx = 0;                  // flit of the packet
        uint32_t kind = local_tx::KindErr;  // of the packet to be sent
        uint32_t code = ErrNone;
        uint32_t port = 0;  // where the packet came from
        uint32_t vc = 0;
        uint32_t h0 = 0, h1 = 0, h2 = 0;  // its header
        uint32_t cmd = 0;      // a write waits for its data; in Dump: the pass has been granted
        uint32_t addr = 0;     // of the register
        uint32_t e = ErrNone;  // the first error of this packet
        uint32_t tag = 0;
        uint32_t wait = 0;  // clocks in Send
        uint32_t deaf = 0;  // the MBP did not take the last packet that was for it
    };

    static uint32_t payload(uint32_t x) { return x & PayloadMask; }
    static uint32_t type(uint32_t h0) { return uint32_t(get(h0, H0Type)); }

    // The flit on x_i ends the packet.
    bool is_last(uint32_t x) const { return x >> FlitW == CodeLast && q.ridx != 0; }

    // The body of a SETUP packet: commands and data in turn.
    uint32_t len() const { return uint32_t(get(q.h0, H0Len)); }
    bool is_cmd() const { return q.ridx >= 3 && q.ridx % 2 == 1; }
    bool is_data() const { return q.ridx >= 4 && q.ridx % 2 == 0 && q.cmd != 0; }
    bool refused() const { return guard.read() && q.port != PortM0; }

    uint32_t flit_err(uint32_t x) const {
        if (!is_cmd() && !is_data()) return ErrNone;
        if (!is_good_flit(x & SliceMask)) return ErrBodyParity;
        if (is_data()) return refused() ? ErrRefused : ErrNone;
        const bool writes = (x >> 15 & 1) != 0;
        const uint32_t addr = x & 0x7FFF;
        if (writes ? is_last(x) : len() != 3) return ErrBadLength;
        const bool read_only = addr == RegId || addr == RegShot || addr == RegDown;
        if (addr > RegSunkCnt || (writes && read_only)) return ErrUnknownReg;
        return ErrNone;
    }
    uint32_t err_now(uint32_t x) const { return q.e != ErrNone ? q.e : flit_err(x); }

    // The last flit of a SHOT packet.
    bool is_shot_end(uint32_t x) const {
        return q.st == StRecv && is_last(x) && q.code == ErrNone && type(q.h0) == TypeShot;
    }

    // A packet on its way back into its buffer. One that goes back into port 8's own buffer stands
    // in it already; its last flits may still be coming in.
    bool at8() const { return uint32_t(get(q.h1, H1Slotport)) == PortM0; }
    bool is_good_put() const { return q.e == ErrNone && q.code == ErrNone && !clash_i.read(); }

    uint32_t to_mbp() const {
        return q.kind == local_tx::KindAnswer ? uint32_t(get(q.h0, H0Mbp)) : 0;
    }
    bool is_sent() const {
        return q.st == StSend && (uint32_t(loc_gnt_i.read()) >> to_mbp() & 1) != 0;
    }
    bool gives_up() const {
        if (q.st != StSend || q.kind == local_tx::KindShot || is_sent()) return false;
        const uint32_t gone = q.deaf & ~uint32_t(m_credit_i.read());
        return q.wait == SendWait - 1 || (gone >> to_mbp() & 1) != 0;
    }
    // The packet of a slot has been dumped.
    bool is_dumped() const { return q.st == StDump && q.cmd != 0 && q.ridx == 15; }

    void show() {
        const bool is_put = q.st == StPut;
        idle.write(q.st == StIdle);
        recv.write(q.st == StRecv && q.ridx >= 2);
        puts.write(is_put || q.st == StPutRx);
        dumped.write(is_dumped());
        kind.write(q.kind);
        ridx.write(q.ridx);
        flit.write(q.ridx);
        code.write(q.code);
        port.write(q.port);
        vc.write(q.vc);
        tag.write(q.tag);
        h0.write(q.h0);
        h1.write(q.h1);
        h2.write(q.h2);
        addr.write(q.addr);
        ready_o.write(q.st == StIdle || is_put);
        only8_o.write(is_put);
        raw_o.write(is_put);
        keep_o.write(is_put && at8() && q.e == ErrNone);
        dumping_o.write(q.st == StDump);
        dump_o.write(q.st == StDump && q.cmd == 0);
        put_addr_o.write(q.ridx);
        put_ctx_o.write(uint32_t(get(q.h1, H1Slotpend)) << 9 | uint32_t(get(q.h2, H2Slotmc)) << 8 |
                        uint32_t(get(q.h2, H2Slotplan)) << 4 | uint32_t(get(q.h0, H0Tag)) << 1 |
                        uint32_t(get(q.h2, H2Slotent)));
        ent_h1_o.write(q.h1);
    }

    void grant() {
        const bool free = q.st == StIdle && !note.read();
        x_gnt_o.write(free || (q.st == StPut && q.ridx == 1));
        step.write(free && !gnt_i.read());
    }

    // What the flit on x_i does.
    void take() {
        const uint32_t x = x_i.read();
        const bool last = is_last(x);
        const bool ends = q.st == StRecv && last;
        const bool shot_ends = is_shot_end(x);
        const bool put_ends = q.st == StPutRx && last;
        const bool bad_put = put_ends && !is_good_put();
        const uint32_t put_err = q.ridx == 0 ? uint32_t(rd_err_i[PortM0].read()) : q.code;
        reg_we.write(q.st == StRecv && is_data() && flit_err(x) == ErrNone);
        wdata.write(x & 0xFFFF);
        plan.write(payload(x) >> H2Slotent.lo);
        shot_end.write(shot_ends);
        put_d_o.write(x & SliceMask);
        put_we_o.write(q.st == StPutRx && q.e == ErrNone && !at8() && put_err == ErrNone);
        put_set_o.write(put_ends && !bad_put);
        run.write(put_ends && !bad_put && get(q.h0, H0Run) != 0);
        give_o.write(bad_put && at8());
        ent_h2_o.write(payload(x) >> H2Entgen.lo);
        set_header.write(ends && q.code != ErrNone);
        set_setup.write((ends && q.code == ErrNone && err_now(x) != ErrNone) || bad_put ||
                        (shot_ends && is_entry.read() && !ent_put_o.read()));
    }

    void send() {
        const uint32_t may = q.st == StSend ? 1u << to_mbp() : 0;
        const bool is_tx = q.st == StTx;
        loc_want_o.write(uint32_t(m_credit_i.read()) & may);
        loc_x_o.write(is_tx ? uint32_t(tx_x.read()) : 0);
        err_sent.write(is_sent() &&
                       (q.kind == local_tx::KindErr || q.kind == local_tx::KindNotice));
        shot_sent.write(is_tx && tx_last.read() && q.kind == local_tx::KindShot);
        set_lost.write(ev_lost_i.read() || gives_up());
    }

    void halt() {
        halt_o.write(shot_halt.read() || slice_bad.read());
        trigger.write(shoot_i.read() || shoot.read() || (on_late.read() && late.read()));
    }
    void compare() { slice_differs.write(slice_o_i.read() != slice_i.read()); }
    // A credit that had been lost went with a packet, or with the place of the link: it is told
    // alike.
    void lose_place() {
        for (int i = 0; i < NumPorts; ++i)
            lost_place[i].write(ev_sync_i[i].read() || ev_owed_i[i].read());
    }

    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else advance();
        if (changed(before, q)) m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void advance() {
        const uint32_t lost_at = gives_up() ? 1u << to_mbp() : 0;
        const bool is_send = q.st == StSend;
        switch (q.st) {
        case StIdle: begin(); break;
        case StRecv: receive(x_i.read()); break;
        case StSend:
            q.ridx = 0;
            if (is_sent()) q.st = StTx;
            else if (lost_at != 0) q.st = StIdle;
            break;
        case StTx:
            ++q.ridx;
            if (tx_last.read()) {
                q.ridx = 0;
                q.st = q.kind == local_tx::KindShot && follows.read() ? StDump : StIdle;
            }
            break;
        case StDump:
            if (is_dumped()) q.st = StIdle;
            if (q.cmd != 0) q.ridx = (q.ridx + 1) % 16;
            if (gnt8_i.read()) q.cmd = 1;
            break;
        case StPut:
            q.ridx = 1;
            if (gnt_i.read()) q.st = StPutRx, q.ridx = 0;
            break;
        case StPutRx: put_back(x_i.read()); break;
        }
        q.wait = is_send ? (q.wait + 1) % SendWait : 0;
        q.deaf = (q.deaf | lost_at) & ~uint32_t(m_credit_i.read());
    }

    // Notices go before packets, and those before a step of the dump.
    void begin() {
        q.ridx = 0;
        q.cmd = 0;
        q.e = ErrNone;
        if (note.read()) {
            q.st = StSend;
            q.kind = local_tx::KindNotice;
            q.code = note_code.read();
            q.port = note_port.read();
            q.vc = note_vc.read();
            q.tag = note_tag.read();
        } else if (gnt_i.read()) {
            q.st = StRecv;
        } else if (found.read()) {
            q.st = StSend;
            q.kind = local_tx::KindShot;
            if (ent_look_o.read()) {
                q.h1 = ent_h1_i.read();
                q.h2 = uint32_t(ent_h2_i.read()) << H2Entgen.lo;
            }
        }
    }

    void receive(uint32_t x) {
        const uint32_t err = flit_err(x);
        const bool last = is_last(x);
        const bool shot_ends = is_shot_end(x);
        q.e = err_now(x);
        switch (q.ridx) {
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
        default:
            if (is_cmd()) {
                q.cmd = err == ErrNone && (x >> 15 & 1) != 0;
                if (err == ErrNone) q.addr = x & 0x1F;
            } else {
                q.cmd = 0;
            }
        }
        q.ridx = (q.ridx + 1) % 16;
        if (shot_ends) obey();
        else if (last) answer();
    }

    void obey() {
        q.ridx = 0;
        q.kind = local_tx::KindErr;
        q.st = StIdle;
        if (is_slot.read()) {
            q.st = StPut;
            q.e = vacant_i.read() && fits.read() ? ErrNone : ErrBadShot;
        } else if (is_entry.read() && !ent_put_o.read()) {
            q.st = StSend;
            q.code = ErrBadShot;
        }
    }

    // A bad header or a wrong SETUP packet is reported, a read is answered, writes are not.
    void answer() {
        q.st = StSend;
        q.kind = local_tx::KindErr;
        if (q.code != ErrNone) return;
        q.code = q.e;
        if (q.e != ErrNone) return;
        q.kind = local_tx::KindAnswer;
        if (len() != 3) q.st = StIdle;
    }

    // A flit of a packet that goes back into its buffer. Ack, Shot and Err are never in one: a
    // context has come without its packet.
    void put_back(uint32_t x) {
        const bool good = is_good_put();
        if (clash_i.read()) q.e = ErrBadShot;
        if (q.ridx == 0) {
            const uint32_t t = type(payload(x));
            const bool alien = t == TypeAck || t == TypeShot || t == TypeErr;
            if (alien || is_multicast(payload(x)) != (get(q.h2, H2Slotmc) != 0)) q.e = ErrBadShot;
            q.code = rd_err_i[PortM0].read();
        } else if (is_last(x)) {
            q.st = good ? StIdle : StSend;
            if (q.code == ErrNone) q.code = q.e;
        }
        q.ridx = (q.ridx + 1) % 16;
    }

    Regs q;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
