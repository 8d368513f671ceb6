// SPDX-License-Identifier: MIT
// SETUP packets of a fuzz run: reads that bring what a chip keeps to itself to its pins, and bodies
// in which one thing is not as it has to be.
#pragma once

#include "common/dice.h"
#include "common/setup.h"
#include <rdt/core/flit.h>

namespace rdt::tb::fuzz {

inline uint32_t any_register(Dice& random) { return random.below(RegSunkCnt + 1); }

inline PacketSpec setup_head(Dice& random) {
    PacketSpec p;
    p.mbp = random.bits(1);
    p.tag = random.bits(3);
    p.type = TypeSetup;
    return p;
}

// Error registers more often than others.
inline Flits register_read(Dice& random) {
    constexpr uint32_t Telling[] = {RegStatus,  RegLinkErr, RegErrCnt,   RegBodyCnt, RegSyncCnt,
                                    RegLostCnt, RegDown,    RegStrayCnt, RegSunkCnt, RegShot};
    const uint32_t reg = random.chance(60) ? Telling[random.below(10)] : any_register(random);
    return setup_read(reg, setup_head(random));
}

// Commands of any kind one after the other. An address may have one bit too many, a write be the
// last word of its packet, a read not be alone, and a flit of the body be spoilt.
inline Flits odd_setup(Dice& random) {
    PacketSpec p = setup_head(random);
    const uint32_t words = random.between(1, 13);
    while (p.body.size() < words) {
        uint32_t command = any_register(random);
        if (random.chance(20)) command ^= 1u << random.below(17);
        if (random.chance(80)) command |= 0x8000;
        p.body.push_back(command);
        if (p.body.size() < words && (command & 0x8000) != 0) p.body.push_back(random.bits(17));
    }
    Flits out = encode(p);
    if (random.chance(30))
        out[random.between(3, uint32_t(out.size()) - 1)] ^= 1u << random.below(18);
    return out;
}

}  // namespace rdt::tb::fuzz
