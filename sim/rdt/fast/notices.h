// SPDX-License-Identifier: MIT
// What LOCAL has still to tell MBP 0 about: an ack that nobody waited for, links that lost their
// place, outputs that consume packets. Of each kind one a port is kept; all are counted elsewhere.
#pragma once

#include <rdt/core/flit.h>

namespace rdt::fast {

struct Notice {
    uint32_t code = ErrNone;
    uint32_t port = 0;
    uint32_t tag = 0;  // of a stray ack
};

struct Notices {
    bool stray = false;
    uint32_t stray_port = 0;
    uint32_t stray_tag = 0;
    uint32_t sync = 0;  // by port
    uint32_t sunk = 0;

    bool any() const { return stray || (sync | sunk) != 0; }

    // The one to be told first, which is then forgotten.
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
