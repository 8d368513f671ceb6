// SPDX-License-Identifier: MIT
// Traffic for a node of 36 bits: packets with the same header in both halves and another body in
// each.
#pragma once

#include <cstdint>
#include <random>

#include <rdt/core/pins.h>
#include "common/mc_packet.h"
#include "common/packet.h"
#include "common/setup.h"

namespace rdt::tb {

// The packet of slice 1 for a packet on slice 0: the same header, another body.
class OtherHalf {
public:
    uint32_t operator()(const core::LinkPinsOut& pins, std::mt19937_64& random) {
        if (!pins.oe) {
            m_index = 0;
            m_left = 0;
            return 0;
        }
        if (m_left == 0) {
            m_index = 0;
            // An ack has three flits, and a generation instead of a length.
            const int type = get(uint32_t(pins.d), H0Type);
            m_left = type == int(TypeAck) ? 3 : get(uint32_t(pins.d), H0Len) + 1;
            m_same = type == int(TypeSetup);
        }
        --m_left;
        const bool header = m_index++ < 3;
        return header || m_same ? uint32_t(pins.d) : with_parity(uint32_t(random()) & 0x1FFFF);
    }

private:
    uint32_t m_index = 0;
    int m_left = 0;
    bool m_same = false;
};

// Sends a random packet of any kind that a chip takes.
inline Flits any_packet(std::mt19937_64& random) {
    if (random() % 4 == 0) {
        McSpec mc;
        mc.type = 1 + uint32_t(random() % 3);
        for (size_t level = 0; level < 2; ++level) mc.map[level] = uint32_t(random() % 256);
        mc.mbp = uint32_t(random() % 2);
        mc.tag = uint32_t(random() % 8);
        mc.body.assign(random() % 14, uint32_t(random()) & 0x1FFFF);
        return encode(mc);
    }
    if (random() % 8 == 0) return setup_read(RegDateline);
    PacketSpec p = leaving_by(uint32_t(random() % NumPorts));
    p.body.assign(random() % 14, uint32_t(random()) & 0x1FFFF);
    return encode(p);
}

}  // namespace rdt::tb
