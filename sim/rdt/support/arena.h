// SPDX-License-Identifier: MIT
// Things by number that stay where they are while others come. Each piece of memory is twice as
// large as the one before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <type_traits>

#include <rdt/support/large_pages.h>

namespace rdt {

template <typename T>
class Arena {
public:
    Arena() = default;
    ~Arena() {
        if constexpr (!std::is_trivially_destructible_v<T>)
            for (uint32_t at = 0; at < m_size; ++at) (*this)[at].~T();
        for (uint32_t k = 0; k < m_pieces.size(); ++k)
            if (m_pieces[k] != nullptr) Pages().deallocate(m_pieces[k], length_of(k));
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    uint32_t size() const { return m_size; }
    T& operator[](uint32_t at) { return m_pieces[piece_of(at)][place_of(at)]; }
    const T& operator[](uint32_t at) const { return m_pieces[piece_of(at)][place_of(at)]; }
    // Returns its number.
    uint32_t add() {
        const uint32_t at = extend(1);
        construct(at);
        return at;
    }
    // So many more, each of which is to be constructed before anything else: by any thread, so that
    // its memory is first touched there. Returns the first number.
    uint32_t extend(uint32_t count) {
        const uint32_t first = m_size;
        m_size += count;
        if (count != 0)
            for (uint32_t k = piece_of(first); k <= piece_of(m_size - 1); ++k)
                if (m_pieces[k] == nullptr) m_pieces[k] = Pages().allocate(length_of(k));
        return first;
    }
    void construct(uint32_t at) { new (&(*this)[at]) T(); }
    size_t bytes() const { return m_size * sizeof(T); }

private:
    // A large page of which only the beginning is used should not count.
    using Pages = LargePages<T, 4 * LargePage>;
    static constexpr uint32_t FirstBits = 6;
    static constexpr size_t length_of(uint32_t piece) { return size_t(1) << (piece + FirstBits); }
    static uint32_t piece_of(uint32_t at) {
        return 31 - uint32_t(__builtin_clz(at + (1u << FirstBits))) - FirstBits;
    }
    static uint32_t place_of(uint32_t at) {
        return at + (1u << FirstBits) - (1u << (piece_of(at) + FirstBits));
    }

    // Read by all threads, so nothing that changes often is in the same cache line.
    alignas(64) std::array<T*, 32 - FirstBits> m_pieces{};
    alignas(64) uint32_t m_size = 0;
};

}  // namespace rdt
