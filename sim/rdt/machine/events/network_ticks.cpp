// SPDX-License-Identifier: MIT
// Clocks in which nodes count how long something has waited, and clocks that are left out.
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

// Ticks concern only what waits: a packet, an ack that is due, a credit that is away.
bool Network::can_skip(uint64_t cycles) const {
    if (cycles < Calendar::Days || !m_down.empty() || !m_late.empty()) return false;
    for (const Lane& lane : m_lanes)
        if (!lane.is_at_rest()) return false;
    const auto has_nothing = [](const Mbp& m) {
        return m.packets.empty() && m.acks.empty() && m.credit;
    };
    if (!std::all_of(m_mbps.begin(), m_mbps.end(), has_nothing)) return false;
    for (uint32_t n = 0; n < m_nodes.size(); ++n) {
        if (m_nodes[n].have != 0 || (AllCredits & ~m_nodes[n].credit) != 0) return false;
        if (m_control[n] && !(m_control[n]->table.quiet(0, 0) && m_control[n]->inject.is_idle()))
            return false;
    }
    return true;
}

void Network::skip(uint64_t cycles) {
    limit_ages(cycles);
    m_now += cycles;
}

// Time stamps have 32 bits. What is older than a packet takes only counts as old, so that ages may
// be cut; `skipped` cycles pass at once.
void Network::limit_ages(uint64_t skipped) {
    const auto now = uint32_t(m_now);
    const auto limit = [&](uint32_t& stamp) {
        const uint64_t age = now - stamp + skipped;
        stamp = now + uint32_t(skipped) - uint32_t(std::min(age, MostAge));
    };
    for (Pins& node : m_pins)
        for (PinHistory& end : node) {
            limit(end.last.granted);
            limit(end.before.granted);
            limit(end.void_at);
        }
    for (Credits& node : m_credits)
        for (CreditHistory& end : node) limit(end.at);
    m_limited_at = m_now + skipped;
}

}  // namespace rdt::machine::events
