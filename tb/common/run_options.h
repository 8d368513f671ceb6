// SPDX-License-Identifier: MIT
// Seed and length of a random test, from the environment or from the test, and
// the line that runs it again.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace rdt::tb {

inline uint64_t from_environment(const char* variable, uint64_t otherwise) {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text == '\0') return otherwise;
    char* end = nullptr;
    const uint64_t value = std::strtoull(text, &end, 0);
    if (*end != '\0')
        throw std::invalid_argument(std::string(variable) + " is not a number: " + text);
    return value;
}

inline uint64_t seed_or(uint64_t otherwise) { return from_environment("RDT_SEED", otherwise); }
inline uint64_t cycles_or(uint64_t otherwise) { return from_environment("RDT_CYCLES", otherwise); }

inline std::string rerun_line(const std::string& program, const std::string& filter, uint64_t seed,
                              uint64_t cycles) {
    return "RDT_SEED=" + std::to_string(seed) + " RDT_CYCLES=" + std::to_string(cycles) +
           " build/bin/" + program + " --gtest_filter='" + filter + "'";
}

}  // namespace rdt::tb
