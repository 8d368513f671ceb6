// SPDX-License-Identifier: MIT
// SETUP packets as an MBP sends them.
#pragma once

#include <utility>
#include <vector>

#include "common/packet.h"

namespace rdt::tb {

using RegisterValues = std::vector<std::pair<uint32_t, uint32_t>>;  // at most six

inline Flits setup_write(const RegisterValues& values, PacketSpec p = {}) {
    p.type = 5;
    for (const auto& [address, value] : values) {
        p.body.push_back(0x8000u | address);
        p.body.push_back(value);
    }
    return encode(p);
}

inline Flits setup_read(uint32_t address, PacketSpec p = {}) {
    p.type = 5;
    p.body = {address};
    return encode(p);
}

}  // namespace rdt::tb
