// SPDX-License-Identifier: MIT
#include <rdt/machine/events/state.h>

#include <algorithm>

namespace rdt::machine::events {

namespace {

constexpr uint32_t MostBlocks = 1024;

uint32_t bits_of_block(uint32_t nodes) { return lowest(std::max(nodes / MostBlocks, 1u)); }

// The thread of the first partition also draws the packets of all nodes, which takes about this
// share of the time of one thread.
constexpr double Drawing = 0.03;

std::vector<uint16_t> lanes_of_blocks(uint32_t blocks, uint32_t lanes) {
    std::vector<uint16_t> all(blocks, 0);
    if (lanes == 1) return all;
    const double first = std::max((1.0 - Drawing * (lanes - 1)) / lanes, 0.25 / lanes);
    const double begin = first * blocks;
    const double each = (blocks - begin) / (lanes - 1);
    for (uint32_t b = 0; b < blocks; ++b)
        if (b >= begin) all[b] = uint16_t(1 + std::min(uint32_t((b - begin) / each), lanes - 2));
    return all;
}

}  // namespace

State::State(const Geometry& geometry, const std::vector<RouteConfig>& configs, uint64_t first,
             Client& called, uint32_t partitions)
    : client(called),
      num_lanes(partitions),
      block_bits(bits_of_block(geometry.nodes())),
      lane_of_block(lanes_of_blocks(geometry.nodes() >> block_bits, partitions)),
      now(first),
      lanes(partitions),
      outboxes(size_t(partitions) * partitions),
      nodes(geometry.nodes()),
      mbps(2 * geometry.nodes()) {
    for (uint32_t l = 0; l < num_lanes; ++l) lanes[l].number = l;
    for (uint32_t n = geometry.nodes(); n-- != 0;) lane_of(n).first = n;
    for (uint32_t n = 0; n < geometry.nodes(); ++n) lane_of(n).end = n + 1;
    for (uint32_t n = 0; n < geometry.nodes(); ++n) {
        const RouteConfig& c = configs[n];
        nodes[n].config = {uint8_t(c.rank), uint8_t(c.xfer), uint8_t(c.dateline), uint8_t(c.mask),
                           uint8_t(c.ranks)};
        for (uint32_t p = 0; p < PortM0; ++p) nodes[n].next[p] = uint16_t(geometry.neighbor(n, p));
    }
}

}  // namespace rdt::machine::events
