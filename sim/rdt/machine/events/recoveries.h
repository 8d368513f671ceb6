// SPDX-License-Identifier: MIT
// Links that resynchronize. An end that has missed a credit for two slow ticks stops requesting and
// calls in the first cycle in which the line is free. Both ends clear their credits, and each
// announces again the buffers that stayed empty (specification, section 1). Where packets wait for
// long that happens without any fault.
//
// An end starts recovery in cycle s; the other, if it does not start in the same cycle, in s+1.
// Then, counted from the first cycle of Sync, T = s+1:
//   T              the end calls, for nine cycles
//   announce       T+12, or T+11 if both ends started together: both are in Ann
//   announce+1     the first credit is shown, the others three cycles apart
//   announce+12    the line is up, and buffers emptied meanwhile are announced
#pragma once

#include <unordered_map>

#include <rdt/machine/events/state.h>

namespace rdt::machine::events {

struct Recovery {
    static constexpr uint64_t AnnounceCycles = 12;

    std::array<uint64_t, 2> start{};  // cycle before the first in Sync, of each end
    uint64_t announce = 0;            // first cycle of Ann, of both
    std::array<uint8_t, 2> kept{};    // VCs that are not announced, of each end's buffers,
    std::array<uint8_t, 2> freed{};   // ... of which these are empty again
    std::array<uint8_t, 2> had{};     // VCs whose credit was in hand
    Side owner = Second;              // of the line before

    uint64_t end() const { return announce + AnnounceCycles; }
};

// All links in recovery. Node::down shows which ends have started.
class Recoveries {
public:
    explicit Recoveries(State& state) : m_state(state) {}

    bool empty() const { return m_by_link.empty(); }
    Recovery& add(uint32_t link, const Recovery& recovery = {}) {
        return m_by_link[link] = recovery;
    }
    Recovery* find(uint32_t link) {
        const auto found = m_by_link.find(link);
        return found == m_by_link.end() ? nullptr : &found->second;
    }
    const Recovery* find(uint32_t link) const { return const_cast<Recoveries*>(this)->find(link); }
    void erase(uint32_t link) { m_by_link.erase(link); }

    // The end has started it in the cycle `start`.
    const Recovery* at(const End& end, uint64_t& start) const {
        if ((m_state.nodes[end.node].down >> end.port & 1) == 0) return nullptr;
        const uint32_t link = m_state.link_of(end);
        const Recovery& r = m_by_link.at(link);
        start = r.start[m_state.side_of(link, end)];
        return &r;
    }
    // A buffer is emptied while its link is down.
    void keep(const End& end, uint32_t vc) {
        const uint32_t link = m_state.link_of(end);
        Recovery& r = m_by_link.at(link);
        const Side side = m_state.side_of(link, end);
        r.kept[side] = uint8_t(r.kept[side] | 1u << vc);
        r.freed[side] = uint8_t(r.freed[side] | 1u << vc);
    }
    // A credit that comes was shown before the link went down.
    bool loses_credit(const End& end) const {
        uint64_t start = 0;
        const Recovery* r = at(end, start);
        return r != nullptr && m_state.now > start && m_state.now <= r->announce;
    }
    // Links that carry nothing now.
    uint32_t down() const {
        uint32_t count = 0;
        for (const auto& [link, r] : m_by_link)
            if (m_state.now > std::min(r.start[First], r.start[Second]) && m_state.now < r.end())
                ++count;
        return count;
    }

private:
    State& m_state;
    std::unordered_map<uint32_t, Recovery> m_by_link;
};

}  // namespace rdt::machine::events
