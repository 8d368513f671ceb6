// SPDX-License-Identifier: MIT
// 64 small counters side by side: plane i holds bit i of all of them, so that one pass of word
// operations counts them all; and several such words in one vector register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rdt::lab {

// As many words as are worked on at a time. On x86 the passes over words are compiled for several
// machines (RDT_FOR_EACH_MACHINE before a function), and the best is chosen when the program
// starts; elsewhere the compiler makes of it what all machines have. What they call has to become
// part of them, since a vector is handed over differently on each.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define RDT_WIDE
constexpr uint32_t Pack = 4;
#define RDT_FOR_EACH_MACHINE __attribute__((target_clones("default", "avx2")))
#else
constexpr uint32_t Pack = 2;
#define RDT_FOR_EACH_MACHINE
#endif
#define RDT_PART_OF_PASS __attribute__((always_inline)) inline
#pragma GCC diagnostic ignored "-Wpsabi"
using Bits = uint64_t __attribute__((vector_size(Pack * sizeof(uint64_t))));

inline uint32_t rounded_to_pack(uint32_t words) { return (words + Pack - 1) / Pack * Pack; }

RDT_PART_OF_PASS Bits load(const uint64_t* words) {
    Bits bits;
    std::memcpy(&bits, words, sizeof bits);
    return bits;
}
RDT_PART_OF_PASS void store(uint64_t* words, const Bits& bits) {
    std::memcpy(words, &bits, sizeof bits);
}
// Which of the words have any bit set.
RDT_PART_OF_PASS uint8_t words_with_any(const Bits& bits) {
#if defined(RDT_WIDE)
    const Bits number = {1, 2, 4, 8}, halves_changed = {2, 3, 0, 1};
    Bits marks = Bits(bits != 0) & number;
    marks |= __builtin_shuffle(marks, halves_changed);
#else
    const Bits number = {1, 2};
    const Bits marks = Bits(bits != 0) & number;
#endif
    return uint8_t(marks[0] | marks[1]);
}

// A number that all counters are compared with or set to: all ones or all zeros in each plane.
struct Constant {
    uint64_t number;
    uint64_t plane[12];
    explicit Constant(uint64_t value) : number(value) {
        for (uint32_t i = 0; i < 12; ++i) plane[i] = value >> i & 1 ? ~0ull : 0;
    }
};

template <uint32_t Planes>
struct Slices {
    Bits plane[Planes];

    // Plane i is i * stride words further on.
    RDT_PART_OF_PASS void load(const uint64_t* words, uint32_t stride) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) plane[i] = lab::load(words + i * size_t(stride));
    }
    RDT_PART_OF_PASS void store(uint64_t* words, uint32_t stride) const {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) lab::store(words + i * size_t(stride), plane[i]);
    }
    // Adds 1 where `up`, subtracts 1 where `down`; never both in the same place.
    RDT_PART_OF_PASS void count(Bits up, Bits down) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) {
            const Bits was = plane[i];
            plane[i] = was ^ up ^ down;
            up &= was;
            down &= ~was;
        }
    }
    // Subtracts 1 where `step`; where that was 0 already, starts again at `reload` and says so.
    RDT_PART_OF_PASS Bits count_down(Bits step, const Constant& reload) {
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) {
            const Bits was = plane[i];
            plane[i] = was ^ step;
            step &= ~was;
        }
        // From 0 down is all ones, which often is what is wanted.
        if (reload.number + 1 == 1u << Planes) return step;
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i)
            plane[i] = (plane[i] & ~step) | (reload.plane[i] & step);
        return step;
    }
    RDT_PART_OF_PASS Bits any(uint32_t first = 0) const {
        Bits bits = {};
#pragma GCC unroll 16
        for (uint32_t i = first; i < Planes; ++i) bits |= plane[i];
        return bits;
    }
    // None is more than the value.
    RDT_PART_OF_PASS Bits reached(const Constant& value) const {
        if (value.number == 1u << (Planes - 1)) return plane[Planes - 1];
        Bits differs = {};
#pragma GCC unroll 16
        for (uint32_t i = 0; i < Planes; ++i) differs |= plane[i] ^ value.plane[i];
        return ~differs;
    }
    RDT_PART_OF_PASS Bits at_least(const Constant& value) const {
        if (value.number == 1) return any();
        if (value.number == 2) return any(1);
        Bits yes = ~Bits{};
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
