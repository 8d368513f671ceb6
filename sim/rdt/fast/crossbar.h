// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_crossbar.sv, one column: OR of the selected streams. The streams are computed on
// demand, not stored, so an unused column costs nothing.
#pragma once

#include <rdt/core/flit.h>

namespace rdt::fast {

template <typename StreamOf>
inline __attribute__((always_inline)) stream_t crossbar_column(uint32_t sel, StreamOf&& stream_of) {
    stream_t x = 0;
    for (; sel != 0; sel &= sel - 1) x |= stream_of(uint32_t(__builtin_ctz(sel)));
    return x;
}

}  // namespace rdt::fast
