// SPDX-License-Identifier: MIT
// How much the tests of this folder run by default. tb/mutate/volumes.py reads these numbers, to
// count the mutants that these very runs detect.
#pragma once

#include <cstdint>

namespace rdt::tb::fuzz {

// quick/fuzz: pins of four chips.
constexpr uint64_t QuickCycles = 20000;
// fuzz_chip: the same for longer.
constexpr uint64_t ChipSeeds = 10;
constexpr uint64_t ChipOfSeed = 16000;
// fuzz_inside: registers of one chip.
constexpr uint64_t InsideSeeds = 4;
constexpr uint64_t InsideOfSeed = 5000;
// fuzz_blame: outputs of the blocks of one chip, with the stimulus of lone_chip.h.
constexpr uint64_t BlameSeeds = 3;
constexpr uint64_t BlameOfSeed = 5000;
// fuzz_blame and fuzz_rtl_blocks: pins of one chip, with the same stimulus.
constexpr uint64_t LoneCycles = 10000;

}  // namespace rdt::tb::fuzz
