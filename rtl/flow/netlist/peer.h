// SPDX-License-Identifier: MIT
// The other end of one link of the chip, from section 1 of the specification and
// without anything of the C++ core: a neighbor or an MBP that sends given packets, accepts packets
// at a configurable rate, and resynchronizes with the router after a disturbed pin or a switch-off.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "common/dice.h"
#include "netlist/peer_credits.h"

namespace rdt::tb {

struct PinsIn {  // pins of the router
    uint32_t d = 0, req = 0, cred = 0;
};
struct PinsOut {
    uint32_t d = 0;
    bool oe = false;
    uint32_t req = 0, cred = 0;
};

// One pin, on its way to the chip or to the other end.
inline void flip(Dice& random, PinsIn& in, PinsOut& chip) {
    const uint32_t kind = random.below(6);
    const uint32_t bit = 1u << random.below(2);
    if (kind < 2) in.d ^= 1u << random.below(18);
    else if (kind == 2) in.req ^= bit;
    else if (kind == 3) in.cred ^= bit;
    else if (kind == 4) chip.req ^= bit;
    else chip.cred ^= bit;
}

class Peer {
public:
    using Flits = std::vector<uint64_t>;

    explicit Peer(uint32_t port)
        : m_num_vc(port < 2   ? 3
                   : port < 8 ? 2
                              : 1),
          m_home(port >= 8 || port % 2 == 0),
          m_mine(m_home),
          m_credits(m_num_vc),
          m_room(m_num_vc) {}

    bool on = true;
    std::function<uint64_t()> hold;  // cycles for which the buffer of a packet is kept
    std::function<bool()> may_start;
    std::function<void(const Flits&)> on_receive;

    void send(uint32_t vc, Flits flits) { m_queue[vc].push_back(std::move(flits)); }
    void send_ack(Flits flits) { m_acks.push_back(std::move(flits)); }
    size_t queued() const { return m_queue[0].size() + m_queue[1].size() + m_queue[2].size(); }
    void forget() {
        for (auto& queue : m_queue) queue.clear();
    }
    const PinsOut& pins() const { return m_pins; }
    uint64_t syncs() const { return m_syncs; }  // how often the link went down

    // `line` is D, driven by either end.
    void clock(const PinsOut& chip, uint32_t line) {
        ++m_clock;
        const bool up = is_up(m_state), polite = up && (!on || m_credits.late(m_clock));
        const bool bad = take(chip.req, line);
        const bool trouble = bad || disturbed(chip.req);
        if (trouble && m_receives && !m_tail) end_of_packet();

        const uint32_t owner = m_mine ? m_pins.req : chip.req;
        const uint32_t other = m_mine ? chip.req : m_pins.req;
        bool to_me = false, to_chip = false;
        if (m_state == Idle) {
            to_me = m_pins.req != 0 && (chip.req == 0 || !m_mine);
            to_chip = !to_me && chip.req != 0;
        } else if (m_state == Start && owner == 0 && other != 0) {
            (m_mine ? to_chip : to_me) = true;
        } else if (m_state == Xfer && owner == 1 && other == 0) {
            (m_mine ? to_me : to_chip) = true;
        }
        State after = follow(chip, owner, to_me || to_chip);
        // In place of Idle, but for the own last flit, which is still to come.
        if (polite && after == Idle && !(m_state == Xfer && m_mine)) after = Sync;
        if (trouble) after = Sync;

        m_credits.clock(chip.cred, m_state, after, m_clock);
        m_room.clock(after, on, m_clock, m_state);
        const bool hears = m_receives && !m_tail;  // the chip is sending, and not yet done
        const int vc = polite ? -1 : next();
        m_pins.cred = m_room.pins();
        drive(after, polite ? hears : vc >= 0);
        if (to_me && vc >= 0 && !trouble) begin(uint32_t(vc));

        m_tail = m_state == Xfer && !m_mine && (chip.req & 2) == 0 && !trouble;
        if (to_me || to_chip) m_mine = to_me;
        else if (m_state == Idle) m_mine = m_home;
        if (!is_up(after)) m_mine = m_home;
        enter(chip, after);
    }

private:
    static constexpr int AckVc = 3;  // stands for an ack, which needs no credit
    static constexpr uint64_t AckGap = 16;

    // The flit on the lines; true if the packet it belongs to is not to be taken.
    bool take(uint32_t req, uint32_t line) {
        const bool first = m_state == Start && !m_mine && req != 0;
        m_receives = first || (m_state == Xfer && !m_mine) || m_tail;
        if (!m_receives) return false;
        if (first) {
            m_in.clear();
            m_in_vc = req - 1;
            m_drop = false;
        }
        const size_t k = m_in.size();
        // The VC's mark in the parity. Who calls drives nothing.
        if (req != 3 && ((k == 1 && m_in_vc == 2) || (k == 2 && m_in_vc == 1))) line ^= 1u << 17;
        m_in.push_back(line);
        if (k == 0) m_is_ack = !odd(line) && (line >> 14 & 7) == 4;
        bool bad = false;
        if (!m_is_ack && !m_drop && k < 3) {
            bad = k == 0 ? odd(line) || (line & 0x1FFFF) == 0 || m_in_vc >= m_num_vc ||
                               m_room.full(m_in_vc)
                         : !odd(line);
            m_drop = bad;
            if (!bad && k == 2) m_room.fill(m_in_vc);
        }
        if (m_tail && !bad) end_of_packet();
        return bad;
    }

    // With trouble it ends here; before its H2 it never was one.
    void end_of_packet() {
        if (m_drop || m_in.size() < 3) return;
        if (!m_is_ack) m_room.keep(m_in_vc, m_clock + (hold ? hold() : 0));
        if (on_receive) on_receive(m_in);
    }

    // The table of errors, except malformed flits.
    bool disturbed(uint32_t req) const {
        if (m_state == Ann) return req != 0;
        if (!is_up(m_state)) return false;
        const bool chips_turn = !m_mine && (m_state == Start || m_state == Xfer);
        if (m_pins.oe && m_receives) return true;
        if (!chips_turn) return (req & 2) != 0;
        return m_state == Start ? req > m_num_vc : req == 3 || m_count == 15;
    }

    State follow(const PinsOut& chip, uint32_t owner, bool granted) const {
        const bool chip_calls = chip.req == 3 && chip.cred == 3;
        const bool chip_zero = chip.req == 0 && chip.cred == 0;
        switch (m_state) {
        case Gnt: return Start;
        case Sync: {
            const bool called = m_seen == 3 || (m_seen == 2 && chip_calls);
            return m_count >= 8 && called && on && m_sent == m_out.size() ? Zero : Sync;
        }
        case Zero:
            if (chip_zero && m_seen == 1) return Ann;
            return m_count == 31 || (chip.req == 0 && chip.cred != 0) ? Sync : Zero;
        case Ann: return m_count == 11 ? Idle : Ann;
        default: break;
        }
        if (granted) return Gnt;
        if (m_state == Start) return owner != 0 ? Xfer : Idle;
        return m_state == Xfer && (owner & 2) != 0 ? Xfer : Idle;
    }

    void enter(const PinsOut& chip, State after) {
        const bool stays = after == m_state;
        if (m_state == Sync && stays && m_seen < 3)
            m_seen = chip.req == 3 && chip.cred == 3 ? m_seen + 1 : 0;
        if (m_state == Zero) m_seen = chip.req == 0 && chip.cred == 0 ? 1 : 0;
        if (!stays) m_seen = 0;
        m_count = !stays ? 0 : m_count < 31 ? m_count + 1 : 31;
        if (after == Sync && is_up(m_state)) ++m_syncs;
        m_state = after;
    }

    int next() const {
        if (!m_acks.empty() && m_clock >= m_next_ack) return AckVc;
        if (may_start && !may_start()) return -1;
        for (uint32_t n = 1; n <= m_num_vc; ++n) {
            const uint32_t vc = (m_last_vc + n) % m_num_vc;
            if (m_credits.in_hand(vc) && !m_queue[vc].empty()) return int(vc);
        }
        return -1;
    }

    // A packet that is cut off by trouble runs to its end unseen.
    void drive(State after, bool want) {
        const size_t n = m_out.size();
        const bool sends = m_sent < n;
        m_pins.oe = sends && is_up(after);
        if (sends) m_pins.d = uint32_t(m_out[m_sent]);
        if (!is_up(after)) m_pins.req = after == Sync ? 3 : 0;
        else if (sends && m_sent == 0) m_pins.req = m_out_vc + 1;
        else if (sends && m_sent + 2 < n) m_pins.req = 2;
        else if (m_state == Gnt && m_mine && !sends) m_pins.req = 0;
        else m_pins.req = want ? 1 : 0;
        if (sends) ++m_sent;
    }

    void begin(uint32_t vc) {
        std::deque<Flits>& from = vc == AckVc ? m_acks : m_queue[vc];
        m_out = std::move(from.front());
        from.pop_front();
        m_sent = 0;
        m_out_vc = vc == AckVc ? 0 : vc;
        if (vc == AckVc) {
            m_next_ack = m_clock + AckGap;
        } else {
            m_credits.use(vc, m_clock);
            m_last_vc = vc;
            if (vc != 0) m_out[vc == 2 ? 1 : 2] ^= 1u << 17;  // the VC's mark
        }
    }

    static bool odd(uint32_t flit) { return __builtin_parity(flit) != 0; }

    uint32_t m_num_vc;
    bool m_home;  // this end owns the line after a long time without requests
    bool m_mine;
    State m_state = Sync;
    uint32_t m_count = 0;  // cycles in this state
    uint32_t m_seen = 0;   // calls in Sync, zeros in Zero, on end
    bool m_receives = false, m_tail = false;
    PinsOut m_pins;
    uint64_t m_clock = 0, m_next_ack = 0, m_syncs = 0;
    PeerCredits m_credits;
    PeerRoom m_room;
    std::array<std::deque<Flits>, 3> m_queue;
    std::deque<Flits> m_acks;
    Flits m_out, m_in;
    size_t m_sent = 0;
    uint32_t m_out_vc = 0, m_last_vc = 0, m_in_vc = 0;
    bool m_is_ack = false, m_drop = false;  // arriving packet
};

}  // namespace rdt::tb
