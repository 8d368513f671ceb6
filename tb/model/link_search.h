// SPDX-License-Identifier: MIT
// Exploring a link: sets of states, bounds on ways through them, and traces of what went wrong.
#pragma once

#include <functional>
#include <map>

#include "link_pair.h"

namespace model {

class Search {
public:
    explicit Search(const Rules& r) : link_(r), rules_(r) {}
    bool failed() const { return failed_; }
    bool quiet = false;    // quiet
    bool verbose = false;  // print the path to the error

protected:
    using Done = std::function<bool(uint64_t)>;

    template <class... A>
    void say(const char* format, A... a) const {
        if (quiet) return;
        if constexpr (sizeof...(A) == 0) std::fputs(format, stdout);
        else std::printf(format, a...);
        std::fflush(stdout);
    }
    void verdict(bool good) {
        say("%s", good ? "" : "  VIOLATED\n");
        failed_ |= !good;
    }

    static bool add(KeySet& set, std::vector<uint32_t>& from, uint64_t key, uint32_t parent) {
        if (!set.insert(key).second) return false;
        from.push_back(parent);
        return true;
    }
    static std::vector<uint64_t> list(const KeySet& f) {
        std::vector<uint64_t> all;
        for (size_t i = 0; i < f.size(); ++i) all.push_back(f[i]);
        return all;
    }
    static KeySet without_books(const KeySet& f) {
        KeySet pairs;
        for (size_t i = 0; i < f.size(); ++i) pairs.insert(f[i] & OnlyEnds);
        return pairs;
    }

    // The longest way from any of these states to one that is done: a layer holds all states that
    // can be there after so many cycles, so that a cycle would keep it from running empty.
    void bound(const char* what, const std::vector<uint64_t>& from, Mood mood, const Done& done,
               const Fault& fault = {}, uint64_t mask = OnlyEnds) {
        constexpr int TooLong = 300;
        link_.mood = mood;
        int clocks = 0;
        std::vector<uint64_t> layer;
        for (uint64_t k : from)
            if (!done(k)) layer.push_back(k);
        for (; !layer.empty() && clocks < TooLong; ++clocks) {
            KeySet seen;
            for (uint64_t k : layer)
                link_.next(pair_of(k), fault, [&](const Step& s) {
                    const uint64_t n = key_of(s.to) & mask;
                    if (!done(n)) seen.insert(n);
                });
            layer = list(seen);
        }
        link_.mood = Free;
        if (layer.empty()) say("    %s: within %d cycles\n", what, clocks);
        else say("    %s: NEVER, %zu states\n", what, layer.size());
        for (size_t i = 0; verbose && i < layer.size() && i < 3; ++i) show(layer[i]);
        verdict(layer.empty());
    }

    // From each of these states some way leads to one that is done, without void grants.
    void can_return(const KeySet& f, const Done& done) {
        link_.mood = Calm;
        std::vector<bool> good(f.size());
        size_t left = f.size(), before = left + 1;
        while (left < before) {
            before = left;
            for (size_t i = f.size(); i-- > 0;) {
                if (good[i]) continue;
                bool ok = done(f[i]);
                if (!ok)
                    link_.next(pair_of(f[i]), Fault{}, [&](const Step& s) {
                        const uint64_t n = key_of(s.to) & OnlyEnds;
                        ok = ok || done(n) || (f.has(n) && good[f.number(n)]);
                    });
                if (ok) good[i] = true, --left;
            }
        }
        link_.mood = Free;
        say("    states without a way back: %zu\n", left);
        verdict(left == 0);
    }

    void show(uint64_t k) const {
        const Pair q = pair_of(k);
        const Way* w = q.acc.way;
        say("    A %s\n    B %s  fly %d %d mute %d %d lost %d %d\n",
            text(link_.end(q.end[0])).c_str(), text(link_.end(q.end[1])).c_str(), w[0].fly,
            w[1].fly, w[0].mute, w[1].mute, w[0].lost, w[1].lost);
    }
    // The first occurrence of an event on an error-free link: the path from reset.
    void fail(const std::string& what, uint32_t at, uint64_t last) {
        failed_ = true;
        if (told_[what]++) return;
        say("  VIOLATED: %s\n", what.c_str());
        if (verbose) show_way({last}, at);
    }
    // The same after a fault; numbers below sound_.size() are error-free states, the others those
    // of f.
    void tell(const char* what, const KeySet& f, const std::vector<uint32_t>& from, uint32_t at,
              uint64_t last) {
        say("  %s\n", what);
        std::vector<uint64_t> way{last};
        for (; at >= sound_.size(); at = from[at - sound_.size()])
            way.push_back(f[at - sound_.size()]);
        if (verbose) show_way(way, at);
    }

    Link link_;
    Rules rules_;
    KeySet sound_, ends_;  // the error-free states, and the same without bookkeeping
    std::vector<uint32_t> parent_;

private:
    void show_way(std::vector<uint64_t> way, uint32_t at) const {
        const size_t fault = way.size();
        for (int n = 0; n < 8; ++n, at = parent_[at]) {
            way.push_back(sound_[at]);
            if (at == 0) break;
        }
        for (size_t j = way.size(); j-- > 0;) {
            show(way[j]);
            if (j == fault) say("    -- here\n");
        }
    }

    bool failed_ = false;
    std::map<std::string, int> told_;
};

}  // namespace model
