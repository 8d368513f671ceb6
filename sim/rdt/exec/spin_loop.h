// SPDX-License-Identifier: MIT
// Recognizes a loop that spins on copies in the cache: its hart is where it was, in the same state,
// and has done nothing meanwhile but load.
#pragma once

#include <array>
#include <cstdint>

#include <rdt/hart/hart.h>

namespace rdt::exec {

class SpinLoop {
public:
    // At a load of shared data in this cycle. `messages` counts those for the cache of the node.
    bool repeats(const hart::Hart& hart, uint64_t cycle, uint64_t messages) {
        if (hart.pc == m_pc || m_others == MaxLoads - 1) return begins(hart, cycle, messages);
        m_offsets[m_others++] = uint32_t(cycle - m_cycle);
        return false;
    }
    // The hart has left the code where the loop is.
    void forget_registers() { m_has_registers = false; }

    uint64_t period(uint64_t cycle) const { return cycle - m_cycle; }
    // Loads in so many cycles of a loop with this period.
    uint64_t loads(uint64_t cycles, uint64_t period) const;

private:
    // Where the loop is taken to begin, or begins from now on.
    bool begins(const hart::Hart& hart, uint64_t cycle, uint64_t messages);

    static constexpr uint32_t MaxLoads = 8;

    // State at a load, where the loop is taken to begin.
    uint64_t m_pc = 0;
    uint64_t m_cycle = 0;
    uint64_t m_effects = 0;
    uint64_t m_instructions = 0;
    uint64_t m_messages = 0;
    uint32_t m_others = 0;                       // loads elsewhere since,
    std::array<uint32_t, MaxLoads> m_offsets{};  // ... so many cycles after it
    uint32_t m_patience = 0;
    uint32_t m_backoff = 0;
    bool m_has_registers = false;
    std::array<uint64_t, 33> m_x{};
};

}  // namespace rdt::exec
