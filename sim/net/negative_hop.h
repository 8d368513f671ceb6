// SPDX-License-Identifier: MIT
// Shortest paths without deadlock on any network (Gopal's negative-hop scheme): the nodes are
// coloured so that neighbours differ; a packet changes to the next virtual channel whenever it has
// gone from a higher colour to a lower one. A channel can then only wait for one in a higher VC,
// or in the same VC from a node of a higher colour.
#pragma once

#include <memory>

#include "net/network.h"

namespace rdt {

// Of the shortest paths one that goes down least often is taken, so few VCs are needed; how many
// is found by looking at all pairs, when first asked. The network has to outlive the routing.
std::unique_ptr<Routing> make_negative_hop_routing(const Network& network);

}  // namespace rdt
