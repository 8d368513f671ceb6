// SPDX-License-Identifier: MIT
// Signals of W bits, as the RTL has them. A flat vector of the RTL that holds one value of each
// port is a vector of elements here. Ports of blocks are in block.h, pins of the chip in pins.h.
#pragma once

#include <cstdint>
#include <systemc>
#include <type_traits>

#include <rdt/process.h>

namespace rdt {

// A bit is a bool; more of them are the low bits of a word. Two types for all widths keep SystemC's
// templates from being compiled for each of them.
template <unsigned W>
using bits = std::conditional_t<W == 1, bool, uint64_t>;

template <typename T>
constexpr T low_bits(uint64_t value, unsigned width) {
    if constexpr (std::is_same_v<T, bool>) return value != 0;
    else return value & ~uint64_t(0) >> (64 - width);
}

// A wire has one driver, as in the RTL.
template <typename T>
class wire : public sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS> {
    using signal = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

public:
    wire(const char* name, unsigned width) : signal(name), m_width(width) {}
    unsigned width() const { return m_width; }
    // Final, so that they are called and not looked for.
    const T& read() const final { return signal::read(); }
    void write(const T& value) final { signal::write(low_bits<T>(value, m_width)); }

private:
    const unsigned m_width;
};

template <unsigned W>
class sig : public wire<bits<W>> {
public:
    explicit sig(const char* name = sc_core::sc_gen_unique_name("wire")) : wire<bits<W>>(name, W) {}
};
template <unsigned W>
using sigs = sc_core::sc_vector<sig<W>>;

// A rank is on five wires, one for each of 0 to 4; none of them for a rank that does not exist.
constexpr uint32_t rank_wires(uint32_t rank) { return rank <= 4 ? 1u << rank : 0; }
constexpr uint32_t rank_on(uint32_t wires) {
    uint32_t rank = 0;
    while (rank <= 4 && (wires >> rank & 1) == 0) ++rank;
    return rank;
}

}  // namespace rdt
