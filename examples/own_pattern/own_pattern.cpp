// SPDX-License-Identifier: MIT
// A custom traffic pattern, for the lab and for the machine:
//
//   rdt --plugin b/libown_pattern.so lab --net torus:8x8 --traffic butterfly
//   rdt --plugin b/libown_pattern.so run --traffic butterfly
//
// The butterfly permutation: the highest and the lowest bit of the node number change places.
// Nodes where they are equal would send to themselves, and do not send.
#include <rdt/net/graph/traffic.h>

namespace {

using namespace rdt;

const PatternKind kind{
    "butterfly", "highest and lowest bit of the node number swapped",
    [](const Network& network, const std::string&, uint64_t) -> PatternKind::Destination {
        uint32_t top = 0;
        while (2u << top < network.nodes()) ++top;
        if (2u << top != network.nodes())
            throw NetworkError("traffic butterfly needs a power of two of nodes");
        return [top](NodeId source, Random&) {
            const uint32_t differs = (source ^ source >> top) & 1;
            return source ^ (differs | differs << top);
        };
    }};

}  // namespace
