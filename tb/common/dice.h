// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace rdt::tb {

class Dice {
public:
    explicit Dice(uint64_t seed) : m_engine(seed) {}

    uint32_t below(uint32_t n) { return uint32_t((m_engine() >> 32) * n >> 32); }
    uint32_t between(uint32_t lo, uint32_t hi) { return lo + below(hi - lo + 1); }
    uint32_t bits(unsigned n) { return n == 0 ? 0 : uint32_t(m_engine() >> (64 - n)); }
    bool chance(uint32_t percent) { return below(100) < percent; }
    uint32_t pick(std::initializer_list<uint32_t> values) {
        return values.begin()[below(uint32_t(values.size()))];
    }

private:
    std::mt19937_64 m_engine;
};

}  // namespace rdt::tb
