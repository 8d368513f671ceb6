// SPDX-License-Identifier: MIT
// The machine under one load after the other, up to saturation. Points are measured in processes of
// their own, because a process has one SystemC kernel; a result is a line of a CSV file, and a file
// that holds some of the points is continued.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine/run.h"

namespace rdt::machine {

// What is counted, and what a load is: flits per node and clock, or operations of a shared memory.
enum class Swept { Packets, Operations };

struct SweepPoint {
    double load = 0;
    double offered = 0;  // per node and clock
    double accepted = 0;
    double latency_mean = 0;  // clocks
    uint64_t latency_p99 = 0;
    uint64_t latency_max = 0;
    double unqueued_mean = 0;  // the same without what they wait at their node
    double hops_mean = 0;
    uint64_t count = 0;
};
// Of packets. Latencies are those of unicasts; of multicasts, where there are no others.
SweepPoint point_of(double load, const Result& result);

struct SweepOptions {
    std::vector<double> loads;  // ascending
    unsigned jobs = 2;          // processes at a time
    // A point is saturated if less than this share of the offered traffic is accepted ...
    double accepted_share = 0.95;
    // ... or its latency is more than this many times that of the first point.
    double latency_factor = 10;
    // Copies of multicasts are accepted more often than offered: the share counts from what it is
    // at the first point.
    bool has_multicasts = false;

    // All points so far, whenever there is a new one.
    std::function<void(const std::vector<SweepPoint>&)> on_point;
    std::function<void(size_t done, size_t of)> progress;
    std::function<bool()> is_stopped;
};

struct Sweep {
    std::vector<SweepPoint> points;  // ascending; the last one may be saturated, no other is
    bool saturated = false;
    bool stopped = false;
};

// A point that could not be measured: what() is one line, and says at which load.
struct SweepError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `measure` is called in a process of its own; what it throws ends the sweep with a SweepError.
// Points in `known` are not measured again. The number of jobs changes nothing but the time.
Sweep sweep(const SweepOptions& options, const std::vector<SweepPoint>& known,
            const std::function<SweepPoint(double load)>& measure);

// `parameters` is one line that says what was measured; it is the first line of the file.
std::string to_csv(const std::vector<SweepPoint>& points, Swept swept,
                   const std::string& parameters);
// Throws std::invalid_argument for a file that is none, or of other parameters: one line without
// the file's name. A last line that was cut off is left out.
std::vector<SweepPoint> from_csv(const std::string& text, Swept swept,
                                 const std::string& parameters);

}  // namespace rdt::machine
