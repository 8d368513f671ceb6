// SPDX-License-Identifier: MIT
// SETUP writes to other nodes on a machine under load: the guard that bring_up() enables refuses
// them, and only MBP 0 of the attacked node sees a report.
#include <gtest/gtest.h>

#include "common/engines.h"
#include "common/run_options.h"
#include "common/watched_load.h"
#include <rdt/machine/packets.h>

namespace rdt::tb {
namespace {

struct Case {
    Models models;
    uint64_t clocks;
};

class Strangers : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(engines, Strangers,
                         ::testing::Values(Case{Models::Fast, 10000}, Case{Models::Checked, 1500}),
                         [](const auto& p) { return to_string(p.param.models); });

TEST_P(Strangers, cannot_stop_a_node_of_the_machine) {
    machine::Config config;
    use(GetParam().models, config);
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    LoadOptions options;
    options.seed = seed_or(1);
    WatchedLoad load(*machine, options);
    load.clocks(500);
    // A chip that halts, one whose links go off, one with another position.
    const std::pair<uint32_t, uint32_t> writes[] = {
        {RegCtrl, 4}, {RegLink, 0}, {RegDateline, 0xFF}};
    uint32_t victim = 0;
    for (const auto& [reg, value] : writes) {
        machine::Flits flits =
            machine::flits_of(machine->geometry().make_header(27, victim, 0, TypeSetup, 4));
        flits.push_back(make_flit(1u << 15 | reg));
        flits.push_back(make_flit(value));
        machine->mbp(27, 1).send(0, flits);
        victim += 21;
    }
    const uint64_t from = machine->now();
    load.clocks(GetParam().clocks);
    EXPECT_GE(load.share(from, machine->now() - 500), 0.99);
    EXPECT_TRUE(load.drain(5000)) << "packets are stuck";
    load.close();
    EXPECT_EQ(load.wrong(), "");
    EXPECT_EQ(load.delivered(), load.sent());
    for (uint32_t n : {0u, 21u, 42u}) EXPECT_EQ(load.reports(n, ErrRefused), 1u) << "node " << n;
}

}  // namespace
}  // namespace rdt::tb
