// SPDX-License-Identifier: MIT
// Long runs of the models side by side. One seed of a kind:
//
//     soak chip|machine|fuzz SEED CLOCKS [SPOIL]
//
//   chip     one chip with endpoints at all ports, sound traffic, RTL beside the SystemC module;
//            every packet has to arrive, too
//   machine  64 nodes, RTL beside SystemC at each; what they carry follows from the seed
//   fuzz     four chips under whatever pins can show: RTL, SystemC module and fast core
//
// Prints a line of JSON and ends with 0 if all pins were equal in all clocks; else the seed runs
// once more with everything compared, whose report says which block is wrong and how to see it
// again. From clock SPOIL on one pin is read wrongly by the RTL alone: such a run has to fail. Run
// by scripts/soak.py, which chooses the seeds and keeps count.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/chip_net.h"
#include "common/chip_traffic.h"
#include "fuzz/models.h"
#include "fuzz/seed_run.h"
#include "soak/chip.h"
#include "soak/machine.h"
#include "soak/models.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/packets.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb::soak {
namespace {

struct Task {
    uint64_t seed;
    uint64_t clocks;
    uint64_t spoil_at;
    std::string rerun;
};
// Of all chips together, and what went wrong.
struct Outcome {
    uint64_t clocks = 0;
    uint64_t chips = 0;
    std::string error;
};

Outcome traffic_on(WiredChips& net, const Task& task) {
    ChipTraffic traffic(net, task.seed);
    traffic.run(task.clocks);
    return {net.now(), 1, traffic.verdict()};
}
Outcome run_chip(const Task& task) {
    Chip net(task.spoil_at);
    return traffic_on(net, task);
}
Outcome look_at_chip(const Task& task) {
    ChipNet net(1, "soak_chip", task.seed, task.rerun);
    return traffic_on(net, task);
}

// From nearly nothing to more than the machine carries, with all that can be mixed in.
machine::SyntheticOptions load_of(uint64_t seed) {
    Dice random(seed);
    const char* const patterns[] = {"uniform", "uniform", "transpose", "neighbour", "hotspot:0.25"};
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
machine::Config config_of(const Task& task) {
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
Outcome traffic_on(machine::Machine& machine, const Task& task) {
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
Outcome run_machine(const Task& task) {
    Machine machine(config_of(task), task.spoil_at);
    return traffic_on(machine, task);
}
Outcome look_at_machine(const Task& task) {
    machine::Config config = config_of(task);
    config.check = {machine::Engine::Rtl};
    return traffic_on(*machine::make_machine(config), task);
}

template <typename OfChips, typename... Args>
Outcome fuzz_on(const Task& task, const Args&... args) {
    fuzz::Totals totals;
    fuzz::SeedRun<OfChips> run(task.seed, ~0u, totals, args...);
    Outcome outcome{0, OfChips::Together, {}};
    while (outcome.clocks < task.clocks && outcome.error.empty()) {
        outcome.error = run.clock();
        ++outcome.clocks;
    }
    return outcome;
}
Outcome run_fuzz(const Task& task) { return fuzz_on<Models>(task, task.spoil_at); }
Outcome look_at_fuzz(const Task& task) { return fuzz_on<fuzz::Models>(task); }

struct Kind {
    const char* name;
    Outcome (*run)(const Task&);
    Outcome (*look)(const Task&);
};
constexpr Kind Kinds[] = {{"chip", run_chip, look_at_chip},
                          {"machine", run_machine, look_at_machine},
                          {"fuzz", run_fuzz, look_at_fuzz}};

int run(const Kind& kind, const Task& task) {
    const Outcome is = kind.run(task);
    if (is.error.empty()) {
        std::printf("{\"kind\": \"%s\", \"seed\": %" PRIu64 ", \"clocks\": %" PRIu64
                    ", \"chips\": %" PRIu64 "}\n",
                    kind.name, task.seed, is.clocks, is.chips);
        return 0;
    }
    std::printf("%s, seed %" PRIu64 ": %s\nrerun: %s\n", kind.name, task.seed, is.error.c_str(),
                task.rerun.c_str());
    std::fflush(stdout);
    const Outcome again = kind.look(task);
    std::printf("with all of it compared: %s\n",
                again.error.empty() ? "no difference" : again.error.c_str());
    return 1;
}

bool is_number(const char* text, uint64_t& value) {
    char* end = nullptr;
    value = std::strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

}  // namespace
}  // namespace rdt::tb::soak

int sc_main(int argc, char** argv) {
    using namespace rdt::tb::soak;
    Task task{0, 0, ~uint64_t(0), {}};
    if ((argc == 4 || argc == 5) && is_number(argv[2], task.seed) &&
        is_number(argv[3], task.clocks) && (argc == 4 || is_number(argv[4], task.spoil_at))) {
        for (const Kind& kind : Kinds) {
            if (std::strcmp(kind.name, argv[1]) != 0) continue;
            task.rerun = fmt::format("build/bin/soak {} {} {}", argv[1], argv[2], argv[3]);
            return run(kind, task);
        }
    }
    std::fprintf(stderr, "usage: soak chip|machine|fuzz SEED CLOCKS [SPOIL]\n");
    return 2;
}
