// SPDX-License-Identifier: MIT
#include <rdt/exec/spin_loop.h>

#include <algorithm>

namespace rdt::exec {

bool SpinLoop::begins(const hart::Hart& h, uint64_t cycle, uint64_t messages) {
    if (h.pc != m_pc) {
        m_pc = h.pc;
        m_has_registers = false;
        m_backoff = m_patience = 0;
    } else {
        const bool is_clean = h.effects() == m_effects && messages == m_messages &&
                              cycle - m_cycle == h.instructions() - m_instructions &&
                              cycle != m_cycle;
        if (is_clean && m_has_registers) {
            if (std::equal(h.x.begin(), h.x.end() - 1, m_x.begin())) return true;
            m_patience = m_backoff = std::min(2 * m_backoff + 1, 63u);
        }
        m_has_registers = false;
        if (is_clean && m_patience == 0) {
            m_x = h.x;
            m_has_registers = true;
        } else if (m_patience > 0) {
            --m_patience;
        }
    }
    m_others = 0;
    m_cycle = cycle;
    m_effects = h.effects();
    m_instructions = h.instructions();
    m_messages = messages;
    return false;
}

// One when the loop begins, others at their offsets.
uint64_t SpinLoop::loads(uint64_t cycles, uint64_t period) const {
    const uint64_t rest = cycles % period;
    const auto begin = m_offsets.begin();
    const auto in_rest =
        uint64_t(std::count_if(begin, begin + m_others, [rest](uint32_t at) { return at < rest; }));
    return cycles / period * (1 + m_others) + (rest != 0 ? 1 + in_rest : 0);
}

}  // namespace rdt::exec
