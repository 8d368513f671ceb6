// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local.sv: the eleventh crossbar output. Executes SETUP packets, reports malformed
// packets, time-outs and notices to the MBP in ERR packets, holds the configuration, and transfers
// the router's state to MBP 0 and back.
//
// All its waits are bounded: a packet that an MBP does not accept is dropped.
#pragma once

#include <rdt/fast/local_state.h>

namespace rdt::fast {

class Local : public LocalState {
public:
    explicit Local(flit_t lanes = OneLane, uint32_t entries = NumEntries)
        : LocalState(lanes, entries) {}

    void reset() { m_q = Regs{}; }
    void set_status(uint32_t bits) { m_q.cfg.status |= bits; }

    void clock(const In& in) {
        const Config& cfg = m_q.cfg;
        if (!halt()) rest();
        const bool running = m_q.shot == ShotRun;
        const bool timed_out = (cfg.ctrl & Config::CtrlOnTimeout) != 0 && to_ack(in.to_pend) != 0;
        m_now = Doings{};
        m_now.shoot = in.shoot || timed_out;
        m_now.lost = in.ev_lost;
        m_now.tells_err = m_q.st == Send && in.loc_gnt != 0 && m_q.is_err();
        if (cfg.compares() && in.own_slice != in.slice) m_now.set |= 1u << StatusSlice;
        const bool keeps_stray = in.stray && !m_q.notices.stray;
        advance(in);
        if (running && m_now.shoot) begin_dump();
        m_q.halted = !running;
        m_q.deaf &= ~in.m_credit;
        if (keeps_stray) {
            m_q.notices.stray = true;
            m_q.notices.stray_port = in.stray_port;
            m_q.notices.stray_tag = in.stray_tag;
        }
        // Not for MBP 0's own port, because the report would have to use the failing link.
        constexpr uint32_t Told = ~(1u << PortM0);
        m_q.notices.sync |= (in.ev_sync | in.ev_owed) & Told;
        m_q.notices.sunk |= in.ev_sunk & Told;
        keep_account(in);
    }

    // While at_rest(): a cycle, and any number of cycles.
    void rest() {
        m_q.cnt.count(m_q.cfg.timeout);
        m_q.cnt_ent.count(m_q.cfg.t_ent);
        m_q.cnt_ack.count(m_q.cfg.t_ack);
        m_q.cnt_slow.count(SlowTick - 1);
    }
    void skip(uint64_t clocks) {
        m_q.cnt.skip(m_q.cfg.timeout, clocks);
        m_q.cnt_ent.skip(m_q.cfg.t_ent, clocks);
        m_q.cnt_ack.skip(m_q.cfg.t_ack, clocks);
        m_q.cnt_slow.skip(SlowTick - 1, clocks);
    }

private:
    static constexpr uint32_t NoRegister = ~0u;

    // Actions of this cycle.
    struct Doings {
        uint32_t written = NoRegister;
        uint32_t set = 0;  // bits of Status
        bool shoot = false;
        bool lost = false;  // an ack, or a packet that is dropped
        bool tells_err = false;
    };

    void write(uint32_t addr, uint32_t d) {
        m_now.written = addr;
        m_q.cfg.write(addr, d);
        if (addr == RegTimeout) m_q.cnt.left = m_q.cfg.timeout;
        if (addr == RegTEnt) m_q.cnt_ent.left = m_q.cfg.t_ent;
        if (addr == RegTAck) m_q.cnt_ack.left = m_q.cfg.t_ack;
        if (addr == RegCtrl && (d & Config::CtrlShoot) != 0) m_now.shoot = true;
    }

    // Status, LinkErr and the counters.
    void keep_account(const In& in) {
        Config& cfg = m_q.cfg;
        const bool lost_place = (in.ev_sync | in.ev_owed) != 0;  // a link, or a packet on it
        const auto set_if = [this](bool happens, Status bit) {
            m_now.set |= uint32_t(happens) << bit;
        };
        set_if(in.ev_body != 0, StatusBody);
        set_if(in.ev_frame != 0, StatusFrame);
        set_if(in.ev_over != 0, StatusOverrun);
        set_if((in.ev_cred | in.ev_owed) != 0, StatusCredit);
        set_if(in.stray, StatusAck);
        set_if(in.ev_table, StatusTable);
        set_if(lost_place, StatusSync);
        set_if(m_now.lost, StatusLost);
        set_if(in.ev_sunk != 0, StatusSunk);
        cfg.status |= m_now.set;
        cfg.link_err |= in.ev_body | in.ev_frame | in.ev_over | in.ev_cred | in.ev_owed |
                        in.ev_sync | in.ev_sunk;
        // A write wins.
        const auto count_if = [this](bool happens, Reg reg, uint32_t& count) {
            if (happens && m_now.written != reg && count < Config::MaxCount) ++count;
        };
        count_if(m_now.tells_err, RegErrCnt, cfg.err_cnt);
        count_if(in.ev_body != 0, RegBodyCnt, cfg.body_cnt);
        count_if(lost_place, RegSyncCnt, cfg.sync_cnt);
        count_if(m_now.lost, RegLostCnt, cfg.lost_cnt);
        count_if(in.stray, RegStrayCnt, cfg.stray_cnt);
        count_if(in.ev_sunk != 0, RegSunkCnt, cfg.sunk_cnt);
    }

    void advance(const In& in) {
        switch (m_q.st) {
        case Idle: idle(in); break;
        case Recv: receive(in); break;
        case Send: send(in); break;
        case Tx:
            if (m_q.ridx == m_q.last_flit()) sent();
            else ++m_q.ridx;
            break;
        case Dump: follow_dump(in.gnt_mbp0); break;
        case Put:
            if (m_q.ridx == 1 && in.gnt) {
                m_q.st = PutRx;
                m_q.ridx = 0;
            } else {
                m_q.ridx = 1;
            }
            break;
        default: put(in); break;
        }
    }

    // A packet is served between two notices.
    void idle(const In& in) {
        const bool only_packets = m_q.turn != 0;
        if (only_packets) --m_q.turn;
        if (in.to_pend != 0 && !only_packets) {
            m_now.set |= 1u << StatusTimeout;
            tell({ErrTimeout, uint32_t(__builtin_ctz(in.to_pend)), 0}, in.to_vc);
        } else if (m_q.notices.any() && !only_packets) {
            tell(m_q.notices.take(), 0);
        } else if (in.gnt) {
            m_q.st = Recv;
            m_q.ridx = 0;
            m_q.e = ErrNone;
            m_q.cmd = false;
        } else if (m_q.shot == ShotDump && m_q.halted) {
            scan(in);
        } else if ((m_q.shot == ShotDone || m_q.shot == ShotRestart) && dumpable(in.ctx)) {
            // MBP 0 sent it before it received the shoot-down, or its context was lost on the way.
            m_q.shot = ShotDump;
        }
    }

    void tell(const Notice& notice, uint32_t vc) {
        m_q.st = Send;
        m_q.turn = 2;
        m_q.kind = OwnPacket::KindNotice;
        m_q.code = notice.code;
        m_q.port = notice.port;
        m_q.vc = vc;
        m_q.tag = notice.tag;
    }
    void report(uint32_t code, Status bit) {
        m_q.st = Send;
        m_q.kind = OwnPacket::KindErr;
        m_q.code = code;
        m_now.set |= 1u << bit;
    }

    // An MBP that is absent or has stopped is waited for once; after that, until it shows a credit
    // again, nothing is kept for it. A dump has no other taker and waits.
    void send(const In& in) {
        const uint32_t mbp = 1u << m_q.destination();
        const bool late = m_q.wait == SendWait - 1 || (m_q.deaf & ~in.m_credit & mbp) != 0;
        m_q.wait = (m_q.wait + 1) % SendWait;
        if ((in.loc_gnt & mbp) != 0) {
            m_q.st = Tx;
            m_q.ridx = 0;
        } else if (late && m_q.kind != OwnPacket::KindShot) {
            m_q.st = Idle;
            m_q.deaf |= mbp;
            m_now.lost = true;
        }
        if (m_q.st != Send) m_q.wait = 0;
    }

    void receive(const In& in) {
        const flit_t flit = stream_flit(in.x);
        const uint32_t ridx = m_q.ridx;
        const bool last = ends(in.x);
        m_q.ridx = (ridx + 1) & 15;
        if (ridx == 0) {
            m_q.h0 = flit & PayloadMask;
            m_q.code = in.rd_err;
            m_q.port = in.sel_port;
            m_q.vc = in.rd_vc;
        } else if (ridx == 1) {
            m_q.h1 = flit & PayloadMask;
        } else if (ridx == 2) {
            m_q.h2 = flit & PayloadMask;
        } else if (m_q.code == ErrNone) {
            const uint32_t found = (ridx & 1) != 0 ? command(flit, last) : data(flit);
            if (m_q.e == ErrNone) m_q.e = found;
        }
        if (!last) return;
        if (m_q.code != ErrNone) report(m_q.code, StatusHeader);
        else if (is_shot()) obey_shot(in);
        else if (m_q.e != ErrNone) report(m_q.e, StatusSetup);
        else if (get(m_q.h0, H0Len) == 3) {
            m_q.st = Send;
            m_q.kind = OwnPacket::KindAnswer;
        } else m_q.st = Idle;
    }

    uint32_t command(flit_t flit, bool last) {
        const bool write = (flit >> 15 & 1) != 0;
        const uint32_t addr = flit & 0x7FFF;
        m_q.cmd = false;
        if (!is_good_flit(flit, m_lanes)) return ErrBodyParity;
        if (write ? last : get(m_q.h0, H0Len) != 3) return ErrBadLength;
        if (!Config::exists(addr) || (write && Config::read_only(addr))) return ErrUnknownReg;
        m_q.cmd = write;
        m_q.addr = addr;
        return ErrNone;
    }

    uint32_t data(flit_t flit) {
        const bool wanted = m_q.cmd;
        m_q.cmd = false;
        if (!wanted) return ErrNone;
        if (!is_good_flit(flit, m_lanes)) return ErrBodyParity;
        if (m_q.cfg.guards() && m_q.port != PortM0) return ErrRefused;
        write(m_q.addr, flit & 0xFFFF);
        return ErrNone;
    }

    // Shoot-down.

    void begin_dump() {
        m_q.shot = ShotDump;
        m_q.scan = 0;
    }

    // A packet for LOCAL goes there.
    static bool dumpable(const Context& ctx) { return ctx.pkt && (ctx.pend >> PortLocal & 1) == 0; }

    // One step: valid state goes to MBP 0, the rest is skipped.
    void scan(const In& in) {
        const bool found =
            m_q.scan < Scan::Slots ? dumpable(in.ctx) : m_q.scan == scan_end() || in.ent.used;
        if (!found) {
            ++m_q.scan;
            return;
        }
        m_q.st = Send;
        m_q.kind = OwnPacket::KindShot;
        if (!scans_entry()) return;
        m_q.h1 = in.ent.h1;
        m_q.h2 = in.ent.h2 << EntryH2Lo | with(0, H2Entbank, int(in.ent.bank));
    }

    // After the last flit of a packet of LOCAL's own.
    void sent() {
        m_q.st = Idle;
        if (m_q.kind != OwnPacket::KindShot) return;
        if (m_q.scan < Scan::Slots) {
            m_q.st = Dump;
            m_q.ridx = 0;
        } else if (m_q.scan < scan_end()) {
            ++m_q.scan;
        } else {
            m_q.shot = ShotDone;
            m_q.scan = Scan::Port8;
        }
    }

    // The packet itself passes by: no flit of LOCAL's may come between.
    void follow_dump(bool granted) {
        if (!m_q.cmd) {
            m_q.cmd = granted;
        } else if (m_q.ridx == 15) {
            m_q.cmd = false;
            m_q.st = Idle;
            ++m_q.scan;
        } else {
            ++m_q.ridx;
        }
    }

    void restart() {
        m_q.shot = ShotRestart;
        m_q.scan = Scan::Port8;
    }

    // Ack, Shot and Err are never in a buffer: a context has come without its packet.
    static bool can_be_put(flit_t h0, bool mc) {
        const int type = get(h0, H0Type);
        return is_multicast(uint32_t(h0)) == mc && type != int(TypeAck) && type != int(TypeShot) &&
               type != int(TypeErr);
    }

    // A SHOT packet of MBP 0 has come in.
    void obey_shot(const In& in) {
        m_q.st = Idle;
        switch (what()) {
        case WhatSlot:
            m_q.e = in.vacant && is_possible(put_ctx()) ? ErrNone : ErrBadShot;
            m_q.st = Put;
            m_q.ridx = 0;
            restart();
            break;
        case WhatEntry:
            if (!is_entry(tag_named())) report(ErrBadShot, StatusSetup);
            else if (run()) m_q.shot = ShotRun;
            else restart();
            break;
        case WhatEnd: begin_dump(); break;
        default: m_q.shot = ShotRun; break;
        }
    }

    void put(const In& in) {
        const bool last = ends(in.x);
        const bool is_put = put_set(in.x, in.clash);
        if (m_q.ridx == 0) {
            m_q.code = in.rd_err;
            if (!can_be_put(stream_flit(in.x), put_ctx().mc)) m_q.e = ErrBadShot;
        }
        if (in.clash) m_q.e = ErrBadShot;
        m_q.ridx = (m_q.ridx + 1) & 15;
        if (!last) return;
        if (!is_put) {
            report(m_q.code != ErrNone ? m_q.code : m_q.e, StatusSetup);
            return;
        }
        m_q.st = Idle;
        if (run()) m_q.shot = ShotRun;
    }

    Doings m_now;
};

}  // namespace rdt::fast
