// SPDX-License-Identifier: MIT
// All registers of chips and MBPs, for a clocked engine to continue from. The cycle of its grant
// determines the progress of a packet, so most registers follow by counting from there. The others
// determine grants and are stored in Node and Control.
//
// Registers are those that a cycle sees, before the events of it: credits that come or go with the
// next cycle have done so in the registers.
#pragma once

#include <rdt/machine/events/parts.h>

namespace rdt::machine::events {

class ImageWriter {
public:
    explicit ImageWriter(const Parts& parts)
        : m_parts(parts), m_state(parts.state), m_now(parts.state.now) {}
    void write(const OfChip& of_chip, const OfMbp& of_mbp) const;

private:
    fast::LinkIo::Regs link(const End& end) const;
    void recovering(const End& end, const Recovery& r, Side side, fast::LinkIo::Regs& q) const;
    fast::OutputRegs output(const End& end, uint32_t credit) const;
    void recovering(const End& end, const Recovery& r, Side side, uint32_t credit,
                    fast::OutputRegs& q) const;
    uint32_t error_of(uint32_t node, uint32_t slot, const Record& record) const;
    fast::Slot slot(uint32_t node, uint32_t slot) const;
    void read_pass(uint32_t node, uint32_t input, fast::ChipImage::Input& in) const;
    fast::ChipImage::Input input(uint32_t node, uint32_t input) const;
    fast::ChipImage chip(uint32_t node, uint32_t credits) const;
    MbpImage mbp(uint32_t mbp, uint32_t credit) const;
    const Record& packet(uint32_t node, uint32_t slot) const {
        return m_state.packets[record_of(m_state.nodes[node].packet[slot])];
    }

    const Parts& m_parts;
    const State& m_state;
    const uint64_t m_now;
};

}  // namespace rdt::machine::events
