// SPDX-License-Identifier: MIT
// Two ends on one link, and an account of the packets between them.
#pragma once

#include <deque>
#include <string>

#include "link_step.h"

namespace model {

// Open addressing; a key is never 0, and keeps the number under which it came in.
class KeySet {
public:
    KeySet() : slot_(1 << 12, 0) {}
    // The number of the key, and whether it is new.
    std::pair<uint32_t, bool> insert(uint64_t key) {
        if (key_.size() * 2 > slot_.size()) grow();
        size_t i = place(key);
        if (slot_[i]) return {slot_[i] - 1, false};
        key_.push_back(key);
        slot_[i] = key_.size();
        return {static_cast<uint32_t>(key_.size() - 1), true};
    }
    bool has(uint64_t key) const { return slot_[place(key)] != 0; }
    uint32_t number(uint64_t key) const { return slot_[place(key)] - 1; }
    size_t size() const { return key_.size(); }
    uint64_t operator[](size_t i) const { return key_[i]; }

private:
    size_t place(uint64_t key) const {
        uint64_t h = key * 0x9E3779B97F4A7C15ull;
        h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9ull;
        size_t i = (h ^ h >> 32) & (slot_.size() - 1);
        while (slot_[i] && key_[slot_[i] - 1] != key) i = (i + 1) & (slot_.size() - 1);
        return i;
    }
    void grow() {
        slot_.assign(slot_.size() * 2, 0);
        for (size_t n = 0; n < key_.size(); ++n) slot_[place(key_[n])] = n + 1;
    }
    std::vector<uint64_t> key_;
    std::vector<uint32_t> slot_;
};

// The account of one direction.
struct Way {
    uint8_t fly;   // the packet whose H0 was sent last: 0 it has arrived; else VC + 1, and + 3 once
                   // an event reported it
    uint8_t mute;  // VCs on which a packet was lost and not reported yet
    uint8_t lost;  // packets lost, counted to 7
};
struct Account {
    Way way[2];
    uint8_t both;   // cycles in which both drive, counted to 15
    uint8_t flips;  // flips so far
};

struct Pair {
    uint32_t end[2];
    Account acc;
};
inline uint64_t key_of(const Pair& p) {
    uint64_t k = p.end[0] | uint64_t(p.end[1]) << 20;
    int at = 40;
    for (const Way& w : p.acc.way) {
        k |= uint64_t(w.fly | w.mute << 3 | w.lost << 6) << at, at += 9;
    }
    return k | uint64_t(p.acc.both) << 58 | uint64_t(p.acc.flips) << 62;
}
inline Pair pair_of(uint64_t k) {
    Pair p;
    p.end[0] = k & 0xfffff, p.end[1] = k >> 20 & 0xfffff;
    int at = 40;
    for (Way& w : p.acc.way) {
        w.fly = k >> at & 7, w.mute = k >> (at + 3) & 7, w.lost = k >> (at + 6) & 7, at += 9;
    }
    p.acc.both = k >> 58 & 15, p.acc.flips = k >> 62 & 3;
    return p;
}
// The same without what only counts.
inline uint64_t plain(uint64_t k) {
    Pair p = pair_of(k);
    for (Way& w : p.acc.way) w.lost = 0, w.mute = 0;
    p.acc.both = p.acc.flips = 0;
    return key_of(p);
}
constexpr uint64_t OnlyEnds = (uint64_t(1) << 40) - 1;

// Faults between the pins of one end and the values the other sees. Pins: 0, 1 REQ; 2, 3 CRED; 4 D.
constexpr int PinD = 4, Pins = 5;
struct Fault {
    int end = -1, pin = 0, stuck = -1;  // stuck: 0 or 1; -1: inverted
    int on(int pair, int base) const {
        if (pin < base || pin > base + 1) return pair;
        int bit = 1 << (pin - base);
        return stuck < 0 ? pair ^ bit : stuck ? pair | bit : pair & ~bit;
    }
};

struct Step {
    Pair to;
    Did did[2];
    bool wrong;  // something arrived that was not sent, or twice
};

// Free: all events of an error-free link may happen. Calm: a grant is used if possible, and no end
// is switched. Hasty: calm, and the slow tick comes in every cycle. Quiet: calm, and it does not
// come. Forgetful: free, and credits may be lost.
enum Mood { Free, Calm, Hasty, Quiet, Forgetful };

class Link {
public:
    Mood mood = Free;

    explicit Link(const Rules& r) : rules_(r) {
        for (int mood = 0; mood < 5; ++mood) {
            Rules m = r;
            if (mood == Calm || mood == Hasty || mood == Quiet) m.void_grants = m.off = false;
            if (mood == Hasty) m.late_at_once = true;
            if (mood == Quiet) m.late = false;
            if (mood == Forgetful) m.drop_credits = true;
            step_.emplace_back(m);
        }
        ends_.insert(~uint64_t(0));  // so that no number is 0
    }

    Pair reset() {
        Pair p{};
        for (int i = 0; i < 2; ++i) {
            End e{};
            e.st = Sync, e.mine = i, e.en = 1;
            for (int v = 0; v < 3; ++v) e.owed[v] = v < rules_.num_vc;
            forget(e);
            p.end[i] = ends_.insert(pack(e)).first;
        }
        return p;
    }
    End end(uint32_t n) const { return unpack(ends_[n]); }
    size_t ends() const { return ends_.size(); }

    // All successors. f gets a Step.
    template <class F>
    void next(const Pair& p, const Fault& fault, F f) {
        const End e[2] = {end(p.end[0]), end(p.end[1])};
        const bool both = e[0].oe && e[1].oe;
        const int line = e[0].oe ? e[0].d : e[1].oe ? e[1].d : int(Nil);
        // Two drivers: anything may be read, by both alike.
        static const uint8_t mix[] = {Nil, Even, Odd, HeadAck};
        for (int m = 0; m < (both ? 4 : 1); ++m) {
            const std::vector<Arc>* arcs[2];
            for (int i = 0; i < 2; ++i) {
                int req = e[!i].req, cred = e[!i].cred, d = both ? mix[m] : line;
                if (fault.end == i) {
                    req = fault.on(req, 0), cred = fault.on(cred, 2);
                    if (fault.pin == PinD) d = disturbed(d);
                }
                arcs[i] = &arcs_of(p.end[i], i, req, cred, d);
            }
            for (const Arc& a : *arcs[0])
                for (const Arc& b : *arcs[1]) {
                    Step s{p, {a.did, b.did}, false};
                    s.to.end[0] = a.end, s.to.end[1] = b.end;
                    if (both && s.to.acc.both < 15) ++s.to.acc.both;
                    s.wrong = account(e, s);
                    f(s);
                }
        }
    }

    struct Arc {
        uint32_t end;
        Did did;
    };
    // All that an end can become in this mood, given the pins.
    const std::vector<Arc>& arcs_of(uint32_t n, int side, int req, int cred, int d) {
        const uint64_t key = uint64_t(n) << 12 | mood << 9 | side << 8 | req << 6 | cred << 4 | d;
        auto [at, fresh] = known_.insert(key);
        if (fresh) {
            step_[mood](end(n), !side, req, cred, d, scratch_);
            std::sort(scratch_.begin(), scratch_.end(),
                      [](const Next& a, const Next& b) { return a.end < b.end; });
            std::vector<Arc> v;
            uint64_t last = 0;
            for (const Next& x : scratch_) {
                if (!v.empty() && x.end == last)
                    continue;  // its actions do not depend on the choice
                last = x.end;
                v.push_back({ends_.insert(x.end).first, x.did});
            }
            if (ends_.size() > 0xfffff)
                std::fprintf(stderr, "too many states of an end\n"), std::exit(2);
            arcs_.push_back(std::move(v));
        }
        return arcs_[at];
    }
    // Each end met so far in this mood, with its pins.
    template <class F>
    void each_met(int side, F f) const {
        for (size_t i = 0; i < known_.size(); ++i) {
            const uint64_t k = known_[i];
            if (int(k >> 9 & 7) == mood && int(k >> 8 & 1) == side)
                f(uint32_t(k >> 12), int(k >> 6 & 3), int(k >> 4 & 3), int(k & 15));
        }
    }
    // The number of an end, or 0.
    uint32_t number(const End& e) const {
        const uint64_t k = pack(e);
        return ends_.has(k) ? ends_.number(k) : 0;
    }

private:
    // Books of both directions; true if a packet arrives that is not on its way.
    bool account(const End* e, Step& s) {
        bool wrong = false;
        const bool told = s.did[0].sync || s.did[1].sync;
        for (int i = 0; i < 2; ++i) {
            Way& w = s.to.acc.way[i];
            const Did &to = s.did[!i], &from = s.did[i];
            auto lose = [&](int fly) {
                if (w.lost < 7) ++w.lost;
                if (fly <= 3) w.mute |= 1 << (fly - 1);
            };
            if (to.good) {
                if (w.fly != to.good && w.fly != to.good + 3) wrong = true;
                w.fly = 0;
            }
            if (e[i].oe && is_head(e[i].d)) {
                if (w.fly) lose(w.fly);
                w.fly = e[i].d - Head0 + 1;
            }
            if (from.unseen) lose(from.unseen);  // a stream that begins when the link is down
            if (told) {
                w.mute = 0;
                if (w.fly && w.fly <= 3) w.fly += 3;
            }
            w.mute &= ~from.owed;
            if (from.stays_down)
                w.mute = 0;  // it was up when it sent, so it has not reported this yet
            if (w.fly && !end(s.to.end[!i]).rx_valid) lose(w.fly), w.fly = 0;
        }
        return wrong;
    }

    std::vector<Stepper> step_;
    Rules rules_;
    KeySet ends_, known_;
    std::deque<std::vector<Arc>> arcs_;  // references into it stay good
    std::vector<Next> scratch_;
};

inline std::string text(const End& e) {
    static const char* names[] = {"Idle", "Gnt ", "Strt", "Xfer", "Sync", "Zero", "Ann "};
    char s[200];
    std::snprintf(s, sizeof s,
                  "%s%s cnt%2d p%d req%d cred%d%s pend%d oe%d d%2d tx%d.%d vc%d rx%d%d d%2d vc%d "
                  "idx%d%s pkt%d in%d%s away%d%d%d%s",
                  names[e.st], e.mine ? "*" : " ", e.cnt, e.p, e.req, e.cred, e.rep ? "r" : " ",
                  e.pend, e.oe, e.d, e.tx, e.phase, e.tx_vc, e.rx_valid, e.rx_first, e.rx_d,
                  e.rx_vc, e.idx, e.tail ? "t" : " ", e.pkt, e.in, e.gap ? "g" : " ", e.owed[0],
                  e.owed[1], e.owed[2], e.en ? "" : " off");
    return s;
}

}  // namespace model
