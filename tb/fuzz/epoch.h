// SPDX-License-Identifier: MIT
// What happens to a chip in an epoch of a fuzz run. Calm epochs have valid traffic only. A
// disturbed epoch draws some kinds of faults and a rate for each, so that every kind also occurs
// alone. Every epoch has a theme, which is what cover points (tb/cov) were not hit without.
#pragma once

#include <array>

#include "common/dice.h"
#include <rdt/core/format.h>

namespace rdt::tb::fuzz {

// RDT_KINDS is a mask of these, to isolate a cause.
enum Kind : uint32_t {
    BadPackets,   // wrong parity, wrong length, too short, too long
    OddPackets,   // any header at all
    StrayAcks,    // with any tag, at any port
    Holding,      // buffers are held for long, or forever
    Stops,        // a peer stands still, or is dead
    Writes,       // any register, any value
    Shoots,       // by the pin
    SpoiltSlots,  // contexts are put back with other bits
    ShotNoise,    // unrequested SHOT packets
    SliceNoise,   // the other slice differs
    Flips,        // of single pins
    Bursts,       // of a link, for some cycles
    StuckPins,    // for some time, or forever
    Refusals,     // valid flits of packets that a router has to refuse, each for one reason
    AckFloods,    // acks closer to each other than they may come
    Shorts,       // packets shorter than their length field, read while they arrive
    Flaps,        // links go down and come up again, under load
    OtherSlots,   // contexts are put back that fit, but are not what was dumped
    Forged,       // credits without an empty buffer
    NumKinds,
    Resets = NumKinds,  // resets of the busy routers, drawn for all of them at once
};

// The main kind of traffic.
enum class Theme : uint32_t {
    Mixed,
    Acks,     // multicasts that are answered, sooner or later
    Retries,  // the ack table is full, and waiting for it ends
    Quiet,    // MBPs and neighbors do not answer: entries late and in quarantine
    Setups,   // registers are read and written from everywhere, packets for other chips pass
    OneRank,  // what is on the torus of the chip's own rank
    Crowd,    // all inputs request the same outputs
    Keeping,  // buffers are held until links miss their credits
    NumThemes,
};

class Epoch {
public:
    Theme theme = Theme::Mixed;
    std::array<uint32_t, NumPorts> load{};   // packets offered in 1,000 cycles
    std::array<uint32_t, NumPorts> eager{};  // percent of the cycles in which one may start
    std::array<uint32_t, NumPorts> hold{};   // cycles for which a buffer is kept, at most
    uint32_t multicasts = 0;                 // percent
    uint32_t acked = 0;                      // percent of those: acks set a chip's pace
    uint32_t answers = 100;                  // percent of the multicasts that get an ack
    uint32_t setups = 5;                     // percent of the packets
    uint32_t own_rank = 30;                  // percent of those for upper levels
    uint32_t crowd = NumPorts;               // an output that most packets are for, or none
    uint32_t t_ent = 300;                    // waits for entries and for acks, at most
    uint32_t t_ack = 1000;

    static Epoch calm(Dice& random) {
        Epoch m;
        m.theme =
            random.chance(40) ? Theme::Mixed : Theme(random.below(uint32_t(Theme::NumThemes)));
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m.load[p] = random.chance(30) ? 1000 : random.below(200);
            m.eager[p] = random.chance(50) ? 100 : random.between(1, 100);
            m.hold[p] = random.chance(50) ? 0 : random.below(p < PortM0 ? 60 : 15);
        }
        m.multicasts = random.below(60);
        m.acked = random.chance(50) ? 5 : random.below(80);
        m.answers = random.chance(80) ? 100 : random.between(50, 100);
        m.follow_theme(random);
        return m;
    }
    static Epoch disturbed(Dice& random, uint32_t kinds) {
        Epoch m = calm(random);
        m.m_disturbed = true;
        for (uint32_t k = 0; k < NumKinds; ++k) {
            // From now and then to nearly always.
            const uint32_t rate = 1u << random.between(1, 10);
            if (random.chance(30) && (kinds >> k & 1) != 0) m.m_rate[k] = rate;
        }
        if (m.m_rate[StrayAcks] != 0) m.answers = random.below(100);
        // A waiting packet is complete before it is read.
        if (m.m_rate[Shorts] != 0 && random.chance(60)) {
            for (uint32_t& load : m.load) load = random.between(5, 60);
            m.hold.fill(0);
            // Or a multicast is read more than once, since some outputs are not free.
            if (random.chance(50)) {
                for (uint32_t& hold : m.hold)
                    if (random.chance(40)) hold = 60;
                m.multicasts = random.between(60, 100);
            }
        }
        // Refused packets are reported to MBP 0, one at a time.
        if (m.m_rate[Refusals] != 0 && random.chance(70)) m.hold[PortM0] = 0;
        return m;
    }

    bool is_disturbed() const { return m_disturbed; }
    bool has(Kind k) const { return m_rate[k] != 0; }
    // In this cycle.
    bool happens(Kind k, Dice& random) const {
        return m_rate[k] != 0 && random.below(16 * Always) < m_rate[k];
    }
    // To this packet.
    bool strikes(Kind k, Dice& random) const {
        return m_rate[k] != 0 && random.below(Always) < m_rate[k];
    }

private:
    static constexpr uint32_t Always = 1024;

    void follow_theme(Dice& random) {
        switch (theme) {
        case Theme::Acks:
        case Theme::Retries:
        case Theme::Quiet:
            multicasts = random.between(60, 100);
            acked = 100;
            answers = theme == Theme::Quiet ? random.below(60) : 100;
            t_ent = theme == Theme::Retries ? 20 : 300;
            t_ack = theme == Theme::Quiet ? random.between(1, 60) : 2000;
            break;
        case Theme::Setups: setups = random.between(30, 100); break;
        case Theme::OneRank: own_rank = 95; break;
        case Theme::Crowd:
            crowd = random.below(NumPorts);
            load.fill(1000);
            eager.fill(100);
            break;
        case Theme::Keeping:
            for (uint32_t& h : hold)
                if (random.chance(40)) h = 3 * SlowTick;
            multicasts = random.between(30, 100);
            acked = 90;
            break;
        default: break;
        }
    }

    bool m_disturbed = false;
    std::array<uint32_t, NumKinds> m_rate{};
};

// Counters of a run, to distinguish a run without activity from a run without findings.
struct Totals {
    uint64_t clocks = 0;  // cycles of four routers each
    uint64_t seeds = 0;
    uint64_t sent = 0;  // packets
    uint64_t received = 0;
    uint64_t spoilt = 0;  // part of the sent packets
    uint64_t acks = 0;
    uint64_t flips = 0;  // cycles of pins
    uint64_t stops = 0;
    uint64_t resets = 0;  // resets of routers
    uint64_t shoot_downs = 0;
    uint64_t put_backs = 0;
    uint64_t spoilt_put_backs = 0;
    uint64_t writes = 0;  // writes of registers
    uint64_t sunk = 0;    // approximate number of packets for dead outputs
};

}  // namespace rdt::tb::fuzz
