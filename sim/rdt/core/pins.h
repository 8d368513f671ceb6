// SPDX-License-Identifier: MIT
// The pins of a chip, as everybody who wires, drives or compares chips passes them on.
#pragma once

#include <array>

#include <rdt/core/flit.h>

namespace rdt::core {

// What a chip sees of the other end of a link.
struct LinkPinsIn {
    flit_t d = 0;
    uint32_t req = 0;
    uint32_t cred = 0;
};
// What it shows there.
struct LinkPinsOut {
    flit_t d = 0;
    bool oe = false;
    uint32_t req = 0;
    uint32_t cred = 0;
    bool operator==(const LinkPinsOut& o) const {
        return d == o.d && oe == o.oe && req == o.req && cred == o.cred;
    }
};
// All that a chip sees, but clock and reset.
struct PinsIn {
    std::array<LinkPinsIn, NumPorts> link{};
    bool shoot = false;
    bool slice = false;
};

}  // namespace rdt::core
