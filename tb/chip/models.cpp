// SPDX-License-Identifier: MIT
// RTL, SystemC blocks, SystemC module of one process and fast engine are the same chip: all on the
// same pins, compared in every cycle, on every output pin and in every buffer's occupancy.
// A million cycles and a thousand shoot-downs in all, in parts that run side by side.
#include <gtest/gtest.h>

#include "common/all_models.h"
#include "common/chip_traffic.h"
#include "common/run_options.h"
#include "common/shot_chip.h"

namespace rdt::tb {
namespace {

constexpr uint32_t Parts = 4;

class Models : public ::testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(parts, Models, ::testing::Range(1u, Parts + 1),
                         [](const auto& p) { return "part" + std::to_string(p.param); });

TEST_P(Models, all_models_match_under_mixed_traffic) {
    const uint64_t seed = seed_or(100 + GetParam());
    const uint64_t cycles = cycles_or(1000000 / Parts);
    const std::string rerun = rerun_line("chip_models", "*mixed_traffic/part1", seed, cycles);
    AllModels net;
    ChipTraffic traffic(net, seed);
    traffic.run(cycles);
    ASSERT_EQ(traffic.verdict(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_GE(net.now(), cycles);
    EXPECT_GT(traffic.packets(), cycles / 50);
    EXPECT_GT(traffic.multicasts(), cycles / 200);
    EXPECT_GT(traffic.acks(), cycles / 500);
    EXPECT_EQ(net.compared_registers(), 7u * NumPorts);
}

TEST_P(Models, all_models_match_through_shoot_downs) {
    const uint64_t seed = seed_or(200 + GetParam());
    const uint64_t shots = cycles_or(1000 / Parts);
    const std::string rerun = rerun_line("chip_models", "*shoot_downs/part1", seed, shots);
    AllModels net;
    ShotChip chip(net, seed);
    while (chip.shots() < shots && chip.ok())
        chip.shoot(chip.shots() % 20 == 3  ? ShotChip::Timeout
                   : chip.shots() % 4 == 0 ? ShotChip::Register
                                           : ShotChip::Pin);
    ASSERT_EQ(chip.finish(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_EQ(chip.shots(), shots);
    EXPECT_GT(chip.dumped(), 5 * shots);
}

}  // namespace
}  // namespace rdt::tb
