// SPDX-License-Identifier: MIT
// Long runs of the models side by side, one seed of a kind:
//
//     soak KIND SEED CYCLES [SPOIL]; soak kinds prints the kinds of this build
//
//   chip     one router, valid traffic, RTL beside the SystemC module; every packet has to arrive
//   machine  64 nodes, RTL beside SystemC at each; the traffic follows from the seed
//   fuzz     four routers with random pins
//   gates, gates_fuzz: machines and 64 routers with random pins beside gates of the RTL
//   (gates.cpp);
//            one word of the gates has four of them, with seeds SEED to SEED + 3
//
// Prints a line of JSON; exit code 0 if all pins matched in all cycles. Otherwise the seed runs
// again with all blocks compared. From cycle SPOIL on the RTL misreads one pin: such a run has to
// fail.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/chip_net.h"
#include "common/chip_traffic.h"
#include "fuzz/models.h"
#include "fuzz/seed_run.h"
#include "soak/chip.h"
#include "soak/kinds.h"
#include "soak/machine.h"
#include "soak/models.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/packets.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb::soak {
namespace {

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

Outcome run_machine(const Task& task) {
    Machine machine(config_of(task), task.spoil_at);
    return traffic_on(machine, task);
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
Outcome look_at_fuzz(const Task& task) { return fuzz_on<fuzz::Models>(task, task.seed); }

const KindRegistration chip{{"chip", run_chip, look_at_chip}};
const KindRegistration whole_machine{{"machine", run_machine, look_at_machine}};
const KindRegistration fuzz_of_four{{"fuzz", run_fuzz, look_at_fuzz}};

int run(const Kind& kind, const Task& task) {
    const Outcome is = kind.run(task);
    if (is.error.empty()) {
        std::printf("{\"kind\": \"%s\", \"seed\": %" PRIu64 ", \"cycles\": %" PRIu64
                    ", \"chips\": %" PRIu64 ", \"seeds\": %" PRIu64 "}\n",
                    kind.name, task.seed, is.clocks, is.chips, is.seeds);
        return 0;
    }
    std::printf("%s, seed %" PRIu64 ": %s\nrerun: %s\n", kind.name, task.seed, is.error.c_str(),
                task.rerun.c_str());
    std::fflush(stdout);
    Task one = task;
    one.seed += is.error_at;
    const Outcome again = kind.look(one);
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
        for (const Kind& kind : kinds()) {
            if (std::strcmp(kind.name, argv[1]) != 0) continue;
            task.rerun = fmt::format("build/bin/soak {} {} {}", argv[1], argv[2], argv[3]);
            return run(kind, task);
        }
    }
    if (argc == 2 && std::strcmp(argv[1], "kinds") == 0) {
        for (const Kind& kind : kinds()) std::printf("%s\n", kind.name);
        return 0;
    }
    std::fprintf(stderr, "usage: soak KIND SEED CYCLES [SPOIL], soak kinds\n");
    return 2;
}
