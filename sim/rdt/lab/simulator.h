// SPDX-License-Identifier: MIT
// The simulator. It implements simulate.h without an object per flit: each word of 64 channels
// costs a few dozen instructions per cycle (simulator_words.h). Only headers that are routed, tails
// that leave, and buffers that become empty, full or no longer so need work on a single channel
// (simulator_router.h).
#pragma once

#include <memory>

#include <rdt/lab/simulator_router.h>
#include <rdt/lab/simulator_words.h>
#include <rdt/support/worker_pool.h>

namespace rdt::lab {

class Simulator {
public:
    Simulator(const Network& network, const Routing& routing, const Options& options,
              std::vector<Delivery>* log);
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    // Cycles up to `end`; those in which nothing can happen are skipped.
    void run(uint64_t end, bool generate);
    bool drained() const { return !m_processors.has_packets(); }
    // The channels of a deadlock, each held by a packet that needs the next; empty: there is none.
    std::vector<ChannelName> find_deadlock() const;

    uint64_t now() const { return m_now; }
    uint32_t senders() const { return m_processors.senders(); }
    const Statistics& statistics() const { return m_processors.statistics(); }
    size_t bytes() const;
    const std::vector<ChannelName>& deadlock() const { return m_deadlock; }
    // Cycles that threads have shared.
    uint64_t shared_clocks() const { return m_shared_clocks; }

private:
    void step(bool generate);
    // Single channels that the passes have found in a pack of words.
    template <typename K>
    void look_at(K& keeper, uint32_t pack);
    void deliver_arrived(uint32_t pack);
    void watch();
    // simulator_lanes.cpp
    void make_lanes();
    void set_own_channels();
    bool is_shared();
    void part();
    void unite();
    void step_shared(bool generate);
    void pass(Lane& lane);
    void look_after(Lane& lane);
    uint64_t marks_of_all(uint32_t at) const;
    void hand_over();
    Lane& lane_of(NodeId node);

    const Options m_options;
    Channels m_channels;
    Processors m_processors;
    HeaderRouter m_router;
    WordPasses m_passes;
    Whole m_whole;

    // Lanes of nodes, for threads.
    std::vector<Lane> m_lanes;
    std::unique_ptr<WorkerPool> m_workers;
    bool m_is_parted = false;  // the lanes look after the nodes, not m_whole
    uint64_t m_shared_clocks = 0;

    uint64_t m_now = 0;
    uint64_t m_next_watch = 1024;
    std::vector<ChannelName> m_deadlock;
};

template <typename K>
inline void Simulator::look_at(K& keeper, uint32_t pack) {
    const uint64_t* const planes = m_channels.pack(pack);
    for (uint32_t i = 0; i < Pack; ++i) {
        const uint32_t w = pack * Pack + i;
        const auto for_found = [&](uint32_t plane, uint64_t own, auto f) {
            for_bits(planes[plane * Pack + i] & own, [&](uint32_t b) { f(w * 64 + b); });
        };
        const auto pass_on = [&](Index side) {
            const Index other = m_channels.other[side];
            keeper.flip(m_channels.ready(other), other);
        };
        for_found(Plane::OutChanged, keeper.own_outputs(w),
                  [&](Index out) { pass_on(m_channels.side_of(out)); });
        if (w >= m_channels.first_sink) continue;
        const uint64_t own = keeper.own_inputs(w);
        for_found(Plane::InChanged, own, pass_on);
        for_found(Plane::Tails, own, [&](Index in) { m_router.tail_left(keeper, in); });
        for_found(Plane::Headers, own, [&](Index in) { m_router.note_header(keeper, in); });
    }
}

// The tails of packets have left the sinks.
inline void Simulator::deliver_arrived(uint32_t pack) {
    for (uint32_t i = 0; i < Pack; ++i)
        for_bits(m_channels.pack(pack)[Plane::Tails * Pack + i], [&](uint32_t b) {
            m_processors.deliver((pack * Pack + i) * 64 + b, m_now);
        });
}

}  // namespace rdt::lab
