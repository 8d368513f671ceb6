// SPDX-License-Identifier: MIT
// An MBP 0 that knows shoot-down: keeps what its chip hands over and puts it back.
// Written from docs/packet.md; shares no code with fast/shot.h.
#pragma once

#include <vector>

#include <rdt/machine/endpoint.h>
#include "common/setup.h"

namespace rdt::tb {

using machine::Endpoint;

class ShotKeeper {
public:
    // A buffer's context and the packet that was in it.
    struct Kept {
        Flits context;
        Flits packet;
        bool offered = false;
        uint32_t port() const { return context[1] >> 13 & 15; }
        uint32_t vc() const { return context[1] >> 11 & 3; }
    };

    explicit ShotKeeper(Endpoint& mbp) : m_mbp(mbp) {}

    // Whether a packet from the chip belongs to a shoot-down; it is kept if so. From the first on
    // the MBP sends no other packets: the router would hold them and block its port.
    bool take(const Flits& flits) {
        if (m_awaits_packet) {
            m_slots.back().packet = flits;
            m_awaits_packet = false;
            return true;
        }
        switch (flits[0] >> 14 & 7) {
        case Shot: take_shot(flits); return true;
        case Setup: return take_answer(flits);
        case Err: return take_refusal(flits);
        default: return false;
        }
    }

    bool began() const { return m_mbp.hold_back; }
    // Everything requested has been handed over. As long as the MBP has no credit its own last
    // packet is in the chip, and will be handed over with another End.
    bool ended() const { return m_ended && m_mbp.has_credit(0); }
    std::vector<Kept>& slots() { return m_slots; }
    const std::vector<Flits>& entries() const { return m_entries; }
    uint64_t refusals() const { return m_refusals; }

    void dump_again() {
        m_ended = false;
        m_mbp.send_first(good_flits({Shot << 14 | 2u << 10 | End, 0, 0}));
    }

    // All but what was in the buffer of port 8, which goes last. A packet that the router refuses
    // because another arrived at that port is offered again.
    void put_back(bool with_entries) {
        m_settled = false;
        if (with_entries)
            for (const Flits& entry : m_entries) m_mbp.send_first(entry);
        m_entries.clear();
        offer_open();
        fence();
    }
    bool settled() const { return m_settled; }

    // The last to be put back, and the chip continues.
    void run() {
        bool runs = false;
        for (Kept& kept : m_slots) {
            if (kept.port() != 8) continue;
            kept.context[0] = as_head((kept.context[0] & 0x1FFFF) | RunBit);
            offer(kept);
            runs = true;
        }
        if (!runs) m_mbp.send_first(good_flits({Shot << 14 | 2u << 10 | Run, 0, 0}));
        m_slots.clear();
        m_ended = false;
        m_mbp.hold_back = false;
    }

private:
    static constexpr uint32_t Setup = 5, Shot = 6, Err = 7;               // types
    static constexpr uint32_t SlotOf = 0, EntryOf = 1, End = 2, Run = 3;  // what
    static constexpr uint32_t RunBit = 4;
    static constexpr uint32_t BadShot = 11;
    static constexpr uint32_t ShotRegister = 16;

    void take_shot(const Flits& flits) {
        m_mbp.hold_back = true;
        m_ended = (flits[0] & 3) == End;
        switch (flits[0] & 3) {
        case SlotOf:
            m_slots.push_back({flits, {}, false});
            m_awaits_packet = true;
            break;
        case EntryOf: m_new_entries.push_back(flits); break;
        default:  // the entries as they are now
            m_entries = std::move(m_new_entries);
            m_new_entries.clear();
            break;
        }
    }

    void offer(Kept& kept) {
        kept.offered = true;
        m_mbp.send_first(kept.context);
        m_mbp.send_first(kept.packet);
    }
    bool offer_open() {
        bool any = false;
        for (Kept& kept : m_slots) {
            if (kept.offered || kept.packet.empty() || kept.port() == 8) continue;
            offer(kept);
            any = true;
        }
        return any;
    }

    // A restored packet is not confirmed, but all refusals come before this answer.
    void fence() { m_mbp.send_first(setup_read(ShotRegister)); }

    bool take_answer(const Flits& flits) {
        if ((flits[3] & 0x1FFFF) != ShotRegister) return false;
        m_settled = !offer_open() && !m_awaits_packet;
        if (!m_settled) fence();
        return true;
    }

    bool take_refusal(const Flits& flits) {
        if ((flits[0] & 15) != BadShot) return false;
        for (Kept& kept : m_slots) {
            if (!kept.offered || ((kept.context[1] ^ flits[4]) & 0x1FFFF) != 0) continue;
            kept.offered = false;
            ++m_refusals;
            return true;
        }
        return false;
    }

    Endpoint& m_mbp;
    std::vector<Kept> m_slots;
    std::vector<Flits> m_entries;      // entries of the last complete dump
    std::vector<Flits> m_new_entries;  // entries of the running dump
    bool m_awaits_packet = false;
    bool m_ended = false;
    bool m_settled = false;
    uint64_t m_refusals = 0;
};

}  // namespace rdt::tb
