// SPDX-License-Identifier: MIT
// What the flit on the line is to an input unit: part of a packet that is written to its buffer, an
// ack, or nothing that can be taken.
#pragma once

#include "core/flit.h"

namespace rdt {

struct Arrival {
    bool valid = false;
    uint32_t vc = 0;
    uint32_t idx = 0;     // in its packet, 16 behind the end of the buffer
    bool odd = false;     // parity
    bool lands = false;   // an ack; acks are not buffered
    bool over = false;    // there is no buffer for it
    bool drop = false;    // not written
    bool take = false;    // written
    bool spoilt = false;  // a header flit that is none
    bool fresh = false;   // the header is complete
    bool body = false;

    // A packet begins.
    void first(uint32_t d, bool room) {
        idx = 0;
        lands = get(d, H0Type) == int(TypeAck) && is_good_head(d);
        over = !room && !lands;
        drop = !room || lands;
    }
    void judge(uint32_t d) {
        odd = rdt::odd(d);
        take = !drop;
        // Nobody drives: 0 is even, but no H0.
        const bool no_head = idx == 0 && (odd || (d & PayloadMask) == 0);
        const bool no_header = (idx == 1 || idx == 2) && !odd;
        spoilt = take && (no_head || no_header);
        fresh = take && idx == 2 && !spoilt;
        body = take && idx > 2;
    }
};

}  // namespace rdt
