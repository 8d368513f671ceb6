// SPDX-License-Identifier: MIT
// Which words of 64 channels a pass has found single ones in, a bit a word, so that it costs little
// to look for few of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <rdt/lab/bit_slices.h>
#include <rdt/support/large_pages.h>

namespace rdt::lab {

// In whole cache lines, which threads do not have to share.
using Words = std::vector<uint64_t, LargePages<uint64_t>>;
constexpr uint32_t LineWords = 64 / sizeof(uint64_t);

class MarkedWords {
public:
    // A mark more than there are words for, since 64 words are marked at a time.
    explicit MarkedWords(uint32_t words) : m_marks((words + 63) / 64 + 1) {}

    // The nonzero words among the 64 words from `first`, or a single word.
    RDT_PART_OF_PASS void mark_word(size_t w, bool any) {
        m_marks[w / 64] |= uint64_t(any) << w % 64;
    }
    RDT_PART_OF_PASS void mark(size_t first, uint64_t which) {
        m_marks[first / 64] |= which << first % 64;
        if (first % 64 != 0) m_marks[first / 64 + 1] |= which >> (64 - first % 64);
    }

    // f(channel) for each bit of the marked words, in order; then the marks are forgotten.
    template <typename F>
    void take_each(const Words& words, F f) {
        for (uint32_t at = 0; at < size(); ++at)
            for_bits(std::exchange(m_marks[at], 0), [&](uint32_t i) {
                const uint32_t w = at * 64 + i;
                for_bits(words[w], [&](uint32_t b) { f(w * 64 + b); });
            });
    }
    void forget() {
        for (uint64_t& marks : m_marks) marks = 0;
    }
    uint32_t size() const { return uint32_t(m_marks.size() - 1); }
    uint64_t operator[](uint32_t i) const { return m_marks[i]; }
    size_t bytes() const { return m_marks.capacity() * sizeof(uint64_t); }

private:
    Words m_marks;
};

}  // namespace rdt::lab
