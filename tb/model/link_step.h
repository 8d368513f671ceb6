// SPDX-License-Identifier: MIT
// One cycle of one end: sections 1, 4.2, 4.4 and 4.7 of the specification, with all decisions of
// other blocks (requests, use of a grant, length, draining, slow tick, switching) nondeterministic.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "link_end.h"

namespace model {

struct Rules {
    // Constants, scaled where the state space requires it.
    int most_more = 2;  // flits beyond three
    int sync_min = 8;   // cnt from which Sync may end
    int zero_max = 31;  // cnt at which Zero times out
    int ann_last = 11;  // cnt of the last cycle of Ann
    int too_long = 15;  // cnt at which a transfer of the other end lasts too long
    // Nondeterministic choices.
    int vcs = 5;  // VCs that are used, a bit each
    int num_vc = 3;
    int ack_gap = 0;  // least cycles from grant to grant of an ack; 0: no acks
    bool late = true, off = false, void_grants = true;
    bool drop_credits = false;  // any credit that comes in may go unnoticed
    bool late_at_once = false;  // a credit that is away is late in the next cycle
    // Rules that each answer something this exploration found; without one of them it is found
    // again. No polite Sync out of the own Xfer: the last flit is still to be driven.
    bool tail_goes_out = true;
    // An end that resynchronizes without a loss requests only while the other sends; two of them
    // would otherwise request forever.
    bool suppress_request = true;
    // Zero, and the other announces already: this end was left alone and goes back to Sync.
    bool watch_zero = true;
    // Each end shows in the first cycle of Ann that it is there, and comes up only if the other
    // did: a pin that reads 1 for ever would let the other end come up alone, again and again.
    bool hello = true;
    // Being called goes untold in Idle only, which is where a polite call finds an end.
    bool idle_call = true;
    // No VC pattern while the other calls: the line is undriven, and 0 is even.
    bool call_is_bad = true;
    // `owed` keeps outstanding credits over a Sync, so that a Sync without a loss is not reported.
    bool remember = true;
    // Buffers that were not empty when the link went down are not announced, but returned after
    // that: the sender counts an outstanding credit that is announced as lost.
    bool only_lost = true;
};

// The rules above, to leave out one at a time.
inline constexpr std::pair<const char*, bool Rules::*> RuleSwitches[] = {
    {"tail_goes_out", &Rules::tail_goes_out},
    {"suppress_request", &Rules::suppress_request},
    {"watch_zero", &Rules::watch_zero},
    {"idle_call", &Rules::idle_call},
    {"call_is_bad", &Rules::call_is_bad},
    {"remember", &Rules::remember},
    {"hello", &Rules::hello},
    {"only_lost", &Rules::only_lost}};

// Actions of an end in a cycle.
struct Did {
    uint16_t sync : 1, stays_down : 1, owed : 3, good : 2, garbage : 1, over : 1, unseen : 2,
        trouble : 1, spoilt : 1, used : 2, ack : 1;
};
struct Next {
    uint64_t end;
    Did did;
};

class Stepper {
public:
    explicit Stepper(const Rules& r) : r_(r) {}

    // All ends that e can become. prio: parameter Prio; peer, pc: REQ and CRED of the other end; d:
    // the lines.
    void operator()(const End& e, int prio, int peer, int pc, int d, std::vector<Next>& out) const {
        out.clear();
        one(e, prio, peer, pc, d, out, false);
        if (r_.drop_credits) one(e, prio, peer, pc, d, out, true);
    }

private:
    void one(const End& e, int prio, int peer, int pc, int d, std::vector<Next>& out,
             bool drop) const {
        const bool up = e.st <= Xfer, ann = e.st == Ann, mine = e.mine;
        const bool idle = e.st == Idle, gnt = e.st == Gnt, start = e.st == Start,
                   xfer = e.st == Xfer;
        const int own = e.req;
        const bool late = e.owed[0] == 3 || e.owed[1] == 3 || e.owed[2] == 3;
        const bool polite = up && (late || !e.en);
        const bool take = (idle && own && !(peer & 2) && (!peer || !mine)) ||
                          (start && !mine && !peer && own) || (xfer && mine && own == 1 && !peer);
        const bool give =
            !take && ((idle && peer && !(peer & 2)) || (start && mine && !own && peer) ||
                      (xfer && !mine && peer == 1 && !own));
        Did did{};
        End n = e;

        // Receiving, and the verdict of the input unit on the previous flit.
        const bool first = start && !mine && peer;
        const bool valid = first || (xfer && !mine) || e.tail;
        const bool bad = input(e, n, did);
        const bool trouble = (up && (peer & 2) && !(!mine && (start || xfer))) || (ann && peer) ||
                             (first && peer > r_.num_vc) ||
                             (xfer && !mine && (peer == 3 || e.cnt == r_.too_long)) ||
                             (up && e.oe && valid) || (up && bad);
        n.tail = xfer && !mine && !(peer & 2) && !trouble;
        n.rx_valid = valid, n.rx_first = first, n.rx_second = e.rx_first;
        if (first) n.rx_vc = peer - 1;
        const bool pattern = (e.rx_first && e.rx_vc == 2) || (e.rx_second && e.rx_vc == 1);
        n.rx_d = pattern && !(r_.call_is_bad && peer == 3) ? inverted(d) : d;

        // The line machine.
        if (e.cool) --n.cool;
        const int owner = mine ? own : peer;
        int st = Idle;
        if (up) {
            if (take || give || idle) st = take || give ? Gnt : Idle;
            else if (gnt) st = Start;
            else if (start && owner) st = Xfer;
            else if (xfer && (owner & 2)) st = Xfer;
            if (st == Idle && polite && !(r_.tail_goes_out && xfer && mine)) st = Sync;
            if (trouble) st = Sync;
        } else if (e.st == Sync) {
            st = e.cnt >= r_.sync_min && e.p == 3 && e.en && !e.tx ? Zero : Sync;
        } else if (e.st == Zero) {
            const bool alone = r_.watch_zero && !peer && pc;
            st = e.p == 1 && !peer && !pc ? Ann : e.cnt == r_.zero_max || alone ? Sync : Zero;
        } else {
            st = trouble ? Sync : e.cnt != r_.ann_last ? Ann : e.p || !r_.hello ? Idle : Sync;
        }
        n.st = st;
        if (take || give) n.mine = take;
        if ((idle && st == Idle) || st >= Sync) n.mine = !prio;
        n.cnt =
            st < Xfer || st != e.st ? 0 : std::min<int>(e.cnt + 1, st == Sync ? r_.sync_min : 31);
        n.p = st != e.st     ? 0
              : e.st == Sync ? (e.p == 3               ? 3
                                : peer == 3 && pc == 3 ? e.p + 1
                                                       : 0)
              : e.st == Zero ? !peer && !pc
              : e.st == Ann  ? e.p || pc
                             : 0;
        const bool down = st >= Sync;
        did.trouble = trouble;
        did.sync = (up || ann) && trouble && !(r_.remember && peer == 3 && (idle || !r_.idle_call));

        // A link that stays down; only where the slow tick is certain to come.
        did.stays_down =
            r_.late_at_once && e.en && !e.tx &&
            ((e.st == Sync && e.cnt == r_.sync_min) || (e.st == Zero && e.cnt >= r_.zero_max / 2));

        receive_credits(e, n, did, pc, drop);

        // The pins that go out, as far as they are decided here.
        n.oe = e.tx && !down;
        n.d = !e.tx ? Nil : flit(e);
        if (e.tx && e.phase == 0 && down && e.tx_vc != AckVc) did.unseen = e.tx_vc + 1;
        choose(e, n, did, take && !polite, gnt && mine, polite,
               polite && (!r_.suppress_request || first || (xfer && !mine)), st, out);
    }

    // Credits that come in. n.st is the next state of the line.
    void receive_credits(const End& e, End& n, Did& did, int pc, bool drop) const {
        const bool up = e.st <= Xfer, ann = e.st == Ann;
        const bool live = up || (ann && (e.cnt != 0 || !r_.hello));
        int confirmed = -1;
        n.in = n.gap = 0;
        if (!live) {
        } else if (e.gap) {
            n.gap = pc != 0;
        } else if (!e.in) {
            if (pc > r_.num_vc) n.gap = 1;
            else n.in = pc;
        } else if (pc == e.in) {
            confirmed = drop ? -1 : e.in - 1, n.gap = 1;
        } else {
            n.gap = pc != 0;
        }
        const int using_vc = e.tx && e.phase == 0 && e.tx_vc != AckVc ? e.tx_vc : -1;
        if (using_vc >= 0) did.used = using_vc + 1;
        for (int v = 0; v < 3; ++v) {
            if (v >= r_.num_vc) break;
            uint8_t& o = n.owed[v];
            if (!live) o = r_.remember ? (using_vc == v ? 3 : o) : o == 3 ? 3 : 1;
            else if (ann && confirmed == v) did.owed |= (o == 3) << v, o = 0;
            else if (ann) o = n.st < Sync && o == 3 ? 1 : o;
            else if (using_vc == v) o = 1;
            else if (confirmed == v) o = 0;
            if (r_.remember && live && n.st == Sync) o = o == 0 ? 1 : ann ? o : 3;
        }
    }

    // The flit that the stream puts on the lines next, with its VC pattern.
    static int flit(const End& e) {
        int k = e.phase == 0 ? 0 : e.more + (e.phase == 1 ? 0 : e.phase - 1);
        if (k == 0) return e.tx_vc == AckVc ? HeadAck : Head0 + e.tx_vc;
        if (k == 1) return e.tx_vc == 2 ? H1even : H1odd;
        if (k == 2) return e.tx_vc == 1 ? H2even : H2odd;
        return BodyOdd;
    }

    // The input unit: true if the flit in rx_d is malformed.
    bool input(const End& e, End& n, Did& did) const {
        if (!e.rx_valid) return false;
        const int k = e.rx_first ? 0 : e.idx;
        if (k == 3) return false;
        n.idx = k + 1;
        if (k == 0) {
            n.head = n.junk = 0;
            if (e.rx_d == HeadAck)
                return did.ack = 1, n.idx = 3, false;  // landed; the rest is not looked at
            if (e.rx_vc >= r_.num_vc || (e.pkt >> e.rx_vc & 1))
                return did.over = 1, n.idx = 3, true;
            if (is_odd(e.rx_d) || e.rx_d == Nil) return did.spoilt = 1, n.idx = 3, true;
            n.head = is_head(e.rx_d) ? e.rx_d - Head0 + 1 : 0;
            return false;
        }
        if (!is_odd(e.rx_d)) return did.spoilt = 1, n.idx = 3, true;
        if (e.rx_d != (k == 1 ? H1odd : H2odd)) n.junk = 1;
        if (k == 2) {
            n.pkt |= 1 << e.rx_vc;
            if (n.junk || n.head != e.rx_vc + 1) did.garbage = 1;
            else did.good = e.rx_vc + 1;
        }
        return false;
    }

    // Everything that others decide.
    void choose(const End& e, const End& n, Did did, bool offered, bool is_void, bool polite,
                bool ask, int st, std::vector<Next>& out) const {
        const bool up = e.st <= Xfer, down = st >= Sync, call = st == Sync;
        const bool ack = r_.ack_gap && !e.cool;
        bool can = ack;
        for (int v = 0; v < 3; ++v) can |= (r_.vcs >> v & 1) && e.owed[v] == 0;
        for (int use = -1; use < (offered ? 4 : 0); ++use) {
            if (use >= 0 && !(use == AckVc ? ack : (r_.vcs >> use & 1) && e.owed[use] == 0))
                continue;
            if (use < 0 && offered && can && !r_.void_grants) continue;
            const bool longer =
                use < 0 && e.tx && e.phase < 2 && e.more < r_.most_more && e.tx_vc != AckVc;
            for (int more = 0; more <= longer; ++more)
                for (int want = 0; want <= (can && !down); ++want)
                    for (int drain = 0; drain < 64; ++drain) {
                        // Returned now: one at most. And returned when possible: any others.
                        const int ret = drain & 7, add = drain >> 3;
                        if ((ret & (ret - 1)) || (ret & add) || (~e.pkt & (ret | add))) continue;
                        End q = n;
                        if (use >= 0) {
                            q.tx = 1, q.phase = q.more = 0, q.tx_vc = use;
                            if (use == AckVc) q.cool = r_.ack_gap - 1;
                        } else if (e.tx) {
                            if (e.phase == 3) q.tx = 0;
                            else if (e.phase == 2) q.phase = 3;
                            else q.phase = more ? 1 : 2, q.more += more;
                        }
                        if (call) q.req = 3;
                        else if (down) q.req = 0;
                        else if (e.tx && e.phase == 0) q.req = e.tx_vc == AckVc ? 1 : e.tx_vc + 1;
                        else if (e.tx && e.phase == 1) q.req = 2;
                        else if (is_void && !e.tx) q.req = 0;
                        else q.req = (want && !(r_.suppress_request && polite)) || ask;
                        q.pkt &= ~(ret | add);
                        give_back(e, q, ret, add, st);
                        // On the way to Sync 1 means that it was in hand.
                        slow_and_switch(e, q, did, up && !call, out);
                    }
        }
    }

    // Credits that go out. now: of a buffer that a grant empties; add: of others.
    void give_back(const End& e, End& q, int now, int add, int st) const {
        const int all = (1 << r_.num_vc) - 1, back = now | add;
        const bool wait = r_.only_lost && e.st == Ann;
        const int ret = wait ? 0 : now;
        if (e.st <= Xfer && st == Sync)
            q.keep = e.pkt | back | e.pend | (e.cred ? 1 << (e.cred - 1) : 0);
        else if (e.st == Sync && e.cnt < r_.sync_min) q.keep = e.keep | e.pkt | back;
        if (st <= Xfer || !r_.only_lost) q.keep = 0;
        if (st == Sync) q.cred = e.en ? 3 : 0, q.pend = q.rep = 0;
        else if (st == Zero) q.cred = q.pend = q.rep = 0;
        else if (e.st == Zero)
            q.cred = r_.hello ? 3 : 0, q.rep = 0,
            q.pend = (~e.pkt & all & ~e.keep) | (r_.only_lost ? 0 : back);
        else {
            if (e.rep) q.rep = 0, q.pend |= ret;
            else if (e.cred) q.cred = 0, q.pend |= ret;
            else if (ret) q.cred = ret == 4 ? 3 : ret, q.rep = 1;
            else if (e.pend) {
                int v = e.pend & 1 ? 0 : e.pend & 2 ? 1 : 2;
                q.cred = v + 1, q.rep = 1, q.pend &= ~(1 << v);
            }
            if (!wait) q.pend |= add;
        }
        if (r_.only_lost && e.st == Ann && st == Idle) q.pend |= (~e.pkt & all & e.keep) | back;
    }

    // A credit that is away may become late at any time; the link may be switched at any time.
    void slow_and_switch(const End& e, End q, Did did, bool up, std::vector<Next>& out) const {
        if (r_.late_at_once && up) {
            for (int v = 0; v < r_.num_vc; ++v)
                if (e.owed[v] == 1 && q.owed[v] == 1) q.owed[v] = 3;
        }
        // A slow tick may find several at once.
        for (int late = 0; late < (r_.late && up ? 1 << r_.num_vc : 1); ++late) {
            End s = q;
            bool can = true;
            for (int v = 0; v < r_.num_vc; ++v)
                if (late >> v & 1) can &= e.owed[v] == 1 && q.owed[v] == 1, s.owed[v] = 3;
            if (!can) continue;
            for (int sw = 0; sw <= r_.off; ++sw) {
                if (sw) s.en ^= 1;
                forget(s);
                out.push_back({pack(s), did});
            }
        }
    }

    Rules r_;
};

}  // namespace model
