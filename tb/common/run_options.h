// SPDX-License-Identifier: MIT
// Seed and length of a random test, from the environment or from the test, and
// the line that runs it again.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace rdt::tb {

inline uint64_t from_environment(const char* variable, uint64_t otherwise) {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text == '\0') return otherwise;
    uint64_t value = 0;
    const char* end = text + std::strlen(text);
    const bool is_hex = text[0] == '0' && text[1] == 'x';
    const auto [at, error] = std::from_chars(text + (is_hex ? 2 : 0), end, value, is_hex ? 16 : 10);
    if (error != std::errc() || at != end)
        throw std::invalid_argument(std::string(variable) + " is no number of 64 bits: " + text);
    return value;
}

// Printed, so that a passed test can be repeated.
inline uint64_t seed_or(uint64_t otherwise) {
    const uint64_t seed = from_environment("RDT_SEED", otherwise);
    std::printf("seed=%llu\n", static_cast<unsigned long long>(seed));
    return seed;
}
inline uint64_t cycles_or(uint64_t otherwise) { return from_environment("RDT_CYCLES", otherwise); }

// Counts of a test; scripts/campaigns.py sums these lines over all its tasks.
inline void print_count(uint64_t count, const char* what) {
    std::printf("counted: %llu %s\n", static_cast<unsigned long long>(count), what);
}

inline std::string rerun_line(const std::string& program, const std::string& filter, uint64_t seed,
                              uint64_t cycles) {
    return "RDT_SEED=" + std::to_string(seed) + " RDT_CYCLES=" + std::to_string(cycles) +
           " build/bin/" + program + " --gtest_filter='" + filter + "'";
}

}  // namespace rdt::tb
