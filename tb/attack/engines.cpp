// SPDX-License-Identifier: MIT
// Inverted, stuck and cut pins are the same to every engine, at chips and at MBPs.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>

#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/packets.h>

namespace rdt::tb {
namespace {

using machine::Engine;

// Packets received by every MBP, with the cycle.
std::vector<std::string> run(machine::Config config) {
    config.timeout = 300;
    const auto machine = machine::make_machine(config);
    std::vector<std::string> log;
    for (uint32_t at = 0; at < 128; ++at)
        machine->mbp(at / 2, at % 2).on_receive = [&log, at](const machine::Endpoint::Received& r) {
            log.push_back(fmt::format("{} {} {:05x} {}", r.clock, at, r.flits[0], r.flits.size()));
        };
    machine->bring_up();
    Dice random(seed_or(1));
    const auto pin = [&random] {
        core::LinkPinsIn bits;
        const uint32_t what = random.below(3);
        if (what == 0) bits.d = 1u << random.below(FlitW);
        else (what == 1 ? bits.req : bits.cred) = 1u << random.bits(1);
        return bits;
    };
    for (int n = 0; n < 1200; ++n) {
        const uint32_t node = random.below(64);
        machine::Flits flits = machine::flits_of(machine->geometry().make_header(
            node, random.below(64), int(random.bits(1)), TypeUni, 7));
        while (flits.size() < 8) flits.push_back(make_flit(random.bits(16)));
        machine->mbp(node, random.bits(1)).send(0, flits);
        const uint32_t port = random.below(machine::MbpReads + 2);
        if (n % 10 == 0) machine->flip({random.below(64), port, pin()});
        if (n % 300 == 250) machine->stick(random.below(64), port, pin(), random.bits(1) != 0);
        if (n % 500 == 450) machine->cut(random.below(64), random.below(NumPorts));
        machine->clock();
    }
    // Callbacks of one cycle come in an order of the engine's own.
    std::sort(log.begin(), log.end());
    return log;
}

TEST(engines, see_the_same_disturbances) {
    machine::Config config;
    const std::vector<std::string> fast = run(config);
    EXPECT_GT(fast.size(), 500u);
    config.check = {Engine::Rtl};
    EXPECT_TRUE(fast == run(config)) << "checked, seed=" << seed_or(1);
    config.check.clear();
    for (const Engine engine : {Engine::Rtl, Engine::SystemC}) {
        config.engine = engine;
        EXPECT_TRUE(fast == run(config))
            << machine::EngineKind::of(engine).name << ", seed=" << seed_or(1);
    }
}

}  // namespace
}  // namespace rdt::tb
