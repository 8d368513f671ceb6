// SPDX-License-Identifier: MIT
// The output side of a port, twin of rtl/rdt_output_unit.sv: sends one stream at a time on its
// line, with REQ, header rewrite and output register, and keeps the credits that the other end has
// given.
//
// A packet is sent only when a whole buffer waits for it (virtual cut-through): a credit is a
// buffer of a virtual channel, and a stream that has begun never stops. A unicast leaves with its
// vector one step closer to zero; of a multicast's maps the byte that was used up is cleared.
// Parity is carried, not regenerated, so that a bit lost inside the chip is found by the next one.
#pragma once

#include <algorithm>
#include <string>

#include <rdt/core/bitmap.h>
#include <rdt/output_unit_ports.h>
#include <rdt/ports.h>

namespace rdt {

class output_unit : public output_unit_ports {
public:
    output_unit(sc_core::sc_module_name name, uint32_t out_port, uint32_t num_vc,
                uint32_t entries = NumEntries, bool reg_req = false)
        : output_unit_ports(name, entries),
          OutPort(out_port),
          NumVc(num_vc),
          Entries(entries),
          RegReq(reg_req) {
        RDT_CLOCKED(clock);
        for (in<1>* input :
             {&rst_ni, &tick_i, &slow_i, &sink_i, &gnt_i, &cand_any_i, &line_gnt_i, &line_void_i,
              &hush_i, &ask_i, &call_i, &down_i, &up_i, &ann_i, &loc_want_i})
            wake_up(*input);
        wake_up(cred_i);
        RDT_METHOD(comb_grant);
        sensitive << m_offers << sink_i << line_gnt_i << loc_want_i << gnt_i;
        RDT_METHOD(comb_credit);
        sensitive << m_credits << sink_i << up_i << ann_i << call_i << cred_i;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("tx_q", 1, q.tx);
        visit("hidx_q", 2, q.hidx);
        visit("txloc_q", 1, q.txloc);
        visit("sunk_q", 1, q.sunk);
        visit("rw_q", 1, q.kind.rw);
        visit("mc_q", 1, q.kind.mc);
        visit("vc_q", 2, q.kind.vc);
        visit("tag_q", bits_of(TagW), q.kind.tag);
        visit("d_q", DataW, q.d);
        visit("oe_q", 1, q.oe);
        visit("req_q", 2, q.req);
        visit("in_q", 2, q.in);
        visit("gap_q", 1, q.gap);
        for (uint32_t v = 0; v < NumVc; ++v) visit("owed_q_" + std::to_string(v), 2, q.owed[v]);
        visit("gone_q", 2, q.gone);
        if (RegReq) visit("pin_cred_q", 2, q.pin_cred);
    }

private:
    static constexpr uint32_t MaxVc = 3;

    // Where the credit of a VC is: in hand, away, away for one slow tick, for two. While the link
    // is in Sync or Zero all credits are forgotten: Away then means that it was here, and Late that
    // it was away.
    enum Owed : uint8_t { Here, Away, Waiting, Late };

    // Stored data of a packet from its first flit on.
    struct Kind {
        bool rw = false;  // its vector is moved on
        bool mc = false;  // its maps are used up
        uint32_t vc = 0;
        uint32_t tag = 0;
    };
    struct Regs {
        bool tx = false;     // a stream is being taken
        uint32_t hidx = 0;   // flits taken, at most 3
        bool txloc = false;  // it is LOCAL's or an ack
        bool sunk = false;   // it goes nowhere
        Kind kind;
        flit_t d = 0;
        bool oe = false;
        uint32_t req = ReqIdle;
        uint32_t in = 0;   // a code on CRED that was seen once
        bool gap = false;  // CRED has to be 0 before the next
        Owed owed[MaxVc] = {Away, Away, Away};
        uint32_t gone = 0;  // ticks without a link or its MBP
        uint32_t pin_cred = 0;
    };

    bool is_mbp_output() const { return OutPort >= PortM0; }
    bool sends() const { return q.tx && !q.sunk; }

    bool is_dead() const { return sink_i.read() && q.gone == 2; }

    // A stream that goes nowhere may still run when the line is there again: a grant is then void.
    bool offers() const { return is_dead() ? !q.tx : line_gnt_i.read() && !(q.tx && q.sunk); }

    void comb_grant() {
        const bool offer = offers();
        const bool loc_want = loc_want_i.read();
        xb_gnt_o.write(offer && !loc_want);
        loc_gnt_o.write(offer && loc_want);
        ev_sunk_o.write(is_dead() && (gnt_i.read() || (offer && loc_want)));
    }

    Kind kind_of(uint32_t h0, uint32_t code) const {
        const bool transfer = OutPort <= PortW0 && code == VcVcT;  // uses no map up
        return {is_rewritten(h0), is_multicast(h0) && !transfer, (code - 1) & 3,
                (q.kind.tag & ~7u) | uint32_t(get(h0, H0Tag))};
    }

    // The field that an MBP returns as the generation; with banks {bank, gen[1:0]}.
    uint32_t generation(uint32_t tag) const {
        const uint32_t entry = entry_of_tag(tag, Entries);
        if (entry == 0) return 0;
        if (is_banked()) return tag >> 3 << 2 | (gen_i.read() >> 2 * (entry - 1) & 3);
        return gen_i.read() >> 4 * (entry - 1) & 15;
    }

    // No map byte changes the bank of a multicast's tag.
    flit_t keep_bank(flit_t flit, flit_t from) const {
        if (!is_banked() || q.hidx != 1) return flit;
        return carry_parity(flit, with(slice0(flit), H1Bank, get(slice0(from), H1Bank)), DataLanes);
    }

    // The flit as it goes out.
    flit_t header_rewrite(flit_t flit, const Kind& kind) const {
        if (q.hidx == 3 || q.txloc) return flit;
        flit_t out = flit;
        if (!raw_i.read()) {
            const uint32_t rank = rank_on(rank_i.read());
            if (kind.rw && !is_mbp_output()) out = rewrite(flit, q.hidx, OutPort, rank, DataLanes);
            if (kind.mc)
                out = keep_bank(leave_through(flit, q.hidx, OutPort, rank, false, DataLanes), flit);
            // An MBP answers with the generation of the entry, so that a late ack is known as such.
            if (kind.mc && is_mbp_output() && q.hidx == 2)
                out = carry_parity(out, uint32_t(out) | generation(kind.tag), DataLanes);
        }
        // A packet on VC 1 has the wrong parity in H2, one on VC-T in H1.
        const bool mark =
            (q.hidx == 1 && kind.vc == 2 && NumVc == 3) || (q.hidx == 2 && kind.vc == 1);
        return out ^ (mark && !is_mbp_output() ? ParityBit * DataLanes : 0);
    }

    uint32_t next_req(uint32_t code) const {
        if (call_i.read()) return ReqCall;
        if (down_i.read()) return ReqIdle;
        if (sends() && (q.hidx == 0 || code == CodeMore)) return code;
        if (line_void_i.read() && !sends()) return ReqIdle;
        const bool wants = (cand_any_i.read() || loc_want_i.read()) && !is_dead() && !hush_i.read();
        return wants || ask_i.read() ? ReqWant : ReqIdle;
    }

    uint32_t seen_cred() const { return RegReq ? q.pin_cred : uint32_t(cred_i.read()); }

    // A credit is a code in two cycles on end, and then a cycle of 0.
    struct Heard {
        uint32_t in = 0;
        bool gap = false;
        uint32_t confirmed = 0;  // VC + 1
        bool wrong = false;
    };
    Heard hear(uint32_t cred, bool live) const {
        Heard h;
        if (!live) return h;
        if (q.gap) {
            h.gap = cred != 0;
        } else if (q.in == 0) {
            h.wrong = h.gap = cred > NumVc;
            if (!h.wrong) h.in = cred;
        } else if (cred == q.in) {
            h.confirmed = cred;
            h.gap = true;
        } else {
            h.wrong = true;
            h.gap = cred != 0;
        }
        return h;
    }

    Owed next_owed(Owed owed, bool used, bool confirmed) const {
        const bool call = call_i.read();
        if (up_i.read()) {
            if (used) owed = Away;
            else if (confirmed) owed = Here;
            else if (slow_i.read() && owed != Here) owed = owed == Away ? Waiting : Late;
            if (call) owed = owed == Here ? Away : Late;
        } else if (ann_i.read()) {
            if (confirmed) owed = Here;
            else if (!down_i.read() && owed == Late) owed = Away;  // Ann ends
            if (call && owed == Here) owed = Away;
        } else if (used) {
            owed = Late;
        }
        return owed;
    }

    void comb_credit() {
        const bool up = up_i.read();
        const bool ann = ann_i.read();
        const bool dead = is_dead();
        const Heard h = hear(seen_cred(), up || ann);
        uint32_t credit = 0;
        bool late = false;
        for (uint32_t v = 0; v < NumVc; ++v) {
            if (q.owed[v] == Here || dead) credit |= 1u << v;
            late = late || q.owed[v] == Late;
        }
        credit_o.write(credit);
        late_o.write(up && late);
        // A code on CRED when the other end begins to call is not a credit and not an error.
        ev_cred_o.write(h.wrong && !call_i.read());
        // It had been lost, or its packet.
        ev_owed_o.write(ann && h.confirmed != 0 && q.owed[h.confirmed - 1] == Late);
    }

    // Without a stream it sleeps while neither a register nor an input changes, other than the
    // stream of another output.
    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else advance();
        const bool is_same = !changed(before, q);
        if (is_same && !q.tx) sleep();
        if (is_same) return;
        d_o.write(q.d);
        d_oe_o.write(q.oe);
        req_o.write(q.req);
        tx_o.write(q.tx);
        if (!offers_like(before)) m_offers.notify();
        if (!credits_like(before)) m_credits.notify();
    }
    // Whether comb_grant() and comb_credit() have the same results.
    bool offers_like(const Regs& o) const {
        return q.tx == o.tx && q.sunk == o.sunk && q.gone == o.gone;
    }
    bool credits_like(const Regs& o) const {
        return std::equal(q.owed, q.owed + MaxVc, o.owed) && q.in == o.in && q.gap == o.gap &&
               q.gone == o.gone && q.pin_cred == o.pin_cred;
    }

    void advance() {
        Regs d = q;
        const bool loc_gnt = offers() && loc_want_i.read();
        const bool start = gnt_i.read() || loc_gnt;
        uint32_t code = 0;
        uint32_t used = 0;  // code of the VC whose credit is spent
        if (q.tx) {
            const uint64_t x = q.txloc ? loc_x_i.read() : x_i.read();
            const flit_t data = flit_on(x);
            const uint32_t flit = slice0(data);
            code = code_on(x);
            if (q.hidx == 0) {
                // A pass may have copies on another VC beside that for an MBP, which has only one.
                if (is_mbp_output()) code = VcVc0;
                d.kind = kind_of(flit, code);
                if (sends() && get(flit, H0Type) != int(TypeAck)) used = code;
            } else if (code == CodeLast) {
                d.tx = false;
            }
            if (q.hidx == 1) d.kind.tag = bank_of(flit, H1Bank, Entries) | (q.kind.tag & 7);
            d.d = header_rewrite(data, d.kind);
            if (q.hidx < 3) ++d.hidx;
        }
        if (start) {
            d.tx = true;
            d.hidx = 0;
            d.txloc = loc_gnt;
            d.sunk = is_dead();
        }
        d.oe = sends() && !down_i.read();
        d.req = next_req(code);

        const bool up = up_i.read();
        const Heard h = hear(seen_cred(), up || ann_i.read());
        if (RegReq) d.pin_cred = cred_i.read();
        d.in = h.in;
        d.gap = h.gap;
        for (uint32_t v = 0; v < NumVc; ++v)
            d.owed[v] = next_owed(q.owed[v], used == v + 1, h.confirmed == v + 1);

        // An MBP is there as long as it takes packets.
        if (up && (!is_mbp_output() || q.owed[0] == Here)) d.gone = 0;
        else if (tick_i.read() && q.gone < 2) ++d.gone;
        q = d;
    }

    const uint32_t OutPort;
    const uint32_t NumVc;
    const uint32_t Entries;
    const bool RegReq;  // CRED is taken in a register first
    Regs q;
    delta_event m_offers, m_credits;
};

}  // namespace rdt
