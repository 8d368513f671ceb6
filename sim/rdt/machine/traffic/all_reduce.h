// SPDX-License-Identifier: MIT
// Operands that nodes contribute to all-reduces, drawn by number and node, and the results that
// they must give. Consecutive all-reduces use the operations in rotation.
#pragma once

#include <vector>

#include <rdt/core/reduction.h>
#include <rdt/machine/words.h>

namespace rdt::machine {

class AllReduce {
public:
    AllReduce(uint32_t width, uint64_t seed) : m_width(width), m_seed(seed) {}

    uint32_t width() const { return m_width; }
    core::Reduction operation(uint64_t number) const;
    core::Operand operand(uint64_t number, uint32_t node) const;
    // The result from the combined operands, and the one that it must be.
    uint32_t result(uint64_t number, uint32_t combined) const;
    uint32_t expected(uint64_t number, const std::vector<uint32_t>& nodes) const;

    // A value as payload of a packet: 16 bits per flit, of which every bit is simulated.
    void append(uint32_t value, Words& data) const;
    uint32_t value_of(const Words& data) const;

private:
    uint32_t value(uint64_t number, uint32_t node) const;

    uint32_t m_width;
    uint64_t m_seed;
};

}  // namespace rdt::machine
