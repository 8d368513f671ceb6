// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rdt::machine {

// 64 x 64 bits, or several such matrices in a vector of words: bit c of row r is bit r of row c
// afterwards (Hacker's Delight, 7-3).
template <typename Word, unsigned Half = 32>
void transpose(Word* rows) {
    constexpr uint64_t Mask = ~uint64_t(0) / ((uint64_t(1) << Half) + 1);
    for (unsigned first = 0; first < 64; first += 2 * Half)
        for (unsigned r = first; r < first + Half; ++r) {
            const Word swap = (rows[r] >> Half ^ rows[r + Half]) & Mask;
            rows[r] ^= swap << Half;
            rows[r + Half] ^= swap;
        }
    if constexpr (Half > 1) transpose<Word, Half / 2>(rows);
}

}  // namespace rdt::machine
