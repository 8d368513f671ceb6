// SPDX-License-Identifier: MIT
// State of LOCAL and its outputs to the rest of the router, as in rtl/rdt_local.sv.
#pragma once

#include <rdt/fast/countdown.h>
#include <rdt/fast/notices.h>
#include <rdt/fast/own_packet.h>
#include <rdt/core/registers.h>

namespace rdt::fast {

using core::Config;

class LocalState {
public:
    enum State : uint32_t { Idle, Recv, Send, Tx, Dump, Put, PutRx };
    using Kind = OwnPacket::Kind;

    struct In {
        bool shoot = false;
        bool own_slice = false;
        bool slice = false;
        stream_t x = 0;
        bool gnt = false;
        bool gnt_mbp0 = false;
        uint32_t sel_port = 0;  // input selected by the crossbar column
        uint32_t rd_err = 0;    // of that input
        uint32_t rd_vc = 0;
        uint32_t to_pend = 0;
        uint32_t to_vc = 0;     // VC of the lowest port in to_pend
        uint32_t m_credit = 0;  // one bit per MBP
        uint32_t loc_gnt = 0;
        uint32_t ev_body = 0;
        uint32_t ev_frame = 0;
        uint32_t ev_over = 0;
        uint32_t ev_cred = 0;
        uint32_t ev_owed = 0;
        uint32_t ev_sync = 0;
        uint32_t ev_sunk = 0;
        uint32_t up = 0;  // links
        bool ev_lost = false;
        bool ev_table = false;
        bool stray = false;  // an ack without a waiting entry
        uint32_t stray_port = 0;
        uint32_t stray_tag = 0;
        Context ctx;  // state of the slot that look() names
        bool clash = false;
        bool vacant = false;  // a packet may be put into that slot
        EntryLook ent;        // that ent_tag() names
    };
    struct Regs : OwnPacket {
        uint32_t st = Idle;
        uint32_t ridx = 0;
        bool cmd = false;  // a write is announced; a dump was granted
        uint32_t e = 0;
        uint32_t wait = 0;  // cycles in Send
        uint32_t deaf = 0;  // MBPs that did not take the last packet
        uint32_t turn = 0;  // cycles in Idle in which only packets count
        Notices notices;
        uint32_t shot = ShotRun;
        bool halted = false;
        uint32_t scan = 0;
        Countdown cnt;
        Countdown cnt_ent;
        Countdown cnt_ack;
        Countdown cnt_slow;
        Config cfg;
    };

    const Regs& q() const { return m_q; }
    const Config& config() const { return m_q.cfg; }

    bool ready() const { return m_q.st == Idle || m_q.st == Put; }
    bool only_mbp0() const { return m_q.st == Put; }
    bool takes_any() const { return ready() && !only_mbp0(); }
    bool x_gnt(uint32_t to_pend) const {
        if (m_q.st == Put) return m_q.ridx == 1;
        return m_q.st == Idle && (m_q.turn != 0 || (to_pend == 0 && !m_q.notices.any()));
    }
    uint32_t to_ack(uint32_t to_pend) const {
        return m_q.st == Idle && m_q.turn == 0 ? to_pend & -to_pend : 0;
    }
    bool tick() const { return m_q.cfg.timeout != 0 && m_q.cnt.left == 0 && !halt(); }
    bool tick_ent() const { return m_q.cfg.t_ent != 0 && m_q.cnt_ent.left == 0 && !halt(); }
    bool tick_ack() const { return m_q.cfg.t_ack != 0 && m_q.cnt_ack.left == 0 && !halt(); }
    bool slow() const { return m_q.cnt_slow.left == 0 && !halt(); }
    bool sink() const { return m_q.cfg.sinks() && !halt(); }
    bool drop() const { return m_q.cfg.drops() && !halt(); }
    bool runs() const { return m_q.shot == ShotRun; }
    bool err() const { return m_q.cfg.status != 0; }

    // Nothing moves but what goes to LOCAL or is dumped: a shoot-down, or slices that differ.
    bool halt() const {
        return m_q.shot != ShotRun ||
               (m_q.cfg.compares() && (m_q.cfg.status >> StatusSlice & 1) != 0);
    }
    bool receives() const { return m_q.st == Recv || m_q.st == PutRx; }

    uint32_t loc_want(uint32_t m_credit) const {
        if (m_q.st != Send) return 0;
        return m_credit & 1u << m_q.destination();
    }

    stream_t loc_x(const Context& ctx, uint32_t up) const {
        if (m_q.st != Tx) return 0;
        return make_stream(code_of(m_q.ridx, m_q.last_flit(), VcVc0),
                           make_flit(payload(m_q.ridx, ctx, up), m_q.ridx) * m_lanes);
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
    Context put_ctx() const {
        Context context = context_named(m_q.h0, m_q.h1, m_q.h2);
        context.tag = tag_named();
        return context;
    }
    // The buffer that was kept is given back: nothing was put.
    bool give(stream_t x, bool clash) const {
        return put_ends(x) && names_port8() && !put_set(x, clash);
    }

    // The entry of the ack table that is read or put back.
    uint32_t ent_tag() const { return has_header() ? tag_named() : scanned_tag(); }
    bool ent_put(stream_t x) const {
        return m_q.st == Recv && ends(x) && is_shot() && what() == WhatEntry && is_entry(ent_tag());
    }
    bool ent_look(stream_t x) const {
        return (m_q.shot == ShotDump && scans_entry() && m_q.st == Idle) || ent_put(x);
    }
    uint32_t ent_h1() const { return m_q.h1; }
    static uint32_t ent_h2(stream_t x) { return (uint32_t(x) & PayloadMask) >> EntryH2Lo; }
    uint32_t ent_bank(stream_t x) const {
        return is_banked() ? uint32_t(get(uint32_t(x), H2Entbank)) : 0;
    }

    // The flit on LOCAL's column is written to a register in this cycle.
    bool writes(stream_t x) const {
        return m_q.st == Recv && m_q.ridx >= 4 && (m_q.ridx & 1) == 0 && m_q.code == ErrNone &&
               m_q.cmd && is_good_flit(stream_flit(x), m_lanes) &&
               !(m_q.cfg.guards() && m_q.port != PortM0);
    }
    bool ends_lane(stream_t x) const {
        return writes(x) && m_q.addr == RegCtrl && (x & Config::CtrlEndLane) != 0;
    }

    // Nothing to do but to count, unless something comes.
    bool at_rest() const {
        return m_q.st == Idle && m_q.shot == ShotRun && !m_q.halted && !m_q.notices.any() &&
               m_q.deaf == 0 && m_q.turn == 0 && !m_q.cfg.compares();
    }
    // `up`: links, by port.
    uint32_t read(uint32_t addr, uint32_t up) const {
        if (addr == RegShot) return m_q.shot;
        if (addr == RegDown) return ~up & ((1u << NumPorts) - 1);
        return m_q.cfg.read(addr);
    }

protected:
    LocalState(flit_t lanes, uint32_t entries) : m_lanes(lanes), m_entries(entries) {}

    // In the order of the dump.
    uint32_t scan_end() const { return Scan::Slots + m_entries; }
    bool scans_entry() const { return m_q.scan >= Scan::Slots && m_q.scan < scan_end(); }

    bool ends(stream_t x) const { return m_q.ridx != 0 && stream_code(x) == CodeLast; }
    bool put_ends(stream_t x) const { return m_q.st == PutRx && ends(x); }
    bool is_shot() const { return m_q.code == ErrNone && get(m_q.h0, H0Type) == int(TypeShot); }
    // At least the first two flits of the packet being received.
    bool has_header() const { return m_q.st == Recv && m_q.ridx >= 2; }
    uint32_t what() const { return uint32_t(get(m_q.h0, H0What)); }
    bool is_entry(uint32_t tag) const { return entry_of_tag(tag, m_entries) != 0; }
    bool is_banked() const { return has_banks(m_entries); }
    // In the SHOT packet that is being received.
    uint32_t tag_named() const {
        const uint32_t bank = is_banked() ? bank_in(m_q.h0, H0Shotbank) : 0;
        return bank | uint32_t(get(m_q.h0, H0Tag));
    }
    uint32_t scanned_tag() const {
        if (!is_banked()) return Scan::entry(m_q.scan);
        return scans_entry() ? tag_of_entry(m_q.scan - Scan::Slots + 1) : 0;
    }
    bool run() const { return get(m_q.h0, H0Run) != 0; }
    bool names_port8() const { return slot_named(m_q.h1).port == PortM0; }

    // LOCAL's own packets.

    uint32_t payload(uint32_t k, const Context& ctx, uint32_t up) const {
        if (m_q.kind != OwnPacket::KindShot) return m_q.payload(k, place(), read(m_q.addr, up));
        const ShotHeader h = shot_header(ctx);
        return k == 0 ? h.h0 : k == 1 ? h.h1 : h.h2;
    }
    uint32_t place() const { return m_q.cfg.x << 8 | m_q.cfg.y; }

    ShotHeader shot_header(const Context& ctx) const {
        if (m_q.scan < Scan::Slots) return slot_header(Scan::slot(m_q.scan), ctx);
        if (m_q.scan < scan_end()) return {shot_h0(WhatEntry, scanned_tag()), m_q.h1, m_q.h2};
        return {shot_h0(WhatEnd, 0), 0, place()};
    }

    flit_t m_lanes;
    uint32_t m_entries;  // entries of the ack table
    Regs m_q;
};

}  // namespace rdt::fast
