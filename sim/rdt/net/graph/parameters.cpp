// SPDX-License-Identifier: MIT
#include <rdt/net/graph/parameters.h>

#include <fmt/core.h>

#include <algorithm>

#include <rdt/net/graph/network.h>

namespace rdt {

namespace {

constexpr size_t MaxDigits = 9;  // fits 32 bits

bool is_number(const std::string& s) {
    return !s.empty() && s.size() <= MaxDigits &&
           s.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::vector<uint32_t> parse_numbers(const std::string& text, char separator,
                                    const std::string& form, size_t least, size_t most) {
    std::vector<uint32_t> numbers;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(separator, begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        if (!is_number(part))
            throw NetworkError(fmt::format("cannot read \"{}\"; the form is {}", text, form));
        numbers.push_back(uint32_t(std::stoul(part)));
        begin = end + 1;
    }
    if (numbers.size() < least || numbers.size() > most)
        throw NetworkError(fmt::format("cannot read \"{}\"; the form is {}", text, form));
    return numbers;
}

uint32_t parse_number(const std::string& text, const std::string& form, uint32_t min,
                      uint32_t max) {
    const uint32_t n = parse_numbers(text, ',', form, 1, 1)[0];
    if (n < min || n > max)
        throw NetworkError(fmt::format("{} is out of range; {} takes {} to {}", n, form, min, max));
    return n;
}

uint32_t checked_nodes(uint64_t nodes) {
    if (nodes > MaxNodes)
        throw NetworkError(fmt::format("too large: more than {} nodes", MaxNodes));
    return uint32_t(nodes);
}

uint32_t checked_power(uint64_t base, uint32_t exponent) {
    uint64_t power = 1;
    for (uint32_t i = 0; i < exponent && power <= MaxNodes; ++i) power *= base;
    return checked_nodes(power);
}

std::string joined(const std::vector<uint32_t>& numbers, const char* separator) {
    std::string text;
    for (uint32_t n : numbers) text += (text.empty() ? "" : separator) + std::to_string(n);
    return text;
}

}  // namespace rdt
