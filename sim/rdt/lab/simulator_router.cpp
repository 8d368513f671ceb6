// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_router.h>

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace rdt::lab {

void HeaderRouter::has_no_port(OutChannel c, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: node {2} has no port {0} with VC {1}",
                                       c.port, c.vc, m_network.label(at)));
}

void HeaderRouter::has_no_neighbor(uint32_t port, NodeId at) const {
    throw std::logic_error(fmt::format("routing error: node {} has no neighbor at port {}",
                                       m_network.label(at), port));
}

void HeaderRouter::ends_too_early(const Packet& p, NodeId at) const {
    throw std::logic_error(
        fmt::format("routing error: a packet for node {} is delivered to node {}",
                    m_network.label(p.destination), m_network.label(at)));
}

template <typename K>
RDT_PART_OF_PASS Index HeaderRouter::find_wanted(K& keeper, Index in, Index packet) {
    const ChannelState& channel = m_channels.channel[in];
    const NodeId at = m_channels.in_replica(channel.at);
    const Packet& p = m_processors.packet(packet);
    Choices& choices = keeper.next;
    m_routing.next(at, p.destination, p.tag, {channel.in_port, m_channels.place[in >> 6].vc},
                   choices);
    if (choices.empty()) {
        if (at != p.destination) ends_too_early(p, at);
        return Eject;
    }
    for (const OutChannel& c : choices)
        if (c.vc >= m_channels.vcs || c.port >= m_channels.ports) has_no_port(c, at);
    const Index best = m_channels.link_channel(channel.at, choices[0].port, choices[0].vc);
    if (m_channels.is_large) {
        __builtin_prefetch(&m_channels.channel[best]);
        __builtin_prefetch(&m_channels.other[m_channels.side_of(best)]);
        __builtin_prefetch(&m_channels.ring[best * size_t(m_channels.ring_size)]);
    }
    return choices.size() == 1 ? best : Several | list_choices(keeper, channel.at);
}

template <typename K>
Index HeaderRouter::list_choices(K& keeper, NodeId at) {
    if (keeper.free_choices.empty()) {
        keeper.free_choices.push_back(Index(m_choices.size()));
        m_choices.emplace_back();
    }
    const Index slot = keeper.free_choices.back();
    keeper.free_choices.pop_back();
    const uint32_t replica = m_channels.replica_of(at);
    if (!K::is_partition) note_used_choices(m_use[replica].now + 1, replica);
    m_choices[slot].clear();
    for (const OutChannel& c : keeper.next)
        m_choices[slot].push_back(m_channels.link_channel(at, c.port, c.vc));
    return slot;
}

template <typename K>
RDT_PART_OF_PASS void HeaderRouter::connect(K& keeper, Index in, Index out, Index packet) {
    ChannelState& channel = m_channels.channel[in];
    const Index side = m_channels.side_of(out);
    m_channels.held[out >> 6] |= 1ull << (out & 63);
    keeper.set(m_channels.connected(in), in);
    // The header is there; whether there was space for it is known, and a change of that is passed
    // on after the routing.
    m_channels.ready(side) |= 1ull << (side & 63);
    keeper.set_to(m_channels.ready(in), in, !m_channels.was_full(out));
    m_channels.other[in] = side;
    m_channels.other[side] = in;
    channel.wanted = NoIndex;
    m_channels.push(out, packet);
    if (!m_channels.is_link(out)) return;
    if (m_channels.channel[out].at == NoIndex)
        has_no_neighbor(m_channels.place[out >> 6].port, m_channels.in_replica(channel.at));
    Packet& p = m_processors.packet(packet);
    ++p.hops;
    if (m_keeps_tag) return;
    const WordPlace& place = m_channels.place[out >> 6];
    p.tag = m_routing.advance(m_channels.in_replica(channel.at), p.tag, {place.port, place.vc});
}

template <typename K>
RDT_PART_OF_PASS bool HeaderRouter::take_first_free(K& keeper, Index in, Index packet,
                                                    Index wanted) {
    if (wanted < Several) {
        if (!m_channels.is_free(wanted)) return false;
        connect(keeper, in, wanted, packet);
        return true;
    }
    if (wanted == Eject) {
        for (uint32_t vc = 0; vc < m_channels.vcs; ++vc) {
            const Index out = m_channels.ejection(m_channels.channel[in].at, vc);
            if (!m_channels.is_free(out)) continue;
            connect(keeper, in, out, packet);
            return true;
        }
        return false;
    }
    for (const Index out : m_choices[wanted & ~Several]) {
        if (!m_channels.is_free(out)) continue;
        keeper.free_choices.push_back(wanted & ~Several);
        if (!K::is_partition) --m_use[m_channels.replica_of(m_channels.channel[in].at)].now;
        connect(keeper, in, out, packet);
        return true;
    }
    return false;
}

template <typename K>
RDT_PART_OF_PASS void HeaderRouter::take_or_wait(K& keeper, Index in, Index packet, Index wanted) {
    if (take_first_free(keeper, in, packet, wanted)) return;
    ChannelState& channel = m_channels.channel[in];
    channel.wanted = wanted;
    channel.next_waiting = NoIndex;
    ++keeper.waiters;
    List& list = m_waiting[channel.at];
    if (list.first == NoIndex) list.first = in;
    else m_channels.channel[list.last].next_waiting = in;
    list.last = in;
}

template <typename K>
void HeaderRouter::retry(K& keeper, NodeId node) {
    List& list = m_waiting[node];
    Index before = NoIndex;
    for (Index in = list.first; in != NoIndex;) {
        const Index next = m_channels.channel[in].next_waiting;
        if (take_first_free(keeper, in, m_channels.front(in), m_channels.channel[in].wanted)) {
            --keeper.waiters;
            (before == NoIndex ? list.first : m_channels.channel[before].next_waiting) = next;
            if (next == NoIndex) list.last = before;
        } else {
            before = in;
        }
        in = next;
    }
}

// A waiting header is retried only when a channel of its node is released, because nothing else can
// unblock it.
template <typename K>
void HeaderRouter::route(K& keeper, uint64_t now) {
    if (keeper.waiters != 0)
        for (const Index out : keeper.freed) {
            const NodeId node = m_channels.node_of(out);
            if (m_waiting[node].first != NoIndex) retry(keeper, node);
        }
    keeper.freed.clear();
    std::vector<Index>& new_headers = keeper.new_headers;
    if (m_channels.is_large) {
        // Data of the next headers is prefetched while the others are processed.
        for (const Index in : new_headers)
            __builtin_prefetch(&m_processors.packet(m_channels.front(in)));
        for (const Index in : new_headers)
            m_channels.channel[in].wanted = find_wanted(keeper, in, m_channels.front(in));
        keeper.found_wanted();
    }
    const Index* header = new_headers.data();
    const Index* end = header + new_headers.size();
    const ptrdiff_t step = now % 2 == 0 ? 1 : -1;
    if (step < 0) std::swap(--header, --end);
    for (; header != end; header += step) {
        const Index in = *header;
        const Index packet = m_channels.front(in);
        take_or_wait(
            keeper, in, packet,
            m_channels.is_large ? m_channels.channel[in].wanted : find_wanted(keeper, in, packet));
    }
    new_headers.clear();
}

void HeaderRouter::provide_choices(Lane& lane) {
    while (lane.free_choices.size() < lane.new_headers.size()) {
        lane.free_choices.push_back(Index(m_choices.size()));
        m_choices.emplace_back();
    }
}

template void HeaderRouter::route(Whole&, uint64_t);
template void HeaderRouter::route(Lane&, uint64_t);

}  // namespace rdt::lab
