// SPDX-License-Identifier: MIT
// The claims about a link: explorations over pairs of ends.
#pragma once

#include <functional>
#include <map>

#include "link_pair.h"

namespace model {

class Claims {
public:
    explicit Claims(const Rules &r) : link_(r), rules_(r) {}
    int failed = 0;
    bool verbose = false;

    // 1: nothing is disturbed. Leaves the set of sound states.
    void sound() {
        add(sound_, parent_, key_of(link_.reset()), 0);
        for (size_t i = 0; i < sound_.size(); ++i) {
            const Pair p = pair_of(sound_[i]);
            const End e[2] = {link_.end(p.end[0]), link_.end(p.end[1])};
            if (credit_is_missing(e)) fail("a credit is lost", i, sound_[i]);
            link_.next(p, Fault{}, [&](const Step &s) {
                ++arcs_;
                const char *what = check_sound(e, s);
                if (what) fail(what, i, key_of(s.to));
                else add(sound_, parent_, key_of(s.to), i);
            });
        }
        for (size_t i = 0; i < sound_.size(); ++i) ends_.insert(sound_[i] & OnlyEnds);
        std::printf("  sound: %zu states (%zu with books), %zu transitions\n", ends_.size(), sound_.size(), arcs_);
        // From everywhere, switching and void grants having stopped, both are up again.
        std::vector<uint64_t> from;
        for (size_t i = 0; i < ends_.size(); ++i)
            if (both_on(ends_[i])) from.push_back(ends_[i]);
        bound("up again", from, Calm, [&](uint64_t k) { return both_up(k); });
    }

    // A polite end gets to Sync, or has no reason any more.
    void polite() {
        std::vector<uint64_t> from;
        for (size_t i = 0; i < ends_.size(); ++i) from.push_back(ends_[i]);
        bound("a polite end gets there", from, Calm, [&](uint64_t k) {
            bool any = false;
            for (uint32_t n : pair_of(k).end) {
                End e = link_.end(n);
                if (e.st > Xfer) return true;
                any |= !e.en || e.owed[0] == 3 || e.owed[1] == 3 || e.owed[2] == 3;
            }
            return !any;
        });
    }

    // Sound states and those in which any credits are missing: what a link may look like until the slow tick.
    void poor() {
        link_.mood = Forgetful;
        KeySet all;
        for (size_t i = 0; i < sound_.size(); ++i) all.insert(sound_[i]);
        for (size_t i = 0; i < all.size(); ++i) {
            const Pair p = pair_of(all[i]);
            const End e[2] = {link_.end(p.end[0]), link_.end(p.end[1])};
            link_.next(p, Fault{}, [&](const Step &s) {
                if (const char *what = check_sound(e, s)) fail((std::string("with credits missing: ") + what).c_str(), 0, key_of(s.to));
                else all.insert(key_of(s.to));
            });
            poor_.insert(all[i] & OnlyEnds);
        }
        link_.mood = Free;
        std::printf("  with credits missing: %zu states\n", poor_.size());
        std::vector<uint64_t> from;
        for (size_t i = 0; i < poor_.size(); ++i) from.push_back(poor_[i]);
        bound("all credits back once they are late", from, Hasty, [&](uint64_t k) { return ends_.has(k); });
    }

    // 2: one flip of one pin, in every sound state.
    void flip(int pin) {
        KeySet f;
        std::vector<uint32_t> from;
        Worst w;
        for (size_t i = 0; i < sound_.size(); ++i)
            for (int end = 0; end < 2; ++end) {
                Fault fault;
                fault.end = end, fault.pin = pin;
                link_.next(pair_of(sound_[i]), fault, [&](const Step &s) { after(f, from, w, s, i); });
            }
        w.roots = f.size();
        for (size_t i = 0; i < f.size(); ++i)
            link_.next(pair_of(f[i]), Fault{}, [&](const Step &s) { after(f, from, w, s, i + sound_.size()); });
        report(pin, f.size(), w);
        KeySet pairs;
        std::vector<uint64_t> start;
        for (size_t i = 0; i < f.size(); ++i)
            if (pairs.insert(f[i] & OnlyEnds).second) start.push_back(f[i] & OnlyEnds);
        bound("sound but for missing credits", start, Calm, [&](uint64_t k) { return poor_.has(k); });
    }

private:
    struct Worst {
        size_t roots = 0, lost = 0, both = 0, over = 0, garbage = 0, silent = 0;
    };

    static bool add(KeySet &set, std::vector<uint32_t> &from, uint64_t key, uint32_t parent) {
        if (!set.insert(key).second) return false;
        from.push_back(parent);
        return true;
    }

    // What must not happen on a sound link; e: both ends before, if the state is to be told.
    const char *check_sound(const End *e, const Step &s) {
        const End n[2] = {link_.end(s.to.end[0]), link_.end(s.to.end[1])};
        if (s.wrong) return "arrived but not sent, or twice";
        if (s.to.acc.both) return "both drive";
        for (int i = 0; i < 2; ++i) {
            if (s.to.acc.way[i].lost) return "a packet is lost";
            if (s.did[i].over) return "overrun";
            if (s.did[i].garbage || s.did[i].spoilt) return "a bad header";
            // A polite call is the one trouble there is; it finds the other end in Idle.
            if (e && s.did[i].trouble && !(e[i].st == Idle && e[!i].st == Sync)) return "trouble";
        }
        if ((n[0].st == Ann) != (n[1].st == Ann) || (n[0].st == Ann && n[0].cnt != n[1].cnt)) return "not in Ann together";
        return nullptr;
    }

    bool credit_is_missing(const End *e) const {
        for (int i = 0; i < 2; ++i) {
            const End &a = e[i], &b = e[!i];
            if (a.st > Xfer || b.st > Xfer || a.tx || a.oe || b.rx_valid || b.tail) continue;
            for (int v = 0; v < rules_.num_vc; ++v) {
                bool there = a.owed[v] == 0 || a.in == v + 1 || (b.pkt >> v & 1) || (b.pend >> v & 1) || (b.cred == v + 1 && b.rep);
                if (!there) return true;
            }
        }
        return false;
    }
    bool both_on(uint64_t k) const { Pair p = pair_of(k); return link_.end(p.end[0]).en && link_.end(p.end[1]).en; }
    bool both_up(uint64_t k) const { Pair p = pair_of(k); return link_.end(p.end[0]).st <= Xfer && link_.end(p.end[1]).st <= Xfer; }

    // One step on the way back.
    void after(KeySet &f, std::vector<uint32_t> &from, Worst &w, const Step &s, uint32_t parent) {
        const Account &a = s.to.acc;
        const uint64_t key = key_of(s.to);
        w.lost = std::max<size_t>(w.lost, a.way[0].lost + a.way[1].lost);
        w.both = std::max<size_t>(w.both, a.both);
        w.over += s.did[0].over + s.did[1].over;
        if (s.did[0].garbage || s.did[1].garbage || s.wrong) {
            if (!w.garbage++) tell("delivered wrongly", f, from, parent, key);
        }
        const bool mute = a.way[0].mute || a.way[1].mute;
        for (int i = 0; i < 2 && mute; ++i)
            for (int v = 0; v < 3; ++v)  // the credit is back, and nobody will ever know
                if ((a.way[i].mute >> v & 1) && link_.end(s.to.end[i]).owed[v] == 0) {
                    if (!w.silent++) tell("silent loss", f, from, parent, key);
                    return;
                }
        if (!mute && sound_.has(plain(key))) return;
        if (add(f, from, key, parent) && f.size() > 150000000) std::printf("too many states\n"), std::exit(2);
    }
    void report(int pin, size_t states, const Worst &w) {
        static const char *names[] = {"REQ0", "REQ1", "CRED0", "CRED1", "D"};
        std::printf("  %s: %zu states, %zu right after; lost at most %zu, both drive %zu, full buffer %zu, wrong %zu, silent %zu\n", names[pin], states, w.roots,
                    w.lost, w.both, w.over, w.garbage, w.silent);
        if (w.garbage || w.silent) failed = 1;
        std::fflush(stdout);
    }

    // The longest way from any of these states to one that is done; every layer holds all states that can be there.
    void bound(const char *what, std::vector<uint64_t> from, Mood mood, const std::function<bool(uint64_t)> &done) {
        link_.mood = mood;
        int clocks = 0;
        std::vector<uint64_t> layer;
        for (uint64_t k : from)
            if (!done(k)) layer.push_back(k);
        for (; !layer.empty() && clocks < 300; ++clocks) {
            KeySet seen;
            for (uint64_t k : layer)
                link_.next(pair_of(k), Fault{}, [&](const Step &s) {
                    uint64_t n = key_of(s.to) & OnlyEnds;
                    if (!done(n)) seen.insert(n);
                });
            layer.clear();
            for (size_t i = 0; i < seen.size(); ++i) layer.push_back(seen[i]);
        }
        if (layer.empty()) std::printf("    %s: within %d clocks\n", what, clocks);
        else {
            std::printf("    %s: NOT within %d clocks (%zu states)\n", what, clocks, layer.size()), failed = 1;
            uint64_t k = layer[0];
            for (int i = 0; i < (verbose ? 24 : 0); ++i) {
                show(k);
                uint64_t n = 0;
                link_.next(pair_of(k), Fault{}, [&](const Step &s) { uint64_t x = key_of(s.to) & OnlyEnds; if (!done(x) && (!n || rand() % 3 == 0)) n = x; });
                if (!n) break;
                k = n;
            }
        }
        link_.mood = Free;
        std::fflush(stdout);
    }

    void show(uint64_t k) const {
        Pair q = pair_of(k);
        const Way *w = q.acc.way;
        std::printf("    A %s\n    B %s  fly %d %d mute %d %d lost %d %d\n", text(link_.end(q.end[0])).c_str(), text(link_.end(q.end[1])).c_str(),
                    w[0].fly, w[1].fly, w[0].mute, w[1].mute, w[0].lost, w[1].lost);
    }
    void fail(const char *what, uint32_t at, uint64_t last) {
        failed = 1;
        if (told_[what]++) return;
        std::printf("  VIOLATED: %s\n", what);
        std::vector<uint64_t> way{last};
        for (uint32_t i = at; way.size() < 14; i = parent_[i]) {
            way.push_back(sound_[i]);
            if (!i) break;
        }
        for (size_t j = way.size(); j-- > 0;) show(way[j]);
    }
    void tell(const char *what, const KeySet &f, const std::vector<uint32_t> &from, uint32_t at, uint64_t last) {
        std::printf("  %s:\n", what);
        if (!verbose) return;
        std::vector<uint64_t> way{last};
        uint32_t i = at;
        for (; i >= sound_.size(); i = from[i - sound_.size()]) way.push_back(f[i - sound_.size()]);
        size_t flip = way.size();
        for (int n = 0; n < 6; ++n, i = parent_[i]) {
            way.push_back(sound_[i]);
            if (!i) break;
        }
        for (size_t j = way.size(); j-- > 0;) {
            show(way[j]);
            if (j == flip) std::printf("    -- flip\n");
        }
    }

    Link link_;
    Rules rules_;
    KeySet sound_, ends_, poor_;
    std::vector<uint32_t> parent_;
    size_t arcs_ = 0;
    std::map<std::string, int> told_;
};

}  // namespace model
