// SPDX-License-Identifier: MIT
// Threads of one run: the fast engine and the lab with 1, 2 and all cores, by wall time.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/group.h"
#include <rdt/lab/simulate.h>
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/net/graph/network.h>

namespace rdt::bench {
namespace {

struct Point {
    const char* key;
    int side;
    double rate;  // injection rate
    uint64_t warmup;
    uint64_t cycles;  // timed at once
};
constexpr Point Fast[] = {
    {"fast_64x64_0_1", 64, 0.1, 1000, 2000},
    {"fast_64x64_1", 64, 1.0, 1000, 500},
    {"fast_256x256_0_1", 256, 0.1, 300, 200},
    {"fast_256x256_1", 256, 1.0, 300, 100},
};
constexpr Point Lab[] = {
    {"lab_torus_64x64_0_1", 64, 0.1, 0, 5000},
    {"lab_torus_256x256_0_02", 256, 0.02, 0, 500},
};

std::vector<unsigned> thread_counts() {
    std::vector<unsigned> counts{1, 2, std::max(1u, std::thread::hardware_concurrency())};
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

std::string name_of(const Point& point, unsigned threads) {
    return fmt::format("threads_{}_{}", point.key, threads);
}

void measure_fast(benchmark::State& state, const Point& point, unsigned threads) {
    machine::Config config;
    config.side = point.side;
    config.threads = threads;
    machine::SyntheticOptions traffic;
    traffic.load = point.rate;
    traffic.queue = 4;  // a saturated machine would otherwise queue packets without bound
    machine::EventMachine machine(config);
    machine.bring_up();
    machine::Synthetic workload(machine, traffic);
    machine::Transport transport(machine);
    const auto run = [&](uint64_t cycles) {
        for (; cycles != 0; --cycles) {
            workload.clock(transport);
            transport.clock();
        }
    };
    run(point.warmup);
    for (auto _ : state) run(point.cycles);
    state.counters["rate"] = benchmark::Counter(double(point.cycles) * double(state.iterations()),
                                                benchmark::Counter::kIsRate);
}

void measure_lab(benchmark::State& state, const Point& point, unsigned threads) {
    const auto network = make_network(fmt::format("torus:{0}x{0}", point.side));
    const auto routing = make_routing(*network, "dor-balanced");
    lab::Options options;
    options.load = point.rate;
    options.buffer = 16;
    options.cycles = point.cycles;
    options.warmup = 100;
    options.threads = threads;
    double cycles = 0;
    for (auto _ : state) {
        const lab::SimulationResult r = lab::simulate(*network, *routing, options);
        cycles += double(r.clocks);
    }
    state.counters["rate"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
}

using Measure = void (*)(benchmark::State&, const Point&, unsigned);

template <size_t N>
void add(const Point (&points)[N], Measure measure) {
    for (const Point& point : points)
        for (const unsigned threads : thread_counts())
            benchmark::RegisterBenchmark(
                name_of(point, threads).c_str(),
                [&point, measure, threads](benchmark::State& s) { measure(s, point, threads); })
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond)
                ->Repetitions(2);
}

template <size_t N>
void print(const Point (&points)[N], const Rates& rates, nlohmann::ordered_json& figures) {
    for (const Point& point : points) {
        const double one = rates.at(name_of(point, 1));
        fmt::print("  {:<24}{:>12.0f}", point.key, one);
        for (const unsigned threads : thread_counts()) {
            const double rate = rates.at(name_of(point, threads));
            figures[name_of(point, threads) + "_cycles_per_second"] = rate;
            if (threads != 1) fmt::print("{:>8} x {:.2f}", threads, rate / one);
        }
        fmt::print("\n");
    }
}

void add_all() {
    add(Fast, measure_fast);
    add(Lab, measure_lab);
}

void report(const Rates& rates, nlohmann::ordered_json& figures) {
    fmt::print(
        "\nthreads of one run, by wall time: cycles per second with one thread, and\n"
        "the number of threads with the speed-up over one:\n");
    print(Fast, rates, figures);
    print(Lab, rates, figures);
}

const Group group{"threads", add_all, report};

}  // namespace
}  // namespace rdt::bench
