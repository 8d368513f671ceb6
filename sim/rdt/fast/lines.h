// SPDX-License-Identifier: MIT
// The line machine of rtl/rdt_link_io.sv for many ports at once: line ownership, arriving flits,
// returned credits, and link recovery.
//
// Both ends of a link run this machine over the same two REQ values, so they agree on the owner
// without a grant wire. If they do not, one of them finds trouble and calls.
//
// A cycle is look(), which changes nothing, and clock() with its results.
#pragma once

#include <array>

#include <rdt/core/flit.h>
#include <rdt/fast/words.h>

namespace rdt::fast {

template <uint32_t NumLines>
class Lines {
public:
    static constexpr uint32_t MaxVc = 3;
    using PerVc = std::array<Ports, MaxVc>;
    using Count = std::array<Ports, 5>;  // a number of five bits per port

    struct Params {
        PerVc vcs{};          // ports that have this VC
        Ports prio = 0;       // win the first tie after reset
        Ports always_on = 0;  // MBP links need no switching on
        flit_t lanes = OneLane;
        Ports reg = 0;  // take their pins in registers first: see them, and their own, a cycle late
    };
    struct In {
        Ports link_en = 0;
        TwoBits req;  // the other ends' pins
        TwoBits cred;
        TwoBits own_req;  // own pins
        Ports own_oe = 0;
        Ports tx = 0;    // the output takes a stream
        Ports late = 0;  // a credit has been away for too long
        Ports bad = 0;   // what came is no packet
        Ports slow = 0;  // tick
    };
    // Credits for the other ends.
    struct Back {
        Ports cred_ret = 0;
        TwoBits cred_vc;
        PerVc cred_add{};  // VCs whose credit is returned when CRED is free
        PerVc room{};      // VCs whose buffer is empty; counts for Next::room_counts
    };
    struct Regs {
        TwoBits st;  // Idle to Xfer, of links that are up; else 0
        Ports sync = 0;
        Ports zero = 0;
        Ports ann = 0;
        Ports mine = 0;
        Ports tail = 0;
        Count cnt{};
        TwoBits p;  // cycles in which the other end showed what it should
        Ports told = 0;
        Ports tick = 0;  // found down by a slow tick
        PerVc pend{};
        PerVc keep{};  // was not empty, or its credit on the way, when the link went down
        Ports rep = 0;
        Ports rx_valid = 0;
        Ports rx_first = 0;
        Ports rx_second = 0;
        Ports rx_last = 0;
        TwoBits cred;
        TwoBits rx_vc;
        std::array<flit_t, NumLines> rx_d{};
    };
    struct Next {
        Ports gnt = 0;      // given to this end; the first flit is on the pins two cycles later
        Ports voided = 0;   // the owner has to drive the VC code next or release the line
        Ports hush = 0;     // would re-synchronize: nothing is begun
        Ports ask = 0;      // ... and waits for the other end to come to the end of its packet
        Ports ev_sync = 0;  // trouble, or the link stays down
        Ports call = 0;     // goes to Sync, or stays there
        Ports down = 0;     // ... or Zero or Ann
        Ports announce = 0;
        Ports room_counts = 0;
        TwoBits st;
        Ports mine = 0;
        Ports first = 0;
        Ports valid = 0;
        Ports last = 0;
        Ports tail = 0;
        Ports stays = 0;  // counts on
        Ports zero = 0;
        Ports ann = 0;
        Ports on = 0;
        TwoBits p;
        Ports told = 0;
        Ports tick = 0;
        TwoBits peer;
    };

    explicit Lines(const Params& params) : m_params(params) { reset(); }
    Lines(const Params& params, const Regs& q) : m_params(params), m_q(q) {}

    void reset() {
        m_q = Regs{};
        m_q.sync = m_q.told = all();
        m_q.mine = first_owner();
    }
    const Regs& q() const { return m_q; }
    // One port, as LinkIo::Regs.
    template <typename One>
    void load(uint32_t p, const One& one) {
        const auto set_all = [p](auto& words, uint32_t value) {
            for (size_t b = 0; b < words.size(); ++b) set_bit(words[b], p, (value >> b & 1) != 0);
        };
        m_q.st.set(p, one.up() ? one.st : 0);
        set_bit(m_q.sync, p, one.st == LineSync);
        set_bit(m_q.zero, p, one.st == LineZero);
        set_bit(m_q.ann, p, one.st == LineAnn);
        set_bit(m_q.mine, p, one.mine);
        set_bit(m_q.tail, p, one.tail);
        set_all(m_q.cnt, one.cnt);
        m_q.p.set(p, one.p);
        set_bit(m_q.told, p, one.told);
        set_bit(m_q.tick, p, one.tick);
        set_all(m_q.pend, one.pend);
        set_all(m_q.keep, one.keep);
        set_bit(m_q.rep, p, one.rep);
        set_bit(m_q.rx_valid, p, one.rx_valid);
        set_bit(m_q.rx_first, p, one.rx_first);
        set_bit(m_q.rx_second, p, one.rx_second);
        set_bit(m_q.rx_last, p, one.rx_last);
        m_q.cred.set(p, one.cred);
        m_q.rx_vc.set(p, one.rx_vc);
        m_q.rx_d[p] = one.rx_d;
    }
    Ports down() const { return m_q.sync | m_q.zero | m_q.ann; }
    Ports up() const { return all() & ~down(); }
    // CRED shows a credit. In the first cycle of Ann it only shows that the end is there.
    Ports announces() const {
        const Count& c = m_q.cnt;
        return m_q.ann & ((c[0] & ~m_params.reg) | c[1] | c[2] | c[3] | c[4]);
    }

    Next look(const In& in) const {
        Next n;
        const TwoBits& own = in.own_req;
        const TwoBits& peer = in.req;
        const Ports mine = m_q.mine;
        const Ports up = this->up();
        n.peer = peer;
        n.on = in.link_en | m_params.always_on;
        // Where pins are registered a grant takes a cycle more to be seen by both ends.
        const Ports waits = granted() & m_params.reg & ~m_q.cnt[0];
        const Ports waited = granted() & m_params.reg & m_q.cnt[0];
        n.voided = granted() & mine & ~waited;
        n.hush = up & (in.late | ~n.on);

        // The table.
        const Ports owner_low = (own.low & mine) | (peer.low & ~mine);
        const Ports owner_high = (own.high & mine) | (peer.high & ~mine);
        const Ports owner = owner_low | owner_high;
        const Ports other = (peer.any() & mine) | (own.any() & ~mine);
        const Ports idle = up & ~m_q.st.any() & ~peer.high;
        const Ports to_me = idle & own.any() & ~(peer.any() & mine);
        const Ports to_peer = idle & peer.any() & ~to_me;
        const Ports handed_over = start() & ~owner & other;
        const Ports goes_on = xfer() & ~owner_high & owner_low & ~other;
        const Ports to_start = granted() & ~waits;
        const Ports to_gnt = to_me | to_peer | handed_over | goes_on;
        const Ports to_xfer = (start() & owner) | (xfer() & owner_high);
        const Ports to_idle = up & ~(to_gnt | to_start | to_xfer | waits);
        n.gnt = (to_me | (handed_over & ~mine) | (goes_on & mine)) & ~n.hush;

        // Arriving flits and protocol errors.
        const Ports theirs = xfer() & ~mine;
        n.first = start() & ~mine & peer.any();
        n.valid = n.first | theirs | m_q.tail;
        n.ask = n.hush & (n.first | theirs | (waited & m_q.rx_last));
        const Ports out_of_turn = peer.high & ~theirs & ~(start() & ~mine);
        const Ports babble = m_q.cnt[0] & m_q.cnt[1] & m_q.cnt[2] & m_q.cnt[3] & ~m_q.cnt[4];
        const Ports wrong = out_of_turn | (n.first & too_high(peer)) |
                            (theirs & ((peer.low & peer.high) | babble)) | (in.own_oe & n.valid) |
                            in.bad;
        const Ports trouble = (up & wrong) | (m_q.ann & peer.any());
        n.tail = theirs & ~peer.high & ~trouble;
        n.last = m_q.tail | (trouble & n.valid);

        // Not in the cycle in which the own last flit is on its way to the pins.
        const Ports falls = trouble | (n.hush & to_idle & ~(xfer() & mine));
        // An end called while nothing is in flight has lost nothing: the calling end reports the
        // loss.
        n.ev_sync = trouble & ~(up & ~m_q.st.any() & peer.low & peer.high);
        n.st = TwoBits{to_gnt | to_xfer | waits, to_start | to_xfer} & ~falls;
        n.stays = ((xfer() & to_xfer) | waits) & ~falls;
        n.call = falls;
        // No request so far: the first tie is decided as after reset.
        const Ports unasked = idle & ~to_me & ~to_peer;
        n.mine = ((mine ^ handed_over) & ~to_peer & ~unasked) | to_me | (unasked & first_owner());
        if ((down() | falls) != 0) resynchronize(in, trouble, n);
        return n;
    }

    // `d_of(port)` is called for the ports that receive a flit.
    template <typename DataOf>
    void clock(const Next& n, const Back& back, DataOf&& d_of) {
        give_back(n, back);
        // The 0 of an undriven line does not become a flit: a calling end does not drive.
        const Ports inverted = n.valid & ~(n.peer.low & n.peer.high) &
                               ((m_q.rx_first & m_q.rx_vc.high) | (m_q.rx_second & m_q.rx_vc.low));
        for (const uint32_t p : each(n.valid)) m_q.rx_d[p] = d_of(p);
        for (const uint32_t p : each(inverted)) m_q.rx_d[p] ^= ParityBit * m_params.lanes;
        m_q.rx_second = m_q.rx_first;
        m_q.rx_first = n.first;
        m_q.rx_valid = n.valid;
        m_q.rx_last = n.last;
        // The VC is its code less 1.
        m_q.rx_vc = (m_q.rx_vc & ~n.first) |
                    (TwoBits{n.peer.high & ~n.peer.low, n.peer.high & n.peer.low} & n.first);
        m_q.tail = n.tail;
        m_q.st = n.st;
        m_q.mine = n.mine;
        m_q.sync = n.call;
        m_q.zero = n.zero;
        m_q.ann = n.ann;
        m_q.p = n.p;
        m_q.told = n.told;
        m_q.tick = n.tick;
        count(n.stays);
    }

    // As long as all pins stay as they are, clock() would change rx_d only.
    bool quiet(const In& in) const {
        const Ports on = in.link_en | m_params.always_on;
        const Ports called = in.req.low & in.req.high & in.cred.low & in.cred.high;
        const Ports busy = in.own_req.any() | in.req.any() | m_q.cred.any() | ~on |
                           (m_q.mine ^ first_owner()) | in.late;
        // The other end does not answer, or this end is off.
        const Ports rests = m_q.sync & at_least_31() & (m_q.told | ~on) &
                            ((~m_q.p.any() & ~called) | (m_q.p.low & m_q.p.high & ~on));
        return ((up() & busy) | (down() & ~rests) | m_q.st.any() | m_q.pend[0] | m_q.pend[1] |
                m_q.pend[2] | m_q.rx_valid | m_q.rx_second | m_q.tail) == 0;
    }

private:
    static constexpr uint32_t SyncMin = 8;   // cycles in Sync before the other end's answer counts
    static constexpr uint32_t AnnLast = 11;  // the last cycle of Ann

    Ports all() const { return m_params.vcs[0]; }
    Ports first_owner() const { return all() & ~m_params.prio; }

    Ports granted() const { return m_q.st.low & ~m_q.st.high; }
    Ports start() const { return m_q.st.high & ~m_q.st.low; }
    Ports xfer() const { return m_q.st.high & m_q.st.low; }

    // A VC code that the port does not have.
    Ports too_high(const TwoBits& code) const {
        return code.high & (~m_params.vcs[1] | (code.low & ~m_params.vcs[2]));
    }

    // Sync, Zero and Ann. Rare, so nothing of it is done as long as all links are up.
    void resynchronize(const In& in, Ports trouble, Next& n) const {
        const Count& c = m_q.cnt;
        const Ports both = in.req.low & in.req.high & in.cred.low & in.cred.high;
        const Ports none = ~(in.req.any() | in.cred.any() | (in.own_req.any() & m_params.reg));
        const Ports seen = m_q.p.low & m_q.p.high;
        const Ports long_enough = c[3] | c[4];
        static_assert(SyncMin == 8, "two bits suffice");
        const Ports to_zero = m_q.sync & long_enough & seen & n.on & ~in.tx;
        const Ports to_ann = m_q.zero & m_q.p.low & none;
        // The other end announces already, or waits no longer.
        const Ports left_behind = in.cred.any() & ~in.req.any();
        const Ports given_up = m_q.zero & ~to_ann & (at_least_31() | left_behind);
        const Ports over = m_q.ann & ~trouble & c[3] & c[1] & c[0] & ~c[2] & ~c[4];
        static_assert(AnnLast == 0b1011, "four bits suffice");
        const Ports stays_sync = m_q.sync & ~to_zero;
        const Ports stays_zero = m_q.zero & ~to_ann & ~given_up;
        const Ports stays_ann = m_q.ann & ~over & ~trouble;
        // The other end did not get here: one of its pins may be stuck.
        const Ports alone = over & ~m_q.p.low;

        n.call |= stays_sync | given_up | alone;
        n.zero = to_zero | stays_zero;
        n.ann = to_ann | stays_ann;
        n.announce = to_ann;
        n.room_counts = to_ann | over | (n.call & up()) | settles();
        n.down = n.call | n.zero | n.ann;
        n.stays |= stays_sync | stays_zero | stays_ann;
        n.mine = (n.mine & ~n.down) | (first_owner() & n.down);
        // In Sync counts to three and stays there.
        const Ports counts = stays_sync & both & ~seen;
        n.p = TwoBits{counts & ~m_q.p.low, counts & (m_q.p.low ^ m_q.p.high)} |
              TwoBits{stays_sync & seen, stays_sync & seen} |
              TwoBits{(stays_zero & none) | (stays_ann & (m_q.p.low | in.cred.any())), 0};
        // A link with a stuck pin may stay nowhere long and be down all the same.
        const Ports missed = in.slow & n.on & ~m_q.told & ((m_q.sync & at_least_31()) | m_q.tick);
        n.ev_sync |= missed;
        n.told = (m_q.told | missed) & n.down;
        n.tick = (m_q.tick | in.slow) & n.on & n.down;
    }

    // A packet may still be on its way in when the link goes down; after eight cycles it is there.
    Ports settles() const { return m_q.sync & ~(m_q.cnt[3] | m_q.cnt[4]); }

    Ports at_least_31() const {
        const Count& c = m_q.cnt;
        return c[0] & c[1] & c[2] & c[3] & c[4];
    }
    // One more where a state stays, up to 31; 0 elsewhere.
    void count(Ports stays) {
        Ports carry = stays & ~at_least_31();
        for (Ports& c : m_q.cnt) {
            const Ports before = c & stays;
            c = before ^ carry;
            carry &= before;
        }
    }

    // A credit is shown in two cycles on end, then CRED is 0 for one at least.
    void give_back(const Next& n, const Back& back) {
        PerVc& pend = m_q.pend;
        const Ports added = back.cred_add[0] | back.cred_add[1] | back.cred_add[2];
        const Ports down = n.down | m_q.ann;
        if ((pend[0] | pend[1] | pend[2] | back.cred_ret | added | m_q.cred.any() | down) == 0)
            return;
        if (down != 0) keep(n, back);
        const Ports ret = back.cred_ret & ~m_q.ann;
        const Ports free = ~m_q.cred.any();
        const Ports now = ret & free;
        const Ports waits = ret & ~free;
        const Ports from_pend = free & ~ret;
        const Ports lowest[MaxVc] = {pend[0] & from_pend, pend[1] & ~pend[0] & from_pend,
                                     pend[2] & ~pend[1] & ~pend[0] & from_pend};
        const TwoBits vc = back.cred_vc;
        const Ports named[MaxVc] = {~vc.any(), vc.low, vc.high};
        // VC + 1
        const TwoBits shown{lowest[0] | lowest[2] | (now & ~vc.low),
                            lowest[1] | lowest[2] | (now & vc.any())};
        m_q.cred = shown | (m_q.cred & m_q.rep);
        m_q.rep = shown.any();
        for (uint32_t v = 0; v < MaxVc; ++v)
            pend[v] = (pend[v] & ~lowest[v]) | (back.cred_add[v] & ~m_q.ann) | (waits & named[v]);
        if (down != 0) forget(n, back);
    }
    static Ports given_back(const Back& back, uint32_t v) {
        const Ports named = v == 0   ? ~back.cred_vc.any()
                            : v == 1 ? back.cred_vc.low
                                     : back.cred_vc.high;
        return back.cred_add[v] | (back.cred_ret & named);
    }
    // Buffers that are not empty when the link goes down, or whose credit is on its way.
    void keep(const Next& n, const Back& back) {
        const Ports falls = n.call & up();
        const TwoBits& cred = m_q.cred;
        const Ports shown[MaxVc] = {cred.low & ~cred.high, cred.high & ~cred.low,
                                    cred.high & cred.low};
        for (uint32_t v = 0; v < MaxVc; ++v) {
            const Ports full = m_params.vcs[v] & (~back.room[v] | given_back(back, v));
            m_q.keep[v] = (m_q.keep[v] & ~falls) | (full & (falls | settles())) |
                          ((m_q.pend[v] | shown[v]) & falls);
        }
    }
    // A link that is down calls or stays idle. When both ends are back, it announces this first,
    // then all empty buffers. The other end counts a buffer announced in Ann as a lost credit, so
    // buffers emptied since are announced after Ann.
    void forget(const Next& n, const Back& back) {
        const Ports silent = n.call | n.zero | n.announce;
        const Ports calls = n.call & n.on;
        const Ports shown = calls | n.announce;
        m_q.cred = (m_q.cred & ~silent) | TwoBits{shown, shown};
        m_q.rep &= ~silent;
        const Ports ends = m_q.ann & ~n.down;
        for (uint32_t v = 0; v < MaxVc; ++v) {
            const Ports room = back.room[v] & m_params.vcs[v];
            m_q.pend[v] = (m_q.pend[v] & ~silent) | (n.announce & room & ~m_q.keep[v]) |
                          (ends & ((room & m_q.keep[v]) | given_back(back, v)));
        }
    }

    Params m_params;
    Regs m_q;
};

}  // namespace rdt::fast
