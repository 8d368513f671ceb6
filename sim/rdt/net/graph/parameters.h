// SPDX-License-Identifier: MIT
// The part of a network's name behind the colon.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rdt {

// Node counts are kept within this, so that an index fits everywhere and a slip of the keyboard
// does not fill the memory.
constexpr uint64_t MaxNodes = uint64_t(1) << 22;

// "16x16x4" with separator 'x': {16, 16, 4}. Throws NetworkError, quoting the form, unless these
// are between least and most whole numbers.
std::vector<uint32_t> parse_numbers(const std::string& text, char separator,
                                    const std::string& form, size_t least, size_t most);

// The one number of "hypercube:12", in a range.
uint32_t parse_number(const std::string& text, const std::string& form, uint32_t min, uint32_t max);

// base to the power of exponent; throws NetworkError beyond MaxNodes.
uint32_t checked_power(uint64_t base, uint32_t exponent);
// Throws NetworkError beyond MaxNodes.
uint32_t checked_nodes(uint64_t nodes);

// {1, 2, 3} as "1,2,3".
std::string joined(const std::vector<uint32_t>& numbers, const char* separator = ",");

}  // namespace rdt
