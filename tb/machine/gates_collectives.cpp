// SPDX-License-Identifier: MIT
// Collectives and atomic operations on machines of gates: the routers are the synthesized RTL, 64
// in a word, and show the pins of the fast engine in every cycle.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <memory>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/drain_run.h"
#include "machine/increments.h"
#include "machine/random_registers.h"
#include <rdt/machine/engines/gate_routers.h>

namespace rdt::machine {
namespace {

using tb::cycles_or;
using tb::from_environment;
using tb::seed_or;

// Routers of engine rtl are gates in this program.
const EngineRegistration registration{
    Engine::Rtl,
    [](const Config&, const std::vector<uint32_t>& nodes) -> std::unique_ptr<RouterArray> {
        return std::make_unique<GateRouters>(nodes.size());
    }};

Config checked() {
    Config config;
    config.event_driven = false;
    config.check = {Engine::Rtl};
    return config;
}

TEST(gates_collectives, multicasts_of_all_schemes_drain_beside_unicasts_without_t_ent) {
    tb::Dice dice(seed_or(1));
    const uint64_t at_least = cycles_or(500);
    uint64_t multicasts = 0;
    while (multicasts < at_least) {
        const SyntheticOptions traffic = random_overload(dice);
        const Drained out = drain(checked(), traffic, 1'000);
        ASSERT_EQ(out.open + out.bad_answers, 0u) << traffic.seed;
        multicasts += out.multicasts;
    }
    tb::print_count(multicasts, "multicasts (gates)");
}

TEST(gates_collectives, everything_drains_with_random_routing_registers) {
    drain_with_random_registers(checked(), from_environment("RDT_CASES", 3), seed_or(1));
}

// RDT_INCREMENTS=1000 is the long run.
TEST(gates_collectives, increments_of_64_nodes_take_the_cycles_of_the_fast_engine) {
    const auto each = uint32_t(from_environment("RDT_INCREMENTS", 1));
    const uint64_t kind = from_environment("RDT_KIND", 0);
    const dsm::Options o = tb::options_of(tb::MemoryKinds[kind % 4]);
    const tb::Increments fast = tb::increment({}, o, each, 40'000ull * each * 64);
    EXPECT_EQ(fast.total, 64u * each);
    EXPECT_EQ(fast.error, "");
    Config config;
    config.engine = Engine::Rtl;
    EXPECT_EQ(tb::increment(config, o, each, 40'000ull * each * 64), fast);
    tb::print_count(fast.total, "increments (gates)");
}

}  // namespace
}  // namespace rdt::machine
