// SPDX-License-Identifier: MIT
// Buffers of all channels of a network, 64 virtual channels per machine word. A buffer is a counter
// cut into bit planes (bit_slices.h).
//
// Link channel (node, port, vc) is the output buffer at the node and the input buffer at the node
// it leads to. Behind the link channels come the injection channels (input buffers only), then the
// ejection channels (output buffers only). Bit n % 64 of the words of a kind is node n's.
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

// The state at the beginning of a cycle.
struct Inputs {
    Words connected;  // to an output buffer
    Words state;      // what the passes alone use, see InputState
};
struct Outputs {
    Words full;
    Words held;   // by a packet
    Words last;   // sent on the link, of the link's channels; of the sources: packets went there
    Words count;  // flits, in bit planes
};
// The two sides of a connection through the crossbar, first all input buffers, then all output
// buffers. Each side knows whether the other is ready, an input buffer to give a flit, an output
// buffer to take one, so that both know alone when a flit moves.
struct Sides {
    std::vector<Index> other;  // or the spare side, if there is none
    Words other_is_ready;
};
// Per pack of words, one plane after the other.
struct InputState {
    static constexpr uint32_t Filled = 0;  // not empty
    static constexpr uint32_t Full = 1;
    static constexpr uint32_t Idle = 2;   // the next header has not been seen yet
    static constexpr uint32_t Count = 3;  // flits, in bit planes
    // Behind these: flits of the front packet that have to leave, less 1, in bit planes.
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
    Channels(const Network& network, const Routing& routing, const Options& options);

    Index link_channel(NodeId node, uint32_t port, uint32_t vc) const {
        return (vc * link_words + port * node_words) * 64 + node;
    }
    Index ejection(NodeId node, uint32_t vc) const {
        return (first_sink + vc * node_words) * 64 + node;
    }
    Index injection(NodeId node, uint32_t number) const {
        return (first_source + number * node_words) * 64 + node;
    }
    // The node that has the output buffer.
    NodeId node_of(Index output) const { return place[output >> 6].node + (output & 63); }
    Index side_of(Index output) const { return words * 64 + output; }
    // Those of lanes come behind it.
    Index spare_side() const { return words * 2 * 64; }
    Index to(Index input) const { return sides.other[input] - words * 64; }
    Index from(Index output) const { return sides.other[side_of(output)]; }
    bool is_connected(Index input) const { return in.connected[input >> 6] >> (input & 63) & 1; }
    bool is_link(Index number) const { return number < first_source * 64; }
    bool is_free(Index output) const { return !(out.held[output >> 6] >> (output & 63) & 1); }

    // Packets in a channel, in order.
    Index front(Index number) const {
        return ring[(size_t(number) << ring_shift) +
                    (channel[number].first_packet & (ring_size - 1))];
    }
    void push(Index number, Index packet) {
        const uint32_t at = channel[number].last_packet++ & (ring_size - 1);
        ring[(size_t(number) << ring_shift) + at] = packet;
    }

    // Where a plane of word w is, if there are `all`. Links are worked on in packs of words.
    size_t place_of(uint32_t w, uint32_t plane, uint32_t all) const {
        const uint32_t step = w < first_source ? Pack : 1;
        return (size_t(w / step) * all + plane) * step + w % step;
    }
    // A number from bit planes.
    uint64_t value_of(const Words& planes, uint32_t all, uint32_t first, uint32_t end,
                      Index number) const;
    size_t bytes() const;

    const uint32_t nodes;
    const uint32_t ports;
    const uint32_t node_words;  // a bit for each node
    const uint32_t vcs;
    const uint32_t link_words;    // words of one virtual channel
    const uint32_t first_source;  // words: links of VC 0, VC 1 ..., sources 0, ..., sinks of VC 0
    const uint32_t first_sink;
    const uint32_t words;
    const bool is_large;     // does not fit in the first cache
    const bool until_empty;  // Reuse::Empty
    const Constant last_flit, in_depth, out_depth, header;
    // Rounded up to the compiled vector width.
    const uint32_t in_planes;
    const uint32_t left_planes;
    const uint32_t input_planes;  // all of InputState
    // Depths and lengths that passes see in a single plane; 2 flits of header and output buffer.
    const bool is_usual;

    // Bit planes: those of a pack of words one after the other.
    Inputs in;
    Outputs out;
    Sides sides;
    std::vector<WordPlace> place;  // by word
    std::vector<ChannelState> channel;
    const uint32_t ring_size;  // packets that can be in a channel at once
    const uint32_t ring_shift;
    std::vector<Index> ring;

private:
    void set_places(const Options& options);
    void set_links(const Network& network, const Options& options);
};

}  // namespace rdt::lab
