// SPDX-License-Identifier: MIT
// Shortest paths without deadlock on any network (Gopal's negative-hop scheme): the nodes are
// colored so that neighbors differ; a packet changes to the next virtual channel whenever it has
// gone from a higher color to a lower one. A channel can then only wait for one in a higher VC,
// or in the same VC from a node of a higher color.
#pragma once

#include <memory>

#include <rdt/net/graph/network.h>

namespace rdt {

// The shortest path with the fewest downward hops is taken, so few VCs are needed. Their number is
// determined over all pairs on first use. The network has to outlive the routing.
std::unique_ptr<Routing> make_negative_hop_routing(const Network& network);

// The ways of another routing, one choice a hop, in virtual channels by the same rule: whatever
// the ways, they are then free of deadlock. The number of VCs is determined by following all pairs
// on first use; above `counted` nodes it is MostUncounted, which serves paths of as many hops.
constexpr uint32_t MostUncounted = 64;
// Pairs with an end where `is_down`, if it is given, are left out. vcs() throws NetworkError,
// naming the pair, if another one is not delivered.
std::unique_ptr<Routing> make_negative_hop_channels(const Network& network,
                                                    std::unique_ptr<Routing> ways,
                                                    std::vector<bool> is_down = {},
                                                    uint32_t counted = 1024);

}  // namespace rdt
