// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_processors.h>

#include <algorithm>

namespace rdt::lab {

Processors::Replica::Replica(const Network& network, const Options& options, uint64_t seed)
    : seed(seed),
      random(seed),
      traffic(network, options.traffic, seed, options.down),
      trials(network.nodes(), options.load / options.flits, random) {
    statistics.from = options.warmup;
    statistics.to = options.cycles;
    statistics.divide(options.cycles);
}

Processors::Processors(const Network& network, const Routing& routing, const Options& options,
                       Channels& channels, std::vector<Delivery>* log)
    : busy(channels.end_words),
      fresh(channels.end_words, ~0ull),
      m_routing(routing),
      m_channels(channels),
      m_draws(options.ties == Ties::Random ? routing.draws() : 1),
      m_most_queue(options.queue),
      m_queue(channels.nodes),
      m_log(log) {
    for (uint32_t i = 0; i < channels.replicas; ++i) {
        m_replicas.push_back(std::make_unique<Replica>(network, options, options.seed + i));
        m_next_clock = std::min(m_next_clock, m_replicas[i]->next_clock());
    }
}

Processors::Replica::Replica(const Replica& other, const Network& network, const Options& options,
                             uint64_t now)
    : seed(options.seed),
      random(seed == other.seed ? other.random : Random(seed)),
      traffic(seed == other.seed ? other.traffic
                                 : Traffic(network, options.traffic, seed, options.down)),
      trials(network.nodes(), options.load / options.flits, random),
      first_trial(now),
      statistics(other.statistics),
      unfinished(other.unfinished),
      most_unfinished(other.most_unfinished) {}

Processors::Processors(const Processors& other, Channels& channels, const Network& network,
                       const Options& options, uint64_t now)
    : busy(other.busy),
      fresh(other.fresh),
      m_routing(other.m_routing),
      m_channels(channels),
      m_draws(other.m_draws),
      m_most_queue(other.m_most_queue),
      m_queue(other.m_queue),
      m_packet(other.m_packet),
      m_free_packet(other.m_free_packet),
      m_unfinished(other.m_unfinished),
      m_log(nullptr) {
    m_replicas.push_back(std::make_unique<Replica>(*other.m_replicas[0], network, options, now));
    m_next_clock = m_replicas[0]->next_clock();
}

Index Processors::new_packet() {
    const Index packet = m_free_packet;
    if (packet == NoIndex) {
        m_packet.emplace_back();
        return Index(m_packet.size() - 1);
    }
    m_free_packet = m_packet[packet].next;
    return packet;
}

void Processors::generate_some(uint64_t now) {
    m_next_clock = UINT64_MAX;
    for (uint32_t i = 0; i < m_replicas.size(); ++i) {
        Replica& replica = *m_replicas[i];
        if (replica.next_clock() <= now) generate_in(replica, m_channels.first_node(i), now);
        m_next_clock = std::min(m_next_clock, replica.next_clock());
    }
}

void Processors::generate_in(Replica& replica, NodeId first_node, uint64_t now) {
    replica.trials.clock(now - replica.first_trial, [&](NodeId node) {
        const NodeId destination = replica.traffic.destination(node, replica.random);
        if (destination == node) return;
        Queue& queue = m_queue[first_node + node];
        if (m_most_queue != 0 && queue.size >= m_most_queue) {
            ++replica.statistics.refused;
            return;
        }
        const Index packet = new_packet();
        const RouteTag tag =
            m_draws > 1 ? m_routing.start_drawn(node, destination, replica.random.below(m_draws))
                        : m_routing.start(node, destination);
        m_packet[packet] = {tag, node, destination, uint32_t(now), 0, NoIndex, 0};
        if (queue.first == NoIndex) queue.first = packet;
        else m_packet[queue.last].next = packet;
        queue.last = packet;
        ++queue.size;
        ++m_unfinished;
        replica.most_unfinished = std::max(replica.most_unfinished, ++replica.unfinished);
        replica.statistics.add_generated(now);
        busy[(first_node + node) >> 6] |= 1ull << (node & 63);
    });
}

void Processors::deliver(Index channel, uint64_t now) {
    const Index packet = m_channels.front(channel);
    ++m_channels.channel[channel].first_packet;
    Packet& p = m_packet[packet];
    const Delivery delivery{p.source,   p.destination, p.generated,
                            p.injected, uint32_t(now), p.hops};
    Replica& replica = *m_replicas[m_channels.replica_of(m_channels.node_of(channel))];
    replica.statistics.add(delivery);
    --replica.unfinished;
    if (m_log != nullptr) m_log->push_back(delivery);
    --m_unfinished;
    p.next = m_free_packet;
    m_free_packet = packet;
}

size_t Processors::fixed_bytes() const {
    return bytes_of(m_queue) + bytes_of(busy) + bytes_of(fresh);
}

// Packets of several replicas are in one vector: what a vector for this replica alone would have.
size_t Processors::grown_bytes(uint32_t replica) const {
    const Replica& r = *m_replicas[replica];
    return doubled_to(r.most_unfinished) * sizeof(Packet) + r.statistics.network.bytes() +
           r.statistics.total.bytes();
}

}  // namespace rdt::lab
