// SPDX-License-Identifier: MIT
// Random packets into an input unit, and what must come out of each: worked out
// from common/packet.h, common/mc_packet.h and section 4.4 of the specification.
#pragma once

#include <rdt/core/format.h>
#include "common/mc_packet.h"
#include "common/stimulus.h"

namespace rdt::tb {

// A packet on its way in, and what must come out of it.
struct Arrival {
    static constexpr uint32_t NotSpoilt = ~0u;

    Flits flits;
    uint32_t vc = 0;
    uint32_t pend = 0;  // outputs that must get it
    uint32_t out_vc = 0;
    uint32_t error = 0;
    uint32_t out_flits = 0;
    uint32_t exact = 0;              // flits from the front whose content is known
    uint32_t spoilt_at = NotSpoilt;  // flit with which it is dropped as no packet at all
    bool is_ack = false;
    bool entry = false;  // needs an entry in the ack table before it may go
    bool mc = false;
    McSpec above;  // header of the copies to the upper ports
    uint32_t above_vc = 0;
    McSpec below;  // and of those to the others

    // One pass over it.
    Flits pass(bool up) const {
        if (!mc) return flits;
        Flits copy = encode(up ? above : below);
        copy.resize(3);
        copy.insert(copy.end(), flits.begin() + 3, flits.end());
        return copy;
    }
    uint32_t pass_vc(bool up) const { return mc && up ? above_vc : out_vc; }
    bool is_spoilt() const { return spoilt_at != NotSpoilt; }
    uint32_t tag() const { return mc ? above.tag : uint32_t(flits[0]) >> 7 & 7; }
    void enter(uint32_t tag) {
        above.tag = below.tag = tag;
        entry = false;
    }
};

struct Traffic {
    Dice& rng;
    uint32_t in_port;

    Arrival make(uint32_t vc, const Place& place, uint32_t mask, uint32_t ranks) {
        Arrival a;
        a.vc = vc;
        if (rng.chance(10)) {
            a.is_ack = true;
            // With tag 0 an MBP would take its packet back.
            a.flits = good_flits({TypeAck << 14 | rng.bits(14) | 1u << 7, 0, 0});
            if (rng.chance(5)) a.flits.resize(rng.between(4, 8), rng.bits(18));
            return a;
        }
        const uint32_t fault = rng.below(20);
        if (rng.chance(50)) multicast(a, {place.rank, place.xfer, mask, ranks}, fault);
        else unicast(a, place, fault);
        damage(a, fault);
        return a;
    }

private:
    void unicast(Arrival& a, const Place& place, uint32_t fault) {
        PacketSpec p = random_packet(rng);
        if (fault == 0) p.type = in_port == PortM0 ? TypeErr : rng.pick({TypeShot, TypeErr});
        a.flits = encode(p);
        const Expected e = expect(p, in_port, a.vc, place);
        a.pend = 1u << e.port;
        a.out_vc = e.vc;
        a.error = fault == 0 ? uint32_t(ErrBadType) : e.error;
        if (fault == 2) {
            uint64_t& flit = a.flits[rng.between(1, 2)];
            flit = with_field(flit, 0, 1, 1);
            a.error = ErrReserved;
        }
    }

    void multicast(Arrival& a, const McPlace& place, uint32_t fault) {
        McSpec p;
        p.type = rng.between(TypeMcSm, TypeMcLarp);
        p.tag = rng.chance(50) ? 0 : rng.bits(3);
        p.mbp = rng.bits(1);
        for (uint32_t& map : p.map) map = rng.chance(40) ? 0 : rng.bits(8);
        if (rng.chance(70))
            for (uint32_t level = place.rank + 1; level < 5; ++level) p.map[level] = 0;
        if (rng.chance(80))
            for (uint32_t level = 1; level < 5; ++level)
                if ((place.ranks >> (level - 1) & 1) == 0) p.map[level] = 0;
        p.body.resize(rng.below(14));
        for (uint32_t& payload : p.body) payload = rng.bits(17);
        if (fault == 0) p.body.clear();
        a.flits = encode(p);
        for (const McCopy& c : expect_copies(p, in_port, place)) {
            a.pend |= 1u << c.port;
            if (c.vc == 2) a.out_vc = 2;  // a transfer hop
        }
        if (cannot_have_come(p, in_port, a.vc, place)) a.pend = 0;
        a.error = a.pend == 0 ? ErrBadMap : ErrNone;
        a.mc = true;
        a.entry = p.tag != 0;
        a.above = a.below = p;
        copies(a, p, place.rank, place.ranks);
    }

    // Section 4.4, copies of a multicast.
    void copies(Arrival& a, const McSpec& p, uint32_t rank, uint32_t ranks) const {
        int level = 4;
        while (level >= 0 && p.map[size_t(level)] == 0) --level;
        const bool expl = level > 0 && level == int(rank);
        const bool relay = in_port < PortE1   ? level == 0
                           : in_port < PortM0 ? level == int(rank)
                                              : false;
        if (expl) {
            a.above_vc = relay;
            a.above.map[rank] = relay ? 0 : p.map[rank] & 0xF0;
            a.above.type = TypeMcSm;
            a.below.map[rank] = 0;
            if (p.type == TypeMcLarp) a.below.type = TypeMcSm;
            for (size_t l = 0; l < rank; ++l) {
                const uint32_t all = l == 0 || (ranks >> (l - 1) & 1) != 0 ? 0xFF : 0;
                if (p.type == TypeMcLpra) a.above.map[l] = all;
                if (p.type == TypeMcLarp) a.below.map[l] = all;
            }
        }
        // Level 0 is expanded here if no transfer is needed first.
        for (size_t l = 1; l < 5; ++l)
            if (a.below.map[l] != 0) return;
        if (level == 0 && relay) a.out_vc = 1;
        a.below.map[0] = relay && !expl ? 0 : a.below.map[0] & 0xF0;
    }

    void damage(Arrival& a, uint32_t fault) {
        if (fault == 1) {
            a.spoilt_at = rng.below(3);
            a.flits[a.spoilt_at] ^= 1u << rng.below(18);
        }
        if (fault == 3) {
            a.flits[0] = with_field(a.flits[0], 10, 4, rng.below(2));
            a.error = ErrBadLength;
        }
        if (payload_of(a.flits[0]) == 0) a.spoilt_at = 0;
        a.out_flits = a.exact = uint32_t(a.flits.size());
        if (a.error != ErrNone) {
            a.pend = 1u << PortLocal;
            a.out_vc = 0;
            a.mc = a.entry = false;
            a.out_flits = a.exact = 3;
        }
        if (fault == 4 && a.flits.size() > 3) {
            a.flits[rng.between(3, uint32_t(a.flits.size()) - 1)] ^= 1u << rng.below(18);
        } else if (fault == 5 && a.flits.size() > 3) {
            a.flits.resize(rng.between(3, uint32_t(a.flits.size()) - 1));
            a.exact = 3;
        } else if (fault == 6) {
            for (uint32_t n = rng.between(1, 10); n != 0; --n) a.flits.push_back(rng.bits(18));
        }
    }
};

}  // namespace rdt::tb
