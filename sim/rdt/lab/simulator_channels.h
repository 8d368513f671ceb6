// SPDX-License-Identifier: MIT
// Buffers of all channels of a network, 64 virtual channels per machine word. A buffer is a counter
// cut into bit planes (bit_slices.h).
//
// Link channel (node, port, vc) is the output buffer at the node and the input buffer at the node
// it leads to. Behind the link channels come the injection channels (input buffers only), then the
// ejection channels (output buffers only). Bit n % 64 of the words of a kind is node n's.
//
// Replicas of a small network lie side by side, as if they were one network: the nodes of each
// begin at a multiple of a power of two.
#pragma once

#include <cstdint>
#include <vector>

#include <rdt/lab/bit_slices.h>
#include <rdt/lab/found.h>
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/network.h>

namespace rdt::lab {

using Index = uint32_t;  // the number of a channel, a side or a packet
constexpr Index NoIndex = UINT32_MAX;

template <typename Vector>
size_t bytes_of(const Vector& v) {
    return v.capacity() * sizeof(v[0]);
}

// Elements for which a vector has memory when it has grown to `size`, one at a time.
inline size_t doubled_to(size_t size) {
    size_t capacity = size == 0 ? 0 : 1;
    while (capacity < size) capacity *= 2;
    return capacity;
}

// The passes keep a word of channels in bit planes: one plane of a pack of words after the other.
// The two sides of a connection through the crossbar are an input and an output buffer. Each knows
// whether the other is ready, an input buffer to give a flit, an output buffer to take one, so that
// both know alone when a flit moves.
struct Plane {
    // Output buffers.
    static constexpr uint32_t InputIsReady = 0;
    static constexpr uint32_t OutputFull = 1;   // unless is_usual, see full_plane
    static constexpr uint32_t OutputCount = 2;  // flits, in OutPlanes planes
    static constexpr uint32_t Last = 4;  // sent on the link, of its channels; sources: packets went
    // Input buffers.
    static constexpr uint32_t OutputIsReady = 5;
    static constexpr uint32_t Full = 6;       // unless is_usual
    static constexpr uint32_t Connected = 7;  // to an output buffer
    static constexpr uint32_t Filled = 8;     // not empty
    static constexpr uint32_t Idle = 9;       // the next header has not been seen yet
    // Single channels that the passes of this cycle have found.
    static constexpr uint32_t Tails = 10;      // a packet has left the input buffer, or the sink
    static constexpr uint32_t Headers = 11;    // a header has become complete
    static constexpr uint32_t InChanged = 12;  // readiness, to be passed to the other side
    static constexpr uint32_t OutChanged = 13;
    static constexpr uint32_t Count = 14;  // flits of the input buffer, in bit planes
    // Behind these: flits of the front packet that have to leave the input buffer or the sink, less
    // 1, in bit planes.
};
constexpr uint32_t OutPlanes = 2;
struct ChannelState {
    NodeId at;               // node that has the input buffer
    Index wanted = NoIndex;  // by the header that waits at the input buffer
    Index next_waiting = NoIndex;
    uint16_t in_port = NoPort;  // input port at node `at`
    uint8_t first_packet = 0;   // in the ring of those in the channel
    uint8_t last_packet = 0;
};
struct WordPlace {
    NodeId node;  // node of bit 0
    uint16_t port;
    uint8_t vc;
};

struct Channels {
    Channels(const Network& network, const Routing& routing, const Options& options,
             uint32_t num_replicas);

    Index link_channel(NodeId node, uint32_t port, uint32_t vc) const {
        return (vc * link_words + port * node_words) * 64 + node;
    }
    Index ejection(NodeId node, uint32_t vc) const {
        return (first_sink + vc * end_words) * 64 + node;
    }
    Index injection(NodeId node, uint32_t number) const {
        return (first_source + number * end_words) * 64 + node;
    }
    // The node that has the output buffer.
    NodeId node_of(Index output) const { return place[output >> 6].node + (output & 63); }
    uint32_t replica_of(NodeId node) const { return node >> replica_shift; }
    NodeId first_node(uint32_t replica) const { return replica << replica_shift; }
    // The number that a node has in the network.
    NodeId in_replica(NodeId node) const { return node & ((1u << replica_shift) - 1); }
    Index side_of(Index output) const { return words * 64 + output; }
    // The first one; those of lanes come behind it.
    Index spare_side() const { return words * 2 * 64; }
    Index to(Index input) const { return other[input] - words * 64; }
    Index from(Index output) const { return other[side_of(output)]; }
    // Whether the other side of these sides is ready.
    uint64_t& ready(Index side) { return state[ready_at[side >> 6]]; }
    uint64_t& connected(Index input) {
        return state[ready_at[input >> 6] + (Plane::Connected - Plane::OutputIsReady) * Pack];
    }
    bool is_connected(Index input) const {
        return value_of(Plane::Connected, Plane::Connected + 1, input) != 0;
    }
    // Before this cycle.
    bool was_full(Index output) const {
        const uint64_t* planes = &state[ready_at[words + (output >> 6)]];
        const uint64_t now = planes[(full_plane - Plane::InputIsReady) * Pack];
        const uint64_t changed = planes[(Plane::OutChanged - Plane::InputIsReady) * Pack];
        return (now ^ changed) >> (output & 63) & 1;
    }
    bool is_link(Index number) const { return number < first_source * 64; }
    bool is_free(Index output) const { return !(held[output >> 6] >> (output & 63) & 1); }

    // Packets in a channel, in order.
    Index front(Index number) const {
        return ring[(size_t(number) << ring_shift) +
                    (channel[number].first_packet & (ring_size - 1))];
    }
    void push(Index number, Index packet) {
        const uint32_t at = channel[number].last_packet++ & (ring_size - 1);
        ring[(size_t(number) << ring_shift) + at] = packet;
    }

    // The planes of a pack of words. Those of the channels of a link, of a source or of a sink come
    // one after the other.
    uint64_t* pack(size_t number) {
        return &state[ready_at[number * Pack] - Plane::OutputIsReady * Pack];
    }
    // The first plane of word w; the next is Pack words on.
    const uint64_t* planes_of(uint32_t w) const {
        return &state[ready_at[w] - Plane::OutputIsReady * Pack];
    }
    // Where a plane of word w is.
    size_t place_of(uint32_t w, uint32_t plane) const;
    // A number from bit planes.
    uint64_t value_of(uint32_t first, uint32_t end, Index number) const;
    // A side that receives writes that are not used.
    Index add_spare_side();
    size_t bytes() const;

    const uint32_t replicas;
    const uint32_t replica_shift;
    const uint32_t nodes;  // all replicas together
    const uint32_t ports;
    const uint32_t node_words;  // a bit for each node
    const uint32_t vcs;
    // Whole packs of words.
    const uint32_t link_words;    // of one virtual channel
    const uint32_t end_words;     // of a source of all nodes, and of a virtual channel of sinks
    const uint32_t first_source;  // words: links of VC 0, VC 1 ..., sources 0, ..., sinks of VC 0
    const uint32_t first_sink;
    const uint32_t words;
    const bool is_large;     // does not fit in the first cache
    const bool until_empty;  // Reuse::Empty
    const Constant last_flit, in_depth, out_depth, header;
    // Rounded up to the compiled vector width.
    const uint32_t in_planes;
    const uint32_t left_planes;
    const uint32_t planes;  // all of Plane
    // Depths and lengths that passes see in a single plane; 2 flits of header and output buffer.
    const bool is_usual;

    const uint32_t full_plane;  // where output buffers are full

    Words state;                     // by pack, see Plane
    LargeVector<uint32_t> ready_at;  // in it, by word of sides: input buffers, then output buffers
    LargeVector<Index> other;        // side, by side; or a spare one, if there is none
    Words held;                      // output buffers, by a packet
    LargeVector<WordPlace> place;    // by word
    LargeVector<ChannelState> channel;
    const uint32_t ring_size;  // packets that can be in a channel at once
    const uint32_t ring_shift;
    LargeVector<Index> ring;

private:
    void set_places(const Options& options);
    void set_links(const Network& network, const Options& options);
    void set_state(uint32_t threads);
};

}  // namespace rdt::lab
