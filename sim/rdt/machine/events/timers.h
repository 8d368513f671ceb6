// SPDX-License-Identifier: MIT
// The cycles in which nodes count how long something has waited.
#pragma once

#include <rdt/machine/events/state.h>

namespace rdt::machine::events {

// Timers of a node. A chip that was shot down has stood still, and ticks at other cycles than the
// others.
struct Ticks {
    uint64_t entry = 0;         // clock of one,
    uint64_t entry_period = 0;  // ... and cycles from one to the next; 0: there are none
    uint64_t ack = 0;
    uint64_t ack_period = 0;
    uint64_t slow = 0;

    bool operator==(const Ticks& o) const {
        return entry == o.entry && entry_period == o.entry_period && ack == o.ack &&
               ack_period == o.ack_period && slow == o.slow;
    }
};

class Timers {
public:
    // Nodes that tick at the same cycles.
    struct Kind {
        Ticks at;
        bool is_entry = false;  // in this cycle
        bool is_ack = false;
        bool is_slow = false;
    };

    // By node, or one for all.
    explicit Timers(const std::vector<Ticks>& ticks);

    // At the beginning of each cycle.
    void advance(uint64_t now) {
        if (now >= m_next) find(now);
    }
    const Kind& of(uint32_t node) const { return m_kinds[m_kind.empty() ? 0 : m_kind[node]]; }
    // The first slow tick that is known of an end.
    uint64_t first_slow(const End& end) const {
        return end.is_chip() ? of(end.node).at.slow : SlowTick - 1;
    }
    // Whether there was a slow tick from that cycle on, up to the one before `now`.
    bool had_slow(const End& end, uint64_t from, uint64_t now) const {
        const uint64_t first = first_slow(end);
        return now > first && first + (now - 1 - first) / SlowTick * SlowTick >= from;
    }
    // At some node, in this cycle.
    bool is_any_ack() const { return m_is_any_ack; }
    bool is_any_slow() const { return m_is_any_slow; }

private:
    void find(uint64_t now);

    std::vector<Kind> m_kinds;
    std::vector<uint32_t> m_kind;  // by node, in m_kinds; empty: all are alike
    uint64_t m_next = 0;           // cycle in which any node ticks
    bool m_is_any_ack = false;
    bool m_is_any_slow = false;
};

}  // namespace rdt::machine::events
