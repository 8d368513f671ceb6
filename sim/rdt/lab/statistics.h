// SPDX-License-Identifier: MIT
// What is counted of a run.
#pragma once

#include <cstdint>

#include <rdt/lab/simulate.h>
#include <rdt/support/histogram.h>

namespace rdt::lab {

struct Statistics {
    uint64_t from = 0;  // clocks measured
    uint64_t to = 0;
    uint64_t generated = 0;
    uint64_t refused = 0;
    uint64_t delivered = 0;
    uint64_t measured_generated = 0;
    uint64_t measured = 0;
    uint64_t measured_hops = 0;
    Histogram network;
    Histogram total;

    bool measures(uint64_t clock) const { return clock >= from && clock < to; }
    void add(const Delivery& d) {
        ++delivered;
        if (!measures(d.delivered)) return;
        ++measured;
        measured_hops += d.hops;
        network.add(d.delivered - d.injected);
        total.add(d.delivered - d.generated);
    }
};

}  // namespace rdt::lab
