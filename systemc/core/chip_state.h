// SPDX-License-Identifier: MIT
// One chip as others see it: its pins, and its registers for those who look on.
#pragma once

#include "core/inject.h"
#include "core/input_unit.h"
#include "core/link_io.h"
#include "core/local.h"

namespace rdt::core {

struct LinkPinsIn {
    flit_t d = 0;
    uint32_t req = 0;
    uint32_t cred = 0;
};
struct LinkPinsOut {
    flit_t d = 0;
    bool oe = false;
    uint32_t req = 0;
    uint32_t cred = 0;
    bool operator==(const LinkPinsOut& o) const {
        return d == o.d && oe == o.oe && req == o.req && cred == o.cred;
    }
};

class ChipState {
public:
    virtual ~ChipState() = default;
    virtual LinkPinsOut pins(uint32_t p) const = 0;  // as registered by the last clock
    virtual bool err() const = 0;
    virtual bool slice() const = 0;
    virtual LinkIo::Regs link(uint32_t p) const = 0;
    virtual const InputUnit& input(uint32_t p) const = 0;
    virtual uint32_t credits() const = 0;  // in hand: bit 3 * port + VC
    virtual const Local& local() const = 0;
    virtual const AckTable& ack() const = 0;
    virtual const Inject& inject() const = 0;
};

}  // namespace rdt::core
