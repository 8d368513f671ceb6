// SPDX-License-Identifier: MIT
// Territories of barriers and reductions: a multicast from a root visits each node of its
// territory once (R-ACK-10).
#pragma once

#include <vector>

#include <rdt/core/bitmap.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt {

// Map bytes of a multicast from a root to its territory.
constexpr Maps barrier_maps() { return map_byte(0) | map_byte(1); }
// The root of each node; all of it in one territory up to 64 nodes.
std::vector<uint32_t> barrier_roots(const Geometry& geometry);

}  // namespace rdt
