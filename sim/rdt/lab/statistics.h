// SPDX-License-Identifier: MIT
// What is counted of a run.
#pragma once

#include <cstdint>
#include <vector>

#include <rdt/lab/simulate.h>
#include <rdt/support/divisor.h>
#include <rdt/support/histogram.h>

namespace rdt::lab {

struct Statistics {
    static constexpr uint32_t MostSlices = 128;

    uint64_t from = 0;  // cycles measured
    uint64_t to = 0;
    uint64_t generated = 0;
    uint64_t refused = 0;
    uint64_t delivered = 0;
    uint64_t measured_generated = 0;
    uint64_t measured = 0;
    uint64_t measured_hops = 0;
    Histogram network;
    Histogram total;
    std::vector<Slice> slices;
    uint64_t slice_clocks = 1;
    Divisor by_slice{1};

    void divide(uint64_t cycles) {
        slice_clocks = (cycles + MostSlices - 1) / MostSlices;
        by_slice = Divisor(uint32_t(slice_clocks));
        slices.resize((cycles + slice_clocks - 1) / slice_clocks);
    }
    Slice& slice_of(uint64_t clock) { return slices[by_slice.quotient(uint32_t(clock))]; }
    void add_generated(uint64_t clock) {
        ++generated;
        if (measures(clock)) ++measured_generated;
        if (clock < to) ++slice_of(clock).generated;
    }
    bool measures(uint64_t clock) const { return clock >= from && clock < to; }
    void add(const Delivery& d) {
        ++delivered;
        if (d.delivered < to) {
            Slice& slice = slice_of(d.delivered);
            ++slice.arrived;
            slice.latency += d.delivered - d.injected;
            slice.total += d.delivered - d.generated;
        }
        if (!measures(d.delivered)) return;
        ++measured;
        measured_hops += d.hops;
        network.add(d.delivered - d.injected);
        total.add(d.delivered - d.generated);
    }
};

}  // namespace rdt::lab
