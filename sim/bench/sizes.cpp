// SPDX-License-Identifier: MIT
// The event engine from 64 to 65,536 nodes: link traversals per second, at a load that
// machines of any size carry and at more than any of them does, and its memory per node.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "bench/group.h"
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/support/usage.h>

namespace rdt::bench {
namespace {

struct Point {
    const char* key;
    int side;
    double load;
    uint64_t warmup;
    uint64_t cycles;  // timed at once
};
constexpr Point Points[] = {
    {"fast_moves_per_s_64", 8, 1.0, 2000, 20000},
    {"fast_moves_per_s_4096", 64, 1.0, 1000, 500},
    {"fast_moves_per_s_65536", 256, 1.0, 300, 100},
    {"fast_moves_low_per_s_64", 8, 0.02, 2000, 200000},
    {"fast_moves_low_per_s_65536", 256, 0.02, 500, 300},
};

class Loaded {
public:
    explicit Loaded(const Point& point)
        : m_machine(config_of(point)),
          m_workload(up(m_machine), traffic_of(point)),
          m_transport(m_machine) {}

    void run(uint64_t cycles) {
        for (; cycles != 0; --cycles) {
            m_workload.clock(m_transport);
            m_transport.clock();
        }
    }
    uint64_t moves() const {
        uint64_t flits = 0;
        for (uint32_t n = 0; n < m_machine.nodes(); ++n)
            for (uint32_t end = 0; end < NumPorts + 2; ++end) flits += m_machine.flits_sent(n, end);
        return flits;
    }
    uint32_t nodes() const { return m_machine.nodes(); }

private:
    static machine::Config config_of(const Point& point) {
        machine::Config config;
        config.side = point.side;
        return config;
    }
    static machine::SyntheticOptions traffic_of(const Point& point) {
        machine::SyntheticOptions traffic;
        traffic.load = point.load;
        traffic.queue = 4;  // more would wait for ever in a saturated machine
        return traffic;
    }
    static machine::Machine& up(machine::Machine& machine) {
        machine.bring_up();
        return machine;
    }

    machine::EventMachine m_machine;
    machine::Synthetic m_workload;
    machine::Transport m_transport;
};

void measure(benchmark::State& state, const Point& point) {
    Loaded loaded(point);
    loaded.run(point.warmup);
    const uint64_t before = loaded.moves();
    for (auto _ : state) loaded.run(point.cycles);
    state.counters["rate"] =
        benchmark::Counter(double(loaded.moves() - before), benchmark::Counter::kIsRate);
}

// In a process of its own, before anything else is measured, since memory that was used before
// would be used again.
double measure_resident(const Point& point) {
    int ends[2];
    if (pipe(ends) != 0) return 0;
    const pid_t child = fork();
    if (child == 0) {
        const uint64_t before = resident_bytes();
        Loaded loaded(point);
        loaded.run(point.warmup);
        const double bytes = double(resident_bytes() - before) / loaded.nodes();
        const bool told = write(ends[1], &bytes, sizeof bytes) == sizeof bytes;
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    double bytes = 0;
    if (read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = 0;
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return bytes;
}

double resident_a_node = 0;

void add_all() {
    resident_a_node = measure_resident({"", 64, 1.0, 1000, 0});
    for (const Point& point : Points)
        benchmark::RegisterBenchmark(point.key,
                                     [&point](benchmark::State& s) { measure(s, point); })
            ->Unit(benchmark::kMillisecond)
            ->Repetitions(2);
}

void report(const Rates& rates, nlohmann::ordered_json& figures) {
    fmt::print("\nEvent engine, uniform traffic of 16 flits, link traversals per second:\n");
    fmt::print("  {:>8}{:>8}{:>16}\n", "nodes", "load", "moves");
    for (const Point& p : Points) {
        figures[p.key] = rates.at(p.key);
        fmt::print("  {:>8}{:>8}{:>16.0f}\n", p.side * p.side, p.load, rates.at(p.key));
    }
    figures["fast_rss_bytes_per_node_4096"] = resident_a_node;
    fmt::print("  resident per node of 4096, at injection rate 1: {:.0f} bytes\n", resident_a_node);
}

const Group group{"sizes", add_all, report};

}  // namespace
}  // namespace rdt::bench
