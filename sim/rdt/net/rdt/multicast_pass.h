// SPDX-License-Identifier: MIT
// The step of a multicast through one router, by the router's own bit map and header changes.
#pragma once

#include <utility>
#include <vector>

#include <rdt/core/bitmap.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

// A copy that comes into a router.
struct MulticastArrival {
    uint32_t node;
    uint32_t port;
    uint32_t vc;
    Maps maps;
    Type type = TypeMcSm;
};

// One router's part: the copies it makes, each with its output and as it comes into the next
// router.
struct MulticastVisit {
    Bitmap map;
    std::vector<std::pair<uint32_t, MulticastArrival>> out;
};

// `top_mask` is top_map_mask(geometry).
MulticastVisit multicast_pass(const Geometry& geometry, const MulticastArrival& arrival,
                              uint32_t top_mask, bool without_vct = false);

}  // namespace rdt
