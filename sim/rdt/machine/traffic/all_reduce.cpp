// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/all_reduce.h>

#include <algorithm>
#include <iterator>

#include <rdt/support/random.h>

namespace rdt::machine {

namespace {

using core::Reduction;

constexpr Reduction Operations[] = {Reduction::Or,       Reduction::And, Reduction::Max,
                                    Reduction::Min,      Reduction::Add, Reduction::SignedMax,
                                    Reduction::SignedMin};
constexpr uint32_t HalfBits = 16;

int64_t signed_of(uint32_t value, uint32_t width) {
    return width == 32 ? int64_t(int32_t(value)) : int64_t(int16_t(value));
}

}  // namespace

Reduction AllReduce::operation(uint64_t number) const {
    return Operations[number % std::size(Operations)];
}

uint32_t AllReduce::value(uint64_t number, uint32_t node) const {
    return uint32_t(SplitMix(m_seed ^ (number << 20 | node)).next()) >> (32 - m_width);
}

core::Operand AllReduce::operand(uint64_t number, uint32_t node) const {
    return core::operand_for(operation(number), value(number, node), m_width);
}

uint32_t AllReduce::result(uint64_t number, uint32_t combined) const {
    return core::changed_for(operation(number), combined, m_width);
}

uint32_t AllReduce::expected(uint64_t number, const std::vector<uint32_t>& nodes) const {
    uint32_t result = value(number, nodes.at(0));
    for (size_t i = 1; i < nodes.size(); ++i) {
        const uint32_t v = value(number, nodes[i]);
        const bool is_above = signed_of(v, m_width) > signed_of(result, m_width);
        switch (operation(number)) {
        case Reduction::Or: result |= v; break;
        case Reduction::And: result &= v; break;
        case Reduction::Max: result = std::max(result, v); break;
        case Reduction::Min: result = std::min(result, v); break;
        case Reduction::Add: result = (result + v) & (~0u >> (32 - m_width)); break;
        case Reduction::SignedMax: result = is_above ? v : result; break;
        case Reduction::SignedMin: result = is_above ? result : v; break;
        }
    }
    return result;
}

void AllReduce::append(uint32_t value, Words& data) const {
    for (uint32_t bit = 0; bit < m_width; bit += HalfBits)
        data.push_back(value >> bit & ((1u << HalfBits) - 1));
}

uint32_t AllReduce::value_of(const Words& data) const {
    uint32_t value = 0;
    for (uint32_t k = 0; k < data.size(); ++k) value |= uint32_t(data[k]) << HalfBits * k;
    return value;
}

}  // namespace rdt::machine
