// SPDX-License-Identifier: MIT
// Nodes that all send an acknowledged broadcast in the same cycle.
#pragma once

#include <memory>
#include <ostream>
#include <vector>

#include <rdt/machine/transport.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

struct Outcome {
    uint32_t ok = 0;
    uint32_t retries = 0;
    uint32_t timeouts = 0;
    uint64_t cycles = 0;  // until the last answer
    bool operator==(const Outcome& o) const {
        return ok == o.ok && retries == o.retries && timeouts == o.timeouts && cycles == o.cycles;
    }
};

inline std::ostream& operator<<(std::ostream& out, const Outcome& o) {
    return out << o.ok << " ok, " << o.retries << " retries, " << o.timeouts << " timeouts, "
               << o.cycles << " cycles";
}

struct Burst {
    int side = 8;
    uint32_t sources = 64;  // evenly over the nodes
    uint32_t flits = 16;
    uint64_t limit = 20'000;
    uint32_t t_ent = 0;
    uint32_t entries = NumEntries;
    Engine engine = Engine::Fast;
    bool event_driven = true;
};

inline Outcome run(const Burst& burst) {
    Config config;
    config.side = burst.side;
    config.engine = burst.engine;
    config.event_driven = burst.event_driven;
    config.t_ent = burst.t_ent;
    config.entries = burst.entries;
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    Transport transport(*machine);
    Outcome out;
    const uint64_t start = machine->now();
    transport.on_ack = [&](const Packet&, uint32_t status) {
        const bool is_retry = (status >> AckRetry & 1) != 0;
        const bool is_timeout = (status >> AckTimeout & 1) != 0;
        out.retries += is_retry;
        out.timeouts += is_timeout;
        out.ok += !is_retry && !is_timeout;
        out.cycles = machine->now() - start;
    };
    for (uint32_t n = 0; n < burst.sources; ++n) {
        Message message;
        message.source = uint32_t(uint64_t(n) * machine->nodes() / burst.sources);
        message.maps = full_maps(machine->geometry());
        message.flits = burst.flits;
        message.wants_ack = true;
        transport.send(message);
    }
    while (transport.open() != 0 && machine->now() < start + burst.limit) transport.clock();
    return out;
}

}  // namespace rdt::machine
