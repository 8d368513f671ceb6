// SPDX-License-Identifier: MIT
// The simulator. It implements simulate.h without an object per flit: 64 virtual channels share a
// machine word, and a buffer is a counter cut into bit planes (bit_slices.h). Each word of channels
// costs a few dozen instructions per cycle. Only headers that are routed, tails that leave, and
// buffers that become empty, full or no longer so need work on a single channel.
//
// Link channel (node, port, vc) is the output buffer at the node and the input buffer at the node
// it leads to. Behind the link channels come the injection channels (input buffers only), then the
// ejection channels (output buffers only). Bit n % 64 of the words of a kind is node n's.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include <rdt/support/worker_pool.h>
#include <rdt/support/random.h>
#include <rdt/lab/bit_slices.h>
#include <rdt/lab/found.h>
#include <rdt/lab/simulate.h>
#include <rdt/lab/statistics.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/net/graph/network.h>

namespace rdt::lab {

class Simulator {
public:
    Simulator(const Network& network, const Routing& routing, const Options& options,
              std::vector<Delivery>* log);
    ~Simulator();

    // Cycles up to `end`; those in which nothing can happen are skipped.
    void run(uint64_t end, bool generate);
    bool drained() const { return m_unfinished == 0; }
    // The channels of a deadlock, each held by a packet that needs the next; empty: there is none.
    std::vector<ChannelName> find_deadlock() const;

    uint64_t now() const { return m_now; }
    uint32_t senders() const { return m_traffic.senders(); }
    const Statistics& statistics() const { return m_statistics; }
    size_t bytes() const;
    const std::vector<ChannelName>& deadlock() const { return m_deadlock; }
    // Cycles that threads have shared.
    uint64_t shared_clocks() const { return m_shared_clocks; }

private:
    using Index = uint32_t;
    static constexpr Index None = UINT32_MAX;
    static constexpr uint32_t MaxVcs = 256;

    // 64 channels a word: what is known at the beginning of a cycle.
    struct Inputs {
        Words connected;  // to an output buffer
        Words state;      // what the passes alone use, see InputState
    };
    struct Outputs {
        Words full;
        Words held;  // by a packet
        Words last;  // sent on the link, of the link's channels; of the sources: packets went there
        Words count;  // flits, in bit planes
    };
    // The two sides of a connection through the crossbar, first all input buffers, then all output
    // buffers. Each side knows whether the other is ready, an input buffer to give a flit, an
    // output buffer to take one, so that both know alone when a flit moves.
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
    static constexpr uint32_t OutPlanes = 2;
    struct Channel {
        NodeId at;                  // node that has the input buffer
        Index wanted = UINT32_MAX;  // by the header that waits at the input buffer
        Index next_waiting = UINT32_MAX;
        uint16_t in_port = NoPort;  // input port at node `at`
        uint8_t first_packet = 0;   // in the ring of those in the channel
        uint8_t last_packet = 0;
    };
    struct WordPlace {
        NodeId node;  // node of bit 0
        uint16_t port;
        uint8_t vc;
    };
    struct Packet {
        RouteTag tag;
        NodeId source;
        NodeId destination;
        uint32_t generated;
        uint32_t injected;
        Index next;  // in the request queue, or of the free packets
        uint32_t hops;
    };
    struct Queue {
        Index first = None;
        Index last = None;
        uint32_t size = 0;
    };
    struct List {
        Index first = None;
        Index last = None;
    };
    // The resource a header waits for: one channel, any ejection channel of its node, or one of a
    // list in m_choices.
    static constexpr Index Eject = UINT32_MAX - 1;
    static constexpr Index Several = 1u << 31;

    // Words that the passes have found single channels in.
    struct Marked {
        MarkedWords tails, changed, headers;
        explicit Marked(const Simulator& s)
            : tails(s.m_first_sink), changed(2 * s.m_words), headers(s.m_first_sink) {}
        void forget() {
            tails.forget();
            changed.forget();
            headers.forget();
        }
        size_t bytes() const { return tails.bytes() + changed.bytes() + headers.bytes(); }
    };
    // State of the node schedule from cycle to cycle.
    struct Keeper {
        Index spare;  // side
        Marked marked;
        std::vector<Index> new_headers;  // complete since the last cycle
        std::vector<Index> freed;        // output channels released in the last cycle
        uint32_t waiters = 0;
        std::vector<Index> free_choices;  // places in m_choices
        Choices next;
        explicit Keeper(const Simulator& s) : spare(s.spare_side()), marked(s) {}
    };
    // Sum over all nodes.
    struct Whole : Keeper {
        using Keeper::Keeper;
        static constexpr bool has_output(Index) { return true; }
        static void given_up_elsewhere(Index) {}
        static void found_wanted() {}
        static void set(Words& words, Index at) { words[at >> 6] |= 1ull << (at & 63); }
        static void set_to(Words& words, Index at, bool value) {
            const uint64_t bit = 1ull << (at & 63);
            words[at >> 6] = (words[at >> 6] & ~bit) | (value ? bit : 0);
        }
        static void flip(Words& words, Index at) { words[at >> 6] ^= 1ull << (at & 63); }
    };
    struct Lane;

    void step(bool generate);
    // simulator_lanes.cpp
    void make_lanes();
    bool is_shared();
    void part();
    void unite();
    void step_shared(bool generate);
    void pass(Lane& lane);
    void look_after(Lane& lane);
    void hand_over();
    void provide_choices();
    template <typename F>
    void for_own(const Lane& lane, MarkedWords Marked::*kind, const Words& words, F f) const;
    Lane& lane_of(NodeId node);

    using Pass = void (Simulator::*)(Marked&, size_t first, size_t end);
    void choose_passes();
    template <uint32_t LeftPlanes>
    void choose_for_flits();
    template <uint32_t Vcs, uint32_t LeftPlanes>
    void choose_for_vcs();
    template <uint32_t LeftPlanes, uint32_t Channels>
    void choose_sources();
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void links(Marked& marked, size_t from, size_t to);
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void links_if(Marked& marked, size_t from, size_t to, bool usual);
    template <uint32_t Vcs, uint32_t LeftPlanes>
    void sinks(Marked& marked, size_t from, size_t to);
    template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t Channels>
    void sources(Marked& marked, size_t from, size_t to);
    // Input buffer state per channel.
    template <typename W>
    struct InputMarks {
        Marks<W> tails, headers, changed;
        RDT_PART_OF_PASS void join(const InputMarks& others, size_t further) {
            tails.join(others.tails, further);
            headers.join(others.headers, further);
            changed.join(others.changed, further);
        }
    };
    static void mark_inputs(Marked& marked, size_t first, const InputMarks<Bits>& marks);
    static void mark_inputs(Marked& marked, size_t w, const InputMarks<uint64_t>& marks);
    struct OutputBuffers;
    template <uint32_t InPlanes, uint32_t LeftPlanes>
    struct InputBuffers;
    template <typename K>
    void tail_left(K& keeper, Index in);
    template <typename K>
    void give_up(K& keeper, Index out);
    void note_header(Keeper& keeper, Index in) const;
    void start_packet(Index channel);
    void queue_next(NodeId node);
    RDT_PART_OF_PASS void deliver_arrived() {
        for (uint32_t i = 0; i < m_arrived.size(); ++i)
            for_bits(m_arrived[i], [&](uint32_t b) { deliver((m_first_sink + i) * 64 + b); });
    }
    void deliver(Index out);
    void generate();
    void watch();

    template <typename K>
    void route(K& keeper);
    template <typename K>
    Index find_wanted(K& keeper, Index in, Index packet);
    Index list_choices(Keeper& keeper, NodeId at);
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
    Index new_packet();
    Index front(Index in) const {
        return m_ring[(size_t(in) << m_ring_shift) +
                      (m_channel[in].first_packet & (m_ring_size - 1))];
    }
    void push(Index channel, Index packet) {
        const uint32_t place = m_channel[channel].last_packet++ & (m_ring_size - 1);
        m_ring[(size_t(channel) << m_ring_shift) + place] = packet;
    }

    Index link_channel(NodeId node, uint32_t port, uint32_t vc) const {
        return (vc * m_link_words + port * m_node_words) * 64 + node;
    }
    Index ejection(NodeId node, uint32_t vc) const {
        return (m_first_sink + vc * m_node_words) * 64 + node;
    }
    Index injection(NodeId node, uint32_t number) const {
        return (m_first_source + number * m_node_words) * 64 + node;
    }
    // The node that has the output buffer.
    NodeId node_of(Index out) const { return m_place[out >> 6].node + (out & 63); }
    Index side_of(Index out) const { return m_words * 64 + out; }
    // Those of lanes come behind it.
    Index spare_side() const { return m_words * 2 * 64; }
    Index to(Index in) const { return m_sides.other[in] - m_words * 64; }
    Index from(Index out) const { return m_sides.other[side_of(out)]; }
    bool is_connected(Index in) const { return m_in.connected[in >> 6] >> (in & 63) & 1; }
    bool is_link(Index channel) const { return channel < m_first_source * 64; }
    bool is_free(Index out) const { return !(m_out.held[out >> 6] >> (out & 63) & 1); }
    template <typename F>
    void for_wanted(Index in, F f) const;
    // Where a plane of word w is, if there are `all`. Links are worked on in packs of words.
    size_t place_of(uint32_t w, uint32_t plane, uint32_t all) const {
        const uint32_t step = w < m_first_source ? Pack : 1;
        return (size_t(w / step) * all + plane) * step + w % step;
    }
    uint64_t value_of(const Words& words, uint32_t all, uint32_t first, uint32_t end,
                      Index channel) const;
    std::vector<bool> find_live() const;
    bool will_leave(Index in, const std::vector<bool>& live) const;
    ChannelName name_of(Index channel) const;

    const Network& m_network;
    const Routing& m_routing;
    const Options m_options;
    const uint32_t m_nodes;
    const uint32_t m_ports;
    const uint32_t m_node_words;  // a bit for each node
    const uint32_t m_vcs;
    const uint32_t m_link_words;  // words of one virtual channel
    const uint32_t
        m_first_source;  // words: links of VC 0, VC 1 ..., sources 0, ..., sinks of VC 0 ...
    const uint32_t m_first_sink;
    const uint32_t m_words;
    const bool m_is_large;     // does not fit in the first cache
    const bool m_until_empty;  // Reuse::Empty
    const uint32_t m_draws;    // Routing::draws(), or 1 by the rule
    const bool m_keeps_tag;
    const Constant m_last_flit, m_in_depth, m_out_depth, m_header;
    // Rounded up to the compiled vector width.
    const uint32_t m_in_planes;
    const uint32_t m_left_planes;
    const uint32_t m_input_planes;  // all of InputState
    // Depths and lengths that passes see in a single plane; 2 flits of header and output buffer.
    const bool m_is_usual;

    // Bit planes: those of a pack of words one after the other.
    Inputs m_in;
    Outputs m_out;
    Sides m_sides;
    Words m_sink_left;    // flits of the front packet that have to go to the processor, less 1
    Words m_source_left;  // and that have to come from it
    Pass m_links, m_sinks, m_sources;
    std::vector<WordPlace> m_place;
    std::vector<Channel> m_channel;
    const uint32_t m_ring_size;  // packets that can be in a channel at once
    const uint32_t m_ring_shift;
    std::vector<Index> m_ring;
    // Results of the passes of a cycle.
    Words m_tails;    // input buffers that a packet has left
    Words m_changed;  // sides whose readiness changed, to be passed to the other side
    Words m_headers;  // input buffers in which a header has become complete
    Words m_arrived;  // sinks that the tail of a packet has left
    // Headers that wait, in lists by node.
    std::vector<List> m_waiting;
    std::vector<std::vector<Index>> m_choices;
    size_t m_most_choices = 0;  // in use at a time
    Whole m_whole;

    // Lanes of nodes, for threads.
    std::vector<Lane> m_lanes;
    std::unique_ptr<WorkerPool> m_workers;
    bool m_is_parted = false;  // the lanes look after the nodes, not m_whole
    uint64_t m_shared_clocks = 0;

    // Processors.
    Words m_source_busy;   // has a packet to insert
    Words m_source_fresh;  // of which no flit has gone
    std::vector<Queue> m_queue;
    std::vector<Packet> m_packet;
    Index m_free_packet = None;

    uint64_t m_now = 0;
    uint64_t m_unfinished = 0;  // packets in queues and network
    uint64_t m_next_watch = 1024;
    std::vector<ChannelName> m_deadlock;
    Random m_random;
    Traffic m_traffic;
    BernoulliTrials m_trials;
    Statistics m_statistics;
    std::vector<Delivery>* m_log;
};

}  // namespace rdt::lab
