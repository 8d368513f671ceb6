// SPDX-License-Identifier: MIT
// All pins of a router in words of two ports each, as pin_field has them, and links between such
// words.
#pragma once

#include <array>
#include <vector>

#include <rdt/cosim/chip_pins.h>
#include <rdt/fast/chips.h>
#include <rdt/net/rdt/rdt_geometry.h>

namespace rdt::machine {

using PinWords = std::array<uint64_t, NumPorts / 2>;

// Outputs of one of the chips of the fast engine.
template <uint32_t Together>
PinWords pin_words(const fast::Chips<Together>& chips, uint32_t chip) {
    const uint32_t first = chip * fast::PortBits;
    PinWords words;
    for (uint32_t w = 0; w < words.size(); ++w) {
        const uint32_t p = first + 2 * w;
        const auto both = [p](fast::Ports ports, uint32_t at) {
            const uint64_t two = ports >> p & 3;
            return ((two | two << 31) & (1 | uint64_t(1) << 32)) << at;
        };
        words[w] =
            chips.d(p) | chips.d(p + 1) << 32 | both(chips.oe(), pin_field::Oe) |
            both(chips.req().low, pin_field::Req) | both(chips.req().high, pin_field::Req + 1) |
            both(chips.cred().low, pin_field::Cred) | both(chips.cred().high, pin_field::Cred + 1);
    }
    words[0] |= uint64_t(chips.err(chip)) << pin_field::ShootOrErr | uint64_t(chips.slice(chip))
                                                                         << pin_field::Slice;
    return words;
}

// Inputs of a router.
inline PinWords pin_words(const core::PinsIn& pins) {
    PinWords words;
    for (uint32_t w = 0; w < words.size(); ++w)
        words[w] = pin_field::pack(pins.link[2 * w]) |
                   uint64_t(pin_field::pack(pins.link[2 * w + 1])) << 32;
    words[0] |= uint64_t(pins.shoot) << pin_field::ShootOrErr | uint64_t(pins.slice)
                                                                    << pin_field::Slice;
    return words;
}

inline ChipPins unpack(const PinWords& words) {
    ChipPins pins;
    for (uint32_t p = 0; p < NumPorts; ++p)
        pins.link[p] = pin_field::unpack(uint32_t(words[p / 2] >> p % 2 * 32));
    pins.err = (words[0] >> pin_field::ShootOrErr & 1) != 0;
    pins.slice = (words[0] >> pin_field::Slice & 1) != 0;
    return pins;
}

// The other ends see this of the outputs of two links: D reads 0 where it is not driven.
inline uint64_t seen_of(uint64_t outputs) {
    constexpr uint64_t Both = 1 | uint64_t(1) << 32;
    const uint64_t driven = outputs >> pin_field::Oe & Both;
    return outputs & (Both * pin_field::SignalMask | ((driven << pin_field::Oe) - driven));
}

// The links between the routers of a machine.
class PinWordLinks {
public:
    static constexpr uint32_t NetworkWords = NumNetworkPorts / 2;
    static constexpr uint32_t MbpWord = PortM0 / 2;

    explicit PinWordLinks(const Geometry& geometry) {
        for (uint32_t n = 0; n < geometry.nodes(); ++n)
            for (uint32_t p = 0; p < NumNetworkPorts; ++p) m_far.push_back(geometry.neighbor(n, p));
    }
    // Input word w < NetworkWords of a router, given the output words out(node, w). A word has the
    // ports of both directions, so a link leads from one half to the other.
    template <typename Out>
    uint64_t seen_by(uint32_t node, uint32_t w, Out&& out) const {
        const uint32_t* const far = &m_far[size_t(node) * NumNetworkPorts + 2 * size_t(w)];
        return seen_of(out(far[0], w) >> 32 | out(far[1], w) << 32);
    }
    // Input word MbpWord.
    static uint64_t seen_of_mbps(const core::LinkPinsOut& mbp0, const core::LinkPinsOut& mbp1) {
        return seen_of(pin_field::pack(mbp0) | uint64_t(pin_field::pack(mbp1)) << 32);
    }
    size_t bytes() const { return m_far.size() * sizeof(uint32_t); }

private:
    std::vector<uint32_t> m_far;  // by node and port: the node at the other end
};

}  // namespace rdt::machine
