// SPDX-License-Identifier: MIT
// Switching chips on, as their MBPs would: by SETUP packets.
#pragma once

#include "common/wired_chips.h"
#include "common/setup.h"

namespace rdt::tb {

struct BringUp {
    Place place;
    uint32_t links = 0xFF;
    uint32_t timeout = 0;
    uint32_t x = 0;
    uint32_t y = 0;
    uint32_t ranks = 0xF;
};

// Sends the configuration to one node through its MBP 0. Takes effect as the net is clocked.
inline void configure(WiredChips& net, uint32_t node, const BringUp& to) {
    Endpoint& mbp = net.endpoint(node, PortM0);
    mbp.send(0, setup_write({{RegX, to.x},
                             {RegY, to.y},
                             {RegRank, to.place.rank},
                             {RegXfer, to.place.xfer},
                             {RegDateline, to.place.dateline},
                             {RegRanks, to.ranks}}));
    mbp.send(0, setup_write({{RegTimeout, to.timeout}, {RegLink, to.links}}));
}

}  // namespace rdt::tb
