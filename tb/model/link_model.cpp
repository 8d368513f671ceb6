// SPDX-License-Identifier: MIT
// Every state of a link: two ends of the line protocol (sections 1, 4.2 and 4.7 of the
// specification) with any traffic, without faults, with one and two flips, and with stuck pins.
// Exits with 1 if a claim does not hold, or if a rule can be left out and nobody notices.
#include <cstring>

#include "link_claims.h"

using namespace model;

namespace {

bool verbose = false;

struct Part {
    const char* name;
    Rules rules;
    bool flips, second, stuck;
};

bool holds(const Part& part, bool quiet) {
    if (!quiet) std::printf("%s\n", part.name);
    Claims c(part.rules);
    c.quiet = quiet, c.verbose = verbose;
    c.sound();
    if (part.flips) c.poor();
    for (int pin = 0; pin < Pins; ++pin) {
        if (part.flips) c.flip(pin, false);
        if (part.second) c.flip(pin, true);
    }
    for (int pin = 0; pin < PinD && part.stuck; ++pin) c.stuck(pin, 0), c.stuck(pin, 1);
    return !c.failed();
}

// One VC and small times: enough for most of what can go wrong.
Rules small(int most_more) {
    Rules r;
    r.vcs = 1, r.num_vc = 1, r.most_more = most_more;
    r.sync_min = 4, r.zero_max = 12, r.ann_last = 5;
    return r;
}
Rules with(Rules r, bool Rules::*what, bool value) {
    r.*what = value;
    return r;
}

}  // namespace

// Without an argument: what takes some seconds. full: the chip's own times and two of three VCs.
int main(int argc, char** argv) {
    bool full = false;
    for (int i = 1; i < argc; ++i) {
        full |= !std::strcmp(argv[i], "full");
        verbose |= !std::strcmp(argv[i], "verbose");
    }
    std::vector<Part> parts;
    parts.push_back({"one VC, 3 and 4 flits", small(1), true, false, true});
    parts.push_back({"one VC, 3 flits, two flips", small(0), false, true, false});
    parts.push_back({"one VC, 3 and 4 flits, switched on and off",
                     with(small(1), &Rules::off, true), true, false, false});
    Rules acks = small(0);
    acks.ack_gap = 8;
    parts.push_back({"one VC, 3 flits, and acks", acks, true, false, true});
    Rules two = small(1);
    two.vcs = 3, two.num_vc = 2, two.ann_last = 8, two.sync_min = 3, two.zero_max = 9;
    two.most_more = 0;
    parts.push_back({"VCs 0 and 1 of two, 3 flits", two, true, false, true});
    if (full) {
        two.most_more = 1;
        parts.push_back({"VCs 0 and 1 of two, 3 and 4 flits, two flips", two, false, true, false});
        parts.push_back(
            {"VCs 0 and T of three, 3 to 5 flits, the chip's times", Rules{}, true, false, false});
        Rules t = with(Rules{}, &Rules::off, true);
        t.vcs = 1, t.num_vc = 1;
        parts.push_back({"one VC, 3 to 5 flits, the chip's times, switched", t, true, false, true});
    }
    int failed = 0;
    for (const Part& p : parts) failed |= !holds(p, false);

    // No rule is there for nothing.
    const std::pair<const char*, bool Rules::*> rules[] = {
        {"tail_goes_out", &Rules::tail_goes_out}, {"hush", &Rules::hush},
        {"watch_zero", &Rules::watch_zero},       {"idle_call", &Rules::idle_call},
        {"call_is_bad", &Rules::call_is_bad},     {"remember", &Rules::remember}};
    for (const auto& [name, rule] : rules) {
        const bool found = !holds({"", with(small(0), rule, false), false, true, false}, true);
        std::printf("without %s: %s\n", name, found ? "violated, as expected" : "NOT NOTICED");
        failed |= !found;
    }
    std::printf(failed ? "VIOLATED\n" : "all claims hold\n");
    return failed;
}
