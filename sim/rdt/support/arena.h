// SPDX-License-Identifier: MIT
// Things by number that stay where they are while others come. Each piece of memory is twice as
// large as the one before.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rdt/support/large_pages.h>

namespace rdt {

template <typename T>
class Arena {
public:
    uint32_t size() const { return m_size; }
    T& operator[](uint32_t at) { return m_pieces[piece_of(at)][place_of(at)]; }
    const T& operator[](uint32_t at) const { return m_pieces[piece_of(at)][place_of(at)]; }
    // Returns its number.
    uint32_t add() {
        const uint32_t at = m_size++;
        auto& piece = m_pieces[piece_of(at)];
        if (place_of(at) == 0) piece.reserve(size_t(1) << (piece_of(at) + FirstBits));
        piece.emplace_back();
        return at;
    }
    size_t bytes() const { return m_size * sizeof(T); }

private:
    static constexpr uint32_t FirstBits = 6;
    static uint32_t piece_of(uint32_t at) {
        return 31 - uint32_t(__builtin_clz(at + (1u << FirstBits))) - FirstBits;
    }
    static uint32_t place_of(uint32_t at) {
        return at + (1u << FirstBits) - (1u << (piece_of(at) + FirstBits));
    }

    // A large page of which only the beginning is used should not count.
    std::array<std::vector<T, LargePages<T, 4 * LargePage>>, 32 - FirstBits> m_pieces;
    uint32_t m_size = 0;
};

}  // namespace rdt
