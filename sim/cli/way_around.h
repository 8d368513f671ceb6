// SPDX-License-Identifier: MIT
// Routing around the faults that options name, on the networks that have it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rdt/net/graph/network.h>

namespace rdt {

struct NamedWay {
    std::unique_ptr<Routing> routing;
    std::string name;
};

// The named routing itself if there are no faults. Else, on an RDT, floating vector routing (also
// where the name is only the network's default), greedy routing on a chordal ring. Throws
// NetworkError for others, for faults that are none, and where an end of the way is down.
NamedWay way_around(const Network& network, const std::string& routing, bool is_default,
                    const std::vector<std::string>& faults, const std::vector<NodeId>& ends);

}  // namespace rdt
