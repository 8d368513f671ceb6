// SPDX-License-Identifier: MIT
// Acks: the table and the injector are the chip's own, clocked in nodes where they have something
// to do. A table that only waits sleeps between ticks.
#pragma once

#include <rdt/machine/events/controls.h>
#include <rdt/machine/events/lines.h>
#include <rdt/machine/events/timers.h>

namespace rdt::machine::events {

class Acks {
public:
    Acks(State& state, Controls& controls, const Timers& timers, Lines& lines, SentPackets& sent,
         CreditReturns& returns)
        : m_state(state),
          m_controls(controls),
          m_timers(timers),
          m_lines(lines),
          m_sent(sent),
          m_returns(returns) {}

    // All control sides that are awake.
    RDT_INLINE void clock(Lane& lane) {
        if (m_timers.is_any_ack() || !lane.awake.empty()) clock_awake(lane);
    }
    // Acks that arrive in this cycle.
    RDT_INLINE void accept(const Day& today) {
        for (const Coming& c : today.land) {
            Control& to = m_controls.make(node_of(c.where));
            to.landed = uint16_t(to.landed | 1u << what_of(c.where));
            to.ack[what_of(c.where)] = c.packet;
            m_controls.wake(node_of(c.where));
        }
    }
    // Whether LOCAL received a report in the last cycle.
    bool has_report(uint32_t node, fast::Local::In& found) const;

private:
    void clock_awake(Lane& lane);
    void clock(Lane& lane, uint32_t node);
    fast::AckTable::Out clock_table(uint32_t node, fast::AckTable::In& in,
                                    fast::Inject::In& inject);
    bool is_quiet(uint32_t node, const Control& c) const;
    uint64_t quiet_until(uint32_t node, const Control& c) const;
    bool is_table_idle(const Control& c, const Timers::Kind& ticks) const;
    uint32_t request_entries(const Control& c, uint32_t waiting, fast::AckTable::In& in) const;
    static uint32_t pass_turn(Control& c, uint32_t input);
    static void pass_turns(Control& c);
    void answer_entries(Lane& lane, uint32_t node, uint32_t waiting, const fast::AckTable::Out& out,
                        uint32_t retried);
    void consume(Lane& lane, uint32_t node, uint32_t slot);
    void clock_injector(Lane& lane, uint32_t node, fast::Inject::In& in);
    void send(Lane& lane, uint32_t node, const core::AckNote& ack);
    uint32_t held_tags(uint32_t node) const;
    void report(uint32_t node, const fast::AckTable::Out& out, bool lost);

    State& m_state;
    Controls& m_controls;
    const Timers& m_timers;
    Lines& m_lines;
    SentPackets& m_sent;
    CreditReturns& m_returns;
};

}  // namespace rdt::machine::events
