// SPDX-License-Identifier: MIT
// Packets for a fuzz run: valid ones of all types, and malformed ones derived from them.
#pragma once

#include <algorithm>

#include "common/mc_packet.h"
#include "common/dice.h"
#include "common/setup.h"
#include <rdt/core/flit.h>
#include <rdt/core/registers.h>

namespace rdt::tb::fuzz {

class Packets {
public:
    explicit Packets(Dice& random) : m_random(random) {}

    // The router's rank as last configured, and the percentage of packets for upper levels that use
    // it.
    void aim(uint32_t rank, uint32_t percent) {
        m_rank = rank;
        m_own_rank = percent;
    }

    // To somewhere, by a port of each kind now and then.
    Flits unicast() {
        PacketSpec p = addressed();
        fill(p.body, m_random.below(14));
        return encode(p);
    }
    // To the neighbor or MBP at a port, if the router's rank is as configured.
    Flits unicast_to(uint32_t port) {
        PacketSpec p;
        p.mbp = port & 1;
        const int step = port % 2 == 0 ? 1 : -1;
        const uint32_t rank = port < 4 ? 0 : std::max(1u, m_rank);
        if (port < PortM0) (port % 4 < 2 ? p.v[rank].x : p.v[rank].y) = step;
        fill(p.body, m_random.below(14));
        return encode(p);
    }

    // For this chip or for others. Unless `changes`, this one gets no other place or links.
    Flits setup(bool changes) {
        PacketSpec p = addressed();
        const bool here = m_random.chance(60);
        if (here) p.v = {};
        p.hop = m_random.between(1, 63);
        if (m_random.chance(50)) return setup_read(existing(), p);
        if (here && !changes)
            return setup_write({{m_random.between(RegErrCnt, RegBodyCnt), m_random.bits(8)},
                                {m_random.between(RegX, RegY), m_random.bits(8)}},
                               p);
        return setup_write(values(m_random.between(1, 6)), p);
    }

    Flits multicast(uint32_t acked) {
        McSpec p;
        p.type = m_random.between(TypeMcSm, TypeMcLarp);
        p.tag = m_random.chance(acked) ? m_random.between(1, 7) : 0;
        p.mbp = m_random.bits(1);
        const uint32_t top = m_random.chance(m_own_rank) ? m_rank : m_random.below(5);
        for (uint32_t level = 0; level <= std::min(top, 4u); ++level)
            p.map[level] = m_random.chance(40)   ? 0
                           : m_random.chance(30) ? 0xFF
                           : m_random.chance(30) ? 1u << m_random.below(8)
                                                 : m_random.bits(8);
        fill(p.body, m_random.chance(20) ? 0 : m_random.below(14));
        return encode(p);
    }

    // Valid flits of a packet with one error, each kind equally often.
    Flits refused() {
        PacketSpec p = addressed();
        fill(p.body, m_random.below(4));
        switch (m_random.below(10)) {
        case 0: p.type = m_random.between(TypeShot, TypeErr); return encode(p);
        case 1: return cut(encode(p));
        case 2: {  // a reserved bit
            Flits flits = m_random.chance(50) ? unicast() : setup(false);
            const uint32_t k = m_random.between(1, 2);
            flits[k] = make_flit(payload_of(flits[k]) ^ 1);
            return flits;
        }
        case 3:
            p.hop = 0;
            p.v[0] = {1, 1};
            return encode(p);
        case 4: {  // an empty map: bits of North where only those of South count
            McSpec mc;
            mc.type = m_random.between(TypeMcSm, TypeMcLarp);
            mc.map[m_random.below(5)] = m_random.chance(50) ? 1u << m_random.below(4) : 0xFF;
            return encode(mc);
        }
        case 5: return setup_read(m_random.between(RegSunkCnt + 1, 0x7FFF));
        case 6: return setup_write({{m_random.pick({RegId, RegShot, RegDown}), m_random.bits(16)}});
        case 7: {  // a command or its data with the wrong parity
            Flits flits = setup_write(values(m_random.between(1, 3)));
            flits[m_random.between(3, uint32_t(flits.size()) - 1)] ^= 1u << m_random.below(FlitW);
            return flits;
        }
        case 8: {  // no body, or one of the wrong shape
            Flits flits = m_random.chance(50) ? setup_write(values(2)) : setup_read(existing());
            if (m_random.chance(50)) flits.pop_back();
            else flits.push_back(make_flit(existing()));
            return with_length(std::move(flits));
        }
        default: return setup_write(values(m_random.between(1, 6)));  // with Guard on
        }
    }

    // The length field has no body, or less.
    Flits cut(Flits flits) {
        flits[0] = make_head(with(payload_of(flits[0]), H0Len, int(m_random.bits(1))));
        return flits;
    }

    // Ends before its announced length. A short packet announces a larger length.
    Flits shortened(Flits flits) {
        const auto size = uint32_t(flits.size());
        const uint32_t len = m_random.between(std::max(3u, std::min(size - 1, 15u)), 15);
        flits[0] = make_head(with(payload_of(flits[0]), H0Len, int(len)));
        flits.resize(m_random.between(3, std::min(size, len)));
        return flits;
    }

    // Acks that are sent as packets, without the required spacing.
    Flits flooding_ack() {
        const uint32_t generation = m_random.bits(4);
        const uint32_t tag = m_random.bits(3);
        const uint32_t status = m_random.bits(6);
        return good_flits({uint32_t(TypeAck) << 14 | generation << 10 | tag << 7 | status, 0, 0});
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
        PacketSpec p;
        p.mbp = m_random.bits(1);
        p.tag = m_random.bits(3);
        if (m_random.chance(20)) return setup_read(existing(), p);
        Flits out = setup_write(values(number, 2), p);
        if (m_random.chance(3)) out.pop_back();  // a command without its data
        if (m_random.chance(3)) out[3] ^= make_flit(0x8000);
        return with_length(std::move(out));
    }

    // A context or an entry with some of its bits turned over.
    Flits turned(Flits flits) {
        for (uint32_t n = m_random.between(1, 3); n != 0; --n) {
            const uint32_t k = m_random.below(3);
            // Changes only the tag and lower bits of H0, so that it stays a SHOT packet.
            const uint32_t bit = m_random.below(k == 0 ? 10 : 17);
            flits[k] = make_flit(payload_of(flits[k] ^ 1u << bit), k);
        }
        return flits;
    }

    // A context for the same buffer that fits its packet: other outputs, another plan.
    Flits another(Flits context, const Flits& packet) {
        const bool mc = is_multicast(uint32_t(packet[0]));
        uint32_t pend = mc ? m_random.between(1, 0x3FF) : 1u << m_random.below(NumPorts);
        if (mc && m_random.chance(40)) pend &= 0xF0;  // those of the upper ranks alone
        if (pend == 0) pend = 0x30;
        const uint32_t vcs = (pend & 3) != 0 ? 3 : (pend & 0xFC) != 0 ? 2 : 1;
        const uint32_t k = mc ? m_random.bits(4) : m_random.below(vcs);
        const bool ent = mc && get(uint32_t(context[0]), H0Tag) != 0 && m_random.chance(30);
        return with_context(std::move(context), pend, uint32_t(mc) << 5 | k << 1 | uint32_t(ent));
    }

    // One that does not fit, for one reason.
    Flits misfit(Flits context, const Flits& packet) {
        const bool mc = is_multicast(uint32_t(packet[0]));
        const uint32_t port = m_random.below(NumPorts);
        uint32_t pend = 1u << port;
        uint32_t k = mc ? m_random.bits(4) : 0;
        uint32_t ent = 0;
        switch (m_random.below(mc ? 3 : 5)) {
        case 0: pend = 0; break;
        case 1: pend |= 1u << PortLocal; break;
        case 2:
            ent = 1;
            if (mc) context[0] = make_head(with(payload_of(context[0]), H0Tag, 0));
            break;
        case 3: pend |= 1u << m_random.below(NumPorts); break;  // at times it fits after all
        default: k = m_random.chance(50) ? vcs_of(port) : 1u << m_random.below(4); break;
        }
        return with_context(std::move(context), pend, uint32_t(mc) << 5 | k << 1 | ent);
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
        if (m_random.chance(20)) value |= core::Config::CtrlEndLane;
        if (m_random.chance(30)) value |= core::Config::CtrlDrop;
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
    static Flits with_context(Flits context, uint32_t pend, uint32_t plan) {
        context[1] = make_flit(with(payload_of(context[1]), H1Slotpend, int(pend)));
        context[2] = make_flit(plan << 11);
        return context;
    }
    PacketSpec addressed() {
        PacketSpec p;
        p.tag = m_random.bits(3);
        p.mbp = m_random.bits(1);
        p.hop = m_random.chance(2) ? 0 : m_random.between(1, 63);
        const uint32_t aim = m_random.below(9);  // the last: an MBP
        if (aim < 5) p.v[0] = {component(4), component(4)};
        for (uint32_t n = aim == 7 ? 2 : aim >= 4 && aim < 7 ? 1 : 0; n != 0; --n) {
            const PacketSpec::Vector step{component(3), component(3)};
            p.v[upper()] = step;
        }
        return p;
    }
    uint32_t upper() {
        const bool own = m_rank - 1 < 4 && m_random.chance(m_own_rank);
        return own ? m_rank : m_random.between(1, 4);
    }
    // `unknown` percent of them do not exist.
    RegisterValues values(uint32_t number, uint32_t unknown = 0) {
        RegisterValues out;
        for (; number != 0; --number) {
            const uint32_t reg = m_random.chance(unknown) ? m_random.bits(15) : writable();
            out.push_back({reg, value_for(reg)});
        }
        return out;
    }
    int component(unsigned width) {
        return m_random.chance(40) ? 0 : int(m_random.bits(width)) - (1 << (width - 1));
    }
    void fill(std::vector<uint32_t>& body, size_t flits) {
        body.resize(flits);
        for (uint32_t& payload : body) payload = m_random.bits(17);
    }

    uint32_t existing() { return m_random.below(RegSunkCnt + 1); }
    uint32_t writable() {
        const uint32_t reg = existing();
        return core::Config::read_only(reg) && !m_random.chance(5) ? uint32_t(RegMask) : reg;
    }
    uint32_t value_for(uint32_t reg) {
        switch (reg) {
        case RegLink: return m_random.chance(60) ? 0xFF : m_random.bits(8);
        case RegStatus:
        case RegLinkErr: return m_random.chance(50) ? 0xFFFF : m_random.bits(16);
        case RegCtrl: return control(15);
        case RegTimeout:
        case RegTEnt:
        case RegTAck:
            return m_random.chance(20)   ? 0
                   : m_random.chance(20) ? 1u << m_random.below(16)
                                         : m_random.bits(m_random.between(1, 16));
        case RegRank: return m_random.chance(80) ? m_random.below(5) : m_random.bits(16);
        case RegRanks: return m_random.chance(60) ? 0xF : m_random.bits(16);
        case RegErrCnt:
        case RegBodyCnt:
        case RegSyncCnt:
        case RegLostCnt:
        case RegStrayCnt:
        case RegSunkCnt: return m_random.chance(50) ? 0xFF : m_random.bits(16);
        default: return m_random.bits(16);
        }
    }
    static Flits with_length(Flits flits) {
        flits[0] = make_head(with(payload_of(flits[0]), H0Len, int(flits.size()) - 1));
        return flits;
    }

    Dice& m_random;
    uint32_t m_rank = 0;
    uint32_t m_own_rank = 0;
};

}  // namespace rdt::tb::fuzz
