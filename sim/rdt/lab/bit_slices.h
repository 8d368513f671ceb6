// SPDX-License-Identifier: MIT
// 64 small counters side by side: plane i holds bit i of all of them, so that one pass of word
// operations counts them all; and several such words in one vector register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rdt::lab {

// As many words as are worked on at a time; the compiler makes of it what the machine has.
constexpr uint32_t Pack = 2;
using Lanes = uint64_t __attribute__((vector_size(Pack * sizeof(uint64_t))));

inline uint32_t rounded_to_pack(uint32_t words) { return (words + Pack - 1) / Pack * Pack; }

inline Lanes load(const uint64_t* words) {
    Lanes lanes;
    std::memcpy(&lanes, words, sizeof lanes);
    return lanes;
}
inline void store(uint64_t* words, const Lanes& lanes) { std::memcpy(words, &lanes, sizeof lanes); }

// A number that all counters are compared with or set to: all ones or all zeros in each plane.
template <uint32_t Planes>
struct Constant {
    uint64_t plane[Planes];
    explicit Constant(uint64_t value) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) plane[i] = value >> i & 1 ? ~0ull : 0;
    }
};

template <uint32_t Planes>
struct Slices {
    Lanes plane[Planes];

    // Plane i is i * stride words further on.
    void load(const uint64_t* words, uint32_t stride) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) plane[i] = lab::load(words + i * size_t(stride));
    }
    void store(uint64_t* words, uint32_t stride) const {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) lab::store(words + i * size_t(stride), plane[i]);
    }
    // Adds 1 where `up`, subtracts 1 where `down`; never both in the same place.
    void count(Lanes up, Lanes down) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) {
            const Lanes was = plane[i];
            plane[i] = was ^ up ^ down;
            up &= was;
            down &= ~was;
        }
    }
    // Subtracts 1 where `step`; where that was 0 already, starts again at `reload` and says so.
    Lanes count_down(Lanes step, const Constant<Planes>& reload) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) {
            const Lanes was = plane[i];
            plane[i] = was ^ step;
            step &= ~was;
        }
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i)
            plane[i] = (plane[i] & ~step) | (reload.plane[i] & step);
        return step;
    }
    Lanes any() const {
        Lanes bits = {};
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) bits |= plane[i];
        return bits;
    }
    Lanes equal(const Constant<Planes>& value) const {
        Lanes differs = {};
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) differs |= plane[i] ^ value.plane[i];
        return ~differs;
    }
    Lanes at_least(const Constant<Planes>& value) const {
        Lanes yes = ~Lanes{};
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i)
            yes = (plane[i] & yes) | ((plane[i] | yes) & ~value.plane[i]);
        return yes;
    }
};

// Calls f(i) for every set bit of a word, the lowest first.
template <typename F>
inline void for_bits(uint64_t word, F f) {
    for (; word != 0; word &= word - 1) f(uint32_t(__builtin_ctzll(word)));
}

}  // namespace rdt::lab
