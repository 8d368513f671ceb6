// SPDX-License-Identifier: MIT
// 64 small counters side by side: plane i holds bit i of all of them, so that one pass of word
// operations counts them all; and several such words in one vector register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#endif

namespace rdt::lab {

// As many words as are worked on at a time. On x86 the passes over words are compiled for two
// machines (RDT_AVX2 before a function), one of which is chosen when the program starts; elsewhere
// the compiler makes of it what all machines have. Called functions must be inlined, because the
// calling convention for vectors differs.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define RDT_AVX2 __attribute__((target("avx2")))
constexpr uint32_t Pack = 4;
#else
constexpr uint32_t Pack = 2;
#endif
#define RDT_PART_OF_PASS __attribute__((always_inline)) inline
#pragma GCC diagnostic ignored "-Wpsabi"
using Bits = uint64_t __attribute__((vector_size(Pack * sizeof(uint64_t))));

inline uint32_t rounded_to_pack(uint32_t words) { return (words + Pack - 1) / Pack * Pack; }

// A word alone, or a pack of them.
template <typename W>
constexpr uint32_t words_in = sizeof(W) / sizeof(uint64_t);

template <typename W>
RDT_PART_OF_PASS W load(const uint64_t* words) {
    W bits;
    std::memcpy(&bits, words, sizeof bits);
    return bits;
}
template <typename W>
RDT_PART_OF_PASS void store(uint64_t* words, const W& bits) {
    std::memcpy(words, &bits, sizeof bits);
}

// Bit i: word i is not 0.
template <bool Avx2>
RDT_PART_OF_PASS uint32_t words_with_bits(const Bits& bits) {
#ifdef RDT_AVX2
    if (Avx2) {
        // Not the functions of immintrin.h: these have a target, so they could not be inlined here.
        using Signed = long long __attribute__((vector_size(sizeof(Bits))));
        using Double = double __attribute__((vector_size(sizeof(Bits))));
        const auto is_zero = __builtin_ia32_pcmpeqq256((Signed)bits, Signed{});
        return uint32_t(__builtin_ia32_movmskpd256((Double)is_zero)) ^ 0xF;
    }
#endif
    uint64_t words[Pack];
    store(words, bits);
    uint32_t with = 0;
    for (uint32_t i = 0; i < Pack; ++i) with |= uint32_t(words[i] != 0) << i;
    return with;
}

template <bool Avx2>
RDT_PART_OF_PASS bool any_bit(const Bits& bits) {
#ifdef RDT_AVX2
    using Signed = long long __attribute__((vector_size(sizeof(Bits))));
    if (Avx2) return __builtin_ia32_ptestz256((Signed)bits, (Signed)bits) == 0;
#endif
    uint64_t words[Pack];
    store(words, bits);
    uint64_t sum = 0;
    for (const uint64_t word : words) sum |= word;
    return sum != 0;
}

// A number that all counters are compared with or set to: all ones or all zeros in each plane.
struct Constant {
    uint64_t number;
    uint64_t plane[12];
    explicit Constant(uint64_t value) : number(value) {
        for (uint32_t i = 0; i < 12; ++i) plane[i] = value >> i & 1 ? ~0ull : 0;
    }
};
// For a pass: the number at hand, the planes only where it is not one of the simple ones.
struct ConstantRef {
    uint64_t number;
    const uint64_t* plane;
    ConstantRef(const Constant& c) : number(c.number), plane(c.plane) {}
    // Known to be this one.
    ConstantRef(const Constant& c, uint64_t known) : number(known), plane(c.plane) {}
};

template <uint32_t Planes, typename W>
struct Slices {
    W plane[Planes];

    RDT_PART_OF_PASS void load(const uint64_t* words) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) plane[i] = lab::load<W>(words + i * words_in<W>);
    }
    RDT_PART_OF_PASS void store(uint64_t* words) const {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) lab::store(words + i * words_in<W>, plane[i]);
    }
    // Adds 1 where `up`, subtracts 1 where `down`.
    RDT_PART_OF_PASS void count(const W& up, const W& down) {
        W step = up ^ down;
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) {
            const W was = plane[i];
            plane[i] = was ^ step;
            step &= was ^ down;  // a carry where it was 1, a borrow where it was 0
        }
    }
    // Subtracts 1 where `step`; where that was 0 already, restarts at `reload` and returns that
    // bit.
    RDT_PART_OF_PASS W count_down(W step, ConstantRef reload) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) {
            const W was = plane[i];
            plane[i] = was ^ step;
            step &= ~was;
        }
        // Counting down from 0 gives all ones, as callers expect.
        if (reload.number + 1 == 1u << Planes) return step;
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i)
            plane[i] = (plane[i] & ~step) | (reload.plane[i] & step);
        return step;
    }
    RDT_PART_OF_PASS W any(uint32_t first = 0) const {
        W bits = {};
#pragma GCC unroll 16
        for (uint32_t i = first; i < Planes; ++i) bits |= plane[i];
        return bits;
    }
    // None is more than the value.
    RDT_PART_OF_PASS W reached(ConstantRef value) const {
        if (value.number == 1u << (Planes - 1)) return plane[Planes - 1];
        W differs = {};
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) differs |= plane[i] ^ value.plane[i];
        return ~differs;
    }
    RDT_PART_OF_PASS W at_least(ConstantRef value) const {
        if (value.number == 1) return any();
        if (value.number == 2) return any(1);
        W yes = ~W{};
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
