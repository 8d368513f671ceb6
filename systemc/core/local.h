// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local.sv: the eleventh crossbar output. Carries out SETUP
// packets, turns bad packets, time-outs and stray acks into ERR packets for the MBP,
// keeps the configuration, and hands what the chip holds to MBP 0 and back.
#pragma once

#include "core/registers.h"
#include "core/shot.h"

namespace rdt::core {

class Local {
public:
    enum State : uint32_t { Idle, Recv, Send, Tx, Dump, Put, PutRx };
    enum Kind : uint32_t { KindErr, KindNotice, KindAnswer, KindShot };

    struct In {
        bool shoot = false;
        bool own_slice = false;
        bool slice = false;
        stream_t x = 0;
        bool gnt = false;
        bool gnt8 = false;
        uint32_t sel_port = 0;  // input selected by the crossbar column
        uint32_t rd_err = 0;    // of that input
        uint32_t rd_vc = 0;
        uint32_t to_pend = 0;
        uint32_t to_vc = 0;  // of the lowest port in to_pend
        uint32_t loc_gnt = 0;
        uint32_t ev_body = 0;
        uint32_t ev_frame = 0;
        uint32_t ev_over = 0;
        uint32_t ev_cred = 0;
        uint32_t ev_owed = 0;
        bool ev_table = false;
        bool stray = false;  // an ack nobody waits for
        uint32_t stray_port = 0;
        uint32_t stray_tag = 0;
        Context ctx;  // of the slot that look() names
        bool clash = false;
        EntryLook ent;  // that ent_tag() names
    };
    struct Regs {
        uint32_t st = Idle;
        uint32_t ridx = 0;
        uint32_t kind = KindErr;
        uint32_t code = 0;
        uint32_t port = 0;
        uint32_t vc = 0;
        uint32_t h0 = 0;
        uint32_t h1 = 0;
        uint32_t h2 = 0;
        bool cmd = false;  // a write is announced; a dump was granted
        uint32_t addr = 0;
        uint32_t e = 0;
        uint32_t tag = 0;
        bool stray = false;
        uint32_t stray_port = 0;
        uint32_t stray_tag = 0;
        uint32_t shot = ShotRun;
        bool halted = false;
        uint32_t scan = 0;
        uint32_t cnt = 0;
        uint32_t cnt_ent = 0;
        uint32_t cnt_ack = 0;
        Config cfg;
    };

    explicit Local(flit_t lanes = OneLane) : m_lanes(lanes) {}

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }
    const Config& config() const { return m_q.cfg; }

    bool ready() const { return m_q.st == Idle || m_q.st == Put; }
    bool only8() const { return m_q.st == Put; }
    bool takes_any() const { return ready() && !only8(); }
    bool x_gnt(uint32_t to_pend) const {
        if (m_q.st == Put) return m_q.ridx == 1;
        return m_q.st == Idle && to_pend == 0 && !m_q.stray;
    }
    bool stray_ok() const { return !m_q.stray; }
    uint32_t to_ack(uint32_t to_pend) const { return m_q.st == Idle ? to_pend & -to_pend : 0; }
    bool tick() const { return m_q.cfg.timeout != 0 && m_q.cnt == 0 && !halt(); }
    bool tick_ent() const { return m_q.cfg.t_ent != 0 && m_q.cnt_ent == 0 && !halt(); }
    bool tick_ack() const { return m_q.cfg.t_ack != 0 && m_q.cnt_ack == 0 && !halt(); }
    bool err() const { return m_q.cfg.status != 0; }

    // Nothing moves but what goes to LOCAL or is dumped: a shoot-down, or slices that differ.
    bool halt() const {
        return m_q.shot != ShotRun ||
               (m_q.cfg.compares() && (m_q.cfg.status >> StatusSlice & 1) != 0);
    }
    bool receives() const { return m_q.st == Recv || m_q.st == PutRx; }

    uint32_t loc_want(uint32_t m_credit) const {
        if (m_q.st != Send) return 0;
        return m_credit & (destination() != 0 ? 2u : 1u);
    }

    stream_t loc_x(const Context& ctx) const {
        if (m_q.st != Tx) return 0;
        return make_stream(code_of(m_q.ridx, last_flit(), VcVc0),
                           make_flit(payload(m_q.ridx, ctx), m_q.ridx) * m_lanes);
    }

    // The buffer whose context counts: the one a SHOT packet names, or the one being dumped.
    SlotName look() const {
        if (!has_header() && m_q.st != Put && m_q.st != PutRx) return Scan::slot(m_q.scan);
        const SlotName named = slot_named(m_q.h1);
        return named.exists() ? named : NoSlot;
    }
    bool raw() const { return m_q.st == Put; }
    bool keep() const { return m_q.st == Put && names_port8() && m_q.e == ErrNone; }
    bool dump() const { return m_q.st == Dump && !m_q.cmd; }
    bool dumping() const { return m_q.st == Dump; }

    // The packet that is put back. `rd_err` as in In. In the buffer of port 8 it lies
    // already, and is still coming in while it is read: writing would clash.
    bool put_we(uint32_t rd_err) const {
        return m_q.st == PutRx && m_q.e == ErrNone && !names_port8() &&
               (m_q.ridx == 0 ? rd_err : m_q.code) == 0;
    }
    bool put_set(stream_t x, bool clash) const {
        return put_ends(x) && m_q.e == ErrNone && m_q.code == ErrNone && !clash;
    }
    Context put_ctx() const { return context_named(m_q.h0, m_q.h1, m_q.h2); }
    // The credit that was kept goes back: nothing was put.
    bool give(stream_t x, bool clash) const {
        return put_ends(x) && names_port8() && m_q.e == ErrNone && !put_set(x, clash);
    }

    // The entry of the ack table that is read or put back.
    uint32_t ent_tag() const {
        return has_header() ? uint32_t(get(m_q.h0, H0Tag)) : Scan::entry(m_q.scan);
    }
    bool ent_put(stream_t x) const {
        return m_q.st == Recv && ends(x) && is_shot() && what() == WhatEntry && is_entry(ent_tag());
    }
    bool ent_look(stream_t x) const {
        return (m_q.shot == ShotDump && Scan::is_entry(m_q.scan) && m_q.st == Idle) || ent_put(x);
    }
    uint32_t ent_h1() const { return m_q.h1; }
    static uint32_t ent_h2(stream_t x) { return (uint32_t(x) & PayloadMask) >> EntryH2Lo; }

    void clock(const In& in) {
        Config& cfg = m_q.cfg;
        if (!halt()) rest();
        const bool running = m_q.shot == ShotRun;
        const bool compares = cfg.compares();
        const bool timed_out = (cfg.ctrl & Config::CtrlOnTimeout) != 0 && to_ack(in.to_pend) != 0;
        const bool counts = m_q.st == Send && in.loc_gnt != 0 && m_q.kind <= KindNotice;
        m_written = NoRegister;
        m_set = 0;
        m_shoot = in.shoot || timed_out;
        advance(in);
        if (running && m_shoot) begin_dump();
        m_q.halted = !running;
        if (in.stray) {
            m_q.stray = true;
            m_q.stray_port = in.stray_port;
            m_q.stray_tag = in.stray_tag;
        }

        if (in.ev_body != 0) m_set |= 1u << StatusBody;
        if (in.ev_frame != 0) m_set |= 1u << StatusFrame;
        if (in.ev_over != 0) m_set |= 1u << StatusOverrun;
        if (in.ev_cred != 0) m_set |= 1u << StatusCredit;
        if (in.ev_owed != 0) m_set |= 1u << StatusTimeout;
        if (in.ev_table) m_set |= 1u << StatusTable;
        if (compares && in.own_slice != in.slice) m_set |= 1u << StatusSlice;
        cfg.status |= m_set;
        cfg.link_err |= in.ev_body | in.ev_frame | in.ev_over | in.ev_cred | in.ev_owed;
        if (m_written != RegErrCnt && counts && cfg.err_cnt < 255) ++cfg.err_cnt;
        if (m_written != RegBodyCnt && in.ev_body != 0 && cfg.body_cnt < 255) ++cfg.body_cnt;
    }

    // Nothing to do but to count, unless something comes: rest() is then a clock, skip() any number
    // of clocks.
    bool at_rest() const {
        return m_q.st == Idle && m_q.shot == ShotRun && !m_q.halted && !m_q.stray &&
               !m_q.cfg.compares();
    }
    void rest() {
        m_q.cnt = m_q.cnt == 0 ? m_q.cfg.timeout : m_q.cnt - 1;
        m_q.cnt_ent = m_q.cnt_ent == 0 ? m_q.cfg.t_ent : m_q.cnt_ent - 1;
        m_q.cnt_ack = m_q.cnt_ack == 0 ? m_q.cfg.t_ack : m_q.cnt_ack - 1;
    }
    void skip(uint64_t clocks) {
        m_q.cnt = counted(m_q.cnt, m_q.cfg.timeout, clocks);
        m_q.cnt_ent = counted(m_q.cnt_ent, m_q.cfg.t_ent, clocks);
        m_q.cnt_ack = counted(m_q.cnt_ack, m_q.cfg.t_ack, clocks);
    }

    uint32_t read(uint32_t addr) const { return addr == RegShot ? m_q.shot : m_q.cfg.read(addr); }

private:
    static constexpr uint32_t NoRegister = ~0u;

    // A counter that begins again with `period` in the clock after 0.
    static uint32_t counted(uint32_t count, uint32_t period, uint64_t clocks) {
        if (clocks <= count) return count - uint32_t(clocks);
        return period - uint32_t((clocks - count - 1) % (uint64_t(period) + 1));
    }

    bool ends(stream_t x) const { return m_q.ridx != 0 && stream_code(x) == CodeLast; }
    bool put_ends(stream_t x) const { return m_q.st == PutRx && ends(x); }
    bool is_shot() const { return m_q.code == ErrNone && get(m_q.h0, H0Type) == int(TypeShot); }
    // Of the packet being taken, its first two flits at least.
    bool has_header() const { return m_q.st == Recv && m_q.ridx >= 2; }
    uint32_t what() const { return uint32_t(get(m_q.h0, H0What)); }
    static bool is_entry(uint32_t tag) { return tag != 0 && tag <= NumEntries; }
    bool run() const { return get(m_q.h0, H0Run) != 0; }
    bool names_port8() const { return slot_named(m_q.h1).port == PortM0; }

    void write(uint32_t addr, uint32_t d) {
        m_written = addr;
        m_q.cfg.write(addr, d);
        if (addr == RegCtrl && (d & Config::CtrlShoot) != 0) m_shoot = true;
    }

    void advance(const In& in) {
        switch (m_q.st) {
        case Idle: idle(in); break;
        case Recv: receive(in); break;
        case Send:
            if ((in.loc_gnt >> destination() & 1) != 0) {
                m_q.st = Tx;
                m_q.ridx = 0;
            }
            break;
        case Tx:
            if (m_q.ridx == last_flit()) sent();
            else ++m_q.ridx;
            break;
        case Dump: follow_dump(in.gnt8); break;
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

    void idle(const In& in) {
        if (in.to_pend != 0) {
            report(KindNotice, ErrTimeout, StatusTimeout);
            m_q.port = uint32_t(__builtin_ctz(in.to_pend));
            m_q.vc = in.to_vc;
            m_q.tag = 0;
        } else if (m_q.stray) {
            report(KindNotice, ErrUnexpectedAck, StatusAck);
            m_q.port = m_q.stray_port;
            m_q.vc = 0;
            m_q.tag = m_q.stray_tag;
            m_q.stray = false;
        } else if (in.gnt) {
            m_q.st = Recv;
            m_q.ridx = 0;
            m_q.e = ErrNone;
            m_q.cmd = false;
        } else if (m_q.shot == ShotDump && m_q.halted) {
            scan(in);
        } else if (m_q.shot == ShotDone && dumpable(in.ctx)) {
            // MBP 0 sent it before it heard of the shoot-down, and could send nothing else.
            m_q.shot = ShotDump;
        }
    }

    void report(Kind kind, uint32_t code, Status bit) {
        m_q.st = Send;
        m_q.kind = kind;
        m_q.code = code;
        m_set |= 1u << bit;
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
        if (m_q.code != ErrNone) report(KindErr, m_q.code, StatusHeader);
        else if (is_shot()) obey_shot(in);
        else if (m_q.e != ErrNone) report(KindErr, m_q.e, StatusSetup);
        else if (get(m_q.h0, H0Len) == 3) {
            m_q.st = Send;
            m_q.kind = KindAnswer;
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

    // One step: what there is goes to MBP 0, the rest is passed over.
    void scan(const In& in) {
        const bool found =
            m_q.scan < Scan::Slots ? dumpable(in.ctx) : m_q.scan == Scan::End || in.ent.used;
        if (!found) {
            ++m_q.scan;
            return;
        }
        m_q.st = Send;
        m_q.kind = KindShot;
        if (!Scan::is_entry(m_q.scan)) return;
        m_q.h1 = in.ent.h1;
        m_q.h2 = in.ent.h2 << EntryH2Lo;
    }

    // After the last flit of a packet of LOCAL's own.
    void sent() {
        m_q.st = Idle;
        if (m_q.kind != KindShot) return;
        if (m_q.scan < Scan::Slots) {
            m_q.st = Dump;
            m_q.ridx = 0;
        } else if (m_q.scan < Scan::End) {
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

    // A SHOT packet of MBP 0 has come in.
    void obey_shot(const In& in) {
        m_q.st = Idle;
        switch (what()) {
        case WhatSlot:
            m_q.e = slot_named(m_q.h1).exists() && !in.ctx.pkt ? ErrNone : ErrBadShot;
            m_q.st = Put;
            m_q.ridx = 0;
            m_q.shot = ShotRestart;
            break;
        case WhatEntry:
            if (!is_entry(uint32_t(get(m_q.h0, H0Tag)))) report(KindErr, ErrBadShot, StatusSetup);
            else m_q.shot = run() ? ShotRun : ShotRestart;
            break;
        case WhatEnd: begin_dump(); break;
        default: m_q.shot = ShotRun; break;
        }
    }

    void put(const In& in) {
        const bool last = ends(in.x);
        const bool is_put = put_set(in.x, in.clash);
        if (m_q.ridx == 0) m_q.code = in.rd_err;
        if (in.clash) m_q.e = ErrBadShot;
        m_q.ridx = (m_q.ridx + 1) & 15;
        if (!last) return;
        if (!is_put) {
            report(KindErr, m_q.code != ErrNone ? m_q.code : m_q.e, StatusSetup);
            return;
        }
        m_q.st = Idle;
        if (run()) m_q.shot = ShotRun;
    }

    // LOCAL's own packets.

    uint32_t destination() const {
        return m_q.kind == KindAnswer ? uint32_t(get(m_q.h0, H0Mbp)) : 0;
    }
    uint32_t last_flit() const {
        switch (m_q.kind) {
        case KindErr: return 5;
        case KindAnswer: return 4;
        default: return 2;
        }
    }

    uint32_t payload(uint32_t k, const Context& ctx) const {
        if (m_q.kind == KindShot) {
            const ShotHeader h = shot_header(ctx);
            return k == 0 ? h.h0 : k == 1 ? h.h1 : h.h2;
        }
        const bool answer = m_q.kind == KindAnswer;
        const uint32_t noted_tag = m_q.kind == KindNotice ? m_q.tag : 0;
        switch (k) {
        case 0: {
            uint32_t h0 = with(0, H0Type, answer ? int(TypeSetup) : int(TypeErr));
            h0 = with(h0, H0Len, int(last_flit()));
            return answer ? h0 | (m_q.h0 & (mask(H0Tag) | mask(H0Mbp))) : h0 | m_q.code;
        }
        case 1: return answer ? 0 : m_q.port << 13 | m_q.vc << 11 | noted_tag << 8;
        case 2: return place();
        case 3: return answer ? m_q.addr : m_q.h0;
        case 4: return answer ? read(m_q.addr) : m_q.h1;
        default: return m_q.h2;
        }
    }
    uint32_t place() const { return m_q.cfg.x << 8 | m_q.cfg.y; }

    ShotHeader shot_header(const Context& ctx) const {
        if (m_q.scan < Scan::Slots) return slot_header(Scan::slot(m_q.scan), ctx);
        if (m_q.scan < Scan::End)
            return {shot_h0(WhatEntry, Scan::entry(m_q.scan)), m_q.h1, m_q.h2};
        return {shot_h0(WhatEnd, 0), 0, place()};
    }

    flit_t m_lanes;
    Regs m_q;
    // Found in this clock.
    uint32_t m_written = NoRegister;
    uint32_t m_set = 0;
    bool m_shoot = false;
};

}  // namespace rdt::core
