// SPDX-License-Identifier: MIT
// Credits of buffers that are empty again, on their way to the other end of the link. A credit is
// shown for two cycles, and then none for one. Receivers are the inputs and, behind them, the MBPs.
#pragma once

#include <rdt/machine/events/recoveries.h>

namespace rdt::machine::events {

class CreditReturns {
public:
    CreditReturns(State& state, Recoveries& recoveries)
        : m_state(state), m_recoveries(recoveries), m_shown(state.nodes.size()) {
        for (CreditHistories& node : m_shown)
            for (CreditHistory& end : node) end.at = uint32_t(state.now) - Calendar::Days;
    }

    CreditHistory& at(const End& end) { return m_shown[end.node][end.port]; }
    const CreditHistory& at(const End& end) const { return m_shown[end.node][end.port]; }
    RDT_INLINE void fetch(uint32_t node, uint32_t receiver) const {
        __builtin_prefetch(&m_shown[node][receiver]);
    }

    // In this cycle, if the pins are free.
    void give(Lane& lane, uint32_t node, uint32_t receiver, uint32_t vc) {
        if ((m_state.nodes[node].down >> receiver & 1) != 0)
            m_recoveries.keep({node, receiver}, vc);
        else if (uint32_t(m_state.now) - m_shown[node][receiver].at > 2)
            show(lane, node, receiver, vc);
        else wait(lane, node, receiver, vc);
    }
    // From the next cycle on.
    void give_later(Lane& lane, uint32_t node, uint32_t receiver, uint32_t vc) {
        if ((m_state.nodes[node].down >> receiver & 1) != 0)
            m_recoveries.keep({node, receiver}, vc);
        else wait(lane, node, receiver, vc);
    }
    // Those that have waited for the pins.
    RDT_INLINE void show_waiting(Lane& lane, const Day& today) {
        for (const uint32_t receiver : today.owed) {
            const uint32_t node = node_of(receiver);
            CreditHistory& history = m_shown[node][what_of(receiver)];
            uint8_t& vcs = history.owed;
            if (vcs == 0) continue;
            if (uint32_t(m_state.now) - history.at > 2) {
                show(lane, node, what_of(receiver), lowest(vcs));
                vcs = uint8_t(vcs & (vcs - 1));
            }
            if (vcs != 0) lane.calendar.at(m_state.now + 1).owed.push_back(receiver);
        }
    }
    // Time stamps have 32 bits: each is replaced by limit(stamp).
    template <typename Limit>
    void limit_ages(Limit&& limit) {
        for (CreditHistories& node : m_shown)
            for (CreditHistory& end : node) limit(end.at);
    }

private:
    void wait(Lane& lane, uint32_t node, uint32_t receiver, uint32_t vc) {
        uint8_t& vcs = m_shown[node][receiver].owed;
        vcs = uint8_t(vcs | 1u << vc);
        lane.calendar.at(m_state.now + 1).owed.push_back(name_of(node, receiver));
    }
    // The other end has it three cycles later.
    void show(Lane& lane, uint32_t node, uint32_t receiver, uint32_t vc) {
        m_shown[node][receiver].at = uint32_t(m_state.now);
        m_shown[node][receiver].vc = uint8_t(vc + 1);
        const uint64_t clock = m_state.now + 3;
        if (is_network(receiver))
            m_state.post(lane, Mail::Back, clock,
                         name_of(m_state.nodes[node].next[receiver], 3 * opposite(receiver) + vc));
        else if (receiver < NumPorts)
            lane.calendar.at(clock).mbp_back.push_back(2 * node + receiver - PortM0);
        else
            lane.calendar.at(clock).back.push_back(
                name_of(node, 3 * (receiver - NumPorts + PortM0)));
    }

    State& m_state;
    Recoveries& m_recoveries;
    std::vector<CreditHistories, LargePages<CreditHistories>> m_shown;  // by node
};

}  // namespace rdt::machine::events
