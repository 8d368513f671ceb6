// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rdt {

// One virtual channel of one direction of a link, named after the sender: the node it leaves, the
// port there, and the VC.
struct Channel {
    uint32_t node;
    uint32_t port;
    uint32_t vc;
};
constexpr bool operator==(const Channel& a, const Channel& b) {
    return a.node == b.node && a.port == b.port && a.vc == b.vc;
}

}  // namespace rdt
