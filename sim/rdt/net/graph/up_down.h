// SPDX-License-Identifier: MIT
// Up*/down* routing (Autonet's): on one virtual channel, free of deadlock on every undirected
// network. The nodes are ordered by their distance from a root in the middle; a packet goes up,
// towards the root, as often as it likes, then down, and never up again. Channels up wait for
// channels of nodes closer to the root or for channels down, channels down for those farther away.
#pragma once

#include <memory>

#include <rdt/net/graph/network.h>

namespace rdt {

// It takes a shortest allowed path, which may be longer than the shortest path; the root carries
// more paths than any other node. Throws NetworkError for a directed network. The network has to
// outlive the routing.
std::unique_ptr<Routing> make_up_down_routing(const Network& network);

}  // namespace rdt
