// SPDX-License-Identifier: MIT
// Contents of an ack packet.
#pragma once

#include <rdt/core/flit.h>

namespace rdt::core {

// An ack: sender, tag and result.
struct AckNote {
    // The length, which a router's ack has in the field where an MBP's ack has the generation.
    static constexpr uint32_t OfRouter = 2;

    uint32_t port = 0;
    uint32_t tag = 0;
    uint32_t status = 0;
    uint32_t gen = OfRouter;
};

// Its first flit; the others carry nothing.
inline uint32_t head_of(const AckNote& ack) {
    uint32_t h0 = with(0, H0Type, int(TypeAck));
    h0 = with(h0, H0Gen, int(ack.gen));
    h0 = with(h0, H0Tag, int(ack.tag));
    return make_head(with(h0, H0Status, int(ack.status)));
}

}  // namespace rdt::core
