// SPDX-License-Identifier: MIT
// Minimal routing by table, for any network.
#pragma once

#include <memory>

#include <rdt/net/graph/network.h>

namespace rdt {

// Every node knows, for every destination, the port (of those on a shortest path the lowest) to
// take. One virtual channel, so it may deadlock. The table of a destination is built when first
// used; the network has to outlive the routing.
std::unique_ptr<Routing> make_shortest_routing(const Network& network);

}  // namespace rdt
