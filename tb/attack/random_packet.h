// SPDX-License-Identifier: MIT
// A packet with a random header: any type, length, tag, vectors, maps, also wrong parity. Only what
// an MBP 0 may do to its own chip is left out: SETUP packets that stay there, and SHOT.
#pragma once

#include "common/dice.h"
#include "common/packet.h"
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {

inline Maps random_maps(Dice& random) {
    Maps maps = 0;
    for (uint32_t l = 0; l <= MaxRank; ++l)
        if (random.chance(l < 2 ? 60 : 15)) maps |= map_byte(l, random.bits(8));
    return maps;
}

// An ack as a packet would take the MBP's credit with it.
inline bool may_send(uint32_t at, const Header& h) {
    const int type = get(h.h0, H0Type);
    const bool own = highest_rank(vectors_of(h)) == 0 && vectors_of(h)[0] == Vec{};
    if (type == int(TypeAck)) return false;
    return at % 2 != 0 || (type != int(TypeShot) && (type != int(TypeSetup) || !own));
}

// `at`: MBP that sends it, 2 * node + m.
inline machine::Flits random_packet(Dice& random, const Geometry& geometry, uint32_t at) {
    for (;;) {
        const uint32_t flits = 3 + random.below(14);
        Header h{};
        switch (random.below(4)) {
        case 0:  // nonsense
            h.h0 = make_head(random.bits(17));
            h.h1 = make_flit(random.bits(17));
            h.h2 = make_flit(random.bits(17));
            break;
        case 1:  // a multicast
            h = multicast_header(random_maps(random), int(random.bits(1)),
                                 Type(TypeMcSm + random.below(3)), int(flits) - 1,
                                 int(random.bits(3)));
            break;
        default:  // with a destination that exists, of any type
            h = geometry.make_header(at / 2, random.below(64), int(random.bits(1)),
                                     Type(random.bits(3)), int(flits) - 1, int(random.bits(3)),
                                     random.chance(80) ? MaxHops : int(random.below(4)));
            break;
        }
        if (!may_send(at, h)) continue;
        machine::Flits out = machine::flits_of(h);
        while (out.size() < flits) out.push_back(make_flit(random.bits(17)));
        if (random.chance(15)) out[random.below(flits)] ^= 1u << random.below(FlitW);
        if (random.chance(10))
            out[0] = make_head(payload_of(with(out[0], H0Len, int(random.bits(4)))));
        if (may_send(at, {out[0], out[1], out[2]})) return out;
    }
}

}  // namespace rdt::tb
