// SPDX-License-Identifier: MIT
// Ports and signals of W bits, as the RTL has them. A flat vector of the RTL that holds one value
// of each port is a vector of elements here.
#pragma once

#include <systemc>

#include <rdt/process.h>

namespace rdt {

template <unsigned W>
struct wire {
    using type = sc_dt::sc_uint<W>;
};
template <>
struct wire<1> {
    using type = bool;
};
template <unsigned W>
using bits = typename wire<W>::type;

// SystemC's own, but a value is read where it stands and one that is already there is not written
// again: a chip has some two thousand ports, and asking the channel each time by way of two
// virtual functions is a good part of what it costs. A wire has one driver, as in the RTL.
template <unsigned W>
class in : public sc_core::sc_in<bits<W>> {
    using port = sc_core::sc_in<bits<W>>;

public:
    using port::port;
    const bits<W>& read() const { return *m_value; }

protected:
    void end_of_elaboration() override {
        port::end_of_elaboration();
        m_value = &(*this)->read();
    }

private:
    const bits<W>* m_value = nullptr;
};

template <unsigned W>
class out : public sc_core::sc_out<bits<W>> {
    using port = sc_core::sc_out<bits<W>>;

public:
    using port::port;
    const bits<W>& read() const { return *m_value; }
    void write(uint64_t value) {
        if (m_driven && value == m_last) return;
        m_driven = true;
        m_last = value;
        (*this)->write(bits<W>(value));
    }

protected:
    void end_of_elaboration() override {
        port::end_of_elaboration();
        m_value = &(*this)->read();
    }

private:
    const bits<W>* m_value = nullptr;
    uint64_t m_last = 0;
    bool m_driven = false;
};

// Final, so that its functions are called and not looked for.
template <unsigned W>
class sig final : public sc_core::sc_signal<bits<W>, sc_core::SC_UNCHECKED_WRITERS> {
public:
    using sc_core::sc_signal<bits<W>, sc_core::SC_UNCHECKED_WRITERS>::sc_signal;
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
