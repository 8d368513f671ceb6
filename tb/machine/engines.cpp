// SPDX-License-Identifier: MIT
// All engines are the same machine: every packet is delivered in the same cycle.
#include <gtest/gtest.h>

#include <tuple>

#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/machine/transport.h>

namespace rdt::tb {
namespace {

using machine::Config;
using machine::Engine;

// Number of the packet, node, MBP, clock of its last flit.
using Arrival = std::tuple<uint64_t, uint32_t, uint32_t, uint64_t>;

struct Outcome {
    std::vector<Arrival> arrivals;
    std::vector<std::tuple<uint64_t, uint32_t, uint64_t>> acks;  // packet, status, clock
    uint64_t damaged = 0;
    uint64_t stray = 0;
    uint64_t left = 0;
};

// Unicasts of all lengths everywhere, and multicasts with and without acks; in every cycle each
// node sends with this probability, in thousandths.
Outcome run(Config config, uint64_t seed, uint64_t clocks, uint32_t sends = 20) {
    config.t_ent = 400;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::Transport transport(*machine);
    Outcome run;
    transport.on_delivery = [&](const machine::Packet& p, const machine::Delivery& d) {
        run.arrivals.emplace_back(p.number, d.node, d.mbp, d.tail);
        if (!d.intact) ++run.damaged;
    };
    transport.on_ack = [&](const machine::Packet& p, uint32_t status) {
        run.acks.emplace_back(p.number, status, machine->now());
    };
    transport.on_stray = [&](uint32_t, const machine::Flits&) { ++run.stray; };
    Dice random(seed);
    for (uint64_t n = 0; n < clocks; ++n) {
        for (uint32_t node = 0; node < machine->nodes(); ++node) {
            if (random.below(1000) >= sends) continue;
            machine::Message m;
            m.source = node;
            m.source_mbp = random.bits(1);
            m.mbp = random.bits(1);
            m.flits = random.between(machine::MinFlits, machine::MaxFlits);
            if (random.chance(5)) {
                m.maps = map_byte(0, 1 + random.below(255)) | map_byte(1, random.bits(8));
                m.type = Type(TypeMcSm + random.below(3));
                m.wants_ack = random.chance(50);
            } else {
                m.destination = random.below(machine->nodes());
            }
            transport.send(m);
        }
        transport.clock();
    }
    for (uint64_t n = 0; n < 100000 && transport.open() != 0; ++n) transport.clock();
    run.left = transport.open();
    return run;
}

void expect_sound(const Outcome& run, uint64_t seed) {
    EXPECT_GT(run.arrivals.size(), 200u);
    EXPECT_GT(run.acks.size(), 5u);
    EXPECT_EQ(run.left, 0u) << "seed=" << seed;
    EXPECT_EQ(run.damaged, 0u);
    EXPECT_EQ(run.stray, 0u);
}

TEST(engines, engines_deliver_every_packet_in_the_same_cycle) {
    const uint64_t seed = seed_or(1);
    const uint64_t clocks = cycles_or(2000);
    Config config;
    const Outcome fast = run(config, seed, clocks);
    expect_sound(fast, seed);
    const auto expect_same = [&](const char* name) {
        const Outcome other = run(config, seed, clocks);
        EXPECT_EQ(fast.arrivals, other.arrivals) << name << " seed=" << seed;
        EXPECT_EQ(fast.acks, other.acks) << name << " seed=" << seed;
    };
    config.event_driven = false;
    expect_same("fast, every cycle simulated");
    config.event_driven = true;
    for (Engine engine : {Engine::SystemC, Engine::Rtl}) {
        config.engine = engine;
        expect_same(machine::EngineKind::of(engine).name);
    }
    config.check = {Engine::Fast};
    expect_same("rtl compared with fast");
}

TEST(engines, single_rtl_nodes_in_a_systemc_machine_change_nothing) {
    const uint64_t seed = seed_or(2);
    const uint64_t clocks = cycles_or(500);
    Config config;
    const Outcome fast = run(config, seed, clocks);
    config.engine = Engine::SystemC;
    config.rtl_nodes = {5, 9};
    const Outcome mixed = run(config, seed, clocks);
    expect_sound(mixed, seed);
    EXPECT_EQ(fast.arrivals, mixed.arrivals) << "seed=" << seed;
}

TEST(engines, blocks_of_systemc_and_of_rtl_change_nothing) {
    const uint64_t seed = seed_or(2);
    const uint64_t clocks = cycles_or(300);
    Config config;
    const Outcome fast = run(config, seed, clocks, 60);
    config.engine = Engine::SystemC;
    config.rtl_blocks = {"arbiter", "ack"};
    const Outcome blocks = run(config, seed, clocks, 60);
    expect_sound(blocks, seed);
    EXPECT_EQ(fast.arrivals, blocks.arrivals) << "seed=" << seed;
    EXPECT_EQ(fast.acks, blocks.acks) << "seed=" << seed;
    config.rtl_blocks = {"arbitre"};
    EXPECT_THROW(machine::make_machine(config), std::invalid_argument);
    config.rtl_blocks = {"arbiter"};
    config.engine = Engine::Rtl;
    EXPECT_THROW(machine::make_machine(config), std::invalid_argument);
}

// So little that most nodes of the fast engine sleep most of the time, with their timers running.
TEST(engines, nodes_that_sleep_wake_up_in_time) {
    const uint64_t seed = seed_or(3);
    const uint64_t clocks = cycles_or(20000);
    Config config;
    config.event_driven = false;
    const Outcome fast = run(config, seed, clocks, 1);
    expect_sound(fast, seed);
    config.engine = Engine::Rtl;
    const Outcome rtl = run(config, seed, clocks, 1);
    EXPECT_EQ(fast.arrivals, rtl.arrivals) << "seed=" << seed;
    EXPECT_EQ(fast.acks, rtl.acks) << "seed=" << seed;
}

TEST(engines, threads_of_the_fast_engine_change_nothing) {
    const uint64_t seed = seed_or(4);
    const uint64_t clocks = cycles_or(300);
    Config config;
    const Outcome one = run(config, seed, clocks);
    expect_sound(one, seed);
    for (unsigned threads : {2, 3}) {
        config.threads = threads;
        const Outcome many = run(config, seed, clocks);
        EXPECT_EQ(one.arrivals, many.arrivals) << threads << " threads, seed=" << seed;
        EXPECT_EQ(one.acks, many.acks) << threads << " threads, seed=" << seed;
    }
}

// Pins that are inverted and links that are cut do the same to every engine.
TEST(engines, faults_have_the_same_effect_on_all) {
    const uint64_t seed = seed_or(5);
    const uint64_t clocks = cycles_or(1500);
    std::vector<std::vector<Arrival>> seen;
    for (Engine engine : {Engine::Fast, Engine::SystemC, Engine::Rtl}) {
        Config config;
        config.engine = engine;
        const auto machine = machine::make_machine(config);
        machine->cut(9, PortE0);
        machine->bring_up();
        machine::Transport transport(*machine);
        std::vector<Arrival> arrivals;
        transport.on_delivery = [&](const machine::Packet& p, const machine::Delivery& d) {
            arrivals.emplace_back(p.number, d.node, d.intact, d.tail);
        };
        Dice random(seed);
        for (uint64_t n = 0; n < clocks; ++n) {
            for (uint32_t node = 0; node < 64; ++node) {
                machine::Message m;
                m.source = node;
                m.destination = random.below(64);
                if (random.below(1000) < 10) transport.send(m);
            }
            if (random.chance(20)) {
                machine::Flip flip{random.below(64), random.below(8), {}};
                flip.bits.d = flit_t(1) << random.below(FlitW);
                machine->flip(flip);
            }
            transport.clock();
        }
        seen.push_back(arrivals);
    }
    EXPECT_GT(seen[0].size(), 300u);
    EXPECT_EQ(seen[0], seen[1]) << "seed=" << seed;
    EXPECT_EQ(seen[0], seen[2]) << "seed=" << seed;
}

}  // namespace
}  // namespace rdt::tb
