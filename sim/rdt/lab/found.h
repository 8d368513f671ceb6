// SPDX-License-Identifier: MIT
// Which words a pass has found single channels in, a bit per word, so that it costs little to look
// for few of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <rdt/lab/bit_slices.h>
#include <rdt/support/large_pages.h>

namespace rdt::lab {

// In large pages if it is large, else in whole cache lines, which threads do not have to share.
template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;
using Words = LargeVector<uint64_t>;
constexpr uint32_t LineWords = 64 / sizeof(uint64_t);

class MarkedWords {
public:
    // 64 more than there are, since 64 words are marked at a time.
    explicit MarkedWords(uint32_t words) : m_marks((words + 63) / 64 + 1) {}

    // Those of a pack: bit i is word i.
    RDT_PART_OF_PASS void mark_pack(size_t pack, uint32_t which) {
        m_marks[pack * Pack / 64] |= uint64_t(which) << pack * Pack % 64;
    }
    // Those among the 64 words from `first`.
    RDT_PART_OF_PASS void mark(size_t first, uint64_t which) {
        m_marks[first / 64] |= which << first % 64;
        if (first % 64 != 0) m_marks[first / 64 + 1] |= which >> (64 - first % 64);
    }

    // f(word) for each that is marked, in order; then the marks are forgotten.
    template <typename F>
    void take_each(F f) {
        for (uint32_t at = 0; at < size(); ++at)
            for_bits(std::exchange(m_marks[at], 0), [&](uint32_t i) { f(at * 64 + i); });
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
