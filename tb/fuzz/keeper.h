// SPDX-License-Identifier: MIT
// The MBP 0 of a fuzz run: it takes what a shoot-down hands over and gives it back, in a calm epoch
// as it was, in others not quite. Unlike tb/common/shot_keeper.h it expects nothing of its chip.
#pragma once

#include <deque>

#include "fuzz/far_end.h"
#include "fuzz/epoch.h"
#include "fuzz/packets.h"

namespace rdt::tb::fuzz {

class Keeper {
public:
    Keeper(machine::Endpoint& mbp, Dice& random, Packets& packets, Totals& totals)
        : m_mbp(mbp), m_random(random), m_packets(packets), m_totals(totals) {}

    // Whether a packet from the chip belongs to a shoot-down.
    bool take(const Flits& flits, const Epoch& epoch, uint64_t now) {
        if (m_awaits_packet) {
            m_awaits_packet = false;
            m_kept.back().packet = flits;
            return true;
        }
        if (get(uint32_t(flits[0]), H0Type) != int(TypeShot) || flits.size() < 3) return false;
        m_mbp.hold_back = !epoch.is_disturbed() || m_random.chance(80);
        m_puts_back = false;
        switch (get(uint32_t(flits[0]), H0What)) {
        case WhatSlot:
            m_kept.push_back({flits, {}});
            m_awaits_packet = true;
            break;
        case WhatEntry: m_entries.push_back(flits); break;
        default: m_restart_at = now + m_random.below(m_random.chance(80) ? 30 : 2000); break;
        }
        return true;
    }

    void clock(const Epoch& epoch, uint64_t now) {
        if (now == m_restart_at) restart(epoch);
        if (epoch.happens(ShotNoise, m_random)) interfere();
    }

    // Packets are on their way back, or are to be.
    bool puts_back() const { return m_puts_back && m_mbp.queued() != 0; }

    // The router has no earlier state.
    void reset() {
        m_restart_at = Never;
        forget();
    }
    void run() { order(WhatRun); }

private:
    static constexpr uint64_t Never = ~uint64_t(0);
    static constexpr size_t Remembered = 16;
    struct Kept {
        Flits context;
        Flits packet;
    };

    static Flits shot(uint32_t what, uint32_t tag = 0, uint32_t h1 = 0, uint32_t h2 = 0) {
        return good_flits({uint32_t(TypeShot) << 14 | 2u << 10 | tag << 7 | what, h1, h2});
    }
    void order(uint32_t what) {
        if (m_mbp.queued() < 40) m_mbp.send_first(shot(what));
    }

    // Entries, buffers, that of port 8 last because no credit is left after it, and on.
    void restart(const Epoch& epoch) {
        if (m_random.chance(15)) {
            forget();
            order(WhatEnd);
            return;
        }
        const bool spoils = epoch.has(SpoiltSlots);
        // The chip has kept its entries, so that it makes no difference if they come back.
        for (const Flits& entry : m_entries)
            if (m_random.chance(60))
                m_mbp.send_first(epoch.strikes(SpoiltSlots, m_random) ? m_packets.turned(entry)
                                                                      : entry);
        bool runs = false;
        for (const bool own : {false, true})
            for (Kept& kept : m_kept) {
                if ((get(uint32_t(kept.context[1]), H1Slotport) == int(PortM0)) != own) continue;
                if (kept.packet.size() < 3) continue;
                if (own) {
                    const uint32_t h0 = payload_of(kept.context[0]);
                    kept.context[0] = make_head(with(h0, H0Run, 1));
                    runs = true;
                }
                if (epoch.strikes(OtherSlots, m_random))
                    kept.context = m_random.chance(70)
                                       ? m_packets.another(kept.context, kept.packet)
                                       : m_packets.misfit(kept.context, kept.packet);
                offer(kept, epoch.strikes(SpoiltSlots, m_random), epoch.has(Forged));
            }
        if (!runs || spoils) order(WhatRun);
        for (Kept& kept : m_kept)
            if (kept.packet.size() >= 3) m_pool.push_back(std::move(kept));
        while (m_pool.size() > Remembered) m_pool.pop_front();
        m_puts_back = true;
        forget();
        m_mbp.hold_back = false;
    }

    void forget() {
        m_awaits_packet = false;
        m_kept.clear();
        m_entries.clear();
    }

    // Corrupts the context or the packet after it, or sends too early.
    void offer(const Kept& kept, bool turned, bool hasty = false) {
        ++m_totals.put_backs;
        m_totals.spoilt_put_backs += turned;
        const bool cut = turned && m_random.chance(20);
        const bool refused = !cut && m_random.chance(hasty ? 50 : turned ? 30 : 0);
        m_mbp.send_first(turned && !cut && !refused ? m_packets.turned(kept.context)
                                                    : kept.context);
        m_mbp.send_first(cut       ? m_packets.cut(kept.packet)
                         : refused ? m_packets.refused()
                                   : kept.packet);
    }

    void send_any_shot(uint32_t what) {
        const uint32_t tag = m_random.bits(3);
        const uint32_t h1 = m_random.bits(17);
        const uint32_t h2 = m_random.bits(17);
        m_mbp.send_first(shot(what, tag, h1, h2));
    }

    // SHOT packets that come without a shoot-down.
    void interfere() {
        if (m_mbp.queued() >= 40) return;
        switch (m_random.below(4)) {
        case 0: order(m_random.between(WhatEnd, WhatRun)); break;
        case 1: send_any_shot(m_random.bits(3)); break;
        case 2: send_any_shot(WhatEntry); break;
        default:
            if (m_pool.empty()) return;
            const auto& kept = m_pool[m_random.below(uint32_t(m_pool.size()))];
            offer(kept, m_random.chance(50));
            if (m_random.chance(70)) order(WhatRun);
            break;
        }
    }

    machine::Endpoint& m_mbp;
    Dice& m_random;
    Packets& m_packets;
    Totals& m_totals;
    bool m_awaits_packet = false;
    bool m_puts_back = false;
    uint64_t m_restart_at = Never;
    std::vector<Kept> m_kept;
    std::vector<Flits> m_entries;
    std::deque<Kept> m_pool;  // state of earlier shoot-downs
};

}  // namespace rdt::tb::fuzz
