// SPDX-License-Identifier: MIT
// A curve: the same network under one load after the other.
#pragma once

#include <vector>

#include <rdt/lab/simulate.h>
#include <rdt/support/sweep.h>

namespace rdt::lab {

struct LoadPoint {
    double load;
    SimulationResult result;
};

// Every load up to the first that saturates or deadlocks the network, which is the last point. Each
// point is what simulate() gives for that load alone; jobs are threads.
std::vector<LoadPoint> simulate_loads(const Network& network, const Routing& routing,
                                      const Options& options, const SweepOptions& sweep);

}  // namespace rdt::lab
