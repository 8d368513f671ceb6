// SPDX-License-Identifier: MIT
// The RTL of a chip beside another model of it, on the same pins, with everything in it to be seen.
#pragma once

#include <memory>
#include <string>

#include <rdt/core/pins.h>
#include <rdt/cosim/chip_pins.h>
#include <rdt/cosim/inside.h>

namespace rdt::machine {

class RtlBeside {
public:
    virtual ~RtlBeside() = default;
    // In a cycle: the pins for the coming edge, and the edge.
    virtual void settle(const core::PinsIn& in, bool rst_n) = 0;
    virtual void edge() = 0;
    virtual ChipPins pins() const = 0;
    virtual bool failed() const = 0;  // an assertion
    virtual Inside inside() = 0;
    // For tests that put a mistake into it: the first word of the signal with this path.
    virtual void flip(const std::string& path, uint32_t bits) = 0;

    // Their factory; registers itself where it is linked.
    using Make = std::unique_ptr<RtlBeside> (*)();
    static Make& maker() {
        static Make make = nullptr;
        return make;
    }
};

}  // namespace rdt::machine
