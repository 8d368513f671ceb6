// SPDX-License-Identifier: MIT
// What happens to single packets: generation, routing, waiting, arrival.
#include <fmt/core.h>

#include <rdt/lab/simulator.h>

namespace rdt::lab {

Simulator::Index Simulator::new_packet() {
    const Index packet = m_free_packet;
    if (packet == None) {
        m_packet.emplace_back();
        return Index(m_packet.size() - 1);
    }
    m_free_packet = m_packet[packet].next;
    return packet;
}

void Simulator::generate() {
    m_trials.clock(m_now, [&](NodeId node) {
        const NodeId destination = m_traffic.destination(node, m_random);
        if (destination == node) return;
        Queue& queue = m_queue[node];
        if (m_options.queue != 0 && queue.size >= m_options.queue) {
            ++m_statistics.refused;
            return;
        }
        const Index packet = new_packet();
        const RouteTag tag = m_draws > 1
                                 ? m_routing.start_drawn(node, destination, m_random.below(m_draws))
                                 : m_routing.start(node, destination);
        m_packet[packet] = {tag, node, destination, uint32_t(m_now), 0, None, 0};
        if (queue.first == None) queue.first = packet;
        else m_packet[queue.last].next = packet;
        queue.last = packet;
        ++queue.size;
        ++m_queued;
        m_statistics.add_generated(m_now);
        m_source_busy[node >> 6] |= 1ull << (node & 63);
    });
}

void Simulator::start_packet(Index channel) {
    const Index packet = m_queue[m_channel[channel].at].first;
    m_packet[packet].injected = uint32_t(m_now);
    push(channel, packet);
    --m_queued;
    ++m_in_flight;
}

// The last flit of the packet at the head of the queue has gone.
void Simulator::queue_next(NodeId node) {
    Queue& queue = m_queue[node];
    queue.first = m_packet[queue.first].next;
    --queue.size;
    if (queue.first == None) m_source_busy[node >> 6] &= ~(1ull << (node & 63));
}

void Simulator::deliver(Index out) {
    const Index packet = front(out);
    ++m_channel[out].first_packet;
    Packet& p = m_packet[packet];
    const Delivery delivery{p.source,   p.destination,   p.generated,
                            p.injected, uint32_t(m_now), p.hops};
    m_statistics.add(delivery);
    if (m_log != nullptr) m_log->push_back(delivery);
    --m_in_flight;
    p.next = m_free_packet;
    m_free_packet = packet;
}

void Simulator::has_no_port(OutChannel c, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: there is no port {} vc {} at node {}",
                                       c.port, c.vc, m_network.label(at)));
}

void Simulator::has_no_neighbour(uint32_t port, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: node {} has no neighbour at port {}",
                                       m_network.label(at), port));
}

void Simulator::ends_too_early(const Packet& p, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: a packet for node {} ends at node {}",
                                       m_network.label(p.destination), m_network.label(at)));
}

RDT_PART_OF_PASS Simulator::Index Simulator::find_wanted(Index in, Index packet) {
    const Channel& channel = m_channel[in];
    const NodeId at = channel.at;
    const Packet& p = m_packet[packet];
    m_routing.next(at, p.destination, p.tag, {channel.in_port, m_place[in >> 6].vc}, m_next);
    if (m_next.empty()) {
        if (at != p.destination) ends_too_early(p, at);
        return Eject;
    }
    for (const OutChannel& c : m_next)
        if (c.vc >= m_vcs || c.port >= m_ports) has_no_port(c, at);
    const Index best = link_channel(at, m_next[0].port, m_next[0].vc);
    if (m_is_large) {
        __builtin_prefetch(&m_channel[best]);
        __builtin_prefetch(&m_sides.other[side_of(best)]);
        __builtin_prefetch(&m_ring[best * size_t(m_ring_size)]);
    }
    return m_next.size() == 1 ? best : Several | list_choices(at);
}

Simulator::Index Simulator::list_choices(NodeId at) {
    if (m_free_choices.empty()) {
        m_free_choices.push_back(Index(m_choices.size()));
        m_choices.emplace_back();
    }
    const Index slot = m_free_choices.back();
    m_free_choices.pop_back();
    m_choices[slot].clear();
    for (const OutChannel& c : m_next) m_choices[slot].push_back(link_channel(at, c.port, c.vc));
    return slot;
}

RDT_PART_OF_PASS void Simulator::connect(Index in, Index out, Index packet) {
    Channel& channel = m_channel[in];
    const uint64_t bit = 1ull << (in & 63), out_bit = 1ull << (out & 63);
    const Index side = side_of(out);
    m_out.held[out >> 6] |= out_bit;
    m_in.connected[in >> 6] |= bit;
    // The header is there; whether there is space for it is to be seen.
    uint64_t* const ready = m_sides.other_is_ready.data();
    ready[side >> 6] |= out_bit;
    ready[in >> 6] = (ready[in >> 6] & ~bit) | (m_out.full[out >> 6] & out_bit ? 0 : bit);
    m_sides.other[in] = side;
    m_sides.other[side] = in;
    channel.wanted = None;
    push(out, packet);
    if (!is_link(out)) return;
    if (m_channel[out].at == None) has_no_neighbour(m_place[out >> 6].port, channel.at);
    Packet& p = m_packet[packet];
    ++p.hops;
    if (m_keeps_tag) return;
    const WordPlace& place = m_place[out >> 6];
    p.tag = m_routing.advance(channel.at, p.tag, {place.port, place.vc});
}

RDT_PART_OF_PASS bool Simulator::take_first_free(Index in, Index packet, Index wanted) {
    if (wanted < Several) {
        if (!is_free(wanted)) return false;
        connect(in, wanted, packet);
        return true;
    }
    if (wanted == Eject) {
        for (uint32_t vc = 0; vc < m_vcs; ++vc) {
            const Index out = ejection(m_channel[in].at, vc);
            if (!is_free(out)) continue;
            connect(in, out, packet);
            return true;
        }
        return false;
    }
    for (const Index out : m_choices[wanted & ~Several]) {
        if (!is_free(out)) continue;
        m_free_choices.push_back(wanted & ~Several);
        connect(in, out, packet);
        return true;
    }
    return false;
}

RDT_PART_OF_PASS void Simulator::take_or_wait(Index in, Index packet, Index wanted) {
    if (take_first_free(in, packet, wanted)) return;
    Channel& channel = m_channel[in];
    channel.wanted = wanted;
    channel.next_waiting = None;
    ++m_waiters;
    List& list = m_waiting[channel.at];
    if (list.first == None) list.first = in;
    else m_channel[list.last].next_waiting = in;
    list.last = in;
}

void Simulator::retry(NodeId node) {
    List& list = m_waiting[node];
    Index before = None;
    for (Index in = list.first; in != None;) {
        const Index next = m_channel[in].next_waiting;
        if (take_first_free(in, front(in), m_channel[in].wanted)) {
            --m_waiters;
            (before == None ? list.first : m_channel[before].next_waiting) = next;
            if (next == None) list.last = before;
        } else {
            before = in;
        }
        in = next;
    }
}

// Nothing a waiting header could take changes until a channel of its node is given up, so only
// then is it tried again.
void Simulator::route() {
    if (m_waiters != 0)
        for (const Index out : m_freed) retry(node_of(out));
    m_freed.clear();
    if (m_is_large) {
        // What a header will touch is fetched while the others are looked at.
        for (const Index in : m_new_headers) __builtin_prefetch(&m_packet[front(in)]);
        for (const Index in : m_new_headers) m_channel[in].wanted = find_wanted(in, front(in));
    }
    const Index* header = m_new_headers.data();
    const Index* end = header + m_new_headers.size();
    const ptrdiff_t step = m_now % 2 == 0 ? 1 : -1;
    if (step < 0) std::swap(--header, --end);
    for (; header != end; header += step) {
        const Index in = *header;
        const Index packet = front(in);
        take_or_wait(in, packet, m_is_large ? m_channel[in].wanted : find_wanted(in, packet));
    }
    m_new_headers.clear();
}

}  // namespace rdt::lab
