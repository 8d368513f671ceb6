// SPDX-License-Identifier: MIT
// Ports and signals of W bits, as the RTL has them. A flat vector of the RTL that holds one value
// of each port is a vector of elements here.
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

// SystemC's own, but a value is read where it stands and one that is already there is not written
// again: a router has some two thousand ports, and two virtual calls per access would be a large
// part of the run time. A wire has one driver, as in the RTL.
template <typename T>
class in_port : public sc_core::sc_in<T> {
public:
    in_port(const char* name, unsigned width) : sc_core::sc_in<T>(name), m_width(width) {}
    const T& read() const { return *m_value; }
    unsigned width() const { return m_width; }

protected:
    void end_of_elaboration() override {
        sc_core::sc_in<T>::end_of_elaboration();
        m_value = &(*this)->read();
    }

private:
    const T* m_value = nullptr;
    const unsigned m_width;
};

template <typename T>
class out_port : public sc_core::sc_out<T> {
public:
    out_port(const char* name, unsigned width) : sc_core::sc_out<T>(name), m_width(width) {}
    const T& read() const { return *m_value; }
    unsigned width() const { return m_width; }
    void write(uint64_t value) {
        if (m_driven && value == m_last) return;
        m_driven = true;
        m_last = value;
        (*this)->write(low_bits<T>(value, m_width));
    }

protected:
    void end_of_elaboration() override {
        sc_core::sc_out<T>::end_of_elaboration();
        m_value = &(*this)->read();
    }

private:
    const T* m_value = nullptr;
    uint64_t m_last = 0;
    const unsigned m_width;
    bool m_driven = false;
};

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
class in : public in_port<bits<W>> {
public:
    explicit in(const char* name) : in_port<bits<W>>(name, W) {}
};
template <unsigned W>
class out : public out_port<bits<W>> {
public:
    explicit out(const char* name) : out_port<bits<W>>(name, W) {}
};
template <unsigned W>
class sig : public wire<bits<W>> {
public:
    explicit sig(const char* name = sc_core::sc_gen_unique_name("wire")) : wire<bits<W>>(name, W) {}
};

template <unsigned W>
using ins = sc_core::sc_vector<in<W>>;
template <unsigned W>
using outs = sc_core::sc_vector<out<W>>;
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
