// SPDX-License-Identifier: MIT
// A curve: the same network under one load after the other.
#pragma once

#include <functional>
#include <vector>

#include "lab/simulate.h"

namespace rdt::lab {

struct SweepPoint {
    double load;
    Result result;
};

struct SweepOptions {
    std::vector<double> loads;  // ascending
    bool past_saturation = false;
    unsigned threads = 2;
    std::function<void(size_t done, size_t of)> progress;  // called from any thread, one at a time
};

// Every load up to the first that saturates or deadlocks the network, which is the last point. Each
// point is what simulate() gives for that load alone, so the number of threads changes nothing.
std::vector<SweepPoint> sweep(const Network& network, const Routing& routing,
                              const Options& options, const SweepOptions& sweep);

// from, from + step, ... up to `to`; throws OptionError.
std::vector<double> loads_between(double from, double to, double step);

}  // namespace rdt::lab
