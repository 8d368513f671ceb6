// SPDX-License-Identifier: MIT
// The 64-node machine on its engines, all on the same work: uniform traffic in packets of 16 flits
// at three loads, the last of them more than the machine carries.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "Vrdt_router_fast.h"
#include "Vrdt_router_fast___024root.h"
#include "bench/group.h"
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/engines/rtl_machine.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/engines/systemc_machine.h>

namespace rdt::bench {
namespace {

using machine::Config;
using machine::Engine;
using machine::Machine;

struct Load {
    const char* key;
    double load;
};
constexpr Load Loads[] = {{"0_1", 0.1}, {"0_3", 0.3}, {"saturation", 1.0}};

struct Subject {
    const char* name;
    std::unique_ptr<Machine> (*make)(const Config&);
    uint64_t clocks;  // timed at once
};

template <typename Kind>
std::unique_ptr<Machine> make(const Config& config) {
    return std::make_unique<Kind>(config);
}
constexpr Subject Subjects[] = {
    {"fast", make<machine::FastMachine>, 20000},
    {"systemc", make<machine::SystemcMachine>, 4000},
    // Without assertions and without registers that others can read: as fast as it gets.
    {"rtl", make<machine::RtlMachine<Vrdt_router_fast>>, 1000},
    {"events", make<machine::EventMachine>, 100000},
};

std::map<std::string, double> bytes_per_node;

std::string name_of(const Subject& s, const Load& l) {
    return fmt::format("machine_{}_{}", s.name, l.key);
}

void measure(benchmark::State& state, const Subject& subject, const Load& load) {
    const auto machine = subject.make({});
    machine->bring_up();
    machine::SyntheticOptions traffic;
    traffic.load = load.load;
    traffic.queue = 4;  // more would wait for ever in a saturated machine
    machine::Synthetic workload(*machine, traffic);
    machine::Transport transport(*machine);
    const auto clocks = [&](uint64_t n) {
        for (; n != 0; --n) {
            workload.clock(transport);
            transport.clock();
        }
    };
    clocks(1000);
    for (auto _ : state) clocks(subject.clocks);
    state.counters["rate"] = benchmark::Counter(double(subject.clocks) * double(state.iterations()),
                                                benchmark::Counter::kIsRate);
    bytes_per_node[subject.name] = double(machine->bytes()) / machine->nodes();
}

void add_all() {
    for (const Load& load : Loads)
        for (const Subject& subject : Subjects)
            benchmark::RegisterBenchmark(
                name_of(subject, load).c_str(),
                [&subject, &load](benchmark::State& s) { measure(s, subject, load); })
                ->Unit(benchmark::kMillisecond)
                ->Repetitions(3);
}

void report(const Rates& rates, nlohmann::ordered_json& figures) {
    fmt::print("\n64 nodes, uniform traffic of 16 flits, simulated clocks a second:\n");
    fmt::print("  {:<12}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}{:>14}\n", "load", "fast", "SystemC",
               "RTL", "events", "fast : RTL", "SystemC : RTL", "events : RTL");
    for (const Load& load : Loads) {
        const auto rate = [&](const Subject& s) { return rates.at(name_of(s, load)); };
        for (const Subject& s : Subjects)
            figures[name_of(s, load) + "_clocks_per_second"] = rate(s);
        const double rtl = rate(Subjects[2]);
        figures[fmt::format("machine_fast_to_rtl_{}", load.key)] = rate(Subjects[0]) / rtl;
        figures[fmt::format("machine_systemc_to_rtl_{}", load.key)] = rate(Subjects[1]) / rtl;
        figures[fmt::format("machine_events_to_rtl_{}", load.key)] = rate(Subjects[3]) / rtl;
        fmt::print("  {:<12}{:>12.0f}{:>12.0f}{:>12.0f}{:>12.0f}{:>14.1f}{:>14.1f}{:>14.1f}\n",
                   load.key, rate(Subjects[0]), rate(Subjects[1]), rtl, rate(Subjects[3]),
                   rate(Subjects[0]) / rtl, rate(Subjects[1]) / rtl, rate(Subjects[3]) / rtl);
    }
    fmt::print("  bytes a node");
    for (const Subject& s : Subjects) {
        figures[fmt::format("machine_{}_bytes_per_node", s.name)] = bytes_per_node.at(s.name);
        fmt::print("{:>12.0f}", bytes_per_node.at(s.name));
    }
    fmt::print("\n");
}

const Group group{"machine", add_all, report};

}  // namespace
}  // namespace rdt::bench
