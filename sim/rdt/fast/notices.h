// SPDX-License-Identifier: MIT
// Pending reports of LOCAL to MBP 0: stray acks, links that lost synchronization, outputs that
// consume packets. One notice per kind and port is stored; counters elsewhere count all.
#pragma once

#include <rdt/core/flit.h>

namespace rdt::fast {

struct Notice {
    uint32_t code = ErrNone;
    uint32_t port = 0;
    uint32_t tag = 0;  // tag of a stray ack
};

struct Notices {
    bool stray = false;
    uint32_t stray_port = 0;
    uint32_t stray_tag = 0;
    uint32_t sync = 0;  // by port
    uint32_t sunk = 0;

    bool any() const { return stray || (sync | sunk) != 0; }

    // Returns and clears the notice to be reported first.
    Notice take() {
        if (stray) {
            stray = false;
            return {ErrUnexpectedAck, stray_port, stray_tag};
        }
        const auto port = uint32_t(__builtin_ctz(sync | sunk));
        uint32_t& kind = (sync >> port & 1) != 0 ? sync : sunk;
        const uint32_t code = &kind == &sync ? ErrLinkSync : ErrSunk;
        kind &= ~(1u << port);
        return {code, port, 0};
    }
};

}  // namespace rdt::fast
