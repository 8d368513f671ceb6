// SPDX-License-Identifier: MIT
// MBPs: their queues, their requests and deliveries.
#pragma once

#include <rdt/machine/events/lines.h>

namespace rdt::machine::events {

class Mbps {
public:
    Mbps(State& state, Lines& lines, CreditReturns& returns, const Recoveries& recoveries)
        : m_state(state), m_lines(lines), m_returns(returns), m_recoveries(recoveries) {}

    void send(uint32_t mbp, const std::array<uint32_t, 3>& header, uint32_t body);
    void send_ack(uint32_t mbp, uint32_t h0);

    // Packets and acks that are complete in this cycle, and credits that come.
    void deliver(Lane& lane);
    // Handles all MBPs that are marked.
    RDT_INLINE void request_all(Lane& lane) {
        for (const uint32_t mbp : lane.marked_mbps) request(lane, mbp);
        lane.marked_mbps.clear();
    }

private:
    void request(Lane& lane, uint32_t mbp);

    State& m_state;
    Lines& m_lines;
    CreditReturns& m_returns;
    const Recoveries& m_recoveries;
};

}  // namespace rdt::machine::events
