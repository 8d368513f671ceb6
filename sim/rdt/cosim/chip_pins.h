// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <rdt/fast/router.h>

namespace rdt::machine {

// All pins that a chip drives.
struct ChipPins {
    std::array<core::LinkPinsOut, NumPorts> link{};
    bool err = false;
    bool slice = false;

    bool operator==(const ChipPins& o) const {
        return link == o.link && err == o.err && slice == o.slice;
    }
};

inline ChipPins pins_of(const fast::ChipState& chip) {
    ChipPins out;
    for (uint32_t p = 0; p < NumPorts; ++p) out.link[p] = chip.pins(p);
    out.err = chip.err();
    out.slice = chip.slice();
    return out;
}

}  // namespace rdt::machine
