// SPDX-License-Identifier: MIT
// A simple reference model of the simulator of sim/rdt/lab: a flit is an object, a buffer is a
// queue of flits, and a cycle first decides everything from the state at its beginning, then
// applies it. Slow; the fast engine has to agree with it packet by packet.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <rdt/support/random.h>
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/net/graph/network.h>

namespace rdt::tb {

class WormholeReference {
public:
    WormholeReference(const Network& network, const Routing& routing, const lab::Options& options);

    // All packets in the order of arrival; within a cycle by node and VC of the processor's port.
    std::vector<lab::Delivery> run();

private:
    struct Packet {
        lab::Delivery record;
        RouteTag tag;
    };
    struct Flit {
        uint32_t packet;
        bool head;
        bool tail;
    };
    // An output buffer, the link's virtual channel behind it, the input buffer at its end.
    struct Channel {
        bool exists = false;
        NodeId at = 0;  // where the input buffer is
        OutChannel in{NoPort, 0};
        uint32_t number = 0;  // in arbitration
        std::deque<Flit> out_buffer;
        std::deque<Flit> in_buffer;
        bool held = false;                  // the output buffer, by a packet
        Channel* connected = nullptr;       // the output buffer the input buffer sends to
        uint64_t ready_since = UINT64_MAX;  // the header at the front of the input buffer
    };
    struct Port {
        std::vector<Channel> channels;
        uint32_t last;  // served
    };
    struct Node {
        std::vector<Port> ports;  // to other nodes
        Port processor_out;
        Port processor_in;
        std::deque<Flit> queue;        // request queue
        std::vector<Channel*> inputs;  // input buffers at this node
    };
    struct Move {
        Channel* from;
        Channel* to;
    };

    void clock(bool generate);
    void generate();
    std::vector<Move> decide_routes();
    std::vector<Move> decide_crossbars();
    std::vector<Channel*> decide_links();
    Channel* next_of(Port& port, bool to_processor) const;
    Channel* next_source(Node& node) const;
    void find_headers();

    const Routing& m_routing;
    const lab::Options m_options;
    const bool m_until_empty;
    std::vector<Node> m_nodes;
    std::vector<Packet> m_packets;
    std::vector<lab::Delivery> m_arrived;
    uint64_t m_now = 0;
    Random m_random;
    Traffic m_traffic;
    BernoulliTrials m_trials;
};

}  // namespace rdt::tb
