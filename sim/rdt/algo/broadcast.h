// SPDX-License-Identifier: MIT
// Broadcasts on hypercube, star graph, cube- and star-connected cycles: the port each node sends on
// per step, and the result on the step machine with one message or several pipelined ones.
#pragma once

#include <rdt/algo/step_machine.h>

namespace rdt::algo {

struct Send {
    NodeId from;
    uint32_t port;
};

// Broadcast of one message from one source. In a step no node sends to a node that has the message.
struct Schedule {
    std::vector<std::vector<Send>> steps;
    uint32_t lateral = 0;  // steps on lateral links; the others are on rings

    uint32_t local() const { return uint32_t(steps.size()) - lateral; }
};

// Nodes on a ring of cube- or star-connected cycles.
uint32_t ring_size(const Network& network);

// Star-connected cycles, the cyclic sequence of the paper's section 5: as many rounds as the star
// graph's diameter, each a spreading on the rings reached last and then a step on all their lateral
// links. With one port a node sends up its ring first and then down, with all ports both at once.
Schedule scc_broadcast(const Network& network, PortModel model, NodeId source);
// Cube-connected cycles, one port: lateral links and ring steps alternate until every ring is
// reached, then all rings spread the message.
Schedule ccc_broadcast(const Network& network, NodeId source);
// Hypercube, one port: a dimension a step.
Schedule hypercube_broadcast(const Network& network, NodeId source);
// Any network, one port: each node that has the message sends it to a neighbor that lacks it,
// preferring one with the fewest other sources.
Schedule matched_broadcast(const Network& network, NodeId source);
// Any network, all ports: everyone to all neighbors; as many steps as the source's eccentricity.
Schedule flood(const Network& network, NodeId source);

struct BroadcastResult {
    uint64_t steps;
    bool complete;     // every node has every message, none sent what it had not
    uint32_t buffers;  // messages a node has to keep at the same time, at most
    std::vector<uint32_t>
        informed;  // nodes that have message 0, before the first step and after each
};
// Message m starts interval * m steps after the first. Throws MovementError where two of them are
// in each other's way.
BroadcastResult run_broadcast(const Network& network, PortModel model, const Schedule& schedule,
                              NodeId source, uint32_t messages, uint32_t interval);

}  // namespace rdt::algo
