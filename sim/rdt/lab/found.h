// SPDX-License-Identifier: MIT
// Which packs of words a pass has found single channels in, a bit a pack, so that it costs little
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

class MarkedPacks {
public:
    // A mark more than there are packs for, since 64 packs are marked at a time.
    explicit MarkedPacks(uint32_t packs) : m_marks((packs + 63) / 64 + 1) {}

    // Those among the 64 packs from `first`, or a single one.
    RDT_PART_OF_PASS void mark_pack(size_t pack, bool any) {
        m_marks[pack / 64] |= uint64_t(any) << pack % 64;
    }
    RDT_PART_OF_PASS void mark(size_t first, uint64_t which) {
        m_marks[first / 64] |= which << first % 64;
        if (first % 64 != 0) m_marks[first / 64 + 1] |= which >> (64 - first % 64);
    }

    // f(pack) for each that is marked, in order; then the marks are forgotten.
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
