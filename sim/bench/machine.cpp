// SPDX-License-Identifier: MIT
// The 64-node machine on its engines, all on the same work in packets of 16 flits: uniform traffic
// at three loads, the last of them more than the machine carries, and multicasts with acks among
// it.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "bench/group.h"
#include "bench/rtl.h"
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/engines/array_machine.h>
#ifdef RDT_BENCH_GATES
#include <rdt/machine/engines/gate_machine.h>
#endif
#include <rdt/machine/engines/rtl_routers.h>
#include <rdt/machine/engines/systemc_routers.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::bench {
namespace {

using machine::Config;
using machine::Machine;

struct Work {
    const char* key;
    double load;
    double multicasts;  // share, with acks
};
constexpr Work Works[] = {
    {"0_1", 0.1, 0}, {"0_3", 0.3, 0}, {"saturation", 1.0, 0}, {"multicasts_0_3", 0.3, 0.1}};

struct Subject {
    const char* name;
    std::unique_ptr<Machine> (*make)(const Config&);
    uint64_t cycles;  // timed at once
};

template <typename Kind>
std::unique_ptr<Machine> make(const Config& config) {
    return std::make_unique<Kind>(config);
}
constexpr Subject Engines[] = {
    {"fast", make<machine::EventMachine>, 100000},
    {"cycles", make<machine::FastMachine>, 20000},  // the fast engine where it has no events
    {"systemc", make<machine::SystemcMachine>, 200},
#ifdef RDT_BENCH_GATES
    {"gates", make<machine::GateMachine>, 5000},  // the RTL as gates, 64 routers in a word
#endif
};
template <typename Model, typename Chip>
std::unique_ptr<Machine> make_rtl(const Config& config) {
    std::vector<uint32_t> nodes(size_t(config.side) * size_t(config.side));
    std::iota(nodes.begin(), nodes.end(), 0);
    return std::make_unique<machine::ArrayMachine>(
        config, std::make_unique<machine::RtlRouters<Model, Chip>>(nodes));
}
struct Collect {
    std::vector<Subject>& all;
    template <typename Model, typename Chip>
    void operator()(const char* name) const {
        all.push_back({name, make_rtl<Model, Chip>, 1000});
    }
};
const std::vector<Subject>& rtls() {
    static const std::vector<Subject> all = [] {
        std::vector<Subject> found;
        for_each_rtl(Collect{found});
        return found;
    }();
    return all;
}

std::map<std::string, double> bytes_per_node;

std::string name_of(const Subject& s, const Work& w) {
    return fmt::format("machine_{}_{}", s.name, w.key);
}

void measure(benchmark::State& state, const Subject& subject, const Work& work) {
    Config config;
    machine::SyntheticOptions traffic;
    traffic.load = work.load;
    traffic.queue = 4;  // more would wait for ever in a saturated machine
    if (work.multicasts > 0) {
        config.t_ent = 400;
        traffic.multicasts = work.multicasts;
        traffic.density = 0.3;
        traffic.acks = true;
    }
    malloc_trim(0);  // memory that other machines left would be used again
    const uint64_t resident = resident_bytes();
    const auto machine = subject.make(config);
    machine->set_resident_before(resident);
    machine->bring_up();
    machine::Synthetic workload(*machine, traffic);
    machine::Transport transport(*machine);
    transport.on_done = [&](const machine::Packet& p) { workload.done(transport, p); };
    const auto cycles = [&](uint64_t n) {
        for (; n != 0; --n) {
            workload.clock(transport);
            transport.clock();
        }
    };
    cycles(1000);
    for (auto _ : state) cycles(subject.cycles);
    state.counters["rate"] = benchmark::Counter(double(subject.cycles) * double(state.iterations()),
                                                benchmark::Counter::kIsRate);
    double& bytes = bytes_per_node[subject.name];
    bytes = std::max(bytes, double(machine->bytes_used()) / machine->nodes());
}

void add(const Subject& subject, const Work& work) {
    benchmark::RegisterBenchmark(
        name_of(subject, work).c_str(),
        [&subject, &work](benchmark::State& s) { measure(s, subject, work); })
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3);
}
void add_all() {
    for (const Work& work : Works) {
        for (const Subject& subject : Engines) add(subject, work);
        for (const Subject& subject : rtls()) add(subject, work);
    }
}

void report(const Rates& rates, nlohmann::ordered_json& figures) {
    fmt::print(
        "\n64 nodes, packets of 16 flits, cycles per CPU second (ratio to\n"
        "the fastest way to run the Verilated RTL, which the last column names):\n");
    fmt::print("  {:<16}", "injection rate");
    for (const Subject& s : Engines) fmt::print("{:>18}", s.name);
    fmt::print("{:>10}\n", "RTL");
    for (const Work& work : Works) {
        const auto rate = [&](const Subject& s) { return rates.at(name_of(s, work)); };
        const auto note = [&](const Subject& s) {
            figures[name_of(s, work) + "_cycles_per_second"] = rate(s);
        };
        for (const Subject& s : Engines) note(s);
        for (const Subject& s : rtls()) note(s);
        const Subject& best = *std::max_element(
            rtls().begin(), rtls().end(),
            [&](const Subject& a, const Subject& b) { return rate(a) < rate(b); });
        const double rtl = rate(best);
        figures[fmt::format("machine_rtl_{}_cycles_per_second", work.key)] = rtl;
        fmt::print("  {:<16}", work.key);
        for (const Subject& s : Engines) {
            const double ratio = rate(s) / rtl;
            figures[fmt::format("machine_{}_to_rtl_{}", s.name, work.key)] = ratio;
            fmt::print("{:>9.0f} ({:>6.4g})", rate(s), ratio);
        }
        fmt::print("{:>10.0f}  {}\n", rtl, best.name);
    }
    fmt::print("  RTL, at saturation:");
    for (const Subject& s : rtls())
        fmt::print(" {} {:.0f}", s.name, rates.at(name_of(s, Works[2])));
    fmt::print("\n  bytes per node, growth of the process:");
    const auto note_bytes = [&](const char* key, const Subject& s) {
        figures[fmt::format("machine_{}_bytes_per_node", key)] = bytes_per_node.at(s.name);
        fmt::print(" {} {:.0f}", key, bytes_per_node.at(s.name));
    };
    for (const Subject& s : Engines) note_bytes(s.name, s);
    note_bytes("rtl", rtls().front());
    fmt::print("\n");
}

const Group group{"machine", add_all, report};

}  // namespace
}  // namespace rdt::bench
