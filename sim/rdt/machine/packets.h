// SPDX-License-Identifier: MIT
// Packets as the MBPs of a machine send them.
#pragma once

#include <utility>

#include <rdt/machine/endpoint.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt::machine {

// With space for a body.
inline Flits flits_of(const Header& h) {
    Flits flits;
    flits.reserve(16);
    for (const flit_t flit : {h.h0, h.h1, h.h2}) flits.push_back(slice0(flit));
    return flits;
}

// Writes registers of the sender's own chip, six at most.
inline Flits setup_packet(const std::vector<std::pair<uint32_t, uint32_t>>& values) {
    Flits flits = flits_of(make_header({}, 0, TypeSetup, 2 + 2 * int(values.size()), 0, MaxHops));
    for (const auto& [address, value] : values) {
        flits.push_back(make_flit(1u << 15 | address));
        flits.push_back(make_flit(value));
    }
    return flits;
}

}  // namespace rdt::machine
