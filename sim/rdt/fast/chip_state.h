// SPDX-License-Identifier: MIT
// One chip of the fast engine as others see it: its pins, and its registers for those who look on.
#pragma once

#include <rdt/core/pins.h>
#include <rdt/fast/inject.h>
#include <rdt/fast/input_unit.h>
#include <rdt/fast/link_io.h>
#include <rdt/fast/local.h>

namespace rdt::fast {

using core::LinkPinsOut;

class ChipState {
public:
    virtual ~ChipState() = default;
    virtual LinkPinsOut pins(uint32_t p) const = 0;  // as registered by the last cycle
    virtual bool err() const = 0;
    virtual bool slice() const = 0;
    virtual LinkIo::Regs link(uint32_t p) const = 0;
    virtual const InputUnit& input(uint32_t p) const = 0;
    virtual uint32_t credits() const = 0;  // in hand: bit 3 * port + VC
    virtual const Local& local() const = 0;
    virtual const AckTable& ack() const = 0;
    virtual const Inject& inject() const = 0;
};

}  // namespace rdt::fast
