// SPDX-License-Identifier: MIT
// The simulator. It implements simulate.h without an object per flit: each word of 64 channels
// costs a few dozen instructions per cycle (simulator_words.h). Only headers that are routed, tails
// that leave, and buffers that become empty, full or no longer so need work on a single channel
// (simulator_router.h).
//
// It can simulate replicas of a small network side by side, with the seeds after options.seed: the
// words of the passes are filled better, and the result of each is that of a run of its own.
#pragma once

#include <memory>

#include <rdt/lab/simulator_router.h>
#include <rdt/lab/simulator_words.h>
#include <rdt/support/worker_pool.h>

namespace rdt::lab {

class Simulator {
public:
    Simulator(const Network& network, const Routing& routing, const Options& options,
              std::vector<Delivery>* log, uint32_t replicas = 1);
    // Continues from the state of another one without threads and replicas, with the load of
    // `options` and the traffic of its seed.
    Simulator(const Simulator& other, const Network& network, const Options& options);
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    // Cycles up to `end`; those in which nothing can happen are skipped.
    void run(uint64_t end, bool generate);
    bool drained() const { return !m_processors.has_packets(); }
    bool drained(uint32_t replica) const { return !m_processors.has_packets(replica); }
    // The channels of a deadlock, each held by a packet that needs the next; empty: there is none.
    std::vector<ChannelName> find_deadlock() const;

    uint64_t now() const { return m_now; }
    uint32_t senders() const { return m_processors.senders(); }
    const Statistics& statistics(uint32_t replica = 0) const {
        return m_processors.statistics(replica);
    }
    // Memory from the beginning, and memory that the run of a replica has added.
    size_t fixed_bytes() const;
    size_t grown_bytes(uint32_t replica) const {
        return m_processors.grown_bytes(replica) + m_router.grown_bytes(replica);
    }
    // Too large for replicas to be worth while.
    bool is_large() const { return m_channels.is_large; }
    const std::vector<ChannelName>& deadlock() const { return m_deadlock; }
    // Cycles that threads have shared.
    uint64_t shared_clocks() const { return m_shared_clocks; }

private:
    void step(bool generate);
    // Single channels that the passes have found in a word.
    template <typename K>
    void look_at(K& keeper, uint32_t word);
    void deliver_arrived(uint32_t word);
    bool is_of_sinks(uint32_t word) const { return word >= m_channels.first_sink; }
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

// f(channel) for those of a keeper's own that a plane of a word has.
template <typename F>
RDT_PART_OF_PASS void for_found(const uint64_t* planes, uint32_t plane, uint32_t word, uint64_t own,
                                F f) {
    for_bits(planes[plane * Pack] & own, [&](uint32_t b) { f(word * 64 + b); });
}

template <typename K>
RDT_PART_OF_PASS void Simulator::look_at(K& keeper, uint32_t word) {
    const uint64_t* const planes = m_channels.planes_of(word);
    const uint64_t inputs = keeper.own_inputs(word);
    const auto pass_on = [&](Index side) {
        const Index other = m_channels.other[side];
        keeper.flip(m_channels.ready(other), other);
    };
    for_found(planes, Plane::OutChanged, word, keeper.own_outputs(word),
              [&](Index out) { pass_on(m_channels.side_of(out)); });
    if (is_of_sinks(word)) return;
    for_found(planes, Plane::InChanged, word, inputs, pass_on);
    for_found(planes, Plane::Tails, word, inputs,
              [&](Index in) { m_router.tail_left(keeper, in); });
    for_found(planes, Plane::Headers, word, inputs,
              [&](Index in) { m_router.note_header(keeper, in); });
}

// The tails of packets have left the sinks.
inline void Simulator::deliver_arrived(uint32_t word) {
    for_found(m_channels.planes_of(word), Plane::Tails, word, ~0ull,
              [&](Index sink) { m_processors.deliver(sink, m_now); });
}

}  // namespace rdt::lab
