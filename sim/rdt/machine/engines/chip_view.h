// SPDX-License-Identifier: MIT
// One of the chips that share the words of the fast core.
#pragma once

#include <rdt/fast/chips.h>

namespace rdt::machine {

template <uint32_t Together>
class ChipView : public fast::ChipState {
public:
    ChipView(const fast::Chips<Together>& chips, uint32_t chip)
        : m_chips(chips), m_chip(chip), m_first(chip * fast::PortBits) {}
    core::LinkPinsOut pins(uint32_t p) const override { return m_chips.pins(m_first + p); }
    bool err() const override { return m_chips.err(m_chip); }
    bool slice() const override { return m_chips.slice(m_chip); }
    fast::LinkIo::Regs link(uint32_t p) const override { return m_chips.link(m_first + p); }
    const fast::InputUnit& input(uint32_t p) const override { return m_chips.input(m_first + p); }
    uint32_t credits() const override { return m_chips.credits(m_chip); }
    const fast::Local& local() const override { return m_chips.local(m_chip); }
    const fast::AckTable& ack() const override { return m_chips.ack(m_chip); }
    const fast::Inject& inject() const override { return m_chips.inject(m_chip); }

private:
    const fast::Chips<Together>& m_chips;
    uint32_t m_chip;
    uint32_t m_first;
};

}  // namespace rdt::machine
