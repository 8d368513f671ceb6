// SPDX-License-Identifier: MIT
// Both directions of the credits of a link, from section 1 of the specification: a
// credit is its VC's code in two cycles on end and then at least one cycle of 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rdt::tb {

enum State { Idle, Gnt, Start, Xfer, Sync, Zero, Ann };
inline bool is_up(State s) { return s <= Xfer; }

// Credits for the chip's buffers, as the chip gives them.
class PeerCredits {
public:
    explicit PeerCredits(uint32_t num_vc) : m_num_vc(num_vc) {}

    bool in_hand(uint32_t vc) const { return m_in_hand[vc]; }
    void use(uint32_t vc, uint64_t clock) {
        m_in_hand[vc] = false;
        m_away_since[vc] = clock;
    }
    bool late(uint64_t clock) const {
        for (uint32_t vc = 0; vc < m_num_vc; ++vc)
            if (!m_in_hand[vc] && clock - m_away_since[vc] > Patience) return true;
        return false;
    }

    void clock(uint32_t cred, State now, State after, uint64_t clock) {
        if (now == Sync || now == Zero) {
            m_first = 0;
            m_gap = false;
        } else if (m_gap || m_first == 0) {
            m_first = !m_gap && cred <= m_num_vc ? cred : 0;
            m_gap = cred != 0 && m_first == 0;
        } else {
            if (cred == m_first) m_in_hand[m_first - 1] = true;
            m_gap = cred != 0;
            m_first = 0;
        }
        if (after == Sync) m_in_hand.fill(false);
        if (now == Ann) m_away_since.fill(clock);
    }

private:
    static constexpr uint64_t Patience = 1500;  // cycles; the chip's own is two slow ticks

    uint32_t m_num_vc;
    std::array<bool, 3> m_in_hand{};
    std::array<uint64_t, 3> m_away_since{};
    uint32_t m_first = 0;  // a code that has been seen once
    bool m_gap = false;    // waits for a 0
};

// This end's buffers, and the credits it returns.
class PeerRoom {
public:
    explicit PeerRoom(uint32_t num_vc) : m_num_vc(num_vc) {}

    bool full(uint32_t vc) const { return m_full[vc]; }
    void fill(uint32_t vc) { m_full[vc] = true; }
    void keep(uint32_t vc, uint64_t until) { m_held.push_back({until, vc}); }
    uint32_t pins() const { return m_pins; }

    void clock(State after, bool on, uint64_t clock, State now) {
        for (const Held& held : m_held)
            if (held.until <= clock) {
                m_full[held.vc] = false;
                m_give[held.vc] = true;
            }
        m_held.erase(std::remove_if(m_held.begin(), m_held.end(),
                                    [clock](const Held& held) { return held.until <= clock; }),
                     m_held.end());
        if (after == Sync || after == Zero) {
            m_give.fill(false);
            m_again = false;
            m_pins = after == Sync && on ? 3 : 0;
        } else if (now == Zero) {  // to Ann: all that is empty
            for (uint32_t vc = 0; vc < m_num_vc; ++vc) m_give[vc] = !m_full[vc];
            m_pins = 0;
        } else if (m_again) {
            m_again = false;
        } else if (m_pins != 0) {
            m_pins = 0;
        } else {
            for (uint32_t vc = 0; vc < m_num_vc && !m_again; ++vc) {
                if (!m_give[vc]) continue;
                m_give[vc] = false;
                m_again = true;
                m_pins = vc + 1;
            }
        }
    }

private:
    struct Held {
        uint64_t until;
        uint32_t vc;
    };

    uint32_t m_num_vc;
    std::array<bool, 3> m_full{}, m_give{};
    std::vector<Held> m_held;
    uint32_t m_pins = 0;
    bool m_again = false;  // the second cycle of a credit is to come
};

}  // namespace rdt::tb
