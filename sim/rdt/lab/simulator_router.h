// SPDX-License-Identifier: MIT
// Routing of headers, those that wait for a channel, and the connections through the crossbars.
// A keeper is Whole or Lane (simulator_lanes.h).
#pragma once

#include <algorithm>

#include <rdt/lab/simulator_lanes.h>
#include <rdt/lab/simulator_processors.h>

namespace rdt::lab {

class HeaderRouter {
public:
    // The resource a header waits for (ChannelState::wanted): one channel, any ejection channel of
    // its node, or one of a list of choices.
    static constexpr Index Eject = UINT32_MAX - 1;
    static constexpr Index Several = 1u << 31;

    HeaderRouter(const Network& network, const Routing& routing, Channels& channels,
                 Processors& processors)
        : m_network(network),
          m_routing(routing),
          m_channels(channels),
          m_processors(processors),
          m_keeps_tag(routing.keeps_tag()),
          m_waiting(channels.nodes),
          m_use(channels.replicas) {}

    HeaderRouter(const HeaderRouter& other, Channels& channels, Processors& processors)
        : m_network(other.m_network),
          m_routing(other.m_routing),
          m_channels(channels),
          m_processors(processors),
          m_keeps_tag(other.m_keeps_tag),
          m_waiting(other.m_waiting),
          m_choices(other.m_choices),
          m_use(other.m_use) {}

    // Connects headers that were complete before this cycle, for the next one.
    template <typename K>
    void route(K& keeper, uint64_t now);
    // A packet has left an input buffer.
    template <typename K>
    void tail_left(K& keeper, Index in) {
        const Index side = m_channels.other[in];
        const Index out = m_channels.to(in);
        m_channels.ready(side) &= ~(1ull << (side & 63));
        m_channels.other[side] = keeper.spare;
        ++m_channels.channel[in].first_packet;
        if (!m_channels.until_empty || !m_channels.is_link(out)) give_up(keeper, out);
        if (m_channels.until_empty && m_channels.is_link(in)) give_up(keeper, in);
    }
    // It is looked at in the next cycle; by then it has come into the cache.
    RDT_PART_OF_PASS void note_header(Keeper& keeper, Index in) const {
        if (m_channels.is_large) {
            __builtin_prefetch(&m_channels.channel[in]);
            __builtin_prefetch(&m_channels.ring[in * size_t(m_channels.ring_size)]);
        }
        keeper.new_headers.push_back(in);
    }
    void release(Index out) { m_channels.held[out >> 6] &= ~(1ull << (out & 63)); }

    // f(channel) for all channels that a header waits for, but for ejection.
    template <typename F>
    void for_wanted(Index in, F f) const {
        const Index wanted = m_channels.channel[in].wanted;
        if (wanted < Several) f(wanted);
        else if (wanted != Eject)
            for (const Index out : m_choices[wanted & ~Several]) f(out);
    }
    // The first header that waits at a node, or none; ChannelState::next_waiting has the others.
    Index first_waiting(NodeId node) const { return m_waiting[node].first; }

    // Gives a partition lists of choices, one for each header.
    void provide_choices(Lane& lane);
    // All partitions have used their choices.
    size_t num_choices() const { return m_choices.size(); }
    void note_used_choices(size_t used, uint32_t replica = 0) {
        m_use[replica].now = used;
        m_use[replica].most = std::max(m_use[replica].most, used);
    }
    size_t fixed_bytes() const { return bytes_of(m_waiting); }
    // In the course of the run, for one replica and as one thread needs them.
    size_t grown_bytes(uint32_t replica) const {
        return doubled_to(m_use[replica].most) * sizeof(m_choices[0]);
    }

private:
    struct List {
        Index first = NoIndex;
        Index last = NoIndex;
    };
    // Lists of choices in use at a time.
    struct Use {
        size_t now = 0;
        size_t most = 0;
    };

    template <typename K>
    void give_up(K& keeper, Index out) {
        if (!keeper.has_output(out)) {
            keeper.given_up_elsewhere(out);
            return;
        }
        release(out);
        keeper.freed.push_back(out);
    }
    template <typename K>
    Index find_wanted(K& keeper, Index in, Index packet);
    template <typename K>
    Index list_choices(K& keeper, NodeId at);
    [[noreturn]] void has_no_port(OutChannel c, NodeId at) const;
    [[noreturn]] void has_no_neighbor(uint32_t port, NodeId at) const;
    [[noreturn]] void ends_too_early(const Packet& p, NodeId at) const;
    template <typename K>
    void take_or_wait(K& keeper, Index in, Index packet, Index wanted);
    template <typename K>
    void retry(K& keeper, NodeId node);
    template <typename K>
    bool take_first_free(K& keeper, Index in, Index packet, Index wanted);
    template <typename K>
    void connect(K& keeper, Index in, Index out, Index packet);

    const Network& m_network;
    const Routing& m_routing;
    Channels& m_channels;
    Processors& m_processors;
    const bool m_keeps_tag;
    LargeVector<List> m_waiting;  // headers that wait, by node
    std::vector<std::vector<Index>> m_choices;
    std::vector<Use> m_use;  // by replica
};

}  // namespace rdt::lab
