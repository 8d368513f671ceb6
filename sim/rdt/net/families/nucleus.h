// SPDX-License-Identifier: MIT
// The small graphs that hierarchical networks are made of.
#pragma once

#include <memory>
#include <string>

#include <rdt/net/graph/network.h>

namespace rdt {

// qK hypercube, kM complete graph, ringM, pathM, starN, petersen, fqK folded hypercube (a
// hypercube with a link between opposite corners); throws NetworkError naming those.
// Port s of a complete graph of 2^k nodes leads to the node whose index differs in the bits of
// s + 1; of one of any other size to the node s + 1 further round.
std::shared_ptr<const Network> make_nucleus(const std::string& name);

// The number of bits of a node's index, where every node has links to those that differ in one
// bit; none for all other graphs.
std::optional<uint32_t> cube_bits(const Network& graph);

}  // namespace rdt
