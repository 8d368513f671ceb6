// SPDX-License-Identifier: MIT
// Single channels that a pass over words of 64 has found. A second level says which words have any,
// so that it costs little to look for few of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <rdt/lab/bit_slices.h>

namespace rdt::lab {

class Found {
public:
    // A mark more than there are words for, since 64 words are marked at a time.
    explicit Found(uint32_t words) : m_words(words), m_marks((words + 63) / 64 + 1) {}

    // A pass writes here, and marks what is not 0: of the 64 words from `first` on, or one alone.
    uint64_t* words() { return m_words.data(); }
    RDT_PART_OF_PASS void mark_word(size_t w, bool any) {
        m_marks[w / 64] |= uint64_t(any) << w % 64;
    }
    RDT_PART_OF_PASS void mark(size_t first, uint64_t which) {
        m_marks[first / 64] |= which << first % 64;
        if (first % 64 != 0) m_marks[first / 64 + 1] |= which >> (64 - first % 64);
    }

    // f(channel) for each, in order; then they are forgotten.
    template <typename F>
    void take_each(F f) {
        for (uint32_t at = 0; at + 1 < m_marks.size(); ++at)
            for_bits(std::exchange(m_marks[at], 0), [&](uint32_t i) {
                const uint32_t w = at * 64 + i;
                for_bits(m_words[w], [&](uint32_t b) { f(w * 64 + b); });
            });
    }
    size_t bytes() const { return (m_words.capacity() + m_marks.capacity()) * sizeof(uint64_t); }

private:
    std::vector<uint64_t> m_words;
    std::vector<uint64_t> m_marks;  // a bit a word
};

}  // namespace rdt::lab
