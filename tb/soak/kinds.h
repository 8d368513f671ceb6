// SPDX-License-Identifier: MIT
// What one seed of a long run is, and the load of a machine that follows from a seed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/dice.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/packets.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb::soak {

struct Task {
    uint64_t seed;
    uint64_t clocks;
    uint64_t spoil_at;
    std::string rerun;
};
// Sums over all routers, and the error.
struct Outcome {
    uint64_t clocks = 0;
    uint64_t chips = 0;
    std::string error;
};

struct Kind {
    const char* name;
    Outcome (*run)(const Task&);
    Outcome (*look)(const Task&);  // the same seed with everything compared
};
inline std::vector<Kind>& kinds() {
    static std::vector<Kind> all;
    return all;
}
struct KindRegistration {
    explicit KindRegistration(const Kind& kind) { kinds().push_back(kind); }
};

// From nearly nothing to more than the machine carries, with all that can be mixed in.
inline machine::SyntheticOptions load_of(uint64_t seed) {
    Dice random(seed);
    const char* const patterns[] = {"uniform", "uniform", "transpose", "neighbor", "hotspot:0.25"};
    machine::SyntheticOptions o;
    o.pattern = patterns[random.below(5)];
    o.load = 0.02 + 0.01 * random.below(60);
    o.flits_min = random.between(machine::MinFlits, machine::MaxFlits);
    o.flits_max = random.between(o.flits_min, machine::MaxFlits);
    o.multicasts = random.chance(30) ? 0 : 0.01 * random.below(25);
    o.density = 0.05 * random.between(1, 20);
    o.scheme = Type(random.between(TypeMcSm, TypeMcLarp));
    o.acks = random.chance(70);
    o.queue = 64;
    o.seed = seed;
    return o;
}
inline machine::Config config_of(const Task& task) {
    Dice random(task.seed ^ 0x50AC);
    machine::Config config;
    config.t_ent = random.chance(20) ? 0 : random.between(40, 1000);
    config.t_ack = random.chance(50) ? 0 : random.between(200, 4000);
    config.timeout = random.chance(50) ? 0 : random.between(500, 4000);
    config.sink = config.timeout != 0 && random.chance(50);
    config.guard = random.chance(80);
    config.faults = random.chance(30);
    config.seed = task.seed;
    config.rerun = task.rerun;
    return config;
}
inline Outcome traffic_on(machine::Machine& machine, const Task& task) {
    Outcome outcome{0, machine.nodes(), {}};
    try {
        machine.bring_up();
        machine::Synthetic workload(machine, load_of(task.seed));
        machine::RunOptions options;
        options.warmup = 0;
        options.cycles = task.clocks - std::min(task.clocks, machine.now());
        options.flips = machine.config().faults ? 0.01 : 0;
        options.seed = task.seed;
        outcome.error = machine::run(machine, workload, options).error;
    } catch (const machine::MachineError& e) {
        outcome.error = e.what();
    }
    outcome.clocks = machine.now();
    return outcome;
}

inline Outcome look_at_machine(const Task& task) {
    machine::Config config = config_of(task);
    config.check = {machine::Engine::Rtl};
    return traffic_on(*machine::make_machine(config), task);
}

}  // namespace rdt::tb::soak
