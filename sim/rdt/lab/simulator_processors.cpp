// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_processors.h>

namespace rdt::lab {

Processors::Processors(const Network& network, const Routing& routing, const Options& options,
                       Channels& channels, std::vector<Delivery>* log)
    : busy(channels.end_words),
      fresh(channels.end_words, ~0ull),
      m_routing(routing),
      m_channels(channels),
      m_draws(options.ties == Ties::Random ? routing.draws() : 1),
      m_most_queue(options.queue),
      m_queue(channels.nodes),
      m_random(options.seed),
      m_traffic(network, options.traffic, options.seed, options.down),
      m_trials(channels.nodes, options.load / options.flits, m_random),
      m_log(log) {
    m_statistics.from = options.warmup;
    m_statistics.to = options.cycles;
    m_statistics.divide(options.cycles);
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
    m_trials.clock(now, [&](NodeId node) {
        const NodeId destination = m_traffic.destination(node, m_random);
        if (destination == node) return;
        Queue& queue = m_queue[node];
        if (m_most_queue != 0 && queue.size >= m_most_queue) {
            ++m_statistics.refused;
            return;
        }
        const Index packet = new_packet();
        const RouteTag tag = m_draws > 1
                                 ? m_routing.start_drawn(node, destination, m_random.below(m_draws))
                                 : m_routing.start(node, destination);
        m_packet[packet] = {tag, node, destination, uint32_t(now), 0, NoIndex, 0};
        if (queue.first == NoIndex) queue.first = packet;
        else m_packet[queue.last].next = packet;
        queue.last = packet;
        ++queue.size;
        ++m_unfinished;
        m_statistics.add_generated(now);
        busy[node >> 6] |= 1ull << (node & 63);
    });
}

void Processors::deliver(Index channel, uint64_t now) {
    const Index packet = m_channels.front(channel);
    ++m_channels.channel[channel].first_packet;
    Packet& p = m_packet[packet];
    const Delivery delivery{p.source,   p.destination, p.generated,
                            p.injected, uint32_t(now), p.hops};
    m_statistics.add(delivery);
    if (m_log != nullptr) m_log->push_back(delivery);
    --m_unfinished;
    p.next = m_free_packet;
    m_free_packet = packet;
}

size_t Processors::bytes() const {
    return bytes_of(m_queue) + bytes_of(m_packet) + m_statistics.network.bytes() +
           m_statistics.total.bytes() + bytes_of(busy) + bytes_of(fresh);
}

}  // namespace rdt::lab
