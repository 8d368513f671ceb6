// SPDX-License-Identifier: MIT
// One chip, RTL and SystemC in lockstep, with endpoints at all ten ports.
#include <gtest/gtest.h>

#include "common/chip_net.h"
#include "common/chip_traffic.h"
#include "common/run_options.h"
#include "common/tell_lockstep.h"

namespace rdt::tb {
namespace {

TEST(router, random_traffic_on_all_ports_is_equal_on_every_pin) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(1000000);
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
    tell_lockstep(net.compared_signals(), net.now());
}

}  // namespace
}  // namespace rdt::tb
