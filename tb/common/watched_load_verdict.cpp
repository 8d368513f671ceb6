// SPDX-License-Identifier: MIT
// Verdict on a lost packet: the report of its loss, and the disturbance that explains it.
#include <fmt/core.h>

#include <algorithm>

#include "common/watched_load.h"
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {

namespace {

// A loss is reported this soon after the disturbance, or after the packet should have come: a
// credit is late after two slow ticks at most; then the link lets the line run dry, shakes hands
// and announces (100 cycles), and the notice takes its way through LOCAL to MBP 0 under load.
constexpr uint64_t ToldWithin = 2 * SlowTick + 100 + 400;
// How much longer faults and reports are kept: until packets of that time have been judged.
constexpr uint64_t Kept = 4 * ToldWithin;
// A packet starts this long before it is on the pins, at most; so it may begin before a report of
// its loss.
constexpr uint64_t Slack = 64;

}  // namespace

bool WatchedLoad::leads_over(const Record& r, const Fault& fault) const {
    const auto is_at = [&fault](uint32_t node, uint32_t port) {
        return fault.ends[0] == LinkEnd{node, port} || fault.ends[1] == LinkEnd{node, port};
    };
    const uint32_t from = r.from / 2;
    if (is_at(from, PortM0 + r.from % 2)) return true;
    for (uint64_t left = r.to; left != 0; left &= left - 1)
        if (is_at(uint32_t(__builtin_ctzll(left)), PortM0 + r.mbp)) return true;
    if (r.tag != 0) {
        for (const auto& [node, port] : multicast_tree(m_machine.geometry(), from, r.maps).hops)
            if (is_at(node, port)) return true;
        return false;
    }
    const auto to = uint32_t(__builtin_ctzll(r.to));
    for (const Hop& hop : m_machine.geometry().walk(from, to).hops)
        if (is_at(hop.node, hop.port)) return true;
    return false;
}

bool WatchedLoad::tells_of(const Report& report, const Fault& fault, uint64_t from,
                           uint64_t to) const {
    if (report.clock < std::max(from, fault.clock) || report.clock > to) return false;
    for (const LinkEnd& end : fault.ends)
        if (report.node == end.node && (report.ports >> end.port & 1) != 0) return true;
    return false;
}

// Each of those explains one packet.
bool WatchedLoad::came_damaged(const Record& r) {
    if (r.tag != 0) return false;  // reported to its sender
    const uint32_t to = 2 * uint32_t(__builtin_ctzll(r.to)) + r.mbp;
    for (auto it = m_damaged.begin(); it != m_damaged.end(); ++it) {
        if (it->at != to || it->clock < r.born || it->clock > r.born + m_options.deadline) continue;
        m_damaged.erase(it);
        return true;
    }
    return false;
}

// The answer to an MBP needs no credit, and no chip waits for it: if it is lost on the MBP's own
// link, the MBP detects it by a time-out.
bool WatchedLoad::own_link_disturbed(const Record& r) const {
    const LinkEnd own{r.from / 2, PortM0 + r.from % 2};
    return !r.answered && std::any_of(m_faults.begin(), m_faults.end(), [&](const Fault& f) {
        return f.ends[0] == own && f.clock >= r.born && f.clock <= r.born + m_options.deadline;
    });
}

// The cause of the loss, if it was reported.
WatchedLoad::Fault* WatchedLoad::explanation(const Record& r) {
    const uint64_t since = (r.started == Never ? r.born : r.started) - Slack;
    const uint64_t until = since + m_options.deadline;
    Fault* found = nullptr;  // one that has cost less than it may, if there is one
    for (Fault& f : m_faults) {
        if (f.clock > until || (!f.lasts && f.clock < since) || !leads_over(r, f)) continue;
        if (found != nullptr && f.lost >= f.may_lose) continue;
        const uint64_t told_by = (f.lasts ? until : f.clock) + ToldWithin;
        for (const Report& e : m_seen)
            if (tells_of(e, f, since, told_by)) found = &f;
        if (found == &f && f.lost < f.may_lose) break;
    }
    return found;
}

void WatchedLoad::judge(bool all) {
    while (!m_records.empty()) {
        const Record& r = m_records.front();
        const bool done = r.waiting == 0 && r.answered;
        const bool late = r.started != Never && now() > r.started + m_options.deadline;
        if (!done && !late && !all) break;
        if (!done) {
            const bool at_home = r.started == Never && !(is_dead && is_dead(r.from));
            Fault* by = at_home || r.marked ? nullptr : explanation(r);
            const bool unexplained = by == nullptr || by->lost >= by->may_lose;
            const bool unanswered = unexplained && own_link_disturbed(r);
            m_unanswered += unanswered ? 1 : 0;
            const bool marked =
                !at_home && (r.marked || unanswered || (unexplained && came_damaged(r)));
            if (marked) by = nullptr;
            if (by != nullptr) m_most_lost = std::max(m_most_lost, ++by->lost);
            if (by != nullptr && by->lost > by->may_lose)
                blame(fmt::format(
                    "packet {} of MBP {} born {}, not at nodes {:#x}{}, is lost by what costs {} "
                    "at most: cycle {}, node {}, port {}",
                    m_first, r.from, r.born, r.waiting, r.answered ? "" : ", not answered",
                    by->may_lose, by->clock, by->ends[0].node, by->ends[0].port));
            if (by != nullptr || marked) ++m_lost;
            else
                blame(
                    fmt::format("packet {} of MBP {} born {} started {} is not at nodes {:#x}{}, "
                                "and no report explains it",
                                m_first, r.from, r.born, int64_t(r.started), r.waiting,
                                r.answered ? "" : ", not answered"));
            if (!r.answered) m_tags[r.from][r.tag] = 0;
            m_given_up[m_first] = r;
        }
        m_records.pop_front();
        ++m_first;
    }
    while (!m_faults.empty() && !m_faults.front().lasts &&
           m_faults.front().clock + m_options.deadline + Kept < now())
        m_faults.pop_front();
    while (!m_seen.empty() && m_seen.front().clock + m_options.deadline + Kept < now())
        m_seen.pop_front();
}

}  // namespace rdt::tb
