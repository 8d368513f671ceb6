// SPDX-License-Identifier: MIT
#include <rdt/machine/events/timers.h>

#include <algorithm>

namespace rdt::machine::events {

Timers::Timers(const std::vector<Ticks>& ticks) {
    for (const Ticks& t : ticks) {
        const auto same = [&t](const Kind& kind) { return kind.at == t; };
        // Neighbors are alike, most often.
        const auto kind = std::find_if(m_kinds.rbegin(), m_kinds.rend(), same);
        m_kind.push_back(uint32_t(m_kinds.rend() - kind) - 1);
        if (kind == m_kinds.rend()) {
            m_kind.back() = uint32_t(m_kinds.size());
            m_kinds.push_back({t});
        }
    }
    if (m_kinds.size() == 1) m_kind.clear();
}

// Flags are those of this cycle, and cleared in the next one.
void Timers::find(uint64_t now) {
    const auto next = [now](uint64_t first, uint64_t period) {
        if (now <= first) return first;
        return first + (now - first + period - 1) / period * period;
    };
    m_is_any_ack = m_is_any_slow = false;
    m_next = ~uint64_t(0);
    for (Kind& t : m_kinds) {
        const auto look = [&](uint64_t first, uint64_t period) {
            if (period == 0) return false;
            const uint64_t clock = next(first, period);
            m_next = std::min(m_next, std::max(clock, now + 1));
            return clock == now;
        };
        t.is_entry = look(t.at.entry, t.at.entry_period);
        t.is_ack = look(t.at.ack, t.at.ack_period);
        t.is_slow = look(t.at.slow, SlowTick);
        m_is_any_ack = m_is_any_ack || t.is_ack;
        m_is_any_slow = m_is_any_slow || t.is_slow;
    }
}

}  // namespace rdt::machine::events
