// SPDX-License-Identifier: MIT
// Every state of a link: two ends of the line protocol (sections 1, 4.2 and 4.7 of the
// specification) with any traffic, without faults, with one and two flips, and with stuck pins.
// Exits with 1 if a claim does not hold, or if a rule can be left out undetected.
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

// Small times: the other end's calls and announcements still fit in.
Rules one_vc(int most_more) {
    Rules r;
    r.vcs = 1, r.num_vc = 1, r.most_more = most_more;
    r.sync_min = 4, r.zero_max = 12, r.ann_last = 5, r.too_long = most_more + 2;
    return r;
}
Rules two_vcs(int most_more) {
    Rules r;
    r.vcs = 3, r.num_vc = 2, r.most_more = most_more;
    r.sync_min = 3, r.zero_max = 9, r.ann_last = 8, r.too_long = most_more + 2;
    return r;
}
Rules with(Rules r, bool Rules::*what, bool value) {
    r.*what = value;
    return r;
}

}  // namespace

// verbose: print the path to a violated claim.
int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) verbose |= !std::strcmp(argv[i], "verbose");
    Rules acks = one_vc(0);
    acks.ack_gap = 8;
    std::vector<Part> parts{
        {"one VC, 3 and 4 flits", one_vc(1), true, false, true},
        {"one VC, 3 flits, two flips", one_vc(0), false, true, false},
        {"one VC, 3 and 4 flits, switched", with(one_vc(1), &Rules::off, true), true, false, false},
        {"one VC, 3 flits, and acks", acks, true, false, true},
        {"VCs 0 and 1 of two, 3 flits", two_vcs(0), true, false, true},
    };
    int failed = 0;
    for (const Part& p : parts) failed |= !holds(p, false);

    // No rule is there for nothing. Most take two flips, or none; one takes VC 1, one a stuck pin.
    for (const auto& [name, rule] : RuleSwitches) {
        const bool vc1 = rule == &Rules::call_is_bad;
        const bool stuck = rule == &Rules::hello;
        const Part part{name, with(vc1 ? two_vcs(0) : one_vc(0), rule, false), vc1, !vc1 && !stuck,
                        stuck};
        const bool found = !holds(part, true);
        std::printf("without %s: %s\n", name, found ? "violated, as it should" : "NOT NOTICED");
        failed |= !found;
    }
    std::printf(failed ? "VIOLATED\n" : "all claims hold\n");
    return failed;
}
