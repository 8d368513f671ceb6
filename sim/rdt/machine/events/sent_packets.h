// SPDX-License-Identifier: MIT
// The last packets that each end of a link has sent, from which its pins follow.
#pragma once

#include <rdt/machine/events/state.h>

namespace rdt::machine::events {

class SentPackets {
public:
    explicit SentPackets(const State& state) : m_ends(state.nodes.size()) {
        for (PinHistories& node : m_ends)
            for (PinHistory& end : node) end.void_at = uint32_t(state.now) - Calendar::Days;
    }

    PinHistory& at(uint32_t node, uint32_t end) { return m_ends[node][end]; }
    const PinHistory& at(uint32_t node, uint32_t end) const { return m_ends[node][end]; }
    const PinHistory& at(const End& end) const { return m_ends[end.node][end.port]; }

    // Granted in this cycle.
    void add(uint32_t node, uint32_t end, const Sent& sent) {
        PinHistory& history = m_ends[node][end];
        history.before = history.last;
        history.last = sent;
        history.flits += sent.flits;
    }
    // Time stamps have 32 bits: each is replaced by limit(stamp).
    template <typename Limit>
    void limit_ages(Limit&& limit) {
        for (PinHistories& node : m_ends)
            for (PinHistory& end : node) {
                limit(end.last.granted);
                limit(end.before.granted);
                limit(end.void_at);
            }
    }

private:
    std::vector<PinHistories, LargePages<PinHistories>> m_ends;  // by node
};

}  // namespace rdt::machine::events
