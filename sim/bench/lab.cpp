// SPDX-License-Identifier: MIT
// The flit-level simulator on one core: simulated node-cycles per second, beside a fixed integer
// kernel by which machines can be compared.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <map>
#include <memory>
#include <stdexcept>

#include "bench/group.h"
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/network.h>

namespace rdt::bench {
namespace {

struct Point {
    const char* key;
    const char* net;
    const char* routing;
    double load;
    uint64_t cycles;
};

// Uniform traffic in packets of 16 flits, 2 virtual channels (the RDT's routing has 3), input
// buffers of 16 flits. No point is saturated: all that is offered is carried.
constexpr Point Points[] = {
    {"lab_torus_8x8_load_0_1", "torus:8x8", "dor-balanced", 0.1, 400000},
    {"lab_torus_8x8_load_0_3", "torus:8x8", "dor-balanced", 0.3, 200000},
    {"lab_torus_8x8_load_0_4", "torus:8x8", "dor-balanced", 0.4, 200000},
    {"lab_torus_64x64_load_0_05", "torus:64x64", "dor-balanced", 0.05, 5000},
    {"lab_rdt_64x64_load_0_05", "rdt:64", "", 0.05, 5000},
    {"lab_torus_256x256_load_0_01", "torus:256x256", "dor-balanced", 0.01, 2000},
};

std::map<std::string, double> bytes_per_node;

lab::SimulationResult run(const Point& point) {
    static std::map<std::string, std::unique_ptr<Network>> networks;
    auto& network = networks[point.net];
    if (!network) network = make_network(point.net);
    const auto routing = make_routing(*network, point.routing);
    lab::Options options;
    options.load = point.load;
    options.buffer = 16;
    options.cycles = point.cycles;
    const lab::SimulationResult r = lab::simulate(*network, *routing, options);
    // Over a short run of a large network many packets are still on the way at the end.
    if (r.delivered == 0 || !r.deadlock.empty() || (r.saturated && network->nodes() < 10000))
        throw std::logic_error(fmt::format("{} does not carry its load", point.key));
    bytes_per_node[point.key] = r.bytes_per_node;
    return r;
}

void measure(benchmark::State& state, const Point& point) {
    double node_cycles = 0;
    for (auto _ : state) {
        const lab::SimulationResult r = run(point);
        state.SetIterationTime(r.cpu_seconds);
        node_cycles += r.node_cycles_per_second * r.cpu_seconds;
    }
    state.counters["rate"] = benchmark::Counter(node_cycles, benchmark::Counter::kIsRate);
}

// Integer work with dependences, branches that cannot be foreseen and a table in the first cache.
uint64_t integer_kernel(uint64_t steps) {
    static uint32_t table[4096];
    uint64_t x = 88172645463325252ull;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < steps; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        uint32_t& entry = table[x >> 52];
        if (x & 1) entry += uint32_t(x >> 20);
        else sum += entry ^ uint64_t(__builtin_ctzll(x | 1ull << 40));
    }
    return sum;
}

void measure_kernel(benchmark::State& state) {
    constexpr uint64_t Steps = 1 << 22;
    for (auto _ : state) benchmark::DoNotOptimize(integer_kernel(Steps));
    state.counters["rate"] =
        benchmark::Counter(double(Steps) * double(state.iterations()), benchmark::Counter::kIsRate);
}

void add_all() {
    benchmark::RegisterBenchmark("machine_integer_kernel", measure_kernel)->Repetitions(3);
    for (const Point& point : Points)
        benchmark::RegisterBenchmark(point.key,
                                     [&point](benchmark::State& s) { measure(s, point); })
            ->UseManualTime()
            ->Repetitions(3);
}

void report(const Rates& rates, nlohmann::ordered_json& figures) {
    figures["machine_integer_kernel_steps_per_second"] = rates.at("machine_integer_kernel");
    fmt::print(
        "\nnetwork lab, one core, million simulated node-cycles per second (bytes per node):\n");
    for (const Point& point : Points) {
        const double rate = rates.at(point.key);
        figures[std::string(point.key) + "_node_cycles_per_second"] = rate;
        figures[std::string(point.key) + "_bytes_per_node"] = bytes_per_node.at(point.key);
        fmt::print("  {:<14} at {:<5g} {:>8.1f}  ({:.0f})\n", point.net, point.load, rate / 1e6,
                   bytes_per_node.at(point.key));
    }
    fmt::print("  integer kernel       {:>8.1f} million steps per second\n",
               rates.at("machine_integer_kernel") / 1e6);
}

const Group group{"lab", add_all, report};

}  // namespace
}  // namespace rdt::bench
