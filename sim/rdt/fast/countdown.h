// SPDX-License-Identifier: MIT
// A counter that makes ticks: it begins again with the period, less one, in the cycle after 0, and
// when a period is written.
#pragma once

#include <cstdint>

namespace rdt::fast {

struct Countdown {
    uint32_t left = 0;

    void count(uint32_t period) { left = left == 0 ? period : left - 1; }
    // Any number of cycles at once.
    void skip(uint32_t period, uint64_t clocks) {
        if (clocks <= left) left -= uint32_t(clocks);
        else left = period - uint32_t((clocks - left - 1) % (uint64_t(period) + 1));
    }
};

}  // namespace rdt::fast
