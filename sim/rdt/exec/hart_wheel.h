// SPDX-License-Identifier: MIT
// Harts by the cycle of their next instruction, which is one of the next Cycles.
#pragma once

#include <array>
#include <cstdint>

#include <rdt/exec/image.h>

namespace rdt::exec {

class HartWheel {
public:
    static constexpr uint64_t Cycles = 1024;

    void add(uint32_t hart, uint64_t cycle) {
        const uint64_t slot = cycle % Cycles;
        m_slots[slot][hart / 64] |= uint64_t(1) << hart % 64;
        m_used[slot / 64] |= uint64_t(1) << slot % 64;
        ++m_count;
    }
    void remove(uint32_t hart, uint64_t cycle) {
        m_slots[cycle % Cycles][hart / 64] &= ~(uint64_t(1) << hart % 64);
        --m_count;
    }
    // Takes the first hart of this cycle from that number on; MaxHarts if there is none. Meanwhile
    // later ones may be added to the cycle.
    uint32_t take(uint64_t cycle, uint32_t from) {
        const uint64_t slot = cycle % Cycles;
        for (uint32_t w = from / 64; w < Words; ++w, from = 64 * w) {
            const uint64_t harts = m_slots[slot][w] >> from % 64;
            if (harts == 0) continue;
            const uint32_t hart = from + uint32_t(__builtin_ctzll(harts));
            remove(hart, cycle);
            return hart;
        }
        m_used[slot / 64] &= ~(uint64_t(1) << slot % 64);
        return MaxHarts;
    }
    bool is_empty() const { return m_count == 0; }
    // The first cycle after this one that may have a hart; `none` if there is none.
    uint64_t next_after(uint64_t now, uint64_t none) const {
        for (uint64_t cycle = now + 1; cycle < now + Cycles; cycle += 64 - cycle % 64) {
            const uint64_t bits = m_used[cycle % Cycles / 64] >> cycle % 64;
            if (bits != 0) return cycle + uint64_t(__builtin_ctzll(bits));
        }
        return none;
    }

private:
    static constexpr uint32_t Words = MaxHarts / 64;

    std::array<std::array<uint64_t, Words>, Cycles> m_slots{};  // bits
    std::array<uint64_t, Cycles / 64> m_used{};                 // bits
    uint32_t m_count = 0;
};

}  // namespace rdt::exec
