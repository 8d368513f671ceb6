// SPDX-License-Identifier: MIT
// What happens to a chip in an epoch of a fuzz run. Calm epochs have sound traffic only; a wild one
// draws some kinds of trouble and a rate for each, so that every kind also comes alone and gets
// deep.
#pragma once

#include <array>

#include "common/dice.h"
#include <rdt/core/format.h>

namespace rdt::tb::fuzz {

// RDT_KINDS is a mask of these: whoever looks for a cause leaves out the others.
enum Kind : uint32_t {
    BadPackets,   // wrong parity, wrong length, too short, too long
    OddPackets,   // any header at all
    StrayAcks,    // with any tag, at any port
    Holding,      // buffers are kept for long, or for ever
    Stops,        // a peer stands still, or is dead
    Writes,       // any register, any value
    Shoots,       // by the pin
    SpoiltSlots,  // contexts are put back with other bits
    ShotNoise,    // SHOT packets that nobody asked for
    SliceNoise,   // the other slice differs
    Flips,        // of single pins
    Bursts,       // of a link, for some clocks
    StuckPins,    // for some time, or for ever
    NumKinds,
    Resets = NumKinds,  // of the busy chips, drawn for all of them at once
};

class Mood {
public:
    std::array<uint32_t, NumPorts> load{};   // packets offered in 1,000 clocks
    std::array<uint32_t, NumPorts> eager{};  // percent of the clocks in which one may start
    std::array<uint32_t, NumPorts> hold{};   // clocks for which a buffer is kept, at most
    uint32_t multicasts = 0;                 // percent
    uint32_t acked = 0;                      // percent of those: acks set a chip's pace
    uint32_t answers = 100;                  // percent of the multicasts that get an ack

    static Mood calm(Dice& random) {
        Mood m;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m.load[p] = random.chance(30) ? 1000 : random.below(200);
            m.eager[p] = random.chance(50) ? 100 : random.between(1, 100);
            m.hold[p] = random.chance(50) ? 0 : random.below(p < PortM0 ? 60 : 15);
        }
        m.multicasts = random.below(60);
        m.acked = random.chance(50) ? 5 : random.below(80);
        m.answers = random.chance(80) ? 100 : random.between(50, 100);
        return m;
    }
    static Mood wild(Dice& random, uint32_t kinds) {
        Mood m = calm(random);
        m.m_wild = true;
        for (uint32_t k = 0; k < NumKinds; ++k) {
            // From now and then to nearly always.
            const uint32_t rate = 1u << random.between(1, 10);
            if (random.chance(30) && (kinds >> k & 1) != 0) m.m_rate[k] = rate;
        }
        if (m.m_rate[StrayAcks] != 0) m.answers = random.below(100);
        return m;
    }

    bool is_wild() const { return m_wild; }
    bool has(Kind k) const { return m_rate[k] != 0; }
    // In this clock.
    bool happens(Kind k, Dice& random) const {
        return m_rate[k] != 0 && random.below(16 * Always) < m_rate[k];
    }
    // To this packet.
    bool strikes(Kind k, Dice& random) const {
        return m_rate[k] != 0 && random.below(Always) < m_rate[k];
    }

private:
    static constexpr uint32_t Always = 1024;

    bool m_wild = false;
    std::array<uint32_t, NumKinds> m_rate{};
};

// What a run has done, so that one that did nothing is not taken for one that found nothing.
struct Totals {
    uint64_t clocks = 0;  // of four chips each
    uint64_t seeds = 0;
    uint64_t sent = 0;  // packets
    uint64_t received = 0;
    uint64_t spoilt = 0;  // of those sent
    uint64_t acks = 0;
    uint64_t flips = 0;  // clocks of pins
    uint64_t stops = 0;
    uint64_t resets = 0;  // of chips
    uint64_t shoot_downs = 0;
    uint64_t put_backs = 0;
    uint64_t spoilt_put_backs = 0;
    uint64_t writes = 0;  // of registers
    uint64_t sunk = 0;    // packets for outputs that are dead, about
};

}  // namespace rdt::tb::fuzz
