// SPDX-License-Identifier: MIT
// Virtual channels for networks that replace each node of a bipartite network by a ring: cube- and
// star-connected cycles.
//
// A packet is in class 0 at first and enters the next one with every lateral hop from color 1 to
// color 0. Within a class it passes one ring of color 0, a lateral link and one ring of color 1
// at most, in this order; on a ring it goes one way and changes VC where the ring's last node meets
// the first. So channels can be numbered and none waits for a lower one, whatever the paths are, if
// only they do not turn round on a ring.
#pragma once

#include <rdt/net/graph/network.h>

namespace rdt {

struct RingClasses {
    // For paths of so many lateral hops.
    static uint32_t vcs(uint32_t laterals) { return 2 * ((laterals + 1) / 2 + 1); }

    // The state is what a packet carries; 0 at its source.
    static void add_local(Choices& out, uint32_t port, uint64_t state) {
        out.add(port, uint32_t(state));
    }
    static void add_lateral(Choices& out, uint32_t port, uint64_t state) {
        out.add(port, uint32_t(state & ~uint64_t(1)));
        out.add(port, uint32_t(state | 1));
    }
    static uint64_t after_local(uint64_t state, bool wraps) { return state | (wraps ? 1 : 0); }
    static uint64_t after_lateral(uint64_t state, bool from_color_1) {
        return ((state >> 1) + (from_color_1 ? 1 : 0)) << 1;
    }
};

}  // namespace rdt
