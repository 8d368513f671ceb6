// SPDX-License-Identifier: MIT
// Links that miss a credit for too long, and their recovery (recoveries.h has the cycles).
#pragma once

#include <rdt/machine/events/inputs.h>
#include <rdt/machine/events/timers.h>

namespace rdt::machine::events {

class Resync {
public:
    Resync(State& state, const Timers& timers, Recoveries& recoveries, CreditReturns& returns,
           Lines& lines, Inputs& inputs)
        : m_state(state),
          m_timers(timers),
          m_recoveries(recoveries),
          m_returns(returns),
          m_lines(lines),
          m_inputs(inputs) {}

    bool has_late_credits() const { return !m_late.empty(); }

    // At the beginning of a cycle, for all partitions: credits that are late in it, and links in
    // recovery.
    RDT_INLINE void begin_cycle() {
        if (Notes::take(m_state.notes.has_late))
            for (const Lane& lane : m_state.lanes)
                for (const auto& late : lane.late) m_late.push_back(late.first);
        if (!m_late.empty()) follow_late();
        if (m_recoveries.empty()) return;
        for (const Lane& lane : m_state.lanes)
            for (const uint32_t link : lane.calendar.at(m_state.now).resync) advance(link);
    }
    // When all lines are decided, for all partitions.
    RDT_INLINE void start_recoveries() {
        if (!Notes::take(m_state.notes.has_recoveries)) return;
        for (Lane& lane : m_state.lanes) {
            for (const RecoveryStart& r : lane.recoveries) start(r.link, r.overdue);
            lane.recoveries.clear();
        }
    }
    // At the end of a cycle: notes credits that are away at two ticks on end.
    RDT_INLINE void check_slow_ticks(Lane& lane) {
        if (m_timers.is_any_slow() || m_state.now % SlowTick == SlowTick - 1) check_ticks(lane);
    }

    // A credit that is late already.
    void add_late(uint32_t node, uint32_t credit);
    // Credits that come to an end in this cycle, the first of its recovery.
    uint32_t credits_coming(const End& end, const Recovery& r, Side side) const;

private:
    void check_ticks(Lane& lane);
    void note_late(uint32_t node, uint32_t credit, uint32_t port);
    void follow_late();
    void start(uint32_t link, Sides overdue);
    void start_end(Recovery& r, uint32_t link, Side side);
    void advance(uint32_t link);
    uint32_t credits_in_hand(const End& end) const;
    void drop_credits(const End& end);

    State& m_state;
    const Timers& m_timers;
    Recoveries& m_recoveries;
    CreditReturns& m_returns;
    Lines& m_lines;
    Inputs& m_inputs;
    std::vector<uint32_t> m_late;  // nodes with a late credit
};

}  // namespace rdt::machine::events
