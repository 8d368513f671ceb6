// SPDX-License-Identifier: MIT
#include <rdt/lab/replicas.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <rdt/lab/continued_run.h>
#include <rdt/net/graph/analysis.h>
#include <rdt/net/graph/traffic.h>
#include <rdt/support/parallel.h>
#include <rdt/support/random.h>

namespace rdt::lab {

namespace {

WorkOptions work_with(unsigned jobs) {
    WorkOptions work;
    work.threads = jobs;
    return work;
}

// Options::progress of several runs on several threads: cycles of all of them.
class SharedProgress {
public:
    explicit SharedProgress(const Options& options) : m_progress(options.progress) {}
    // For one run.
    std::function<bool(uint64_t)> of_run() {
        if (!m_progress) return {};
        return [this, before = uint64_t(0)](uint64_t done) mutable {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_done += done - std::exchange(before, done);
            m_stopped = m_stopped || !m_progress(m_done);
            return !m_stopped;
        };
    }
    bool stopped() {
        const std::lock_guard<std::mutex> lock(m_mutex);
        return m_stopped;
    }

private:
    const std::function<bool(uint64_t)> m_progress;
    std::mutex m_mutex;
    uint64_t m_done = 0;
    bool m_stopped = false;
};

struct Stopped {};

// A run saturates when it falls behind by MostBehind, and hops of a sample vary by a few percent.
constexpr double MostOfBound = 1.25;

// The paths of a sample of packets.
struct Paths {
    // The load at which all links would be busy all the time, flits per sending node per cycle.
    double bound = 1;
    double mean_hops = 0;
};

Paths sample_paths(const Network& network, const Routing& routing, const Options& options) {
    constexpr uint32_t Samples = 1024;
    Random random(options.seed);
    Traffic traffic(network, options.traffic, options.seed, options.down);
    uint64_t packets = 0, hops = 0;
    for (uint32_t i = 0; i < Samples; ++i) {
        const NodeId source = random.below(network.nodes());
        const NodeId destination = traffic.destination(source, random);
        if (destination == source) continue;
        ++packets;
        hops += path(network, routing, source, destination).size() - 1;
    }
    if (hops == 0) return {};
    const double links = double(size_of(network).links) * (network.directed() ? 1 : 2);
    return {links * double(packets) / (double(traffic.senders()) * double(hops)),
            double(hops) / double(packets)};
}

// Seeds that are simulated side by side.
constexpr uint32_t MostTogether = 8;

// One seed's bracket of the load at which it saturates.
class Bracket {
public:
    Bracket(const Network& network, const Routing& routing, const Options& options, double most,
            SharedProgress& progress)
        : m_network(network),
          m_routing(routing),
          m_options(options),
          m_progress(&progress),
          m_most(most),
          m_high(most) {}

    // Probes from now on continue this run.
    void continue_run(ContinuedRun run) { m_run = std::make_unique<ContinuedRun>(std::move(run)); }
    const ContinuedRun& run() const { return *m_run; }

    // Begin at another seed's bracket instead of between 0 and `most`, and continue from there in
    // steps that double until one load is carried and one is not.
    void begin_near(double low, double high, double tolerance) {
        double step = high > low ? high - low : tolerance * high;
        if (carries(low)) {
            m_low = low;
            if (low < m_most) m_high = std::min(m_most, high);
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
    // One run at the load of another seed, if the result is close to that: where the line through
    // this run, parallel to the one through the ends of the other bracket, has MostBehindSoon.
    bool begin_on_line(const Bracket& other) {
        constexpr double Close = 1 / 16.;
        if (other.m_low == 0 || other.m_low == other.m_high) return false;
        const double load = other.load();
        const double slope = (other.m_behind_above - other.m_behind) / (other.m_high - other.m_low);
        if (slope <= 0) return false;
        const bool carried = carries(load, false);
        const double more = (MostBehindSoon - (carried ? m_behind : m_behind_above)) / slope;
        if (std::abs(more) > Close * load || load + more > m_most) return false;
        m_low = m_high = load + more;
        m_accepted_above = (carried ? m_accepted : m_accepted_above) * (1 + more / load);
        return true;
    }
    // Loads above `enough` are taken for too high: the bracket begins at the lowest load of the
    // bisection above it. If it still ends there, a run has to show that this load is too high.
    void begin_at(double enough) {
        while (m_high / 2 > enough) m_high /= 2;
        if (m_high > enough) m_assumed = m_high;
        else if (carries(m_most)) m_low = m_most;
    }
    void close_to(double tolerance) {
        do {
            while (m_high - m_low > tolerance * m_high) {
                const double middle = (m_low + m_high) / 2;
                (carries(middle) ? m_low : m_high) = middle;
            }
        } while (m_high == m_assumed && is_moved_up());
    }
    double low() const { return m_low; }
    double high() const { return m_high; }
    // Continued runs report how many packets are missing: the load at which MostBehindSoon are.
    double load() const {
        return m_run ? m_low + share_of_bracket() * (m_high - m_low) : (m_low + m_high) / 2;
    }
    // Throughput at this load, or at the highest that was carried.
    double accepted() const {
        return m_run && m_accepted_above > 0
                   ? m_accepted + share_of_bracket() * (m_accepted_above - m_accepted)
                   : m_accepted;
    }
    size_t runs() const { return m_runs; }
    uint64_t cycles() const { return m_cycles; }
    uint32_t senders() const { return m_senders; }

private:
    // The middle while no run has been saturated.
    double share_of_bracket() const {
        const double more = m_behind_above - m_behind;
        if (m_low == m_high) return 1;
        return more > 0 ? std::clamp((MostBehindSoon - m_behind) / more, 0.0, 1.0) : 0.5;
    }
    // The assumption about the upper end was wrong, and there are higher loads.
    bool is_moved_up() {
        if (!carries(m_high)) return false;
        m_low = m_high;
        m_high = m_assumed = std::min(m_most, 2 * m_high);
        return m_low < m_most;
    }
    bool carries(double load, bool only_verdict = true) {
        Options point = m_options;
        point.load = load;
        point.stop_when_saturated = true;
        point.progress = m_progress->of_run();
        const SimulationResult r = m_run ? m_run->probe(load, only_verdict, point.progress)
                                         : simulate(m_network, m_routing, point);
        if (r.stopped) throw Stopped();
        if (!r.deadlock.empty())
            throw std::runtime_error(fmt::format("{} deadlocks at injection rate {:g} with seed {}",
                                                 m_network.name(), load, point.seed));
        ++m_runs;
        m_cycles += r.clocks;
        m_senders = r.senders;
        const double behind = r.generated == 0 ? 0 : 1 - double(r.delivered) / double(r.generated);
        if (r.saturated) {
            m_accepted_above = r.accepted;
            m_behind_above = behind;
        } else if (load >= m_carried) {
            m_carried = load;
            m_accepted = r.accepted;
            m_behind = behind;
        }
        return !r.saturated;
    }

    const Network& m_network;
    const Routing& m_routing;
    Options m_options;
    SharedProgress* m_progress;
    double m_most;
    double m_low = 0;
    double m_high;
    double m_assumed = -1;  // the upper end, while no run has shown that it is too high
    double m_carried = 0, m_accepted = 0, m_behind = 0;
    double m_accepted_above = 0, m_behind_above = 0;  // last run that was saturated
    size_t m_runs = 0;
    uint64_t m_cycles = 0;
    uint32_t m_senders = 0;
    std::unique_ptr<ContinuedRun> m_run;  // or none: each run begins empty
};

}  // namespace

bool Replicas::deadlock() const {
    return std::any_of(runs.begin(), runs.end(), [](const auto& r) { return !r.deadlock.empty(); });
}

namespace {

// Those that are complete; if none is, those that have measured something.
void keep_complete(std::vector<SimulationResult>& runs) {
    const bool any =
        std::any_of(runs.begin(), runs.end(), [](const auto& r) { return !r.stopped; });
    runs.erase(std::remove_if(runs.begin(), runs.end(),
                              [any](const auto& r) { return any ? r.stopped : r.measured == 0; }),
               runs.end());
}

}  // namespace

Replicas replicate(const Network& network, const Routing& routing, const Options& options,
                   uint32_t seeds, unsigned jobs) {
    check(options, network, routing);
    Replicas r;
    r.runs.resize(seeds);
    SharedProgress progress(options);
    const uint32_t group = std::clamp((seeds + jobs - 1) / std::max(1u, jobs), 1u, MostTogether);
    in_parallel((seeds + group - 1) / group, work_with(jobs), [] { return 0; },
                [&](int&, uint32_t i) {
                    Options point = options;
                    point.seed += i * group;
                    point.progress = progress.of_run();
                    auto runs =
                        simulate_seeds(network, routing, point, std::min(group, seeds - i * group));
                    std::move(runs.begin(), runs.end(), r.runs.begin() + i * group);
                },
                [](int) {});
    r.stopped = progress.stopped();
    if (r.stopped) keep_complete(r.runs);
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

namespace {

// Saturated networks cannot be continued, so loads rise in steps rather than fall.
void begin_by_accuracy(Bracket& bracket, double load) {
    constexpr double Step = 0.25;
    bracket.begin_near(load, load * (1 + Step), Step);
}

}  // namespace

Saturation find_saturation(const Network& network, const Routing& routing, const Options& options,
                           const SaturationOptions& how) {
    check(options, network, routing);
    SharedProgress progress(options);
    std::vector<Bracket> brackets;
    for (uint32_t i = 0; i < how.seeds; ++i) {
        Options point = options;
        point.seed += i;
        brackets.emplace_back(network, routing, point, how.most, progress);
    }
    Bracket& first = brackets[0];
    const Paths paths = sample_paths(network, routing, options);
    const bool by_accuracy = how.by_accuracy && network.nodes() >= AccuracyNodes;
    if (by_accuracy)
        first.continue_run({network, routing, options, transit_of(paths.mean_hops, options)});
    std::vector<char> complete(how.seeds);
    const auto close = [&](uint32_t i) {
        try {
            if (i > 0 && by_accuracy)
                brackets[i].continue_run(ContinuedRun(first.run(), options.seed + i));
            const bool on_line = i > 0 && by_accuracy && brackets[i].begin_on_line(first);
            if (on_line) {
                complete[i] = 1;
                return;
            }
            if (i > 0) brackets[i].begin_near(first.low(), first.high(), how.tolerance);
            else if (by_accuracy) begin_by_accuracy(first, std::min(how.most, paths.bound / 2));
            else first.begin_at(MostOfBound * paths.bound);
            // Between the ends of a bracket of this width, the packets missing are proportional.
            brackets[i].close_to(by_accuracy ? 4 * how.tolerance : how.tolerance);
            complete[i] = 1;
        } catch (const Stopped&) {
            // Its bracket is not used.
        }
    };
    close(0);
    if (complete[0] != 0)
        in_parallel(
            how.seeds - 1, work_with(how.jobs), [] { return 0; },
            [&](int&, uint32_t i) { close(i + 1); }, [](int) {});
    Saturation s;
    s.stopped = progress.stopped();
    complete[0] = 1;  // however wide it still is
    std::vector<double> accepted;
    double widths = 0;
    for (uint32_t i = 0; i < how.seeds; ++i) {
        s.runs += brackets[i].runs();
        s.cycles += brackets[i].cycles();
        if (complete[i] == 0) continue;
        s.by_seed.push_back(brackets[i].load());
        widths += by_accuracy ? how.tolerance * brackets[i].load() / 2
                              : (brackets[i].high() - brackets[i].low()) / 2;
        accepted.push_back(brackets[i].accepted());
    }
    s.by_accuracy = by_accuracy;
    s.senders = first.senders();
    s.load = interval_of(s.by_seed);
    s.load.half += widths / double(s.by_seed.size());
    s.accepted = interval_of(accepted);
    s.beyond = std::all_of(s.by_seed.begin(), s.by_seed.end(),
                           [&](double load) { return load >= how.most; });
    return s;
}

}  // namespace rdt::lab
