// SPDX-License-Identifier: MIT
// Runs of a large network whose length follows from the accuracy. Every probe of a load continues
// from the state that the network had under the highest load that it carried, so that only the
// first one starts empty. Times are multiples of a transit: the zero-load latency of an average
// packet, or 16 packet lengths if that is longer.
//
//   from an empty network   3 transits before the measurement
//   from a lower load       3/2 transits
//   measured                until the packets missing are known to 1.5 % of those offered, but at
//                           least 1 transit; or 1/2 if it is certain whether they are too many
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <rdt/lab/simulate.h>

namespace rdt::lab {

class Simulator;

class ContinuedRun {
public:
    using Progress = std::function<bool(uint64_t done)>;

    // `transit` in cycles.
    ContinuedRun(const Network& network, const Routing& routing, const Options& options,
                 uint64_t transit);
    // Continues from the state of another run with a seed of its own.
    ContinuedRun(const ContinuedRun& other, uint64_t seed);
    ~ContinuedRun();
    ContinuedRun(ContinuedRun&&) noexcept;
    ContinuedRun& operator=(ContinuedRun&&) = delete;

    // Whether sinks receive what is offered, but for MostBehindSoon. The result has `saturated`,
    // `accepted`, `generated`, `delivered`, `stopped`, `deadlock`, `senders` and `clocks`.
    // Without `only_verdict`, the packets missing are always known so well.
    SimulationResult probe(double load, bool only_verdict, const Progress& progress);

private:
    // Also how long the network has to settle.
    std::unique_ptr<Simulator> begin(double load, uint64_t& settle) const;
    void measure(Simulator& simulator, const std::function<bool(uint64_t)>& run, bool only_verdict,
                 SimulationResult& r) const;

    const Network& m_network;
    const Routing& m_routing;
    Options m_options;
    const uint64_t m_transit;
    std::unique_ptr<Simulator> m_state;  // under the highest load carried, m_options.load
    uint64_t m_settle = 0;               // before a further measurement at this load
};

// The share of the offered packets that may be missing in so short a time. It is less than
// MostBehind, because a network that falls behind does so more and more.
constexpr double MostBehindSoon = 0.03;

// Zero-load latency of an average packet, or 16 packet lengths if that is longer.
uint64_t transit_of(double mean_hops, const Options& options);

}  // namespace rdt::lab
