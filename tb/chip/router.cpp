// SPDX-License-Identifier: MIT
// One chip, RTL and SystemC in lockstep, with endpoints at all ten ports.
#include <gtest/gtest.h>

#include "Vrdt_router___024root.h"
#include "common/chip_net.h"
#include "common/chip_traffic.h"
#include "common/run_options.h"
#include "common/report_lockstep.h"
#include "common/reported_wave.h"
#include "common/own_folder.h"

namespace rdt::tb {
namespace {

TEST(router, random_traffic_on_all_ports_is_equal_on_every_pin) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(250000);
    const std::string rerun = rerun_line("chip_router", "router.random_traffic*", seed, cycles);
    ChipNet net(1, "router_random_traffic", seed, rerun);
    ChipTraffic traffic(net, seed);
    traffic.run(cycles);
    ASSERT_EQ(traffic.verdict(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_GE(net.now(), cycles);
    EXPECT_GT(traffic.packets(), cycles / 50);
    EXPECT_GT(traffic.multicasts(), cycles / 200);
    EXPECT_GT(traffic.acks(), cycles / 500);
    RecordProperty("multicasts", std::to_string(traffic.multicasts()));
    RecordProperty("acks", std::to_string(traffic.acks()));
    RecordProperty("packets", std::to_string(traffic.packets()));
    report_lockstep(net.compared_signals(), net.now());
}

TEST(router, difference_comes_with_a_waveform_and_its_save_file) {
    const OwnFolder folder;
    ChipNet net(1, "router_injected", 7, "none");
    ChipTraffic traffic(net, 7);
    traffic.run(500);
    ASSERT_EQ(net.error(), "");
    net.rtl(0).rootp->rdt_router__DOT__u_arbiter__DOT__sig_q ^= 1;
    for (int i = 0; i < 8 && traffic.ok(); ++i) traffic.clock();
    const std::string report = net.error();
    EXPECT_EQ(report.find("difference in cycle "), 0u) << report;
    EXPECT_NE(report.find(": n0.slice_o rtl="), std::string::npos) << report;
    constexpr uint64_t Inputs = 3 * NumPorts;
    expect_wave(report, 2 * net.compared_signals() + Inputs,
                std::stoull(told(report, "in cycle ")) + 1);
}

}  // namespace
}  // namespace rdt::tb
