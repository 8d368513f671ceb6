// SPDX-License-Identifier: MIT
// One chip.
#pragma once

#include <rdt/fast/chips.h>

namespace rdt::fast {

class Router : public ChipState {
public:
    explicit Router(const ChipOptions& options = {}) : m_chips(options) {}

    void reset() { m_chips.reset(); }
    void clock(const core::PinsIn& pins) { m_chips.clock(Packed(pins)); }

    LinkPinsOut pins(uint32_t p) const override { return m_chips.pins(p); }
    bool err() const override { return m_chips.err(0); }
    bool slice() const override { return m_chips.slice(0); }

    LinkIo::Regs link(uint32_t p) const override { return m_chips.link(p); }
    const InputUnit& input(uint32_t p) const override { return m_chips.input(p); }
    uint32_t credits() const override { return m_chips.credits(0); }
    const Local& local() const override { return m_chips.local(0); }
    const AckTable& ack() const override { return m_chips.ack(0); }
    const Inject& inject() const override { return m_chips.inject(0); }

private:
    struct Packed {
        explicit Packed(const core::PinsIn& in) : shoot(in.shoot), slice(in.slice), m_in(in) {
            for (uint32_t p = 0; p < NumPorts; ++p) {
                req.set(p, in.link[p].req);
                cred.set(p, in.link[p].cred);
            }
        }
        TwoBits req;
        TwoBits cred;
        Ports shoot;
        Ports slice;
        flit_t d(uint32_t p) const { return m_in.link[p].d; }
        void driven(uint32_t, flit_t) const {}

    private:
        const core::PinsIn& m_in;
    };

    Chips<1> m_chips;
};

}  // namespace rdt::fast
