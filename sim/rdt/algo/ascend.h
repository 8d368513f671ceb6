// SPDX-License-Identifier: MIT
// Algorithms of the ascend and descend classes on swapped networks.
#pragma once

#include <complex>

#include <rdt/algo/swapped_machine.h>

namespace rdt::algo {

// Theorem 4.1, and corollary 4.2 for all: steps at most for `dimensions` successive dimensions.
uint64_t ascend_bound(const SwappedMachine& machine, uint32_t dimensions);
// Batcher's bitonic sort; stage s descends from dimension s-1 to 0.
void bitonic_sort(SwappedMachine& machine, std::vector<uint64_t>& data);
// Discrete Fourier transform; node v gets the result of the index that is v with its bits reversed.
void fft(SwappedMachine& machine, std::vector<std::complex<double>>& data);
// The index with its lowest `bits` bits in reverse order.
uint32_t bit_reversed(uint32_t index, uint32_t bits);

}  // namespace rdt::algo
