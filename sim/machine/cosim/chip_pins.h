// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "fast/router.h"

namespace rdt::machine {

// All pins that a chip drives.
struct ChipPins {
    std::array<core::LinkPinsOut, NumPorts> link{};
    bool err = false;
    bool slice = false;
};

}  // namespace rdt::machine
