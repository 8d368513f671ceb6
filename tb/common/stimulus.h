// SPDX-License-Identifier: MIT
// What the block tests feed: well-formed packets of every kind, and streams.
#pragma once

#include "common/packet.h"
#include "common/dice.h"

namespace rdt::tb {

// A unicast or SETUP packet to anywhere; now and then with no hops left.
inline PacketSpec random_packet(Dice& rng) {
    constexpr uint32_t Uni = 0;
    constexpr uint32_t Setup = 5;
    PacketSpec p;
    p.type = rng.pick({Uni, Setup});
    p.tag = rng.bits(3);
    p.mbp = rng.bits(1);
    p.hop = rng.chance(5) ? 0 : rng.bits(6);
    if (rng.chance(85)) {
        for (uint32_t r = 1; r <= 4; ++r)
            if (rng.chance(25)) p.v[r] = {int(rng.bits(3)) - 4, int(rng.bits(3)) - 4};
        if (rng.chance(80)) p.v[0].x = int(rng.bits(4)) - 8;
        if (rng.chance(40)) p.v[0].y = int(rng.bits(4)) - 8;
    }
    for (uint32_t n = rng.between(p.type == Setup ? 1 : 0, 13); n != 0; --n)
        p.body.push_back(rng.bits(17));
    return p;
}

// The header flit with another value in one field; a good one stays good.
inline uint32_t with_field(uint32_t flit, uint32_t lo, uint32_t width, uint32_t value) {
    const uint32_t mask = ((1u << width) - 1) << lo;
    const uint32_t changed = (flit & ~mask) | value << lo;
    return is_odd(flit ^ changed) ? changed ^ 1u << 17 : changed;
}

// Code of flit k of n in a stream, by section 3 of the specification.
inline uint32_t stream_code_of(uint32_t k, uint32_t n, uint32_t vc) {
    return k == 0 ? vc + 1 : k < n - 2 ? 2 : k == n - 2 ? 0 : 1;
}
inline uint32_t stream_of(const Flits& flits, uint32_t k, uint32_t vc) {
    return stream_code_of(k, uint32_t(flits.size()), vc) << 18 | flits[k];
}

}  // namespace rdt::tb
