// SPDX-License-Identifier: MIT
// The 64-node machine, RTL and SystemC in lockstep at all nodes.
#include <gtest/gtest.h>

#include <array>

#include "Vrdt_router___024root.h"
#include "common/run_options.h"
#include "common/tell_lockstep.h"
#include "common/told_wave.h"
#include <rdt/machine/engines/lockstep_machine.h>
#include <rdt/machine/packets.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {
namespace {

// Unicasts of all lengths and multicasts with acks, at 60 % of what the machine carries.
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

TEST(lockstep64, mixed_traffic_at_60_percent_of_saturation_shows_no_difference) {
    const uint64_t seed = seed_or(1);
    const uint64_t clocks = cycles_or(15000);
    machine::Config config;
    config.engine = machine::Engine::Lockstep;
    config.t_ent = 400;
    config.seed = seed;
    config.rerun = rerun_line("machine_lockstep", "lockstep64.mixed*", seed, clocks);
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::Synthetic workload(*machine, mixed(seed));
    machine::RunOptions options;
    options.warmup = 0;
    options.cycles = clocks;
    options.drain = 20000;
    const machine::RunResult r = machine::run(*machine, workload, options);
    EXPECT_EQ(r.error, "") << config.rerun;
    EXPECT_TRUE(r.drained) << r.open << " packets are missing; " << config.rerun;
    EXPECT_EQ(r.damaged, 0u);
    EXPECT_EQ(r.strays, 0u);
    EXPECT_GT(r.compared_signals, 64u * 100);
    EXPECT_NEAR(r.offered, 0.3, 0.02);
    EXPECT_GT(r.multicasts, clocks / 20);
    EXPECT_GT(r.acks, clocks / 20);
    tell_lockstep(r.compared_signals, r.simulated);
}

// Every node is one slice of two that see the same: the other one shows what it shows itself.
class Slices {
public:
    explicit Slices(uint64_t seed, uint64_t clocks) : m_machine(config(seed, clocks)) {
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
    machine::LockstepMachine& machine() { return m_machine; }
    void clock() {
        show_slices();
        m_workload->clock(*m_transport);
        m_transport->clock();
    }
    // Of slice_o.
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
        machine::Config c;
        c.engine = machine::Engine::Lockstep;
        c.t_ent = 400;
        c.seed = seed;
        c.rerun = rerun_line("machine_lockstep", "lockstep64.*slice*", seed, clocks);
        return c;
    }
    static constexpr uint32_t Nodes = 64;

    machine::LockstepMachine m_machine;
    std::unique_ptr<machine::Synthetic> m_workload;
    std::unique_ptr<machine::Transport> m_transport;
    std::array<bool, Nodes> m_shown{};
    std::array<uint64_t, Nodes> m_changes{};
    uint32_t m_wrong = Nodes;
};

TEST(lockstep64, slices_run_on_while_they_agree_and_halt_when_they_do_not) {
    const uint64_t clocks = cycles_or(1500);
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
    EXPECT_TRUE(slices.machine().state(9)->local().halt());
}

TEST(lockstep64, wrong_slice_signature_of_one_chip_is_reported) {
    const uint64_t clocks = cycles_or(300);
    Slices slices(seed_or(1), clocks);
    for (uint64_t n = 0; n < clocks; ++n) slices.clock();
    slices.machine().rtl(5).rootp->rdt_router__DOT__u_arbiter__DOT__sig_q ^= 1;
    std::string report;
    try {
        for (uint64_t n = 0; n < 8; ++n) slices.clock();
    } catch (const machine::MachineError& e) {
        report = e.what();
    }
    EXPECT_NE(report.find(": n5.slice_o rtl="), std::string::npos) << report;
    constexpr uint64_t Inputs = 3 * NumPorts;
    expect_wave(report, 2 * machine::chip_signals().size() + Inputs,
                std::stoull(told(report, "at clock ")) + 1);
}

}  // namespace
}  // namespace rdt::tb
