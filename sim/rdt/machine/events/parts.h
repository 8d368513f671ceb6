// SPDX-License-Identifier: MIT
// The parts of the event-driven engine. Each has its own state and uses only those before it;
// together they are all of the engine's state.
#pragma once

#include <rdt/machine/events/acks.h>
#include <rdt/machine/events/mbps.h>
#include <rdt/machine/events/passes.h>
#include <rdt/machine/events/pins.h>
#include <rdt/machine/events/resync.h>

namespace rdt::machine::events {

struct Parts {
    Parts(const Geometry& geometry, const std::vector<RouteConfig>& configs,
          const std::vector<Ticks>& ticks, uint64_t now, Client& client, uint32_t partitions)
        : state(geometry, configs, now, client, partitions), timers(ticks) {}
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    State state;
    Timers timers;
    Recoveries recoveries{state};
    SentPackets sent{state};
    CreditReturns returns{state, recoveries};
    Controls controls{state};
    Lines lines{state, sent, returns};
    Mbps mbps{state, lines, returns, recoveries};
    Acks acks{state, controls, timers, lines, sent, returns};
    Inputs inputs{state, controls, lines, recoveries};
    Passes passes{state, controls, inputs, lines, sent, returns};
    Resync resync{state, timers, recoveries, returns, lines, inputs};
    Pins pins{state, sent, returns, recoveries};
};

}  // namespace rdt::machine::events
