// SPDX-License-Identifier: MIT
// Ports and signals of W bits, as the RTL has them. A flat vector of the RTL that holds one value
// of each port is a vector of elements here.
#pragma once

#include <systemc>

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
template <typename T>
constexpr unsigned width_of = 0;
template <>
inline constexpr unsigned width_of<bool> = 1;
template <int W>
inline constexpr unsigned width_of<sc_dt::sc_uint<W>> = W;

template <unsigned W>
using in = sc_core::sc_in<bits<W>>;
template <unsigned W>
using out = sc_core::sc_out<bits<W>>;
template <unsigned W>
using sig = sc_core::sc_signal<bits<W>, sc_core::SC_UNCHECKED_WRITERS>;

template <unsigned W>
using ins = sc_core::sc_vector<in<W>>;
template <unsigned W>
using outs = sc_core::sc_vector<out<W>>;
template <unsigned W>
using sigs = sc_core::sc_vector<sig<W>>;

}  // namespace rdt
