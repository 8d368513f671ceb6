// SPDX-License-Identifier: MIT
// The I/O controller of one link, twin of rtl/rdt_link_io.sv: the line machine, the receiving
// registers and the credits going out.
//
// The data lines of a link are half duplex. Both ends run this machine over the same two REQ
// values, so in every cycle they agree on who owns the line without a wire for it (section 1 of the
// specification). An event that is impossible on an error-free link takes both to Sync, from where
// they come up again together. Flits of the other end leave here framed by first and last, also
// those of a packet that trouble has cut.
#pragma once

#include <algorithm>

#include <rdt/core/flit.h>
#include <rdt/link_io_ports.h>
#include <rdt/ports.h>

namespace rdt {

class link_io : public link_io_ports {
public:
    link_io(sc_core::sc_module_name name, uint32_t num_vc, bool prio, bool always_on,
            bool reg_req = false)
        : link_io_ports(name), NumVc(num_vc), Prio(prio), AlwaysOn(always_on), RegReq(reg_req) {
        q.mine = !Prio;
        RDT_CLOCKED(clock);
        for (in<1>* input :
             {&rst_ni, &link_en_i, &slow_i, &own_oe_i, &tx_i, &late_i, &bad_i, &cred_ret_i})
            wake_up(*input);
        for (in<2>* input : {&req_i, &cred_i, &own_req_i, &cred_vc_i}) wake_up(*input);
        for (in<3>* input : {&room_i, &cred_add_i}) wake_up(*input);
        wake_up(d_i);
        RDT_METHOD(comb);
        sensitive << m_decided << link_en_i << req_i << cred_i << own_req_i << own_oe_i << tx_i
                  << late_i << bad_i << slow_i;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("st_q", 3, q.st);
        visit("mine_q", 1, q.mine);
        visit("tail_q", 1, q.tail);
        visit("cnt_q", 5, q.cnt);
        visit("p_q", 2, q.p);
        visit("told_q", 1, q.told);
        visit("tick_q", 1, q.tick);
        visit("pend_q", 3, q.pend);
        visit("keep_q", 3, q.keep);
        visit("rep_q", 1, q.rep);
        visit("rx_valid_q", 1, q.rx_valid);
        visit("rx_first_q", 1, q.rx_first);
        visit("rx_second_q", 1, q.rx_second);
        visit("rx_last_q", 1, q.rx_last);
        visit("rx_vc_q", 2, q.rx_vc);
        visit("rx_d_q", DataW, q.rx_d);
        visit("cred_q", 2, q.cred);
        if (!RegReq) return;
        visit("pin_d_q", DataW, q.pins.d);
        visit("pin_req_q", 2, q.pins.req);
        visit("pin_cred_q", 2, q.pins.cred);
        visit("own_req_q", 2, q.pins.own_req);
        visit("own_oe_q", 1, q.pins.own_oe);
    }

private:
    // Values on the wires, of both ends.
    struct Pins {
        flit_t d = 0;
        uint32_t req = 0;
        uint32_t cred = 0;
        uint32_t own_req = 0;
        bool own_oe = false;
    };
    struct Regs {
        Line st = LineSync;
        bool mine = true;   // the line is, or was last, mine
        bool tail = false;  // the other end's last flit is on the lines
        uint32_t cnt = 0;   // cycles in this state
        uint32_t p = 0;  // Sync: calls of the other end on end; Zero, Ann: it was silent, is there
        bool told = true;   // that the link stays down; one that has never been up is not missed
        bool tick = false;  // a slow tick found it down
        uint32_t pend = 0;  // credits to be returned
        uint32_t keep = 0;  // was not empty, or its credit on the way, when the link went down
        bool rep = false;   // the credit on the pins is to be shown once more
        bool rx_valid = false;
        bool rx_first = false;
        bool rx_second = false;
        bool rx_last = false;
        uint32_t rx_vc = 0;
        flit_t rx_d = 0;
        uint32_t cred = 0;
        Pins pins;  // values of the cycle before
    };

    // Decoded state of this cycle, from the registers and the inputs.
    struct Now {
        bool en;
        uint32_t own;   // REQ of this end
        uint32_t peer;  // REQ of the other
        uint32_t cred;
        bool own_oe;
        bool silent;  // both ends where the pins are registered, else the other
        bool polite;  // will re-synchronize as soon as nothing is lost by it
        bool first;   // the other end's first flit is on the lines
        bool receives;
        bool trouble;
        bool take;  // the line goes to this end
        bool give;  // to the other end
        Line next;
        bool missed;  // report that the link stays down
    };
    // The table of the states in which the link is up.
    struct Turn {
        Line next;
        bool take = false;
        bool give = false;
    };

    Pins on_wires() const {
        return {flit_t(d_i.read()), uint32_t(req_i.read()), uint32_t(cred_i.read()),
                uint32_t(own_req_i.read()), own_oe_i.read()};
    }
    bool is_late_gnt() const { return q.st == LineGnt && q.cnt != 0; }
    static bool is_up(Line st) { return st <= LineXfer; }
    static bool high_bit(uint32_t req) { return (req & 2) != 0; }

    Turn table(uint32_t own, uint32_t peer) const {
        const uint32_t owner = q.mine ? own : peer;
        const uint32_t other = q.mine ? peer : own;
        const Turn to_owner{LineGnt, q.mine, !q.mine};
        const Turn to_other{LineGnt, !q.mine, q.mine};
        switch (q.st) {
        case LineIdle:
            if (high_bit(peer)) return {LineIdle};  // a call, and so trouble
            if (other != 0) return to_other;        // the last owner loses ties
            if (owner != 0) return to_owner;
            return {LineIdle};
        case LineGnt: return {RegReq && q.cnt == 0 ? LineGnt : LineStart};
        case LineStart:
            if (owner != 0) return {LineXfer};
            return other != 0 ? to_other : Turn{LineIdle};  // the grant is void
        case LineXfer:
            if (high_bit(owner)) return {LineXfer};
            return owner == ReqWant && other == 0 ? to_owner : Turn{LineIdle};
        default: return {q.st};
        }
    }

    bool is_trouble(const Now& now) const {
        const bool theirs = !q.mine && (q.st == LineStart || q.st == LineXfer);
        if (q.st == LineAnn) return now.peer != 0;
        if (!is_up(q.st)) return false;
        if (high_bit(now.peer) && !theirs) return true;                       // without a grant
        if (theirs && q.st == LineStart && now.peer > NumVc) return true;     // no such VC
        if (theirs && q.st == LineXfer && now.peer == ReqCall) return true;   // call
        if (theirs && q.st == LineXfer && q.cnt == MaxXfer - 1) return true;  // babble
        return (now.own_oe && now.receives) || bad_i.read();                  // both drive, error
    }

    Line next_state(const Now& now, Line by_table) const {
        if (now.trouble) return LineSync;
        switch (q.st) {
        case LineSync:
            return q.cnt >= SyncClocks && q.p == 3 && now.en && !tx_i.read() ? LineZero : LineSync;
        case LineZero:
            if (now.silent) return q.p == 1 ? LineAnn : q.cnt == MaxCnt ? LineSync : LineZero;
            // CRED alone: the other end announces already.
            return q.cnt == MaxCnt || (now.peer == 0 && now.cred != 0) ? LineSync : LineZero;
        case LineAnn:
            if (q.cnt != AnnClocks - 1) return LineAnn;
            return q.p != 0 ? LineIdle : LineSync;  // not without the other end
        default: {
            // The last flit of this end is still to come when its Xfer ends.
            const bool last_to_come = q.st == LineXfer && q.mine;
            return by_table == LineIdle && now.polite && !last_to_come ? LineSync : by_table;
        }
        }
    }

    Now now() const {
        Now n;
        n.en = AlwaysOn || link_en_i.read();
        const Pins pins = RegReq ? q.pins : on_wires();
        n.own = pins.own_req;
        n.peer = pins.req;
        n.cred = pins.cred;
        n.own_oe = pins.own_oe;
        n.silent = n.peer == 0 && n.cred == 0 && !(RegReq && n.own != 0);
        n.polite = is_up(q.st) && (late_i.read() || !n.en);
        n.first = q.st == LineStart && !q.mine && n.peer != 0;
        n.receives = n.first || (q.st == LineXfer && !q.mine) || q.tail;
        n.trouble = is_trouble(n);
        const Turn turn = table(n.own, n.peer);
        n.take = turn.take;
        n.give = turn.give;
        n.next = next_state(n, turn.next);
        const bool long_down = (q.st == LineSync && q.cnt == MaxCnt) || q.tick;
        n.missed = slow_i.read() && n.en && !q.told && long_down;
        return n;
    }

    void comb() {
        m_now = now();
        const Now& n = m_now;
        // Two ends that both requested forever would exchange void grants.
        const bool other_sends =
            n.first || (q.st == LineXfer && !q.mine) || (is_late_gnt() && q.rx_last);
        const bool called_in_idle = q.st == LineIdle && n.peer == ReqCall;
        line_gnt_o.write(n.take && !n.polite);
        hush_o.write(n.polite);
        ask_o.write(n.polite && other_sends);
        call_o.write(n.next == LineSync);
        down_o.write(!is_up(n.next));
        ev_sync_o.write((n.trouble && !called_in_idle) || n.missed);
    }

    // While neither a register nor an input changes it sleeps.
    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) {
            q = Regs{};
            q.mine = !Prio;
        } else {
            const Now& n = m_now;
            Regs d = q;
            receive(n, d);
            move_on(n, d);
            return_credits(n, d);
            if (RegReq) d.pins = on_wires();
            q = d;
        }
        if (!changed(before, q)) return sleep();
        show_registers();
        if (!decides_like(before)) m_decided.notify();
    }
    // Whether comb() has the same results: counting a transfer changes nothing but its end.
    bool decides_like(const Regs& o) const {
        const bool counts_alike = q.cnt == o.cnt || (q.st == LineXfer && q.cnt != MaxXfer - 1);
        return counts_alike && q.st == o.st && q.mine == o.mine && q.tail == o.tail && q.p == o.p &&
               q.told == o.told && q.tick == o.tick && q.rx_last == o.rx_last && !RegReq;
    }

    void receive(const Now& n, Regs& d) const {
        d.rx_valid = n.receives;
        d.rx_first = n.first;
        d.rx_second = q.rx_first;
        d.rx_last = q.tail || (n.trouble && n.receives);
        if (n.first) d.rx_vc = n.peer - 1;
        // On the lines VC-T shows in the parity of H1, VC 1 in that of H2. Who calls drives
        // nothing, and the 0 on the lines must not become a good flit.
        const bool marked = (q.rx_first && q.rx_vc == 2) || (q.rx_second && q.rx_vc == 1);
        d.rx_d = (RegReq ? q.pins.d : flit_t(d_i.read())) ^
                 (marked && n.peer != ReqCall ? ParityBit * DataLanes : 0);
        d.tail = q.st == LineXfer && !q.mine && !high_bit(n.peer) && !n.trouble;
    }

    void move_on(const Now& n, Regs& d) const {
        const bool down = !is_up(n.next);
        d.st = n.next;
        if (down || (q.st == LineIdle && n.next == LineIdle)) d.mine = !Prio;
        else if (n.take || n.give) d.mine = n.take;

        // A grant takes a cycle more to be seen by both ends where the pins are registered.
        const bool counts = n.next == q.st && (down || q.st == LineXfer || q.st == LineGnt);
        d.cnt = counts ? std::min(q.cnt + 1, MaxCnt) : 0;
        d.p = 0;
        if (n.next == q.st) {
            const bool calls = n.peer == ReqCall && n.cred == 3;
            if (q.st == LineSync) d.p = q.p == 3 ? 3 : calls ? q.p + 1 : 0;
            if (q.st == LineZero) d.p = n.silent;
            if (q.st == LineAnn) d.p = q.p != 0 || n.cred != 0;
        }
        d.told = down && (q.told || n.missed);
        d.tick = down && n.en && (q.tick || slow_i.read());
    }

    // A credit is shown in two cycles on end, then CRED is 0 for at least one.
    void return_credits(const Now& n, Regs& d) const {
        const uint32_t all = (1u << NumVc) - 1;
        const uint32_t room = room_i.read();
        const bool ret = cred_ret_i.read();
        const uint32_t ret_vc = cred_vc_i.read();
        const uint32_t cred_add = cred_add_i.read();
        const uint32_t add = cred_add | (ret ? 1u << ret_vc : 0);

        // A packet may still be coming in when the link goes down; after eight cycles it is there.
        if (is_up(q.st) && n.next == LineSync) {
            const uint32_t shown = q.cred != 0 ? 1u << (q.cred - 1) : 0;
            d.keep = (~room | add | q.pend | shown) & all;
        } else if (q.st == LineSync && q.cnt < SyncClocks) {
            d.keep = (~room | add | q.keep) & all;
        }

        d.rep = false;
        if (n.next == LineSync || n.next == LineZero) {
            d.cred = n.next == LineSync && n.en ? 3 : 0;
            d.pend = 0;
        } else if (q.st == LineZero) {
            d.cred = 3;  // I am here
            d.pend = room & ~q.keep & all;
        } else if (q.st == LineAnn) {
            d.cred = next_credit(d);
            // The other end takes for lost what is announced in Ann and was away, so all that has
            // only been emptied since waits for the end of it.
            if (n.next == LineIdle) d.pend |= (add | (room & q.keep)) & all;
        } else {
            const bool at_once = ret && q.cred == 0;
            d.cred = at_once ? ret_vc + 1 : next_credit(d);
            d.rep = d.rep || at_once;
            d.pend |= (at_once ? cred_add : add) & all;
        }
    }
    // The next value of CRED from the pending credits; removes it from them.
    uint32_t next_credit(Regs& d) const {
        if (q.rep) return q.cred;
        if (q.cred != 0) return 0;
        for (uint32_t v = 0; v < NumVc; ++v) {
            if ((q.pend >> v & 1) == 0) continue;
            d.pend &= ~(1u << v);
            d.rep = true;
            return v + 1;
        }
        return 0;
    }

    void show_registers() {
        line_void_o.write(q.st == LineGnt && q.mine && !is_late_gnt());
        up_o.write(is_up(q.st));
        ann_o.write(q.st == LineAnn && q.cnt > uint32_t(RegReq));  // CRED is no credit at first
        rx_valid_o.write(q.rx_valid);
        rx_first_o.write(q.rx_first);
        rx_last_o.write(q.rx_last);
        rx_vc_o.write(q.rx_vc);
        rx_d_o.write(q.rx_d);
        cred_o.write(q.cred);
    }

    static constexpr uint32_t SyncClocks = 8;  // at least, and one more
    static constexpr uint32_t AnnClocks = 12;
    static constexpr uint32_t MaxXfer = 16;  // cycles of a transfer
    static constexpr uint32_t MaxCnt = 31;

    const uint32_t NumVc;
    const bool Prio;
    const bool AlwaysOn;
    const bool RegReq;  // the pins are taken in registers first
    Regs q;
    Now m_now;  // values of this cycle, from the last comb()
    delta_event m_decided;
};

}  // namespace rdt
