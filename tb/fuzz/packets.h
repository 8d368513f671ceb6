// SPDX-License-Identifier: MIT
// Packets for a fuzz run: sound ones of all types, and what becomes of them when they are not.
#pragma once

#include "common/mc_packet.h"
#include "common/dice.h"
#include "common/setup.h"
#include <rdt/core/flit.h>
#include <rdt/core/registers.h>

namespace rdt::tb::fuzz {

class Packets {
public:
    explicit Packets(Dice& random) : m_random(random) {}

    // To somewhere, by a port of each kind now and then.
    Flits unicast() {
        PacketSpec p;
        p.tag = m_random.bits(3);
        p.mbp = m_random.bits(1);
        p.hop = m_random.chance(2) ? 0 : m_random.between(1, 63);
        const uint32_t aim = m_random.below(9);  // the last: an MBP
        if (aim < 6) p.v[0] = {component(4), component(4)};
        if (aim == 5 || aim == 6 || aim == 7)
            p.v[m_random.between(1, 4)] = {component(3), component(3)};
        if (aim == 7) p.v[m_random.between(1, 4)] = {component(3), component(3)};
        fill(p.body, m_random.below(14));
        return encode(p);
    }

    Flits multicast(uint32_t acked) {
        McSpec p;
        p.type = m_random.between(TypeMcSm, TypeMcLarp);
        p.tag = m_random.chance(acked) ? m_random.bits(3) : 0;
        p.mbp = m_random.bits(1);
        const uint32_t top = m_random.below(5);
        for (uint32_t level = 0; level <= top; ++level)
            p.map[level] = m_random.chance(40) ? 0 : m_random.chance(50) ? 0xFF : m_random.bits(8);
        fill(p.body, m_random.below(14));
        return encode(p);
    }

    // Good flits, and nothing else is known of them.
    Flits anything() {
        const uint32_t len = m_random.between(2, 15);
        Flits out{make_head(with(m_random.bits(17), H0Len, int(len)))};
        while (out.size() <= len) out.push_back(make_flit(m_random.bits(17)));
        return out;
    }

    // Any register, also such as do not exist, and values that make a difference.
    Flits writes(uint32_t number) {
        RegisterValues values;
        for (; number != 0; --number) {
            const uint32_t reg = m_random.chance(2) ? m_random.bits(15) : existing();
            values.push_back({reg, value_for(reg)});
        }
        PacketSpec p;
        p.mbp = m_random.bits(1);
        p.tag = m_random.bits(3);
        if (m_random.chance(10)) return setup_read(existing(), p);
        Flits out = setup_write(values, p);
        if (m_random.chance(3)) out.pop_back();  // a command without its data
        if (m_random.chance(3)) out[3] ^= make_flit(0x8000);
        return with_length(std::move(out));
    }

    // A context or an entry with some of its bits turned over.
    Flits turned(Flits flits) {
        for (uint32_t n = m_random.between(1, 3); n != 0; --n) {
            const uint32_t k = m_random.below(3);
            // Of H0 the tag and below, or it is no SHOT packet any more.
            const uint32_t bit = m_random.below(k == 0 ? 10 : 17);
            flits[k] = make_flit(payload_of(flits[k] ^ 1u << bit), k);
        }
        return flits;
    }

    // For RegCtrl. A guarded chip listens to MBP 0 only; shoots are another kind of trouble most of
    // the time.
    uint32_t control(uint32_t shoots) {
        uint32_t value = 0;
        if (m_random.chance(20)) value |= core::Config::CtrlCompare;
        if (m_random.chance(20)) value |= core::Config::CtrlOnTimeout;
        if (m_random.chance(shoots)) value |= core::Config::CtrlShoot;
        if (m_random.chance(25)) value |= core::Config::CtrlGuard;
        if (m_random.chance(50)) value |= core::Config::CtrlSink;
        return value;
    }

    // One of the things that can be wrong with a packet.
    Flits spoilt(Flits flits) {
        switch (m_random.below(6)) {
        case 0: flits[m_random.below(3)] ^= 1u << m_random.below(FlitW); break;
        case 1: flits[m_random.below(uint32_t(flits.size()))] ^= 1u << m_random.below(FlitW); break;
        case 2:
            flits[0] = make_head(with(payload_of(flits[0]), H0Len, int(m_random.bits(4))));
            break;
        case 3: flits.resize(m_random.between(3, uint32_t(flits.size()))); break;
        case 4:
            for (uint32_t n = m_random.between(1, 8); n != 0; --n)
                flits.push_back(m_random.bits(FlitW));
            break;
        default:
            for (flit_t& flit : flits)
                if (m_random.chance(20)) flit = m_random.bits(FlitW);
            break;
        }
        return flits;
    }

private:
    int component(unsigned width) {
        return m_random.chance(40) ? 0 : int(m_random.bits(width)) - (1 << (width - 1));
    }
    void fill(std::vector<uint32_t>& body, size_t flits) {
        body.resize(flits);
        for (uint32_t& payload : body) payload = m_random.bits(17);
    }

    uint32_t existing() { return m_random.below(RegSunkCnt + 1); }
    uint32_t value_for(uint32_t reg) {
        switch (reg) {
        case RegLink: return m_random.chance(60) ? 0xFF : m_random.bits(8);
        case RegStatus:
        case RegLinkErr: return m_random.chance(50) ? 0xFFFF : m_random.bits(16);
        case RegCtrl: return control(15);
        case RegTimeout:
        case RegTEnt:
        case RegTAck: return m_random.chance(20) ? 0 : m_random.bits(m_random.between(1, 16));
        default: return m_random.bits(16);
        }
    }
    static Flits with_length(Flits flits) {
        flits[0] = make_head(with(payload_of(flits[0]), H0Len, int(flits.size()) - 1));
        return flits;
    }

    Dice& m_random;
};

}  // namespace rdt::tb::fuzz
