// SPDX-License-Identifier: MIT
#include <rdt/lab/simulate.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/lab/simulator.h>
#include <rdt/support/saturation.h>
#include <rdt/support/usage.h>

namespace rdt::lab {

namespace {

constexpr uint64_t MaxCycles = 1000000000;

void require(bool right, const std::string& otherwise) {
    if (!right) throw OptionError(otherwise);
}

// Choices of different ports, for any of a fixed sample of pairs.
bool gives_choice_of_ports(const Network& network, const Routing& routing) {
    Random random(1);
    Choices choices;
    for (int i = 0; i < 4096; ++i) {
        const NodeId from = random.below(network.nodes());
        const NodeId to = random.below(network.nodes());
        choices.clear();
        routing.next(from, to, routing.start(from, to), {NoPort, 0}, choices);
        for (const OutChannel& c : choices)
            if (c.port != choices[0].port) return true;
    }
    return false;
}

// From the slices that lie wholly behind the warm-up and before the end.
void find_intervals(SimulationResult& r, const Options& options, uint64_t end, uint32_t nodes) {
    const uint64_t measured = end > options.warmup ? end - options.warmup : 0;
    // Without rivals, as simulate.h has it.
    const double alone = (r.hops_mean + 1) * (options.header + 2) + options.flits - 1;
    r.cycles_needed = cycles_needed(r.total.mean - alone, options.flits);
    r.is_short = measured < r.cycles_needed;
    if (r.saturated || r.is_short) return;
    std::vector<Stretch> accepted, network, total;
    for (size_t i = (options.warmup + r.slice_clocks - 1) / r.slice_clocks;
         i < r.slices.size() && (i + 1) * r.slice_clocks <= end; ++i) {
        const Slice& slice = r.slices[i];
        accepted.push_back({double(r.slice_clocks) * nodes, double(slice.arrived) * options.flits});
        network.push_back({double(slice.arrived), double(slice.latency)});
        total.push_back({double(slice.arrived), double(slice.total)});
    }
    r.accepted_half = half_interval(accepted);
    r.network.half = half_interval(network);
    r.total.half = half_interval(total);
    r.is_short = std::isnan(r.total.half);
}

// Simulator::run() in stretches, with Options::progress between them. False: it ended the run.
bool run_to(Simulator& simulator, const Options& options, uint32_t nodes, uint64_t end,
            bool generate) {
    constexpr uint64_t NodeCycles = 1 << 20;  // per stretch: some hundredths of a second
    const uint64_t stretch = std::max<uint64_t>(1, NodeCycles / nodes);
    while (options.progress) {
        const uint64_t now = simulator.now();
        if (now >= end || !simulator.deadlock().empty() || (!generate && simulator.drained()))
            break;
        simulator.run(std::min(end, now + stretch), generate);
        if (!options.progress(simulator.now())) return false;
    }
    simulator.run(end, generate);
    return true;
}

enum class Ending { Complete, Saturated, Stopped };

// See Options::stop_when_saturated.
Ending run_until_saturated(Simulator& simulator, const Options& options, uint32_t nodes) {
    constexpr uint64_t Looks = 32;
    const Statistics& s = simulator.statistics();
    const uint64_t measured = options.cycles - options.warmup;
    const double packets = options.load / options.flits * double(measured) * nodes;  // in the end
    const double too_many = 2 * std::max(MostBehind * packets, MostUnderWay * nodes);
    for (uint64_t look = 1; look <= Looks; ++look) {
        if (!run_to(simulator, options, nodes, options.warmup + measured * look / Looks, true))
            return Ending::Stopped;
        if (double(s.measured_generated) - double(s.measured) > too_many) return Ending::Saturated;
    }
    return Ending::Complete;
}

struct RunEnd {
    Ending ending;
    double cpu_seconds;
    size_t fixed_bytes;  // a simulator for one replica has these
};

SimulationResult result_of(const Simulator& simulator, uint32_t replica, const Network& network,
                           const Options& options, const RunEnd& run) {
    SimulationResult r;
    r.cpu_seconds = run.cpu_seconds;
    r.deadlock = simulator.deadlock().empty() ? simulator.find_deadlock() : simulator.deadlock();
    const Statistics& s = simulator.statistics(replica);
    // A deadlock ends the run early, maybe before the measurement.
    const uint64_t end = std::min(options.cycles, simulator.now());
    const double node_cycles =
        double(end > options.warmup ? end - options.warmup : 1) * network.nodes();
    r.accepted = double(s.measured) * options.flits / node_cycles;
    r.offered = double(s.measured_generated) * options.flits / node_cycles;
    r.network = s.network.summary();
    r.total = s.total.summary();
    r.hops_mean = s.measured == 0 ? 0 : double(s.measured_hops) / double(s.measured);
    r.measured = s.measured;
    r.slices = s.slices;
    r.slice_clocks = s.slice_clocks;
    r.generated = s.generated;
    r.refused = s.refused;
    r.delivered = s.delivered;
    r.clocks = simulator.now();
    r.stopped = run.ending == Ending::Stopped;
    r.saturated = run.ending == Ending::Saturated ||
                  is_saturated(s.measured_generated, s.measured, s.refused, network.nodes());
    r.drained = simulator.drained(replica);
    r.senders = simulator.senders();
    find_intervals(r, options, end, network.nodes());
    r.node_cycles_per_second =
        r.cpu_seconds > 0 ? double(r.clocks) * network.nodes() / r.cpu_seconds : 0;
    r.bytes_per_node = double(run.fixed_bytes + simulator.grown_bytes(replica)) / network.nodes();
    return r;
}

// None if the network is too large for that, or one has a deadlock, since that ends only this one.
std::vector<SimulationResult> simulate_side_by_side(const Network& network, const Routing& routing,
                                                    const Options& options, uint32_t seeds) {
    const Simulator one(network, routing, options, nullptr);
    if (one.is_large()) return {};
    Simulator simulator(network, routing, options, nullptr, seeds);
    Options all = options;
    if (options.progress)
        all.progress = [&](uint64_t done) { return options.progress(done * seeds); };
    const double start = cpu_seconds(false);
    const bool complete = run_to(simulator, all, network.nodes() * seeds, options.cycles, true);
    if (!simulator.find_deadlock().empty()) return {};
    const RunEnd run{complete ? Ending::Complete : Ending::Stopped,
                     (cpu_seconds(false) - start) / seeds, one.fixed_bytes()};
    std::vector<SimulationResult> results;
    for (uint32_t i = 0; i < seeds; ++i)
        results.push_back(result_of(simulator, i, network, options, run));
    return results;
}

}  // namespace

std::string to_string(const ChannelName& c, const Network& network) {
    return fmt::format("{} port {} vc {}", network.label(c.node), c.port, c.vc);
}

uint32_t channel_number(const Network& network, NodeId node, uint32_t port, uint32_t vc) {
    return (vc * network.ports() + port) * ((network.nodes() + 63) / 64 * 64) + node;
}

Reuse resolve(Reuse reuse, const Network& network, const Routing& routing) {
    if (reuse != Reuse::Auto) return reuse;
    return gives_choice_of_ports(network, routing) ? Reuse::Empty : Reuse::Tail;
}

void check(const Options& o, const Network& network, const Routing& routing) {
    require(o.load >= 0 && o.load <= 1,
            fmt::format("--load {}: must be 0 to 1 flits/node/cycle", o.load));
    require(o.flits >= 1 && o.flits <= 4096, fmt::format("--flits {}: must be 1 to 4096", o.flits));
    require(o.header >= 1 && o.header <= o.flits,
            fmt::format("--header {}: must be 1 to {}, the packet length", o.header, o.flits));
    require(o.buffer >= 1 && o.buffer <= 255,
            fmt::format("--buffer {}: must be 1 to 255", o.buffer));
    require(o.header <= o.buffer,
            fmt::format("--buffer {}: must be at least {}, the header length", o.buffer, o.header));
    require(o.out_buffer >= 1 && o.out_buffer <= 3,
            fmt::format("--out-buffer {}: must be 1 to 3", o.out_buffer));
    // Rings of packets have places for 256 in a channel (simulator_channels.h).
    require((o.buffer + o.out_buffer) / std::max(1u, o.flits) + 2 <= 256,
            fmt::format("--buffer {}: must be at most {} with --flits {} and --out-buffer {}",
                        o.buffer, 255 * o.flits - 1 - o.out_buffer, o.flits, o.out_buffer));
    require(o.injection >= 1 && o.injection <= MostInjection,
            fmt::format("--injection {1}: must be 1 to {0}", MostInjection, o.injection));
    require(o.cycles >= 1 && o.cycles <= MaxCycles,
            fmt::format("--cycles {1}: must be 1 to {0}", MaxCycles, o.cycles));
    require(o.warmup < o.cycles,
            fmt::format("--warmup {}: must be less than {}, the cycles of the run", o.warmup,
                        o.cycles));
    require(routing.vcs() >= 1 && routing.vcs() <= 256, "a routing has 1 to 256 virtual channels");
    const uint64_t channels =
        (network.ports() + 1 + o.injection) * ((network.nodes() + 63ull) / 64) * 64 * routing.vcs();
    require(channels < 1u << 30, "the network has too many channels");
}

SimulationResult simulate(const Network& network, const Routing& routing, const Options& options,
                          std::vector<Delivery>* log) {
    check(options, network, routing);
    Simulator simulator(network, routing, options, log);
    const double start = cpu_seconds(false);
    const uint32_t nodes = network.nodes();
    Ending ending = Ending::Complete;
    if (options.stop_when_saturated) ending = run_until_saturated(simulator, options, nodes);
    else if (!run_to(simulator, options, nodes, options.cycles, true)) ending = Ending::Stopped;
    // Packets cannot wait for ever without a deadlock, but many may have to pass one link.
    if (options.drain && ending != Ending::Stopped &&
        !run_to(simulator, options, nodes, options.cycles + MaxCycles, false))
        ending = Ending::Stopped;
    return result_of(simulator, 0, network, options,
                     {ending, cpu_seconds(false) - start, simulator.fixed_bytes()});
}

std::vector<SimulationResult> simulate_seeds(const Network& network, const Routing& routing,
                                             const Options& options, uint32_t seeds) {
    check(options, network, routing);
    std::vector<SimulationResult> results;
    if (seeds > 1 && !options.drain && !options.stop_when_saturated && options.threads == 1)
        results = simulate_side_by_side(network, routing, options, seeds);
    if (!results.empty()) return results;
    for (uint32_t i = 0; i < seeds; ++i) {
        Options point = options;
        point.seed += i;
        if (options.progress)
            point.progress = [&](uint64_t done) {
                return options.progress(i * options.cycles + done);
            };
        results.push_back(simulate(network, routing, point));
        if (results.back().stopped) break;
    }
    SimulationResult not_begun;
    not_begun.stopped = true;
    results.resize(seeds, not_begun);
    return results;
}

}  // namespace rdt::lab
