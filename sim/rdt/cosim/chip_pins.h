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

// Pins of a link in 32 bits. The bits above those of port 0 are the other pins of the chip.
namespace pin_field {
constexpr uint32_t Oe = 18;  // D below
constexpr uint32_t Req = 19;
constexpr uint32_t Cred = 21;
constexpr uint32_t ShootOrErr = 23;
constexpr uint32_t Slice = 24;
constexpr uint32_t DataMask = (1u << Oe) - 1;
constexpr uint32_t SignalMask = 15u << Req;

constexpr uint32_t pack(const core::LinkPinsIn& l) {
    return uint32_t(l.d) | l.req << Req | l.cred << Cred;
}
constexpr uint32_t pack(const core::LinkPinsOut& l) {
    return uint32_t(l.d) | uint32_t(l.oe) << Oe | l.req << Req | l.cred << Cred;
}
constexpr core::LinkPinsOut unpack(uint32_t field) {
    return {field & DataMask, (field >> Oe & 1) != 0, field >> Req & 3, field >> Cred & 3};
}
}  // namespace pin_field

// All of them in 40 bytes.
struct PackedPins {
    std::array<uint32_t, NumPorts> link{};

    PackedPins() = default;
    explicit PackedPins(const ChipPins& pins) {
        for (uint32_t p = 0; p < NumPorts; ++p) link[p] = pin_field::pack(pins.link[p]);
        link[0] |= uint32_t(pins.err) << pin_field::ShootOrErr | uint32_t(pins.slice)
                                                                     << pin_field::Slice;
    }
    ChipPins all() const {
        ChipPins pins;
        for (uint32_t p = 0; p < NumPorts; ++p) pins.link[p] = pin_field::unpack(link[p]);
        pins.err = (link[0] >> pin_field::ShootOrErr & 1) != 0;
        pins.slice = (link[0] >> pin_field::Slice & 1) != 0;
        return pins;
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
