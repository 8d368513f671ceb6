// SPDX-License-Identifier: MIT
// What happens to single packets: generation, routing, waiting, arrival.
#include <fmt/core.h>

#include <rdt/lab/simulator_lanes.h>

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
        ++m_unfinished;
        m_statistics.add_generated(m_now);
        m_source_busy[node >> 6] |= 1ull << (node & 63);
    });
}

void Simulator::start_packet(Index channel) {
    const Index packet = m_queue[m_channel[channel].at].first;
    m_packet[packet].injected = uint32_t(m_now);
    push(channel, packet);
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
    --m_unfinished;
    p.next = m_free_packet;
    m_free_packet = packet;
}

void Simulator::has_no_port(OutChannel c, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: node {2} has no port {0} with VC {1}",
                                       c.port, c.vc, m_network.label(at)));
}

void Simulator::has_no_neighbor(uint32_t port, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: node {} has no neighbor at port {}",
                                       m_network.label(at), port));
}

void Simulator::ends_too_early(const Packet& p, NodeId at) const {
    throw std::logic_error(
        fmt::format("routing error: a packet for node {} is delivered to node {}",
                    m_network.label(p.destination), m_network.label(at)));
}

template <typename K>
RDT_PART_OF_PASS Simulator::Index Simulator::find_wanted(K& keeper, Index in, Index packet) {
    const Channel& channel = m_channel[in];
    const NodeId at = channel.at;
    const Packet& p = m_packet[packet];
    Choices& choices = keeper.next;
    m_routing.next(at, p.destination, p.tag, {channel.in_port, m_place[in >> 6].vc}, choices);
    if (choices.empty()) {
        if (at != p.destination) ends_too_early(p, at);
        return Eject;
    }
    for (const OutChannel& c : choices)
        if (c.vc >= m_vcs || c.port >= m_ports) has_no_port(c, at);
    const Index best = link_channel(at, choices[0].port, choices[0].vc);
    if (m_is_large) {
        __builtin_prefetch(&m_channel[best]);
        __builtin_prefetch(&m_sides.other[side_of(best)]);
        __builtin_prefetch(&m_ring[best * size_t(m_ring_size)]);
    }
    return choices.size() == 1 ? best : Several | list_choices(keeper, at);
}

Simulator::Index Simulator::list_choices(Keeper& keeper, NodeId at) {
    if (keeper.free_choices.empty()) {
        keeper.free_choices.push_back(Index(m_choices.size()));
        m_choices.emplace_back();
    }
    const Index slot = keeper.free_choices.back();
    keeper.free_choices.pop_back();
    if (!m_is_parted)
        m_most_choices = std::max(m_most_choices, m_choices.size() - keeper.free_choices.size());
    m_choices[slot].clear();
    for (const OutChannel& c : keeper.next)
        m_choices[slot].push_back(link_channel(at, c.port, c.vc));
    return slot;
}

template <typename K>
RDT_PART_OF_PASS void Simulator::connect(K& keeper, Index in, Index out, Index packet) {
    Channel& channel = m_channel[in];
    const uint64_t out_bit = 1ull << (out & 63);
    const Index side = side_of(out);
    m_out.held[out >> 6] |= out_bit;
    keeper.set(m_in.connected, in);
    // The header is there; whether there is space for it is to be seen.
    m_sides.other_is_ready[side >> 6] |= out_bit;
    keeper.set_to(m_sides.other_is_ready, in, (m_out.full[out >> 6] & out_bit) == 0);
    m_sides.other[in] = side;
    m_sides.other[side] = in;
    channel.wanted = None;
    push(out, packet);
    if (!is_link(out)) return;
    if (m_channel[out].at == None) has_no_neighbor(m_place[out >> 6].port, channel.at);
    Packet& p = m_packet[packet];
    ++p.hops;
    if (m_keeps_tag) return;
    const WordPlace& place = m_place[out >> 6];
    p.tag = m_routing.advance(channel.at, p.tag, {place.port, place.vc});
}

template <typename K>
RDT_PART_OF_PASS bool Simulator::take_first_free(K& keeper, Index in, Index packet, Index wanted) {
    if (wanted < Several) {
        if (!is_free(wanted)) return false;
        connect(keeper, in, wanted, packet);
        return true;
    }
    if (wanted == Eject) {
        for (uint32_t vc = 0; vc < m_vcs; ++vc) {
            const Index out = ejection(m_channel[in].at, vc);
            if (!is_free(out)) continue;
            connect(keeper, in, out, packet);
            return true;
        }
        return false;
    }
    for (const Index out : m_choices[wanted & ~Several]) {
        if (!is_free(out)) continue;
        keeper.free_choices.push_back(wanted & ~Several);
        connect(keeper, in, out, packet);
        return true;
    }
    return false;
}

template <typename K>
RDT_PART_OF_PASS void Simulator::take_or_wait(K& keeper, Index in, Index packet, Index wanted) {
    if (take_first_free(keeper, in, packet, wanted)) return;
    Channel& channel = m_channel[in];
    channel.wanted = wanted;
    channel.next_waiting = None;
    ++keeper.waiters;
    List& list = m_waiting[channel.at];
    if (list.first == None) list.first = in;
    else m_channel[list.last].next_waiting = in;
    list.last = in;
}

template <typename K>
void Simulator::retry(K& keeper, NodeId node) {
    List& list = m_waiting[node];
    Index before = None;
    for (Index in = list.first; in != None;) {
        const Index next = m_channel[in].next_waiting;
        if (take_first_free(keeper, in, front(in), m_channel[in].wanted)) {
            --keeper.waiters;
            (before == None ? list.first : m_channel[before].next_waiting) = next;
            if (next == None) list.last = before;
        } else {
            before = in;
        }
        in = next;
    }
}

// A waiting header is retried only when a channel of its node is released, because nothing else can
// unblock it.
template <typename K>
void Simulator::route(K& keeper) {
    if (keeper.waiters != 0)
        for (const Index out : keeper.freed) retry(keeper, node_of(out));
    keeper.freed.clear();
    std::vector<Index>& new_headers = keeper.new_headers;
    if (m_is_large) {
        // Data of the next headers is prefetched while the others are processed.
        for (const Index in : new_headers) __builtin_prefetch(&m_packet[front(in)]);
        for (const Index in : new_headers)
            m_channel[in].wanted = find_wanted(keeper, in, front(in));
        keeper.found_wanted();
    }
    const Index* header = new_headers.data();
    const Index* end = header + new_headers.size();
    const ptrdiff_t step = m_now % 2 == 0 ? 1 : -1;
    if (step < 0) std::swap(--header, --end);
    for (; header != end; header += step) {
        const Index in = *header;
        const Index packet = front(in);
        take_or_wait(keeper, in, packet,
                     m_is_large ? m_channel[in].wanted : find_wanted(keeper, in, packet));
    }
    new_headers.clear();
}

template void Simulator::route(Whole&);
template void Simulator::route(Lane&);

}  // namespace rdt::lab
