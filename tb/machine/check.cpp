// SPDX-License-Identifier: MIT
// The 64-node machine with routers of several engines at every node, compared in every cycle.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <array>
#include <filesystem>

#include "Vrdt_router___024root.h"
#include "common/own_folder.h"
#include "common/run_options.h"
#include "common/report_lockstep.h"
#include "common/reported_wave.h"
#include <rdt/machine/check.h>
#include <rdt/machine/engines/array_machine.h>
#include <rdt/machine/engines/rtl_routers.h>
#include <rdt/machine/engines/systemc_routers.h>
#include <rdt/machine/packets.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {
namespace {

using machine::Engine;

// Unicasts of all lengths and multicasts with acks, at 60 % of the saturation rate.
machine::SyntheticOptions mixed(uint64_t seed) {
    machine::SyntheticOptions o;
    o.load = 0.3;
    o.flits_min = machine::MinFlits;
    o.flits_max = machine::MaxFlits;
    o.multicasts = 0.05;
    o.density = 0.3;
    o.acks = true;
    o.seed = seed;
    return o;
}

// Compared engines: the first is --engine, the others are --check.
struct Pair {
    const char* name;
    std::vector<Engine> engines;
    uint64_t cycles;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

machine::Config config_of(const Pair& pair) {
    machine::Config config;
    config.engine = pair.engines[0];
    config.check.assign(pair.engines.begin() + 1, pair.engines.end());
    config.t_ent = 400;
    return config;
}

machine::RunResult run(machine::Machine& machine, uint64_t seed, uint64_t cycles,
                       uint64_t drain = 20000) {
    machine::Synthetic workload(machine, mixed(seed));
    machine::RunOptions options;
    options.warmup = 0;
    options.cycles = cycles;
    options.drain = drain;
    return machine::run(machine, workload, options);
}

class Check64 : public ::testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(
    check, Check64,
    ::testing::Values(Pair{"rtl_systemc", {Engine::Rtl, Engine::SystemC}, 3000},
                      Pair{"systemc_rtl", {Engine::SystemC, Engine::Rtl}, 300},
                      Pair{"fast_rtl", {Engine::Fast, Engine::Rtl}, 10000},
                      Pair{"systemc_fast", {Engine::SystemC, Engine::Fast}, 500},
                      Pair{"all", {Engine::Rtl, Engine::SystemC, Engine::Fast}, 500}),
    [](const auto& p) { return p.param.name; });

TEST_P(Check64, mixed_traffic_at_60_percent_of_saturation_shows_no_difference) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(GetParam().cycles);
    machine::Config config = config_of(GetParam());
    config.seed = seed;
    config.rerun = rerun_line("machine_check", "*mixed*", seed, cycles);
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    const machine::RunResult r = run(*machine, seed, cycles);
    EXPECT_EQ(r.error, "") << config.rerun;
    EXPECT_TRUE(r.drained) << r.open << " packets are missing; " << config.rerun;
    EXPECT_EQ(r.damaged, 0u);
    EXPECT_EQ(r.strays, 0u);
    EXPECT_GE(r.compared_signals, 64u * 41 * config.check.size());
    EXPECT_NEAR(r.offered, 0.3, 0.03);
    EXPECT_GT(r.multicasts, cycles / 20);
    EXPECT_GT(r.acks, cycles / 25);
    report_lockstep(r.compared_signals, r.simulated);
}

// Without times.
std::string text_of(const machine::RunResult& result, const machine::Config& config) {
    nlohmann::ordered_json json = machine::to_json(result, config);
    for (const char* time :
         {"seconds", "cycles_per_second", "cpu_seconds", "cycles_per_cpu_second", "bytes_per_node"})
        json.erase(time);
    return json.dump(1);
}

// With pins inverted and stuck, and a link that is cut.
machine::RunResult run_with_faults(machine::Machine& machine, uint64_t seed, uint64_t cycles) {
    machine.cut(9, PortE0);
    machine.stick(20, PortN0, {0, 1, 0}, true);
    machine::Synthetic workload(machine, mixed(seed));
    machine::RunOptions options;
    options.warmup = cycles / 4;
    options.cycles = cycles;
    options.flips = 0.2;
    options.seed = seed;
    return machine::run(machine, workload, options);
}

class TwoThreads : public ::testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(
    check, TwoThreads,
    ::testing::Values(Pair{"rtl_systemc", {Engine::Rtl, Engine::SystemC}, 240},
                      Pair{"systemc_rtl", {Engine::SystemC, Engine::Rtl}, 240},
                      Pair{"all", {Engine::Rtl, Engine::SystemC, Engine::Fast}, 240}),
    [](const auto& p) { return p.param.name; });

TEST_P(TwoThreads, give_the_results_of_one_with_faults) {
    const uint64_t seed = seed_or(1);
    machine::Config config = config_of(GetParam());
    config.faults = true;
    std::string alone;
    for (const unsigned threads : {1u, 2u}) {
        config.threads = threads;
        const auto machine = machine::make_machine(config);
        machine->bring_up();
        const machine::RunResult r = run_with_faults(*machine, seed, cycles_or(GetParam().cycles));
        EXPECT_EQ(r.error, "");
        EXPECT_GT(r.delivered, 100u);
        EXPECT_GT(r.flips, 10u);
        if (threads == 1) alone = text_of(r, config);
        else EXPECT_EQ(text_of(r, config), alone) << "seed=" << seed;
    }
}

// Routers of which one reads a pin wrongly from a cycle on.
class SpoiltRouters : public machine::RouterArray {
public:
    static constexpr uint32_t Node = 5;
    static constexpr uint64_t At = 200;

    explicit SpoiltRouters(std::unique_ptr<RouterArray> routers) : m_routers(std::move(routers)) {}
    void settle(const std::vector<core::PinsIn>& in, bool rst_n) override {
        std::vector<core::PinsIn> wrong = in;
        if (++m_cycles > At) wrong[Node].link[PortE0].d ^= 1;
        m_routers->settle(wrong, rst_n);
    }
    void edge() override { m_routers->edge(); }
    machine::ChipPins pins(uint32_t router) const override { return m_routers->pins(router); }
    machine::SignalView signal_view(uint32_t router) override {
        return m_routers->signal_view(router);
    }
    size_t bytes() const override { return m_routers->bytes(); }

private:
    std::unique_ptr<RouterArray> m_routers;
    uint64_t m_cycles = 0;
};

// The last of the engines is made of spoilt routers as long as this lives.
class Spoilt {
public:
    explicit Spoilt(Engine engine) : m_engine(engine) {
        original() = machine::EngineKind::of(engine).make_routers;
        const machine::EngineRegistration spoilt{
            engine,
            [](const machine::Config& c,
               const std::vector<uint32_t>& nodes) -> std::unique_ptr<machine::RouterArray> {
                return std::make_unique<SpoiltRouters>(original()(c, nodes));
            }};
    }
    ~Spoilt() { const machine::EngineRegistration restored{m_engine, original()}; }

private:
    static machine::EngineKind::MakeRouters& original() {
        static machine::EngineKind::MakeRouters make = nullptr;
        return make;
    }
    Engine m_engine;
};

class Differing : public ::testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(
    check, Differing,
    ::testing::Values(Pair{"rtl_systemc", {Engine::Rtl, Engine::SystemC}, 2000},
                      Pair{"systemc_rtl", {Engine::SystemC, Engine::Rtl}, 2000},
                      Pair{"fast_rtl", {Engine::Fast, Engine::Rtl}, 2000},
                      Pair{"fast_systemc", {Engine::Fast, Engine::SystemC}, 2000},
                      Pair{"all", {Engine::Fast, Engine::SystemC, Engine::Rtl}, 2000}),
    [](const auto& p) { return p.param.name; });

// Result and waveforms of a run with a difference.
struct Outcome {
    std::string result;
    std::string waves;
};

// All changes in the waveform that is named after a word of the report.
std::string wave_of(const std::string& report, const char* label) {
    const auto wave = fstReaderOpen(told(report, label).c_str());
    if (wave == nullptr) return {};
    std::string text;
    fstReaderSetFacProcessMaskAll(wave);
    fstReaderIterBlocks(
        wave,
        [](void* to, uint64_t time, fstHandle signal, const unsigned char* value) {
            *static_cast<std::string*>(to) +=
                fmt::format("{} {} {}\n", time, signal, reinterpret_cast<const char*>(value));
        },
        &text, nullptr);
    fstReaderClose(wave);
    return text;
}

void expect_same(const Outcome& a, const Outcome& b) {
    EXPECT_EQ(a.result, b.result);
    EXPECT_FALSE(a.waves.empty());
    EXPECT_TRUE(a.waves == b.waves);
}

Outcome run_to_difference(const Pair& pair, unsigned threads) {
    const OwnFolder folder;
    const Engine wrong = pair.engines.back();
    const Spoilt spoilt(wrong);
    machine::Config config = config_of(pair);
    config.threads = threads;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    const machine::RunResult r = run(*machine, seed_or(1), pair.cycles, 0);
    if (r.error.find("difference in cycle ") != 0) return {r.error, ""};
    const uint64_t cycle = std::stoull(told(r.error, "in cycle "));
    EXPECT_GT(cycle, SpoiltRouters::At - 2);
    EXPECT_EQ(cycle, machine->now() + 1);
    const std::string signal = told(r.error, ": ");
    EXPECT_EQ(signal.find(fmt::format("n{}.", SpoiltRouters::Node)), 0u) << signal;
    EXPECT_NE(signal.find(fmt::format(" {}=0x", machine::EngineKind::of(wrong).name)),
              std::string::npos)
        << signal;
    // The pins that the router should have read show no bug of any block.
    EXPECT_NE(r.error.find("block: none; run again by itself"), std::string::npos) << r.error;
    EXPECT_TRUE(std::filesystem::exists(told(r.error, "waveform: "))) << r.error;
    EXPECT_TRUE(std::filesystem::exists(told(r.error, "waveform of the blocks: "))) << r.error;
    return {text_of(r, config),
            wave_of(r.error, "waveform: ") + wave_of(r.error, "waveform of the blocks: ")};
}

TEST_P(Differing, router_is_reported_with_node_signal_and_cycle) {
    const Outcome alone = run_to_difference(GetParam(), 1);
    EXPECT_NE(alone.result.find("difference in cycle "), std::string::npos) << alone.result;
    if (GetParam().engines.front() == Engine::Fast && GetParam().engines.size() == 2) return;
    expect_same(run_to_difference(GetParam(), 2), alone);
}

// A bug between the blocks of a router shows at their ports before it shows at the pins. It is put
// in within the run.
Outcome run_to_difference_of_blocks(const std::vector<Engine>& engines, unsigned threads) {
    const OwnFolder folder;
    machine::Config config = config_of({"", engines, 0});
    config.check_blocks = {9};
    config.threads = threads;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    auto& systemc =
        dynamic_cast<machine::SystemcRouters&>(machine->check()->routers(Engine::SystemC));
    machine::Synthetic workload(*machine, mixed(seed_or(1)));
    machine::RunOptions options;
    options.warmup = 0;
    options.cycles = 200;
    uint64_t cycles = 0;
    options.after_clock = [&](const machine::Transport&) {
        if (++cycles == 100) systemc.rtl_beside(9).flip("u_arbiter.sig_q", 1);
    };
    const machine::RunResult r = machine::run(*machine, workload, options);
    EXPECT_EQ(told(r.error, ": ").find("n9."), 0u) << r.error;
    return {text_of(r, config), wave_of(r.error, "waveform of the blocks: ")};
}

TEST(check, blocks_that_differ_are_reported) {
    for (const auto& engines : {std::vector<Engine>{Engine::Rtl, Engine::SystemC},
                                {Engine::SystemC, Engine::Rtl},
                                {Engine::Rtl, Engine::SystemC, Engine::Fast}})
        expect_same(run_to_difference_of_blocks(engines, 2),
                    run_to_difference_of_blocks(engines, 1));
}

// An observer of insides sees both sides in every cycle.
TEST(check, insides_settle_in_every_cycle_with_two_threads) {
    machine::Config config = config_of({"", {Engine::Rtl, Engine::SystemC}, 0});
    config.threads = 2;
    const auto machine = machine::make_machine(config);
    uint64_t settled = 0;
    machine->on_settled = [&settled] { ++settled; };
    machine->bring_up();
    EXPECT_GE(settled, machine->now());
}

// Every node is one slice of two that see the same: the other one shows what it shows itself.
class Slices {
public:
    explicit Slices(uint64_t seed, uint64_t clocks)
        : m_made(machine::make_machine(config(seed, clocks))),
          m_machine(dynamic_cast<machine::ArrayMachine&>(*m_made)) {
        m_machine.bring_up();
        constexpr uint32_t Ctrl = core::Config::CtrlGuard | core::Config::CtrlCompare;
        for (uint32_t n = 0; n < m_machine.nodes(); ++n)
            m_machine.mbp(n, 0).send(0, machine::setup_packet({{RegCtrl, Ctrl}}));
        // They are not the transport's.
        for (int quiet = 0; quiet < 16; quiet = m_machine.idle() ? quiet + 1 : 0) {
            show_slices();
            m_machine.clock();
        }
        m_workload = std::make_unique<machine::Synthetic>(m_machine, mixed(seed));
        m_transport = std::make_unique<machine::Transport>(m_machine);
    }
    machine::ArrayMachine& machine() { return m_machine; }
    void clock() {
        show_slices();
        m_workload->clock(*m_transport);
        m_transport->clock();
    }
    // Expected values of slice_o.
    uint64_t changes(uint32_t node) const { return m_changes[node]; }
    // From now on the other slice of this node has granted otherwise.
    void diverge(uint32_t node) { m_wrong = node; }

private:
    void show_slices() {
        for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
            m_changes[n] += m_machine.slice(n) != m_shown[n];
            m_shown[n] = m_machine.slice(n);
            m_machine.show_slice(n, m_shown[n] != (n == m_wrong));
        }
    }
    static machine::Config config(uint64_t seed, uint64_t clocks) {
        machine::Config c = config_of({"", {Engine::Rtl, Engine::SystemC}, 0});
        c.seed = seed;
        c.rerun = rerun_line("machine_check", "check.*slice*", seed, clocks);
        return c;
    }
    static constexpr uint32_t Nodes = 64;

    std::unique_ptr<machine::Machine> m_made;
    machine::ArrayMachine& m_machine;
    std::unique_ptr<machine::Synthetic> m_workload;
    std::unique_ptr<machine::Transport> m_transport;
    std::array<bool, Nodes> m_shown{};
    std::array<uint64_t, Nodes> m_changes{};
    uint32_t m_wrong = Nodes;
};

TEST(check, slices_run_on_while_they_agree_and_halt_when_they_do_not) {
    const uint64_t clocks = cycles_or(600);
    Slices slices(seed_or(1), clocks);
    for (uint64_t n = 0; n < clocks; ++n) ASSERT_NO_THROW(slices.clock());
    for (uint32_t n = 0; n < slices.machine().nodes(); ++n) {
        EXPECT_GT(slices.changes(n), clocks / 20) << "node " << n;
        EXPECT_FALSE(slices.machine().err(n)) << "node " << n;
    }
    slices.diverge(9);
    for (uint64_t n = 0; n < 50; ++n) ASSERT_NO_THROW(slices.clock());
    for (uint32_t n = 0; n < slices.machine().nodes(); ++n)
        EXPECT_EQ(slices.machine().err(n), n == 9) << "node " << n;
}

TEST(check, wrong_slice_signature_of_one_chip_is_reported) {
    const OwnFolder folder;
    const uint64_t clocks = cycles_or(300);
    Slices slices(seed_or(1), clocks);
    for (uint64_t n = 0; n < clocks; ++n) slices.clock();
    auto& rtl = dynamic_cast<machine::RtlRouters<Vrdt_router>&>(*slices.machine().routers());
    rtl.model(5).rootp->rdt_router__DOT__u_arbiter__DOT__sig_q ^= 1;
    std::string report;
    try {
        for (uint64_t n = 0; n < 8; ++n) slices.clock();
    } catch (const machine::MachineError& e) {
        report = e.what();
    }
    EXPECT_NE(report.find(": n5.slice_o rtl="), std::string::npos) << report;
    constexpr uint64_t Inputs = 3 * NumPorts;
    constexpr uint64_t Pins = 4 * NumPorts + 2;
    expect_wave(report, 2 * Pins + Inputs, std::stoull(told(report, "in cycle ")) + 1);
}

}  // namespace
}  // namespace rdt::tb
