// SPDX-License-Identifier: MIT
// The pins of one chip under full random load, cycle by cycle, recorded once so
// that every model is timed on exactly the same work and nothing but the model.
#pragma once

#include <vector>

#include <rdt/fast/router.h>

namespace rdt::bench {

struct Stimulus {
    std::vector<core::PinsIn> pins;
    uint64_t flits = 0;     // flits that left the router
    uint64_t checksum = 0;  // over all output pins of all cycles
};

// Folds one cycle's output pins into a checksum.
inline uint64_t fold(uint64_t sum, const core::LinkPinsOut& p) {
    return (sum ^ (p.d | uint64_t(p.oe) << 18 | uint64_t(p.req) << 20 | uint64_t(p.cred) << 22)) *
           0x100000001B3ull;
}

// All ports always have packets of 3 to 16 flits for all others, and take at once.
Stimulus record(uint64_t clocks, uint64_t seed);

}  // namespace rdt::bench
