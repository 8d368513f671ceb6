// SPDX-License-Identifier: MIT
#include <rdt/machine/events/state.h>

namespace rdt::machine::events {

State::State(const Geometry& geometry, const std::vector<RouteConfig>& configs, uint64_t first,
             Client& called, uint32_t partitions)
    : client(called),
      num_lanes(partitions),
      node_bits(lowest(geometry.nodes())),
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
