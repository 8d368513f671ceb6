// SPDX-License-Identifier: MIT
// Features that only the fast engine has.
#pragma once

#include <rdt/machine/packet_fast_path.h>

namespace rdt {
class PruningCaches;
}

namespace rdt::machine {

class FastFeatures {
public:
    virtual ~FastFeatures() = default;

    // The fast path past the MBPs; nullptr ends its use.
    virtual PacketFastPath* fast_path(PacketFastPath::Client* client) = 0;
    // Those of all routers; nullptr: they have none.
    virtual PruningCaches* pruning() const = 0;
    // Parts of the machine that threads simulate, and the one that a node is in.
    virtual unsigned lanes() const = 0;
    virtual unsigned lane_of(uint32_t node) const = 0;
    // Nothing is in flight, and no fault is there: cycles may be left out.
    virtual bool can_skip(uint64_t cycles) const = 0;
    virtual void do_skip(uint64_t cycles) = 0;
};

}  // namespace rdt::machine
