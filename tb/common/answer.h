// SPDX-License-Identifier: MIT
// Answers to copies of a multicast. Written from docs/packet.md: an MBP sends the generation of
// the ack entry back that came with the copy, a neighbor has none.
#pragma once

#include "common/packet.h"
#include <rdt/machine/endpoint.h>

namespace rdt::tb {

inline bool asks_for_ack(const Flits& flits) {
    const uint32_t type = flits[0] >> 14 & 7;
    return type >= TypeMcSm && type <= TypeMcLarp && (flits[0] >> 7 & 7) != 0;
}

// `end` stands at this port of the chip and has received this packet.
inline void answer_copy(machine::Endpoint& end, uint32_t port, const Flits& flits,
                        uint32_t status) {
    if (!asks_for_ack(flits)) return;
    const uint32_t tag = flits[0] >> 7 & 7;
    if (port < PortM0) end.send_ack(tag, status);
    else end.send_ack(tag, status, flits[2] & 15);
}

}  // namespace rdt::tb
