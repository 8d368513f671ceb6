// SPDX-License-Identifier: MIT
#include <cstring>
#include "link_claims.h"
using namespace model;
int main(int argc, char **argv) {
    Rules r; int pins = 31, poor = 1, v_ = 0;
    for (int i = 1; i < argc; ++i) {
        char *q = strchr(argv[i], '='); std::string k(argv[i], q); int v = atoi(q + 1);
        if (k == "more") r.most_more = v; if (k == "sync") r.sync_min = v; if (k == "zero") r.zero_max = v; if (k == "ann") r.ann_last = v;
        if (k == "vcs") r.vcs = v; if (k == "numvc") r.num_vc = v; if (k == "acks") r.acks = v; if (k == "late") r.late = v; if (k == "off") r.off = v;
        if (k == "tail") r.tail_goes_out = v; if (k == "told") r.every_sync_told = v; if (k == "hush") r.hush = v; if (k == "v") v_ = v; if (k == "pins") pins = v; if (k == "poor") poor = v;
    }
    Claims c(r); c.verbose = v_;
    c.sound();
    c.polite();
    if (poor) c.poor();
    for (int p = 0; p < 5; ++p) if (pins >> p & 1) c.flip(p);
    return c.failed;
}
