// SPDX-License-Identifier: MIT
// What can be computed exactly about any network: distances, cuts, loads, freedom from deadlock.
#pragma once

#include <rdt/net/graph/channel.h>
#include <rdt/net/graph/network.h>
#include <rdt/support/parallel.h>

namespace rdt {

struct Size {
    uint32_t degree;  // links of the node that has most
    uint64_t links;   // in a directed network each way counts
};
Size size_of(const Network& network);

// Breadth-first search from every node; throws std::runtime_error if one is not reached.
struct Distances {
    uint32_t nodes;
    uint32_t diameter;
    uint64_t sum;  // over all ordered pairs

    double mean() const { return double(sum) / nodes / nodes; }  // the source itself included
    double mean_distinct() const { return nodes < 2 ? 0 : double(sum) / nodes / (nodes - 1); }
};
// The network's representatives, if it names any, stand for all nodes unless by_symmetry is false.
Distances distances(const Network& network, const WorkOptions& options = {},
                    bool by_symmetry = true);

// Links between two halves of the nodes (they differ by one node at most) in the best cut.
struct Bisection {
    uint64_t links;
    bool exact;          // otherwise the best cut found, an upper bound
    std::string method;  // how it was obtained
};
Bisection bisection(const Network& network, const WorkOptions& options = {});
// Links between the nodes where the half is set and those where it is not.
uint64_t cut(const Network& network, const std::vector<bool>& half);

// One packet from every node to every node, each taking the best choice at every hop.
struct LinkLoads {
    uint32_t ports;
    std::vector<uint64_t> packets;  // by node * ports + port
    uint64_t hops;
    uint64_t max;
    double mean;  // over the links that exist

    // Flits per node per cycle at which the busiest link, one flit per cycle, has no rest.
    double saturation(uint32_t nodes) const { return max == 0 ? 0 : double(nodes) / double(max); }
};
LinkLoads link_loads(const Network& network, const Routing& routing,
                     const WorkOptions& options = {});

// Follows a packet that always takes the best choice; the nodes it visits, both ends included.
// Throws std::runtime_error if it is not delivered.
std::vector<NodeId> path(const Network& network, const Routing& routing, NodeId src, NodeId dst);

// Every choice that a routing offers for any pair, and whether packets can wait for each other.
//
// The routing is free of deadlock if no channel depends on itself over others. If one does and the
// routing is adaptive, it is still free of deadlock if that holds for the escape channels, the
// last choice at every hop, with all that may happen between two of them (Duato's extended
// dependencies, indirect and cross ones included), and the escape path always delivers.
struct RoutingCheck {
    bool adaptive;  // some packet has a choice
    bool deadlock_free;
    bool by_escape;         // shown with the escape channels alone
    bool bounded;           // no packet can go round in circles
    uint64_t pairs;         // of source and destination, themselves included
    double mean_hops;       // best choice at every hop; over all pairs
    uint32_t max_hops;      // whatever is chosen; 0 if not bounded
    uint64_t channels;      // that exist
    uint64_t used;          // that some packet may take; of the escape channels if by_escape
    uint64_t dependencies;  // between those
    uint32_t longest_chain;
    std::vector<Channel> cycle;  // each waits for the next, the last for the first
};
// Throws std::runtime_error naming the pair if a packet is not delivered.
RoutingCheck check_routing(const Network& network, const Routing& routing,
                           const WorkOptions& options = {});
std::string to_string(const Channel& channel, const Network& network);

}  // namespace rdt
