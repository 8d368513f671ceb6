// SPDX-License-Identifier: MIT
// Registers of a chip out of the words it shares with others, and into them.
#pragma once

#include <rdt/fast/chips.h>

namespace rdt::fast {

template <uint32_t NumChips>
ChipImage Chips<NumChips>::image(uint32_t chip) const {
    const uint32_t first = chip * PortBits;
    ChipImage image;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const InputUnit& unit = m_blocks.in[first + p];
        image.link[p] = link(first + p);
        image.out[p] = m_blocks.out.regs_of(first + p);
        image.in[p].q = unit.q();
        image.in[p].pass = m_act.pass[first + p];
        for (uint32_t v = 0; v < MaxVc; ++v) image.in[p].ram[v] = unit.ram(v);
    }
    Arbiter arbiter = m_blocks.arbiter[chip];
    arbiter.skip(m_blocks.now - m_act.arbiter_at[chip]);
    for (uint32_t k = 0; k < 2; ++k)
        if ((m_act.waiting >> (first + PortM0 + k) & 1) != 0)
            arbiter.wait(k, m_blocks.now - m_act.mbp_held_at[chip][k]);
    image.arbiter = arbiter.q();
    image.ack = m_blocks.ack[chip];
    image.inject = m_blocks.inject[chip];
    image.inject.skip(m_blocks.now - m_act.control_at[chip]);
    return image;
}

template <uint32_t NumChips>
void Chips<NumChips>::load(uint32_t chip, const ChipImage& image, const Local::In* last,
                           uint32_t status) {
    const uint32_t first = chip * PortBits;
    AllBlocks& b = m_blocks;
    b.local[chip].skip(b.now - m_act.control_at[chip] - (last != nullptr ? 1 : 0));
    if (last != nullptr) b.local[chip].clock(*last);
    b.local[chip].set_status(status);
    b.ack[chip] = image.ack;
    b.inject[chip] = image.inject;
    m_act.arbiter_at[chip] = b.now;
    m_act.mbp_held_at[chip] = {b.now, b.now};
    for (Ports* ports : {&m_act.reading, &m_act.reading_body, &m_act.body_out})
        replace_chip(*ports, chip, 0);
    for (uint32_t p = 0; p < NumPorts; ++p) {
        b.lines.load(first + p, image.link[p]);
        b.out.load(first + p, image.out[p]);
        InputUnit& unit = b.in[first + p];
        unit.load(image.in[p].q, image.in[p].ram, image.in[p].rx_vc);
        m_act.pass[first + p] = image.in[p].pass;
        m_act.note_input(first + p, b);
        m_act.note_want(first + p, unit);
    }
    Arbiter::Regs arbiter = image.arbiter;
    arbiter.sig = b.arbiter[chip].q().sig;
    arbiter.mask[PortLocal] = b.arbiter[chip].q().mask[PortLocal];
    arbiter.xsel[PortLocal] = b.arbiter[chip].q().xsel[PortLocal];
    b.arbiter[chip].load(arbiter);
    m_act.note_wanted(at_chip(1, chip));
    m_act.note_chip(chip, b);
    m_act.gen[chip] = b.ack[chip].gens();
}

template <uint32_t NumChips>
Local Chips<NumChips>::local_after(uint32_t chip, uint64_t clocks) const {
    Local local = m_blocks.local[chip];
    local.skip(m_blocks.now + clocks - m_act.control_at[chip]);
    return local;
}

}  // namespace rdt::fast
