// SPDX-License-Identifier: MIT
// What some chips are shown, in the words of the fast engine's core.
#pragma once

#include <array>

#include <rdt/core/pins.h>
#include <rdt/fast/chips.h>

namespace rdt::tb::fuzz {

template <uint32_t Together>
struct Words {
    fast::TwoBits req;
    fast::TwoBits cred;
    fast::Ports shoot = 0;
    fast::Ports slice = 0;
    std::array<flit_t, Together * fast::PortBits> d_in{};
    flit_t d(uint32_t p) const { return d_in[p]; }
    void driven(uint32_t, flit_t) const {}

    void show(uint32_t c, const core::PinsIn& in) {
        const uint32_t first = c * fast::PortBits;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            d_in[first + p] = in.link[p].d;
            req.set(first + p, in.link[p].req);
            cred.set(first + p, in.link[p].cred);
        }
        fast::set_bit(shoot, first, in.shoot);
        fast::set_bit(slice, first, in.slice);
    }
};

}  // namespace rdt::tb::fuzz
