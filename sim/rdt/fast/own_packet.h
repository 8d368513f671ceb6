// SPDX-License-Identifier: MIT
// The packets that LOCAL makes: ERR with the header of a malformed packet, notices without one,
// answers to reads, and SHOT.
#pragma once

#include <rdt/fast/shot.h>

namespace rdt::fast {

// Data of LOCAL that such a packet carries.
struct OwnPacket {
    enum Kind : uint32_t { KindErr, KindNotice, KindAnswer, KindShot };

    uint32_t kind = KindErr;
    uint32_t code = 0;
    uint32_t port = 0;
    uint32_t vc = 0;
    uint32_t tag = 0;  // tag of a stray ack
    uint32_t h0 = 0;   // of the packet that came in; of an entry that is dumped
    uint32_t h1 = 0;
    uint32_t h2 = 0;
    uint32_t addr = 0;  // address of the requested register

    bool is_err() const { return kind == KindErr || kind == KindNotice; }

    // The MBP it goes to.
    uint32_t destination() const { return kind == KindAnswer ? uint32_t(get(h0, H0Mbp)) : 0; }
    uint32_t last_flit() const {
        switch (kind) {
        case KindErr: return 5;
        case KindAnswer: return 4;
        default: return 2;
        }
    }

    // Flit k of all but SHOT; `place` of the node, `value` of the register.
    uint32_t payload(uint32_t k, uint32_t place, uint32_t value) const {
        const bool answer = kind == KindAnswer;
        const uint32_t noted_tag = kind == KindNotice ? tag : 0;
        switch (k) {
        case 0: {
            uint32_t first = with(0, H0Type, answer ? int(TypeSetup) : int(TypeErr));
            first = with(first, H0Len, int(last_flit()));
            return answer ? first | (h0 & (mask(H0Tag) | mask(H0Mbp))) : first | code;
        }
        case 1: return answer ? 0 : port << 13 | vc << 11 | noted_tag << 8;
        case 2: return place;
        case 3: return answer ? addr : h0;
        case 4: return answer ? value : h1;
        default: return h2;
        }
    }
};

}  // namespace rdt::fast
