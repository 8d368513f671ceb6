// SPDX-License-Identifier: MIT
// A network as a picture.
#pragma once

#include <string>

#include <rdt/net/graph/network.h>

namespace rdt {

constexpr uint32_t MaxDrawnNodes = 4096;

// An SVG document: nodes where the network puts them, with labels where they fit, links colored by
// port and bent so that those along a line do not hide each other. Links across the edge of a flat
// torus are stubs on both sides. Throws NetworkError beyond MaxDrawnNodes.
std::string draw(const Network& network);

}  // namespace rdt
