// SPDX-License-Identifier: MIT
// A curve: the same network under one load after the other.
#pragma once

#include <functional>
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
//
// Points in `known` are not simulated again. `on_point` gets all points so far, whenever there is a
// new one, from one thread at a time.
using OnLoadPoint = std::function<void(const std::vector<LoadPoint>& all)>;
std::vector<LoadPoint> simulate_loads(const Network& network, const Routing& routing,
                                      const Options& options, const SweepOptions& sweep,
                                      const std::vector<LoadPoint>& known = {},
                                      const OnLoadPoint& on_point = {});

}  // namespace rdt::lab
