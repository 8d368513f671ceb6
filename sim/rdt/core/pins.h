// SPDX-License-Identifier: MIT
// The pins of a router, for all code that wires, drives or compares routers.
#pragma once

#include <array>

#include <rdt/core/flit.h>

namespace rdt::core {

// Inputs from the other end of a link.
struct LinkPinsIn {
    flit_t d = 0;
    uint32_t req = 0;
    uint32_t cred = 0;
};
// Outputs to the other end.
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
