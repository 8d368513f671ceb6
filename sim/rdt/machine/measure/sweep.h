// SPDX-License-Identifier: MIT
// The machine under one load after the other, up to saturation. Points are measured in processes of
// their own, because a process has one SystemC kernel; a result is a line of a CSV file, and a file
// that holds some of the points is continued.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <rdt/machine/measure/run.h>
#include <rdt/support/sweep.h>

namespace rdt::machine {

// The unit of the load: flits/node/cycle, or operations of a shared memory.
enum class Swept { Packets, Operations };

struct SweepPoint {
    double load = 0;
    double offered = 0;  // per node per cycle
    double accepted = 0;
    double latency_mean = 0;  // cycles
    uint64_t latency_p99 = 0;
    uint64_t latency_max = 0;
    double unqueued_mean = 0;  // the same without what they wait at their node
    double hops_mean = 0;
    uint64_t count = 0;  // 0: latencies have no meaning
    bool saturated = false;
    // Half of the 95 % confidence intervals of these; Unknown if the point is saturated or too
    // short.
    double accepted_half = Unknown;
    double latency_half = Unknown;
    double unqueued_half = Unknown;
};
// A point of a packet run. Latencies are those of unicasts; of multicasts, where there are no
// others.
SweepPoint point_of(double load, const RunResult& result);

struct Sweep {
    std::vector<SweepPoint> points;  // ascending; the last one may be saturated, no other is
    bool saturated = false;
    bool stopped = false;
};

// A point that could not be measured: what() is one line with the injection rate.
struct SweepError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Measure = std::function<SweepPoint(double load)>;
using OnPoint = std::function<void(const std::vector<SweepPoint>& all)>;

// `measure` is called in a process of its own; what it throws ends the sweep with a SweepError.
// Points in `known` are not measured again. `on_point` gets all points so far, whenever there is a
// new one. The number of jobs changes nothing but the time.
Sweep sweep(const SweepOptions& options, const std::vector<SweepPoint>& known,
            const Measure& measure, const OnPoint& on_point = {});

// `parameters` is one line with all settings, the first line of the file.
std::string to_csv(const std::vector<SweepPoint>& points, Swept swept,
                   const std::string& parameters);
// Throws std::invalid_argument for a file that is none, or of other parameters: one line without
// the file's name. A last line that was cut off is left out.
std::vector<SweepPoint> from_csv(const std::string& text, Swept swept,
                                 const std::string& parameters);

}  // namespace rdt::machine
