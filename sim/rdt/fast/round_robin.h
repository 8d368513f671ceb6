// SPDX-License-Identifier: MIT
// Round-robin selection.
#pragma once

#include <cstdint>

namespace rdt::fast {

// The lowest one above the last selected, else the lowest of all; one bit each, not 0.
inline uint32_t next_after(uint32_t last, uint32_t all) {
    const uint32_t later = all & ~((2u << last) - 1);
    return uint32_t(__builtin_ctz(later != 0 ? later : all));
}

}  // namespace rdt::fast
