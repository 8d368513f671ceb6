// SPDX-License-Identifier: MIT
// Goodput of multicasts under a load.
#pragma once

#include <memory>

#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/transport.h>

namespace rdt::machine {

// Multicasts of 16 flits from one MBP of each node.
struct MulticastLoad {
    int side;
    double density;
    double load;               // flits per node per cycle
    uint32_t outstanding = 0;  // not 0: so many per node are in flight, instead of the load
    uint32_t entries = NumEntries;
    bool acks = true;
    uint64_t seed = 1;
};

// Good answers per 1,000 cycles; without acks, multicasts that all have received.
inline double goodput(const MulticastLoad& load, uint64_t cycles) {
    Config config;
    config.side = load.side;
    config.entries = load.entries;
    SyntheticOptions traffic;
    traffic.load = load.load;
    traffic.outstanding = load.outstanding;
    traffic.multicasts = 1;
    traffic.density = load.density;
    traffic.acks = load.acks;
    traffic.queue = 20;
    traffic.only_mbp0 = true;
    traffic.seed = load.seed;
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    Synthetic workload(*machine, traffic);
    Transport transport(*machine);
    uint64_t good = 0;
    const uint64_t warmup = cycles / 4;
    bool counts = false;
    transport.on_ack = [&](const Packet&, uint32_t status) {
        good += counts && (status & (1u << AckRetry | 1u << AckTimeout)) == 0;
    };
    transport.on_done = [&](const Packet& packet) {
        good += counts && !load.acks;
        workload.done(transport, packet);
    };
    for (uint64_t n = 0; n < warmup + cycles; ++n) {
        counts = n >= warmup;
        workload.clock(transport);
        transport.clock();
    }
    return 1000.0 * double(good) / double(cycles);
}

// Loads at which good answers are most.
struct Saturation {
    int side;
    double density;
    double load;
};
inline constexpr Saturation Saturations[] = {{8, 0.3, 0.08},  {8, 0.6, 0.03},   {8, 1, 0.012},
                                             {16, 0.3, 0.04}, {16, 0.6, 0.006}, {16, 1, 0.0025}};

}  // namespace rdt::machine
