// SPDX-License-Identifier: MIT
// When a load is more than a network carries: one rule for the lab and for the machine.
#pragma once

#include <cstdint>

namespace rdt {

constexpr double MostBehind = 0.05;   // fraction of the offered load
constexpr double MostUnderWay = 0.5;  // packets per node

// Packets fall behind: of those offered in the time measured less than 95 % arrived in it, and more
// than half a packet a node is missing, which in a short run may simply be in flight. Or a source
// turned packets away because its queue was full. Every copy of a multicast counts as a packet.
inline bool is_saturated(uint64_t offered, uint64_t arrived, uint64_t refused, uint32_t nodes) {
    const double behind = double(offered) - double(arrived);
    return refused > 0 || (behind > MostBehind * double(offered) && behind > MostUnderWay * nodes);
}

}  // namespace rdt
