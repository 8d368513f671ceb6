// SPDX-License-Identifier: MIT
// One end of a link as the exploration sees it: the registers of rdt_link_io, rdt_input_unit and
// rdt_output_unit that the line protocol depends on, and nothing else.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace model {

enum Line : uint8_t { Idle, Gnt, Start, Xfer, Sync, Zero, Ann };

// The flit on D. The data do not matter, only its packet and its parity.
enum Flit : uint8_t {
    Nil,    // undriven: reads as 0, which is even
    Even,   // disturbed, even parity, not 0
    Odd,    // disturbed, odd parity
    Head0,  // H0 of a packet sent on VC 0, then 1, then 2
    Head1,
    Head2,
    HeadAck,  // H0 of an ack
    H1odd,
    H1even,
    H2odd,
    H2even,
    BodyOdd,
    BodyEven
};

inline bool is_odd(int d) { return d == Odd || d == H1odd || d == H2odd || d == BodyOdd; }
inline bool is_head(int d) { return d >= Head0 && d <= Head2; }

// One bit inverted on purpose: the VC pattern at the receiver's side. It undoes itself.
inline int inverted(int d) {
    switch (d) {
    case H1odd: return H1even;
    case H1even: return H1odd;
    case H2odd: return H2even;
    case H2even: return H2odd;
    case BodyOdd: return BodyEven;
    case BodyEven: return BodyOdd;
    case Odd: return Even;
    default: return Odd;
    }
}

// One bit inverted by a disturbance: whatever it was, it is no longer a flit of that packet.
inline int disturbed(int d) { return is_odd(d) ? Even : Odd; }

constexpr int AckVc = 3;  // in tx_vc: the stream is an ack

struct End {
    // rdt_link_io
    uint8_t st, mine, tail, cnt, p, pend, keep, rep, cred;
    uint8_t rx_valid, rx_first, rx_second, rx_vc, rx_d;
    // rdt_input_unit; idx = 3: nothing more of this packet is looked at
    uint8_t idx, head, junk, pkt;
    // rdt_output_unit; phase: 0 first flit, 1 more than two to come, 2 last but one, 3 last
    uint8_t tx, phase, more, tx_vc, oe, d, req, in, gap;
    uint8_t owed[3];  // 0, 1 and 3 as specified; 2 is equivalent to 1 for all ends
    uint8_t en;
    uint8_t cool;  // rdt_inject: cycles until an ack may be sent again
};

// All fields with their widths, once, for packing and unpacking alike. keep is only of use while
// the link is down, and then lies where another field is 0; d is one higher with oe.
template <class E, class F>
void fields(E& e, F f) {
    f(e.st, 3), f(e.mine, 1), f(e.tail, 1), f(e.cnt, 5), f(e.p, 2);
    f(e.pend, 3), f(e.rep, 1), f(e.cred, 2);
    f(e.rx_valid, 1), f(e.rx_first, 1), f(e.rx_second, 1), f(e.rx_vc, 2), f(e.rx_d, 4);
    f(e.idx, 2), f(e.head, 2), f(e.junk, 1), f(e.pkt, 3);
    f(e.tx, 1), f(e.phase, 2), f(e.more, 4), f(e.tx_vc, 2), f(e.d, 4), f(e.req, 2);
    f(e.in, 2), f(e.gap, 1), f(e.owed[0], 2), f(e.owed[1], 2), f(e.owed[2], 2), f(e.en, 1),
        f(e.cool, 4);
}

inline uint64_t pack(End e) {
    uint64_t v = 0;
    if (e.st == Sync || e.st == Zero) e.pend = e.keep;
    if (e.st == Ann) e.rx_d = e.keep;
    if (e.oe) ++e.d;
    fields(e, [&](uint8_t x, int width) {
        if (x >> width)
            std::fprintf(stderr, "a field of %d bits holds %d\n", width, x), std::abort();
        v = v << width | x;
    });
    return v;
}

inline End unpack(uint64_t v) {
    End e;
    int left = 0;
    fields(e, [&](uint8_t&, int width) { left += width; });
    fields(e, [&](uint8_t& x, int width) { left -= width, x = v >> left & ((1u << width) - 1); });
    e.keep = 0, e.oe = e.d != 0;
    if (e.oe) --e.d;
    if (e.st == Sync || e.st == Zero) e.keep = e.pend, e.pend = 0;
    if (e.st == Ann) e.keep = e.rx_d, e.rx_d = 0;
    return e;
}

// Unobservable fields are set to 0, so that equivalent states are one state.
inline void forget(End& e) {
    if (!e.rx_valid) e.rx_first = 0;
    if (e.rx_first) e.idx = 0;
    if (e.rx_valid && !e.rx_first && e.idx == 3) e.rx_valid = 0;
    if (!e.rx_valid) e.rx_d = 0;
    else if (!e.rx_first && !is_odd(e.rx_d)) e.rx_d = Even;  // malformed, whatever it was
    bool receiving = e.rx_valid || e.tail || (e.st == Xfer && !e.mine);
    if (!receiving) e.idx = 0;
    if (!receiving || (e.idx == 3 && !e.rx_first)) e.rx_vc = 0;
    if (!receiving || e.idx == 3 || e.idx == 0) e.head = e.junk = 0;
    if (e.rx_vc != 1) e.rx_second = 0;
    if (!e.tx) e.phase = e.more = e.tx_vc = 0;
    if (!e.oe) e.d = 0;
    if (e.st < Xfer || (e.st == Xfer && e.mine)) e.cnt = 0;
    if (e.st < Sync) e.p = 0;
}

}  // namespace model
