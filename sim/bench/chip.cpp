// SPDX-License-Identifier: MIT
// One chip: SystemC as a design of blocks and as one process, Verilated RTL, the latter two in
// lockstep, and the fast engine's, on the same recorded work.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bench/group.h"
#include "bench/rtl.h"
#include "bench/stimulus.h"
#include <rdt/cosim/chip.h>
#include <rdt/router.h>

// libsystemc calls sc_main() from a main() of its own; this program has its own main().
int sc_main(int, char**) { return 0; }

namespace rdt::bench {
namespace {

constexpr uint64_t Cycles = 100000;

const Stimulus& work() {
    static const Stimulus recorded = record(Cycles, 1);
    return recorded;
}

uint64_t fold_all(uint64_t sum, const machine::ChipPins& out) {
    for (const core::LinkPinsOut& p : out.link) sum = fold(sum, p);
    return sum;
}

void check(uint64_t checksum) {
    if (checksum != work().checksum)
        throw std::logic_error("a model does not do the recorded work");
}

// Plain C++, no kernel.
void run_core() {
    fast::Router chip;
    uint64_t sum = 0;
    for (const auto& in : work().pins) {
        chip.clock(in);
        for (uint32_t p = 0; p < NumPorts; ++p) sum = fold(sum, chip.pins(p));
    }
    check(sum);
}

template <typename Chip>
void run_rtl() {
    VerilatedContext context;
    Chip chip(&context, "chip");
    chip.drive({}, false);
    chip.edge();
    uint64_t sum = 0;
    for (const auto& in : work().pins) {
        chip.drive(in, true);
        chip.edge();
        sum = fold_all(sum, chip.pins());
    }
    check(sum);
}

// A SystemC chip in a kernel of its own.
template <typename Router>
struct Systemc {
    machine::Kernel kernel;
    sc_core::sc_signal<bool> clk{"clk"};
    machine::ModuleChip<Router> chip{"chip", clk};

    Systemc() { step({}, false); }
    void step(const core::PinsIn& in, bool rst_n) {
        chip.drive(in, rst_n);
        clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
    }
};

template <typename Router>
void run_systemc() {
    Systemc<Router> s;
    uint64_t sum = 0;
    for (const auto& in : work().pins) {
        s.step(in, true);
        sum = fold_all(sum, s.chip.pins());
    }
    check(sum);
}

void run_lockstep() {
    VerilatedContext context;
    machine::RtlChip<Vrdt_router_fast> rtl(&context, "chip");
    rtl.drive({}, false);
    rtl.edge();
    Systemc<quick_router> s;
    uint64_t sum = 0;
    for (const auto& in : work().pins) {
        rtl.drive(in, true);
        rtl.edge();
        s.step(in, true);
        const machine::ChipPins a = rtl.pins();
        const machine::ChipPins b = s.chip.pins();
        if (fold_all(0, a) != fold_all(0, b)) throw std::logic_error("the models differ");
        sum = fold_all(sum, a);
    }
    check(sum);
}

std::vector<const char*> rtl_names;

void add(const char* name, void (*run)()) {
    benchmark::RegisterBenchmark(name,
                                 [run](benchmark::State& state) {
                                     for (auto _ : state) run();
                                     state.counters["rate"] = benchmark::Counter(
                                         double(Cycles) * double(state.iterations()),
                                         benchmark::Counter::kIsRate);
                                 })
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3)
        ->ReportAggregatesOnly(false);
}

struct AddRtl {
    template <typename Model, typename Chip>
    void operator()(const char* name) const {
        add(name, run_rtl<Chip>);
        rtl_names.push_back(name);
    }
};

void add_all() {
    add("core", run_core);
    add("blocks", run_systemc<router>);
    add("systemc", run_systemc<quick_router>);
    for_each_rtl(AddRtl{});
    add("lockstep", run_lockstep);
}

void report(const Rates& all_rates, nlohmann::ordered_json& figures) {
    Rates rate = all_rates;
    for (const char* name : rtl_names) rate["rtl"] = std::max(rate["rtl"], rate.at(name));
    figures["chip_load_flits_per_clock"] = double(work().flits) / double(Cycles);
    figures["chip_core_cycles_per_second"] = rate.at("core");
    figures["chip_blocks_cycles_per_second"] = rate.at("blocks");
    figures["chip_systemc_cycles_per_second"] = rate.at("systemc");
    figures["chip_rtl_cycles_per_second"] = rate.at("rtl");
    figures["chip_lockstep_cycles_per_second"] = rate.at("lockstep");
    figures["chip_blocks_to_rtl"] = rate.at("blocks") / rate.at("rtl");
    figures["chip_systemc_to_rtl"] = rate.at("systemc") / rate.at("rtl");
    figures["chip_core_to_rtl"] = rate.at("core") / rate.at("rtl");
    fmt::print(
        "\none chip, full random load ({:.2f} flits per cycle), simulated cycles per second:\n",
        figures["chip_load_flits_per_clock"].get<double>());
    for (const auto& [title, figure] :
         {std::pair("SystemC design", "chip_blocks_cycles_per_second"),
          std::pair("Verilated RTL", "chip_rtl_cycles_per_second"),
          std::pair("these two in lockstep", "chip_lockstep_cycles_per_second"),
          std::pair("fast engine", "chip_core_cycles_per_second"),
          std::pair("fast engine in a SystemC process", "chip_systemc_cycles_per_second")})
        fmt::print("  {:<33}{:>12.0f}\n", title, figures[figure].get<double>());
    fmt::print("  {:<33}{:>12.2f}\n", "SystemC design : RTL",
               figures["chip_blocks_to_rtl"].get<double>());
}

const Group group{"chip", add_all, report};

}  // namespace
}  // namespace rdt::bench
