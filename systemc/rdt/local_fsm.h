// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local_fsm.sv: what LOCAL does when: takes a packet, sends one, has one dumped or
// put back. Counts the flits, and drops the packet for an MBP that accepts nothing: it waits for
// SendWait cycles, or not at all if that MBP accepted nothing the last time. A dump waits, since
// MBP 0 is its only taker. Specification 4.8 and 4.12.
#pragma once

#include <rdt/core/format.h>
#include <rdt/local_tx.h>
#include <rdt/ports.h>

namespace rdt {

class local_fsm : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // pending work, in this order
    in<1> note_i{"note_i"};    // a report is pending
    in<1> gnt_i{"gnt_i"};      // a packet comes
    in<1> found_i{"found_i"};  // something is to be dumped
    // the packet that comes
    in<1> last_i{"last_i"};          // its last flit
    in<1> shot_end_i{"shot_end_i"};  // that of a SHOT packet
    in<1> slot_i{"slot_i"};          // which a packet follows that goes back into its buffer
    in<1> refused_i{"refused_i"};    // whose entry is not put back
    in<1> err_i{"err_i"};            // it is to be reported
    in<1> read_i{"read_i"};          // it is to be answered
    in<1> good_i{"good_i"};          // it is back in its buffer
    // the packet to be sent
    in<1> mbp_i{"mbp_i"};  // an answer is for MBP 1
    in<2> m_credit_i{"m_credit_i"};
    in<2> loc_gnt_i{"loc_gnt_i"};
    out<2> loc_want_o{"loc_want_o"};
    out<2> kind_o{"kind_o"};  // as in local_tx
    out<1> sent_o{"sent_o"};
    out<1> gives_up_o{"gives_up_o"};
    in<1> tx_last_i{"tx_last_i"};
    in<1> follows_i{"follows_i"};    // behind it the packet in the buffer is dumped
    in<1> gnt_mbp0_i{"gnt_mbp0_i"};  // which begins now
    // states
    out<1> idle_o{"idle_o"};
    out<1> recv_o{"recv_o"};
    out<1> tx_o{"tx_o"};
    out<1> dump_o{"dump_o"};        // waits for gnt_mbp0_i
    out<1> dumping_o{"dumping_o"};  // or is being dumped
    out<1> dumped_o{"dumped_o"};    // has been
    out<1> put_o{"put_o"};          // waits for the packet that is put back
    out<1> putrx_o{"putrx_o"};
    out<4> idx_o{"idx_o"};  // flit of the packet

    explicit local_fsm(sc_core::sc_module_name name) : block(name) {
        RDT_METHOD(show);
        sensitive << m_clocked;
        RDT_METHOD(send);
        sensitive << m_clocked << mbp_i << m_credit_i << loc_gnt_i;
    }

    // At the edge; LOCAL calls it.
    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else advance();
        if (changed(before, q)) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("st_q", 3, q.st);
        visit("ridx_q", 4, q.ridx);
        visit("kind_q", 2, q.kind);
        visit("wait_q", 10, q.wait);
        visit("deaf_q", 2, q.deaf);
    }

private:
    enum State : uint32_t { StIdle, StRecv, StSend, StTx, StDump, StPut, StPutRx, StDumpRd };

    struct Regs {
        uint32_t st = StIdle;
        uint32_t ridx = 0;
        uint32_t kind = local_tx::KindErr;
        uint32_t wait = 0;  // cycles in Send
        uint32_t deaf = 0;  // the MBP did not take the last packet that was for it
    };

    uint32_t to_mbp() const { return q.kind == local_tx::KindAnswer && mbp_i.read() ? 1 : 0; }
    bool is_sent() const {
        return q.st == StSend && (uint32_t(loc_gnt_i.read()) >> to_mbp() & 1) != 0;
    }
    bool gives_up() const {
        if (q.st != StSend || q.kind == local_tx::KindShot || is_sent()) return false;
        const uint32_t gone = q.deaf & ~uint32_t(m_credit_i.read());
        return q.wait == SendWait - 1 || (gone >> to_mbp() & 1) != 0;
    }
    bool is_dumped() const { return q.st == StDumpRd && q.ridx == 15; }

    void show() {
        idle_o.write(q.st == StIdle);
        recv_o.write(q.st == StRecv);
        tx_o.write(q.st == StTx);
        dump_o.write(q.st == StDump);
        dumping_o.write(q.st == StDump || q.st == StDumpRd);
        dumped_o.write(is_dumped());
        put_o.write(q.st == StPut);
        putrx_o.write(q.st == StPutRx);
        idx_o.write(q.ridx);
        kind_o.write(q.kind);
    }

    void send() {
        const uint32_t may = q.st == StSend ? 1u << to_mbp() : 0;
        loc_want_o.write(uint32_t(m_credit_i.read()) & may);
        sent_o.write(is_sent());
        gives_up_o.write(gives_up());
    }

    void advance() {
        const uint32_t lost_at = gives_up() ? 1u << to_mbp() : 0;
        const bool is_send = q.st == StSend;
        switch (q.st) {
        case StIdle: begin(); break;
        case StRecv: receive(); break;
        case StSend:
            q.ridx = 0;
            if (is_sent()) q.st = StTx;
            else if (lost_at != 0) q.st = StIdle;
            break;
        case StTx:
            ++q.ridx;
            if (tx_last_i.read()) {
                q.ridx = 0;
                q.st = q.kind == local_tx::KindShot && follows_i.read() ? StDump : StIdle;
            }
            break;
        case StDump:
            if (gnt_mbp0_i.read()) q.st = StDumpRd;
            break;
        case StPut:
            q.ridx = 1;
            if (gnt_i.read()) q.st = StPutRx, q.ridx = 0;
            break;
        case StPutRx:
            q.ridx = (q.ridx + 1) % 16;
            if (last_i.read()) q.st = good_i.read() ? StIdle : StSend;
            break;
        case StDumpRd:
            if (is_dumped()) q.st = StIdle;
            q.ridx = (q.ridx + 1) % 16;
            break;
        }
        q.wait = is_send ? (q.wait + 1) % SendWait : 0;
        q.deaf = (q.deaf | lost_at) & ~uint32_t(m_credit_i.read());
    }

    // Notices go before packets, and those before a step of the dump.
    void begin() {
        q.ridx = 0;
        if (note_i.read()) {
            q.st = StSend;
            q.kind = local_tx::KindNotice;
        } else if (gnt_i.read()) {
            q.st = StRecv;
        } else if (found_i.read()) {
            q.st = StSend;
            q.kind = local_tx::KindShot;
        }
    }

    // A malformed header or a wrong SETUP packet is reported, a read is answered, writes are not.
    void receive() {
        q.ridx = (q.ridx + 1) % 16;
        if (shot_end_i.read()) {
            q.ridx = 0;
            q.kind = local_tx::KindErr;
            q.st = slot_i.read() ? StPut : refused_i.read() ? StSend : StIdle;
        } else if (last_i.read()) {
            q.kind = err_i.read() ? local_tx::KindErr : local_tx::KindAnswer;
            q.st = err_i.read() || read_i.read() ? StSend : StIdle;
        }
    }

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
