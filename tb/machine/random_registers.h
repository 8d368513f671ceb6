// SPDX-License-Identifier: MIT
// Machines whose routing registers have random contents, under load.
#pragma once

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cstdint>
#include <memory>

#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

inline Flits packet(const Header& header, uint32_t body) {
    Flits flits = flits_of(header);
    for (uint32_t k = 0; k < body; ++k) flits.push_back(make_flit(k));
    return flits;
}

inline std::unique_ptr<Machine> machine_up(const Config& config) {
    std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    return machine;
}

inline void run(Machine& machine, uint64_t cycles) {
    for (uint64_t n = 0; n < cycles; ++n) machine.clock();
}

// Whether everything has drained within so many cycles.
inline bool drains(Machine& machine, uint64_t cycles) {
    for (uint64_t n = 0; n < cycles; ++n) {
        if (machine.idle()) return true;
        machine.clock();
    }
    return machine.idle();
}

// Everything drains with any contents of the routing registers, if what times out is dropped.
inline void drain_with_random_registers(Config config, uint64_t cases, uint64_t seed) {
    config.timeout = 100;
    config.drop = true;
    config.t_ent = 100;
    config.t_ack = 300;
    config.guard = false;
    const std::unique_ptr<Machine> machine = machine_up(config);
    tb::Dice dice(seed);
    for (uint64_t n = 0; n < cases; ++n) {
        for (uint32_t node = 0; node < machine->nodes(); ++node) {
            const RouteConfig c = multicast_config(machine->geometry(), node);
            const bool right = dice.chance(50);
            const auto some = [&](uint32_t value, uint32_t bits) {
                return right ? value : dice.bits(bits);
            };
            machine->mbp(node, 0).send(0, setup_packet({{RegRank, some(c.rank, 3)},
                                                        {RegXfer, some(c.xfer, 4)},
                                                        {RegDateline, some(c.dateline, 8)},
                                                        {RegMask, some(c.mask, 8)},
                                                        {RegRanks, some(c.ranks, 4)}}));
        }
        run(*machine, 60);
        for (int sent = 0; sent < 200; ++sent) {
            const uint32_t node = dice.below(machine->nodes());
            Endpoint& mbp = machine->mbp(node, dice.bits(1));
            const Maps maps = Maps(dice.bits(20)) << 20 | dice.bits(20);
            const bool multicast = dice.chance(50);
            const auto type = Type(dice.pick({TypeMcSm, TypeMcLpra, TypeMcLarp}));
            const int tag = dice.chance(50) ? 0 : int(dice.between(1, 6));
            mbp.send(0, multicast ? packet(multicast_header(maps, 0, type, 5, tag), 3)
                                  : packet(machine->geometry().make_header(
                                               node, dice.below(machine->nodes()), 0, TypeUni, 5),
                                           3));
            if (dice.chance(30)) machine->clock();
        }
        ASSERT_TRUE(drains(*machine, 60'000)) << fmt::format("seed {} case {}", seed, n);
    }
    tb::print_count(cases, "sets of registers");
}

}  // namespace rdt::machine
