// SPDX-License-Identifier: MIT
// What an ack packet says.
#pragma once

#include <rdt/core/flit.h>

namespace rdt::core {

// An ack: of whom, for which tag, with what result.
struct AckNote {
    // What a router's ack has in the field where that of an MBP has the generation: its length.
    static constexpr uint32_t OfRouter = 2;

    uint32_t port = 0;
    uint32_t tag = 0;
    uint32_t status = 0;
    uint32_t gen = OfRouter;
};

}  // namespace rdt::core
