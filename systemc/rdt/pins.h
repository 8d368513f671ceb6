// SPDX-License-Identifier: MIT
// Pins of the chip: SystemC's ports sc_in and sc_out, W bits wide. A value is read where it is
// stored, and an unchanged value is not written again.
#pragma once

#include <rdt/wires.h>

namespace rdt {

template <typename T>
class pin_in_port : public sc_core::sc_in<T> {
public:
    pin_in_port(const char* name, unsigned width) : sc_core::sc_in<T>(name), m_width(width) {}
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
class pin_out_port : public sc_core::sc_out<T> {
public:
    pin_out_port(const char* name, unsigned width) : sc_core::sc_out<T>(name), m_width(width) {}
    const T& read() const { return *m_value; }
    unsigned width() const { return m_width; }
    void write(uint64_t value) {
        if (m_is_driven && value == m_last) return;
        m_is_driven = true;
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
    bool m_is_driven = false;
};

template <unsigned W>
class pin_in : public pin_in_port<bits<W>> {
public:
    explicit pin_in(const char* name) : pin_in_port<bits<W>>(name, W) {}
};
template <unsigned W>
class pin_out : public pin_out_port<bits<W>> {
public:
    explicit pin_out(const char* name) : pin_out_port<bits<W>>(name, W) {}
};

template <unsigned W>
using pins_in = sc_core::sc_vector<pin_in<W>>;
template <unsigned W>
using pins_out = sc_core::sc_vector<pin_out<W>>;

}  // namespace rdt
