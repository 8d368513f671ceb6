// SPDX-License-Identifier: MIT
// Lines of the links: which end sends next, and the arbiter of an output that does.
#pragma once

#include <rdt/machine/events/credit_returns.h>
#include <rdt/machine/events/sent_packets.h>

namespace rdt::machine::events {

class Lines {
public:
    Lines(State& state, SentPackets& sent, const CreditReturns& returns)
        : m_state(state), m_sent(sent), m_returns(returns) {}

    // An end requests its line from the next cycle on. Node::asks and Node::mbps_ask record it.
    void request(Lane& lane, uint32_t node, uint32_t port) {
        const uint32_t link = link_at(port);
        if (!has_priority(port)) {
            const uint32_t owner = m_state.nodes[node].next[port];
            if (m_state.is_large()) m_state.fetch_lines(owner);
            lane.asked.push_back(name_of(owner, link));
        } else {
            plan_requested(lane, name_of(node, link), m_state.now + 1);
        }
    }
    // Decides a line of this partition in that cycle, unless that is already planned.
    void plan_requested(Lane& lane, uint32_t link, uint64_t clock) {
        uint8_t& planned = m_state.nodes[node_of(link)].planned;
        const uint32_t own = 1u << what_of(link);
        if ((planned & own) != 0) return;
        planned = uint8_t(planned | own);
        lane.calendar.at(clock).decide.push_back(link);
    }
    // Links requested from the end where their state is not stored.
    RDT_INLINE void plan_asked(Lane& lane) {
        for (const uint32_t link : lane.asked) {
            if (lane.has(node_of(link))) plan_requested(lane, link, m_state.now + 1);
            else m_state.mail_to(lane, node_of(link)).push_back({Mail::Asked, 0, link, 0});
        }
        lane.asked.clear();
    }
    void plan(Lane& lane, uint32_t link, uint64_t clock) {
        m_state.post(lane, Mail::Decide, clock, link);
    }

    // The next owner of a line, from both ends' REQ. Inputs that get an output are put into
    // Lane::won, grants of another partition's end into its outbox.
    void decide(Lane& lane, uint32_t link);
    // After all decisions: the first `count` lines that rest have done so for a cycle without a
    // request.
    RDT_INLINE void end_rests(Lane& lane, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            const uint32_t link = lane.resting[i];
            Line& line = m_state.nodes[node_of(link)].line[what_of(link)];
            if (line.phase == Line::Idle) line.owner = Second;
        }
        lane.resting.erase(lane.resting.begin(), lane.resting.begin() + ptrdiff_t(count));
    }
    RDT_INLINE void take(Lane& lane, const Grant& grant) {
        if (grant.is_overdue) void_grant(lane, grant.node, grant.end, grant.link);
        else if (grant.end < NumPorts) grant_output(lane, grant.node, grant.end, grant.link);
        else grant_mbp(lane, 2 * grant.node + grant.end - NumPorts, grant.link);
    }

private:
    Sides listen(const Node& at, uint32_t end, Side side, const Line& line, Sides& asks) const;
    void release(Lane& lane, uint32_t link, Sides overdue);
    void void_grant(Lane& lane, uint32_t node, uint32_t end, uint32_t link);
    void grant_output(Lane& lane, uint32_t node, uint32_t output, uint32_t link);
    void grant_mbp(Lane& lane, uint32_t mbp, uint32_t link);

    State& m_state;
    SentPackets& m_sent;
    const CreditReturns& m_returns;
};

}  // namespace rdt::machine::events
