// SPDX-License-Identifier: MIT
// The same load with several seeds; the load at which packets begin to pile up; how long to wait
// before measuring. All with how well they are known, and all the same however many jobs there are.
#pragma once

#include <vector>

#include <rdt/lab/interval.h>
#include <rdt/lab/simulate.h>

namespace rdt::lab {

struct Replicas {
    std::vector<SimulationResult> runs;  // by seed
    Interval accepted;                   // flits/node/cycle
    Interval latency;                    // network latency, cycles
    Interval total;                      // from generation
    size_t saturated = 0;                // of the runs
    bool stopped = false;                // by Options::progress; runs are those that were complete

    bool deadlock() const;
};

// Seeds options.seed, options.seed + 1, ...; intervals are over seeds. Options::progress gets the
// cycles of all runs together, from one thread at a time. If it ends them before the first is
// complete, the incomplete ones are the result.
Replicas replicate(const Network& network, const Routing& routing, const Options& options,
                   uint32_t seeds, unsigned jobs);

// A run of options.cycles from an empty network at the options' load, whose latencies in 128 equal
// slices of time go through truncation_by_mser(): cycles to leave out.
uint64_t warmup_by_mser(const Network& network, const Routing& routing, const Options& options);

struct SaturationOptions {
    uint32_t seeds = 5;
    unsigned jobs = 2;
    double most = 1;  // load from which on it is known to be saturated, or cannot be more
    double tolerance = 1 / 64.;  // of the load: where bisection stops
    // Lengths of runs by accuracy instead of Options::cycles and warmup, if the network has at
    // least AccuracyNodes (continued_run.h). The other seeds continue from the first one's state.
    bool by_accuracy = false;
};

constexpr uint32_t AccuracyNodes = 10000;

struct Saturation {
    // The load between the highest that a seed carried and the lowest that it did not; half the
    // distance of these two is part of the interval.
    Interval load;
    Interval accepted;  // at the highest that each seed carried
    std::vector<double> by_seed;
    size_t runs = 0;
    uint64_t cycles = 0;       // in all
    bool by_accuracy = false;  // see SaturationOptions
    uint32_t senders = 0;      // nodes that send: the load is theirs
    bool beyond = false;       // it carried `most`
    bool stopped =
        false;  // by Options::progress; of the seeds that were complete, if there are any
};

// By accuracy, the bracket is four times as wide as the tolerance, and the load is that of the line
// through the missing packets at its ends; other seeds have one run near it.
//
// Bisection on the offered load, for each seed: between none and `most` for the first seed, for the
// others in the neighborhood of what that gave. Loads that would need more links than there are get
// no run, unless the result would rest on one of them. Throws std::runtime_error on a deadlock.
Saturation find_saturation(const Network& network, const Routing& routing, const Options& options,
                           const SaturationOptions& how);

}  // namespace rdt::lab
