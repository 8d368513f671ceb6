// SPDX-License-Identifier: MIT
// Stimulus of one chip in short epochs, half of which begin with a reset.
#pragma once

#include "fuzz/surroundings.h"

namespace rdt::tb::fuzz {

class LoneChip {
public:
    LoneChip(uint64_t seed, Totals& totals) : m_around(seed, ~0u, totals), m_random(seed) {}

    // Input pins of the next cycle, from the output pins of the last one.
    const core::PinsIn& drive(const machine::ChipPins& pins) {
        if (m_now == m_epoch_ends) {
            m_epoch_ends = m_now + m_random.between(300, 3000);
            const bool calm = m_now == 0 || m_random.chance(50);
            m_around.begin_epoch(calm);
            if (calm) m_reset_until = m_now + m_random.between(1, 4);
        }
        const core::PinsIn& in = m_around.clock(pins, m_now);
        if (!rst_n()) m_around.reset((1u << NumPorts) - 1);
        return in;
    }
    bool rst_n() const { return m_now >= m_reset_until; }
    // After the clock edge.
    void next() {
        if (++m_now == m_reset_until) m_around.configure();
    }
    uint64_t now() const { return m_now; }

private:
    Surroundings m_around;
    Dice m_random;
    uint64_t m_now = 0;
    uint64_t m_epoch_ends = 0;
    uint64_t m_reset_until = 0;
};

}  // namespace rdt::tb::fuzz
