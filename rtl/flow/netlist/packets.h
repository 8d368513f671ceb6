// SPDX-License-Identifier: MIT
// Random packets for the chip: to anywhere, of all types, some of them wrong.
#pragma once

#include "common/mc_packet.h"
#include "common/dice.h"
#include "common/setup.h"
#include <rdt/core/format.h>

namespace rdt::tb {

inline Flits control(uint32_t type, uint32_t len, uint32_t tag, uint32_t low) {
    return {as_head(type << 14 | len << 10 | tag << 7 | low), with_parity(0), with_parity(0)};
}
// To the chip of MBP 0.
inline Flits shot(uint32_t what) { return control(TypeShot, 2, 0, what); }
// Where a router has the length an MBP has the generation of the copy it answers.
inline Flits ack(uint32_t tag, uint32_t status, uint32_t generation = 2) {
    return control(TypeAck, generation, tag, status);
}

class Packets {
public:
    explicit Packets(Dice& random) : m_random(random) {}

    uint32_t multicasts = 35;  // percent

    Flits any(uint32_t bad) {  // percent with something wrong
        Flits flits = of_any_type(bad);
        if (m_random.chance(bad))
            flits[m_random.below(uint32_t(flits.size()))] ^= 1u << m_random.below(18);
        if (m_random.chance(bad)) flits.resize(m_random.between(3, 20), with_parity(0));
        return flits;
    }

    // A context with a bit turned over. It stays one: MBP 0 would get no further if the
    // packet that follows it were one of its own.
    Flits turned(Flits flits) {
        const uint32_t k = m_random.below(3);
        const uint32_t bit = k == 0 ? m_random.between(7, 9) : m_random.below(17);
        flits[k] ^= 1u << bit | 1u << 17;
        return flits;
    }

    // Restored packets need not be dumped ones: any header, to any outputs.
    void replace(Flits& context, Flits& packet) {
        const uint32_t type = m_random.pick({TypeUni, TypeMcSm, TypeMcLpra, TypeMcLarp, TypeSetup});
        packet[0] = as_head(type << 14 | (packet[0] & 15u << 10) | m_random.bits(10));
        packet[1] = with_parity(m_random.bits(17));
        packet[2] = with_parity(m_random.bits(17));
        const bool mc = type >= TypeMcSm && type <= TypeMcLarp;
        const uint32_t out = m_random.below(NumPorts);
        const uint32_t vc = m_random.below(out < 2 ? 3 : out < PortM0 ? 2 : 1);
        const uint32_t others = mc ? m_random.bits(10) & m_random.bits(10) : 0;
        context[1] = with_parity((context[1] & 63u << 11) | others | 1u << out);
        context[2] = with_parity(mc ? 1u << 16 | m_random.bits(4) << 12 : vc << 12);
    }

    // Error registers of the router; cleared occasionally.
    Flits question() {
        if (m_random.chance(30)) return setup_write({{RegStatus, 0x1FFF}, {RegLinkErr, 0x3FF}});
        return setup_read(m_random.pick({RegStatus, RegLinkErr, RegErrCnt, RegBodyCnt, RegSyncCnt,
                                         RegDown, RegLostCnt, RegStrayCnt, RegSunkCnt}));
    }

private:
    Flits of_any_type(uint32_t bad) {
        PacketSpec p;
        p.tag = m_random.bits(3);
        p.mbp = m_random.bits(1);
        p.hop = m_random.chance(bad) ? 0 : m_random.between(1, 63);
        const bool setup = m_random.chance(10);
        // Most have one rank to go, or the transfer hops would be all that is busy.
        const uint32_t only = m_random.chance(20) ? 5 : m_random.below(9) * 3 / 5;
        for (uint32_t rank = 0; rank < 5; ++rank)
            if (only == 5 ? m_random.chance(setup ? 10 : 35) : rank == only && !setup)
                p.v[rank] = {component(), component()};
        if (setup) {
            const uint32_t address = m_random.below(RegSunkCnt + 3);  // and two that do not exist
            if (m_random.chance(60)) return setup_read(address, p);
            return setup_write({{address, value_for(address)}}, p);
        }
        if (m_random.chance(multicasts)) return multicast();
        if (m_random.chance(bad)) p.type = m_random.pick({TypeUni, TypeSetup, TypeErr});
        fill(p.body);
        return encode(p);
    }

    Flits multicast() {
        McSpec p;
        p.type = m_random.between(TypeMcSm, TypeMcLarp);
        p.tag = m_random.bits(3);
        p.mbp = m_random.bits(1);
        for (uint32_t& map : p.map)
            if (m_random.chance(30)) map = m_random.bits(8) & m_random.bits(8);
        fill(p.body);
        return encode(p);
    }

    // Any value for any register. Links are on more often than off and periods are
    // short more often than long, or little would happen afterwards.
    uint32_t value_for(uint32_t address) {
        switch (address) {
        case RegLink: return m_random.bits(8) | m_random.bits(8) | m_random.bits(8);
        case RegTimeout:
        case RegTEnt:
        case RegTAck: return m_random.bits(m_random.between(3, 16));
        default: return m_random.bits(17);
        }
    }

    int component() { return m_random.chance(30) ? 0 : int(m_random.bits(4)) - 8; }

    void fill(std::vector<uint32_t>& body) {
        body.resize(m_random.below(14));
        for (uint32_t& payload : body) payload = m_random.bits(17);
    }

    Dice& m_random;
};

}  // namespace rdt::tb
