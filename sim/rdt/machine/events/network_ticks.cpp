// SPDX-License-Identifier: MIT
// Clocks in which nodes count how long something has waited.
#include <rdt/machine/events/network.h>

#include <algorithm>

namespace rdt::machine::events {

void Network::find_kinds(const std::vector<Ticks>& ticks) {
    for (const Ticks& t : ticks) {
        const auto same = [&t](const Ticking& kind) { return kind.at == t; };
        // Neighbours are alike, most often.
        const auto kind = std::find_if(m_ticking.rbegin(), m_ticking.rend(), same);
        m_kind.push_back(uint32_t(m_ticking.rend() - kind) - 1);
        if (kind == m_ticking.rend()) {
            m_kind.back() = uint32_t(m_ticking.size());
            m_ticking.push_back({t});
        }
    }
    if (m_ticking.size() == 1) m_kind.clear();
}

// Flags are those of this clock, and cleared in the next one.
void Network::find_ticks() {
    const auto next = [this](uint64_t first, uint64_t period) {
        if (m_now <= first) return first;
        return first + (m_now - first + period - 1) / period * period;
    };
    m_is_ack_tick = m_is_slow_tick = false;
    m_next_tick = ~uint64_t(0);
    for (Ticking& t : m_ticking) {
        const auto look = [&](uint64_t first, uint64_t period) {
            if (period == 0) return false;
            const uint64_t clock = next(first, period);
            m_next_tick = std::min(m_next_tick, std::max(clock, m_now + 1));
            return clock == m_now;
        };
        t.is_entry = look(t.at.entry, t.at.entry_period);
        t.is_ack = look(t.at.ack, t.at.ack_period);
        t.is_slow = look(t.at.slow, SlowTick);
        m_is_ack_tick = m_is_ack_tick || t.is_ack;
        m_is_slow_tick = m_is_slow_tick || t.is_slow;
    }
}

}  // namespace rdt::machine::events
