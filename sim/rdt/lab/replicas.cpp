// SPDX-License-Identifier: MIT
#include <rdt/lab/replicas.h>

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/support/parallel.h>

namespace rdt::lab {

namespace {

WorkOptions work_with(unsigned jobs) {
    WorkOptions work;
    work.threads = jobs;
    return work;
}

// One seed's bracket of the load at which it saturates.
class Bracket {
public:
    Bracket(const Network& network, const Routing& routing, const Options& options, double most)
        : m_network(network), m_routing(routing), m_options(options), m_most(most), m_high(most) {}

    // Begin at another seed's bracket instead of between 0 and `most`, and go on from there in
    // steps that double until one load is carried and one is not.
    void begin_near(double low, double high, double tolerance) {
        double step = high > low ? high - low : tolerance * high;
        if (carries(low)) {
            m_low = low;
            if (low < m_most) m_high = high;
            while (m_low < m_most && carries(m_high)) {
                m_low = m_high;
                step *= 2;
                m_high = std::min(m_most, m_high + step);
            }
        } else {
            do {
                m_high = low;
                low = std::max(0.0, low - step);
                step *= 2;
            } while (low > 0 && !carries(low));
            m_low = low;
        }
    }
    void close_to(double tolerance) {
        if (m_low == 0 && m_high == m_most && carries(m_most)) m_low = m_most;
        while (m_high - m_low > tolerance * m_high) {
            const double middle = (m_low + m_high) / 2;
            (carries(middle) ? m_low : m_high) = middle;
        }
    }
    double low() const { return m_low; }
    double high() const { return m_high; }
    double accepted() const { return m_accepted; }  // at the highest load that was carried
    size_t runs() const { return m_runs; }

private:
    bool carries(double load) {
        Options point = m_options;
        point.load = load;
        point.stop_when_saturated = true;
        const SimulationResult r = simulate(m_network, m_routing, point);
        if (!r.deadlock.empty())
            throw std::runtime_error(fmt::format("{} deadlocks at load {:g} with seed {}",
                                                 m_network.name(), load, point.seed));
        ++m_runs;
        if (!r.saturated && load >= m_carried) {
            m_carried = load;
            m_accepted = r.accepted;
        }
        return !r.saturated;
    }

    const Network& m_network;
    const Routing& m_routing;
    Options m_options;
    double m_most;
    double m_low = 0;
    double m_high;
    double m_carried = 0, m_accepted = 0;
    size_t m_runs = 0;
};

}  // namespace

bool Replicas::deadlock() const {
    return std::any_of(runs.begin(), runs.end(), [](const auto& r) { return !r.deadlock.empty(); });
}

Replicas replicate(const Network& network, const Routing& routing, const Options& options,
                   uint32_t seeds, unsigned jobs) {
    check(options, network, routing);
    Replicas r;
    r.runs.resize(seeds);
    in_parallel(
        seeds, work_with(jobs), [] { return 0; },
        [&](int&, uint32_t i) {
            Options point = options;
            point.seed += i;
            r.runs[i] = simulate(network, routing, point);
        },
        [](int) {});
    std::vector<double> accepted, latency, total;
    for (const SimulationResult& run : r.runs) {
        accepted.push_back(run.accepted);
        latency.push_back(run.network.mean);
        total.push_back(run.total.mean);
        r.saturated += run.saturated ? 1 : 0;
    }
    r.accepted = interval_of(accepted);
    r.latency = interval_of(latency);
    r.total = interval_of(total);
    return r;
}

uint64_t warmup_by_mser(const Network& network, const Routing& routing, const Options& options) {
    Options pilot = options;
    pilot.warmup = 0;
    pilot.drain = false;
    const SimulationResult r = simulate(network, routing, pilot);
    // The time before the first arrival is left out anyway.
    size_t first = 0;
    while (first < r.slices.size() && r.slices[first].arrived == 0) ++first;
    std::vector<double> latencies;
    for (size_t i = first; i < r.slices.size(); ++i)
        latencies.push_back(r.slices[i].arrived == 0
                                ? 0
                                : double(r.slices[i].latency) / double(r.slices[i].arrived));
    const uint64_t clocks = (first + truncation_by_mser(latencies)) * r.slice_clocks;
    return std::min(clocks, options.cycles - 1);
}

Saturation find_saturation(const Network& network, const Routing& routing, const Options& options,
                           const SaturationOptions& how) {
    check(options, network, routing);
    Bracket first(network, routing, options, how.most);
    first.close_to(how.tolerance);
    Saturation s;
    std::vector<double> accepted(how.seeds), width(how.seeds);
    std::vector<size_t> runs(how.seeds);
    s.by_seed.resize(how.seeds);
    in_parallel(
        how.seeds, work_with(how.jobs), [] { return 0; },
        [&](int&, uint32_t i) {
            Options point = options;
            point.seed += i;
            Bracket bracket = i == 0 ? first : Bracket(network, routing, point, how.most);
            if (i > 0) bracket.begin_near(first.low(), first.high(), how.tolerance);
            bracket.close_to(how.tolerance);
            s.by_seed[i] = (bracket.low() + bracket.high()) / 2;
            width[i] = (bracket.high() - bracket.low()) / 2;
            accepted[i] = bracket.accepted();
            runs[i] = bracket.runs();
        },
        [](int) {});
    s.load = interval_of(s.by_seed);
    for (const double w : width) s.load.half += w / how.seeds;
    s.accepted = interval_of(accepted);
    for (const size_t r : runs) s.runs += r;
    s.beyond = std::all_of(s.by_seed.begin(), s.by_seed.end(),
                           [&](double load) { return load >= how.most; });
    return s;
}

}  // namespace rdt::lab
