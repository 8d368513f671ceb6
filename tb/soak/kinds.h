// SPDX-License-Identifier: MIT
// What one seed of a long run is, and the load of a machine that follows from a seed.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/dice.h"
#include <rdt/machine/machine.h>
#include <rdt/machine/measure/step_run.h>
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
    uint64_t seeds = 1;     // from Task::seed on, side by side
    uint64_t error_at = 0;  // the number of the one with the error
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
// The load of a machine, cycle by cycle.
class MachineTraffic {
public:
    MachineTraffic(machine::Machine& machine, const Task& task)
        : m_machine(machine), m_task(task) {}

    // The next cycle, or all of the bring-up. False: that was the last one, or there is an error.
    bool step() {
        try {
            if (m_run) return m_run->step();
            m_machine.bring_up();
            m_workload.emplace(m_machine, load_of(m_task.seed));
            machine::RunOptions options;
            options.warmup = 0;
            options.cycles = m_task.clocks - std::min(m_task.clocks, m_machine.now());
            options.flips = m_machine.config().faults ? 0.01 : 0;
            options.seed = m_task.seed;
            m_run.emplace(m_machine, *m_workload, options);
            return true;
        } catch (const machine::MachineError& e) {
            m_error = e.what();
            return false;
        }
    }
    std::string error() { return m_run ? m_run->result().error : m_error; }

private:
    machine::Machine& m_machine;
    const Task m_task;
    std::optional<machine::Synthetic> m_workload;
    std::optional<machine::StepRun> m_run;
    std::string m_error;
};
inline Outcome traffic_on(machine::Machine& machine, const Task& task) {
    MachineTraffic traffic(machine, task);
    while (traffic.step()) {
    }
    return {machine.now(), machine.nodes(), traffic.error()};
}

inline Outcome look_at_machine(const Task& task) {
    machine::Config config = config_of(task);
    config.check = {machine::Engine::Rtl};
    return traffic_on(*machine::make_machine(config), task);
}

}  // namespace rdt::tb::soak
