// SPDX-License-Identifier: MIT
// A machine under a load that ends, and its remaining packets.
#pragma once

#include <memory>

#include "common/dice.h"
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/transport.h>

namespace rdt::machine {

struct Drained {
    uint64_t multicasts = 0;
    uint64_t bad_answers = 0;
    uint64_t open = 0;
    uint64_t cycles = 0;  // until nothing was left
    bool operator==(const Drained& o) const {
        return multicasts == o.multicasts && bad_answers == o.bad_answers && open == o.open &&
               cycles == o.cycles;
    }
};

// Acknowledged multicasts of one of the schemes and densities beside unicasts.
inline SyntheticOptions random_overload(tb::Dice& dice) {
    SyntheticOptions traffic;
    traffic.load = 0.8;
    traffic.multicasts = dice.pick({5, 20, 50, 100}) / 100.0;
    traffic.density = dice.pick({0, 20, 50, 100}) / 100.0;
    traffic.scheme = Type(dice.pick({TypeMcSm, TypeMcLpra, TypeMcLarp}));
    traffic.acks = true;
    traffic.flits_min = MinFlits;
    traffic.queue = 4;
    traffic.seed = dice.bits(31);
    return traffic;
}

// One load, then everything has to arrive.
inline Drained drain(const Config& config, const SyntheticOptions& traffic, uint64_t cycles) {
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    Synthetic workload(*machine, traffic);
    Transport transport(*machine);
    Drained out;
    transport.on_ack = [&](const Packet&, uint32_t status) {
        ++out.multicasts;
        out.bad_answers += (status & (1u << AckRetry | 1u << AckTimeout | 1u << AckError)) != 0;
    };
    transport.on_done = [&](const Packet& packet) { workload.done(transport, packet); };
    for (uint64_t n = 0; n < cycles; ++n) {
        workload.clock(transport);
        transport.clock();
    }
    workload.stop();
    constexpr uint64_t Limit = 400'000;
    for (uint64_t n = 0; n < Limit && transport.open() != 0; ++n) transport.clock();
    out.open = transport.open();
    out.cycles = machine->now();
    return out;
}

}  // namespace rdt::machine
