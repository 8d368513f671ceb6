// SPDX-License-Identifier: MIT
// Faults of an RDT as the program's options name them, and routing around them.
#pragma once

#include <rdt/net/rdt/rdt_routing.h>

namespace rdt {

// "3,4" or "35": that node; "3,4-4,4": all links between these two. Throws NetworkError.
Faults parse_faults(const RdtNetwork& network, const std::vector<std::string>& texts);

// Floating vector routing with the routers' tables rewritten, by name: "floating" and
// "floating-simple" with two virtual channels, which are not free of deadlock; the default,
// "floating-negative-hop", is, and its vcs() throws NetworkError if some healthy node cannot be
// reached. Throws NetworkError for another name.
std::unique_ptr<Routing> make_routing_around(const RdtNetwork& network, const std::string& name,
                                             const Faults& faults);
constexpr const char* RoutingAroundFaults = "floating-negative-hop";

// The RDT of a name like rdt:16; throws NetworkError for another network.
const RdtNetwork& rdt_with_faults(const Network& network);

}  // namespace rdt
