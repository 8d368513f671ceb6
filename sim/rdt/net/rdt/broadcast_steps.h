// SPDX-License-Identifier: MIT
// Steps of a broadcast, where every node may send on all its links in a step.
#pragma once

#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

// On the RDT as the paper does it: to a neighbor with the top rank, then rank by rank from the top
// down - one step to the four neighbors on that rank's torus, a second one from the South
// neighbor to its three others - with a step on the base torus between two ranks. The top torus is
// flooded, since it may have fewer than these eight nodes or more.
struct BroadcastSteps {
    uint32_t steps;     // until the last node has it, from the source that takes longest
    uint64_t messages;  // that are sent in all, from source 0
    uint64_t reached;   // nodes, from source 0
};
BroadcastSteps broadcast_steps(const Geometry& geometry);

// On a tree: from a leaf up to the root and down again. The tree has as many levels as it takes
// for its last one to have `nodes` / arity nodes, as in the paper's table.
uint32_t tree_broadcast_steps(uint32_t nodes, uint32_t arity);

}  // namespace rdt
