// SPDX-License-Identifier: MIT
// The claims about a link.
#pragma once

#include "link_search.h"

namespace model {

class Claims : public Search {
public:
    using Search::Search;

    // 1: nothing is disturbed. Leaves the set of error-free states.
    void sound() {
        size_t arcs = 0;
        add(sound_, parent_, key_of(link_.reset()), 0);
        for (size_t i = 0; i < sound_.size(); ++i) {
            const Pair p = pair_of(sound_[i]);
            const End e[2] = {link_.end(p.end[0]), link_.end(p.end[1])};
            if (credit_is_missing(e)) fail("a credit is lost", i, sound_[i]);
            link_.next(p, Fault{}, [&](const Step& s) {
                ++arcs;
                if (s.did[0].owed || s.did[1].owed) fail("a false ev_owed", i, key_of(s.to));
                if (const char* what = wrong_on_a_sound_link(e, s)) fail(what, i, key_of(s.to));
                else add(sound_, parent_, key_of(s.to), i);
            });
        }
        ends_ = without_books(sound_);
        say("  error-free: %zu states, %zu transitions\n", ends_.size(), arcs);
        // From everywhere, once switching and void grants have stopped, both are up again.
        bound("up again", switched_on(ends_), Calm, [&](uint64_t k) { return both_up(k); });
        bound("a polite end gets to Sync", list(ends_), Quiet, [&](uint64_t k) {
            for (uint32_t n : pair_of(k).end)
                if (link_.end(n).st > Xfer) return true;
            return !any_polite(k);
        });
    }

    // Error-free states, and those with missing credits, until the slow tick detects them.
    void poor() {
        link_.mood = Forgetful;
        KeySet all;
        for (uint64_t k : list(sound_)) all.insert(k);
        for (size_t i = 0; i < all.size(); ++i) {
            const Pair p = pair_of(all[i]);
            const End e[2] = {link_.end(p.end[0]), link_.end(p.end[1])};
            link_.next(p, Fault{}, [&](const Step& s) {
                const char* what = wrong_on_a_sound_link(e, s);
                if (what) fail(std::string("with credits missing: ") + what, 0, key_of(s.to));
                else all.insert(key_of(s.to));
            });
        }
        link_.mood = Free;
        poor_ = without_books(all);
        say("  error-free but for missing credits: %zu states\n", poor_.size());
        // A link that is off for good still knows that a credit was lost.
        bound("error-free once they are late", switched_on(poor_), Hasty,
              [&](uint64_t k) { return ends_.has(k); });
    }

    // 2: one inverted pin in every error-free state. 3: with second, another of any pin at any time
    // on the way back.
    void flip(int pin, bool second) {
        KeySet f;
        std::vector<uint32_t> from;
        Worst w;
        for (size_t i = 0; i < sound_.size(); ++i)
            for (int end = 0; end < 2; ++end)
                link_.next(pair_of(sound_[i]), Fault{end, pin, -1}, [&](Step s) {
                    s.to.acc.flips = 1;
                    after(f, from, w, s, i);
                });
        for (size_t i = 0; i < f.size(); ++i) {
            const Pair p = pair_of(f[i]);
            auto go = [&](const Step& s) { after(f, from, w, s, i + sound_.size()); };
            link_.next(p, Fault{}, go);
            if (!second || p.acc.flips > 1) continue;
            for (int end = 0; end < 2; ++end)
                for (int again = 0; again < Pins; ++again)
                    link_.next(p, Fault{end, again, -1}, [&](Step s) {
                        s.to.acc.flips = 2;
                        go(s);
                    });
        }
        report(pin_name(pin), f.size(), w);
        const KeySet pairs = without_books(f);
        if (second) can_return(pairs, [&](uint64_t k) { return ends_.has(k); });
        else {
            bound("error-free but for missing credits", list(pairs), Calm,
                  [&](uint64_t k) { return poor_.has(k); });
            // From there on nothing takes it down but a late credit.
            bound("up for good, unless a slow tick finds a credit missing", switched_on(pairs),
                  Quiet, [&](uint64_t k) { return poor_.has(k) && both_up(k) && !any_polite(k); });
        }
    }

    // 4: a pin that is stuck from any error-free state on, at one end.
    void stuck(int pin, int at) {
        for (int end = 0; end < 2; ++end) {
            const Fault fault{end, pin, at};
            KeySet f;
            Worst w;
            for (uint64_t k : list(sound_)) f.insert(k);
            for (size_t i = 0; i < f.size(); ++i)
                link_.next(pair_of(f[i]), fault, [&](const Step& s) {
                    w.take(s);
                    w.silent += silent(s);
                    f.insert(key_of(s.to));
                });
            report(std::string(pin_name(pin)) + " stuck at " + "01"[at] + ", end " + "AB"[end],
                   f.size(), w);
            // An end that is permanently off reports nothing, so this case is excluded.
            bound(
                "every loss is reported, given slow ticks", list(f), Hasty,
                [&](uint64_t k) {
                    const Account a = pair_of(k).acc;
                    return (!a.way[0].mute && !a.way[1].mute) || !both_on(k);
                },
                fault, ~uint64_t(0));
            down_for_good(fault);
        }
    }

private:
    // Once the end with the stuck pin has lost synchronization, and the other end has seen its
    // call, neither comes up again: not even alone and for some cycles.
    void down_for_good(const Fault& fault) {
        constexpr int Fell = 40, Heard = 41;  // bits of a key beside the ends
        KeySet f;
        for (uint64_t k : list(sound_)) f.insert(k & OnlyEnds);
        size_t ups = 0;
        for (size_t i = 0; i < f.size(); ++i) {
            const uint64_t key = f[i];
            const Pair p = pair_of(key & OnlyEnds);
            const uint8_t was[2] = {link_.end(p.end[0]).st, link_.end(p.end[1]).st};
            link_.next(p, fault, [&](const Step& s) {
                const uint8_t is[2] = {link_.end(s.to.end[0]).st, link_.end(s.to.end[1]).st};
                bool fell = key >> Fell & 1, heard = key >> Heard & 1;
                for (int e = 0; e < 2; ++e) ups += heard && was[e] > Xfer && is[e] <= Xfer;
                fell |= was[fault.end] != Sync && is[fault.end] == Sync;
                heard |= fell && is[!fault.end] == Sync;
                f.insert((key_of(s.to) & OnlyEnds) | uint64_t(fell) << Fell |
                         uint64_t(heard) << Heard);
            });
        }
        say("    then down for good: %zu ways up\n", ups);
        verdict(ups == 0);
    }

    struct Worst {
        size_t lost = 0, both = 0, over = 0, wrong = 0, beaten = 0, silent = 0;
        // True: something arrived that was not sent so.
        bool take(const Step& s) {
            const Account& a = s.to.acc;
            lost = std::max<size_t>(lost, a.way[0].lost + a.way[1].lost);
            both = std::max<size_t>(both, a.both);
            over += s.did[0].over || s.did[1].over;
            if (!s.did[0].garbage && !s.did[1].garbage && !s.wrong) return false;
            // Two flips can make a wrong header look right, as two in one flit always do. The
            // report of it is a claim like any other: the sent packet is lost.
            ++(a.flips > 1 ? beaten : wrong);
            return a.flips < 2;
        }
    };

    // Events that must not happen on an error-free link; e: both ends before.
    const char* wrong_on_a_sound_link(const End* e, const Step& s) const {
        const End a = link_.end(s.to.end[0]), b = link_.end(s.to.end[1]);
        if (s.wrong) return "arrived but not sent, or twice";
        if (s.to.acc.both) return "both drive";
        for (int i = 0; i < 2; ++i) {
            if (s.to.acc.way[i].lost) return "a packet is lost";
            if (s.did[i].over) return "overrun";
            if (s.did[i].garbage || s.did[i].spoilt) return "a malformed header";
            if (s.did[i].sync) return "ev_sync";
            // A polite call is the one trouble there is, and it finds the other end in Idle.
            if (s.did[i].trouble && !(e[i].st == Idle && e[!i].st == Sync)) return "trouble";
        }
        if ((a.st == Ann) != (b.st == Ann) || (a.st == Ann && a.cnt != b.cnt))
            return "not in Ann together";
        return nullptr;
    }
    // Both are up, nothing is on the line, and a credit is nowhere.
    bool credit_is_missing(const End* e) const {
        for (int i = 0; i < 2; ++i) {
            const End &a = e[i], &b = e[!i];
            if (a.st > Xfer || b.st > Xfer || a.tx || a.oe || b.rx_valid || b.tail) continue;
            for (int v = 0; v < rules_.num_vc; ++v) {
                const bool held = b.pkt >> v & 1, due = b.pend >> v & 1;
                const bool coming = a.in == v + 1 || (b.cred == v + 1 && b.rep);
                if (a.owed[v] && !held && !due && !coming) return true;
            }
        }
        return false;
    }
    bool both_on(uint64_t k) const {
        const Pair p = pair_of(k);
        return link_.end(p.end[0]).en && link_.end(p.end[1]).en;
    }
    std::vector<uint64_t> switched_on(const KeySet& of) const {
        std::vector<uint64_t> on;
        for (uint64_t k : list(of))
            if (both_on(k)) on.push_back(k);
        return on;
    }
    // An end is about to resynchronize: off, or with a late credit.
    bool any_polite(uint64_t k) const {
        bool any = false;
        for (uint32_t n : pair_of(k).end) {
            const End e = link_.end(n);
            any |= !e.en || e.owed[0] == 3 || e.owed[1] == 3 || e.owed[2] == 3;
        }
        return any;
    }
    bool both_up(uint64_t k) const {
        const Pair p = pair_of(k);
        return link_.end(p.end[0]).st <= Xfer && link_.end(p.end[1]).st <= Xfer;
    }
    // The credit of a lost packet is back without a report: a silent loss.
    bool silent(const Step& s) const {
        for (int i = 0; i < 2; ++i)
            for (int v = 0; v < 3 && s.to.acc.way[i].mute; ++v)
                if ((s.to.acc.way[i].mute >> v & 1) && link_.end(s.to.end[i]).owed[v] == 0)
                    return true;
        return false;
    }

    // One step on the way back from a flip.
    void after(KeySet& f, std::vector<uint32_t>& from, Worst& w, const Step& s, uint32_t parent) {
        const uint64_t key = key_of(s.to);
        if (w.take(s) && w.wrong == 1) tell("delivered wrongly", f, from, parent, key);
        if (silent(s)) {
            if (!w.silent++) tell("silent loss", f, from, parent, key);
            return;
        }
        const bool mute = s.to.acc.way[0].mute || s.to.acc.way[1].mute;
        if (mute || !sound_.has(plain(key))) add(f, from, key, parent);
    }

    void report(const std::string& what, size_t states, const Worst& w) {
        say("  %s: %zu states; lost at most %zu, both drive at most %zu cycles, %zu overruns "
            "dropped, "
            "%zu wrong, %zu silent",
            what.c_str(), states, w.lost, w.both, w.over, w.wrong, w.silent);
        if (w.beaten) say(" (two flips defeat the parity: %zu, all reported)", w.beaten);
        say("\n");
        verdict(!w.wrong && !w.silent);
    }
    static const char* pin_name(int pin) {
        static const char* const names[] = {"REQ0", "REQ1", "CRED0", "CRED1", "D"};
        return names[pin];
    }

    KeySet poor_;
};

}  // namespace model
