// SPDX-License-Identifier: MIT
// The pins of a chip against those of its RTL.
#pragma once

#include <fmt/core.h>

#include <string>

#include "machine/cosim/chip_pins.h"

namespace rdt::tb::fuzz {

// What is not the same, or empty. `name` is what the other one is called.
inline std::string pin_difference(const machine::ChipPins& rtl, const machine::ChipPins& other,
                                  const char* name) {
    const auto two = [name](const std::string& what, uint64_t a, uint64_t b) {
        return a == b ? "" : fmt::format("{}: rtl {:x}, {} {:x}", what, a, name, b);
    };
    std::string found = two("err_o", rtl.err, other.err) + two("slice_o", rtl.slice, other.slice);
    for (uint32_t p = 0; p < NumPorts && found.empty(); ++p) {
        const core::LinkPinsOut& a = rtl.link[p];
        const core::LinkPinsOut& b = other.link[p];
        const std::string port = to_string(Port(p));
        found = two(port + " req_o", a.req, b.req) + two(port + " cred_o", a.cred, b.cred) +
                two(port + " d_oe_o", a.oe, b.oe) + two(port + " d_o", a.d, b.d);
    }
    return found;
}

}  // namespace rdt::tb::fuzz
