// SPDX-License-Identifier: MIT
// Signals of the kernel of W bits, for blocks of your own and test benches. Wires between the
// blocks of the chip (net) and ports of blocks are in block.h, pins of the chip in pins.h. A flat
// vector of the RTL that holds one value of each port is a vector of elements here.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
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
    wire(const char* name, unsigned width, bool is_element = false)
        : signal(name), m_width(width), m_is_element(is_element) {}
    unsigned width() const { return m_width; }
    bool is_element() const { return m_is_element; }
    // Final, so that they are called and not looked for.
    const T& read() const final { return signal::read(); }
    void write(const T& value) final { signal::write(low_bits<T>(value, m_width)); }

private:
    const unsigned m_width;
    const bool m_is_element;  // an element of a vector
};

// Compiled once, with the chip, and not in tests that are compiled without optimization.
#ifdef RDT_CHIP_IN_LIBRARY
extern template class wire<bool>;
extern template class wire<uint64_t>;
#endif

template <unsigned W>
class sig : public wire<bits<W>> {
public:
    explicit sig(const char* name = sc_core::sc_gen_unique_name("wire"), bool is_element = false)
        : wire<bits<W>>(name, W, is_element) {}
};

// Elements that are made in place and never move: ports and signals cannot.
template <typename T>
class fixed_vector {
public:
    // make(place, i) constructs element i.
    template <typename Make>
    fixed_vector(size_t size, Make&& make) : m_begin(std::allocator<T>().allocate(size)) {
        for (; m_size < size; ++m_size) make(m_begin + m_size, m_size);
    }
    ~fixed_vector() {
        std::destroy_n(m_begin, m_size);
        std::allocator<T>().deallocate(m_begin, m_size);
    }
    fixed_vector(const fixed_vector&) = delete;
    fixed_vector& operator=(const fixed_vector&) = delete;

    size_t size() const { return m_size; }
    T& operator[](size_t i) { return m_begin[i]; }
    const T& operator[](size_t i) const { return m_begin[i]; }
    T* begin() { return m_begin; }
    T* end() { return m_begin + m_size; }
    const T* begin() const { return m_begin; }
    const T* end() const { return m_begin + m_size; }

private:
    T* const m_begin;
    size_t m_size = 0;
};

// Signals name_0, name_1, ... A chip has 290 vectors, too many for sc_vector: each is an object of
// the kernel beside its elements.
template <unsigned W>
class sigs : public fixed_vector<sig<W>> {
public:
    sigs(const std::string& name, size_t size)
        : fixed_vector<sig<W>>(size, [&name](void* place, size_t i) {
              new (place) sig<W>((name + "_" + std::to_string(i)).c_str(), true);
          }) {}
};

// A rank is on five wires, one for each of 0 to 4; none of them for a rank that does not exist.
constexpr uint32_t rank_wires(uint32_t rank) { return rank <= 4 ? 1u << rank : 0; }
constexpr uint32_t rank_on(uint32_t wires) {
    uint32_t rank = 0;
    while (rank <= 4 && (wires >> rank & 1) == 0) ++rank;
    return rank;
}

}  // namespace rdt
