// SPDX-License-Identifier: MIT
// Processors of the nodes: they generate packets, keep them in their queues and take those that
// arrive. Each replica has traffic and statistics of its own.
#pragma once

#include <memory>

#include <rdt/lab/simulator_channels.h>
#include <rdt/lab/statistics.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/support/random.h>

namespace rdt::lab {

struct Packet {
    RouteTag tag;
    NodeId source;
    NodeId destination;
    uint32_t generated;
    uint32_t injected;
    Index next;  // in the request queue, or of the free packets
    uint32_t hops;
};

class Processors {
public:
    Processors(const Network& network, const Routing& routing, const Options& options,
               Channels& channels, std::vector<Delivery>* log);
    // Continues another one with one replica, from now on with these options.
    Processors(const Processors& other, Channels& channels, const Network& network,
               const Options& options, uint64_t now);

    Packet& packet(Index number) { return m_packet[number]; }
    const Packet& packet(Index number) const { return m_packet[number]; }

    // New packets of this cycle.
    void generate(uint64_t now) {
        if (m_next_clock <= now) generate_some(now);
    }
    // The next cycle with a new packet.
    uint64_t next_clock() const { return m_next_clock; }
    // The first flit of the packet at the head of the queue goes into a channel.
    void start_packet(Index channel, uint64_t now) {
        const Index packet = m_queue[m_channels.channel[channel].at].first;
        m_packet[packet].injected = uint32_t(now);
        m_channels.push(channel, packet);
    }
    // The last one has gone.
    void queue_next(NodeId node) {
        Queue& queue = m_queue[node];
        queue.first = m_packet[queue.first].next;
        --queue.size;
        if (queue.first == NoIndex) busy[node >> 6] &= ~(1ull << (node & 63));
    }
    // The last flit has left an ejection channel.
    void deliver(Index channel, uint64_t now);

    bool has_packets() const { return m_unfinished != 0; }
    bool has_packets(uint32_t replica) const { return m_replicas[replica]->unfinished != 0; }
    uint32_t senders() const { return m_replicas[0]->traffic.senders(); }
    const Statistics& statistics(uint32_t replica) const { return m_replicas[replica]->statistics; }
    size_t fixed_bytes() const;
    // In the course of the run, for one replica.
    size_t grown_bytes(uint32_t replica) const;

    // By node, for the passes.
    Words busy;   // has a packet to insert
    Words fresh;  // of which no flit has gone

private:
    struct Queue {
        Index first = NoIndex;
        Index last = NoIndex;
        uint32_t size = 0;
    };
    struct Replica {
        uint64_t seed;
        Random random;
        Traffic traffic;
        BernoulliTrials trials;
        uint64_t first_trial = 0;  // its cycle
        Statistics statistics;
        uint64_t unfinished = 0;  // packets in queues and network
        uint64_t most_unfinished = 0;

        Replica(const Network& network, const Options& options, uint64_t seed);
        Replica(const Replica& other, const Network& network, const Options& options, uint64_t now);
        Replica(const Replica&) = delete;
        uint64_t next_clock() const {
            const uint64_t next = trials.next_clock();
            return next == UINT64_MAX ? next : first_trial + next;
        }
        Replica& operator=(const Replica&) = delete;
    };
    void generate_some(uint64_t now);
    void generate_in(Replica& replica, NodeId first_node, uint64_t now);
    Index new_packet();

    const Routing& m_routing;
    Channels& m_channels;
    const uint32_t m_draws;       // Routing::draws(), or 1 by the rule
    const uint32_t m_most_queue;  // 0: no limit
    LargeVector<Queue> m_queue;
    LargeVector<Packet> m_packet;
    Index m_free_packet = NoIndex;
    uint64_t m_unfinished = 0;  // all replicas together
    uint64_t m_next_clock = UINT64_MAX;
    std::vector<std::unique_ptr<Replica>> m_replicas;
    std::vector<Delivery>* m_log;
};

}  // namespace rdt::lab
