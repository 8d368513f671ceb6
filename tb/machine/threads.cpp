// SPDX-License-Identifier: MIT
// Threads that share a machine: every partition is processed once per round, and results do not
// depend on the number of threads.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <atomic>
#include <chrono>

#include "common/run_options.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/support/worker_pool.h>

namespace rdt::tb {
namespace {

using machine::Config;
using machine::SyntheticOptions;

using Clock = std::chrono::steady_clock;

void work_for(std::chrono::microseconds time) {
    for (const auto start = Clock::now(); Clock::now() - start < time;) {
    }
}

// The number of shared rounds depends on the computer and is not checked; the checked properties
// hold for any number.
TEST(workers, every_partition_runs_once_per_round) {
    for (const unsigned size : {1u, 2u, 3u, 5u}) {
        WorkerPool workers(size);
        std::vector<uint64_t> rounds(size);
        for (uint64_t round = 1; round <= 4000; ++round) {
            workers.run([&](unsigned lane) {
                ++rounds[lane];
                work_for(std::chrono::microseconds(20));
            });
            for (unsigned lane = 0; lane < size; ++lane) ASSERT_EQ(rounds[lane], round);
            if (round % 1000 == 0)  // longer than any thread spins
                work_for(std::chrono::milliseconds(20));
        }
        RecordProperty("shared_by_" + std::to_string(size),
                       std::to_string(workers.shared_rounds()));
    }
}

// Without times. Packets that nothing observes may be sent and counted by the partitions.
nlohmann::ordered_json result_of(Config config, const SyntheticOptions& traffic, uint64_t clocks,
                                 bool observed = true, double flips = 0) {
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::Synthetic workload(*machine, traffic);
    machine::RunOptions how;
    how.warmup = clocks / 4;
    how.cycles = clocks;
    how.flips = flips;
    std::string log;
    if (observed)
        how.after_delivery = [&log](const machine::Packet& p, const machine::Delivery& d) {
            log += fmt::format("{} {}.{} {} {}\n", p.number, d.node, d.mbp, d.head, d.hops);
        };
    if (observed)
        how.after_packet = [&log](const machine::Packet& p) {
            log += fmt::format("{}\n", p.started);
        };
    // Flits on the pins contain the number of the packet's slot.
    constexpr uint64_t Interval = 16;
    uint64_t pins = 0;
    how.after_clock = [&](const machine::Transport&) {
        if (machine->now() % Interval != 0) return;
        for (uint32_t n = 0; n < machine->nodes(); ++n)
            for (uint32_t p = 0; p < NumPorts; ++p)
                pins = (pins ^ machine->pins(n, p).d) * 0x9E3779B97F4A7C15 + 1;
    };
    nlohmann::ordered_json json =
        machine::to_json(machine::run(*machine, workload, how), machine->config());
    for (const char* time :
         {"seconds", "cycles_per_second", "cpu_seconds", "cycles_per_cpu_second", "bytes_per_node"})
        json.erase(time);
    json["log"] = log;
    json["pins"] = pins;
    return json;
}

void expect_same(Config config, const SyntheticOptions& traffic, uint64_t clocks) {
    const nlohmann::ordered_json alone = result_of(config, traffic, clocks);
    EXPECT_GT(alone["delivered"].get<uint64_t>(), 100u);
    for (const unsigned threads : {2u, 3u, 8u}) {
        config.threads = threads;
        EXPECT_EQ(result_of(config, traffic, clocks).dump(), alone.dump())
            << threads << " threads, size " << config.side << " load " << traffic.load << " seed "
            << traffic.seed;
    }
    SyntheticOptions other = traffic;
    ++other.seed;
    EXPECT_FALSE(result_of(config, other, clocks) == alone);
}

TEST(threads, unicasts_beyond_what_the_machine_carries) {
    for (const bool event_driven : {true, false}) {
        Config config;
        config.event_driven = event_driven;
        config.side = 32;
        SyntheticOptions traffic;
        traffic.load = 1.0;
        traffic.flits_min = machine::MinFlits;
        traffic.queue = 4;
        traffic.seed = seed_or(1);
        expect_same(config, traffic, event_driven ? 2000 : 300);
    }
}

// Long enough for slots and records to be used again, and for results of several stretches. Pins
// are inverted in some cycles, so that the engine simulates every cycle for a while.
TEST(threads, unobserved_unicasts_give_the_results_of_observed_ones) {
    for (const double load : {0.02, 0.3, 1.0}) {
        Config config;
        config.side = 16;
        SyntheticOptions traffic;
        traffic.load = load;
        traffic.flits_min = machine::MinFlits;
        traffic.pattern = load == 0.3 ? "transpose" : "uniform";
        traffic.seed = seed_or(3);
        const double flips = load == 0.3 ? 0.002 : 0;
        nlohmann::ordered_json observed = result_of(config, traffic, 3000, true, flips);
        EXPECT_GT(observed["delivered"].get<uint64_t>(), 1000u);
        // Cycles in which packets arrive both from Endpoints and from the fast path free slots in
        // another order when they are observed.
        const auto same_for_both = [flips](nlohmann::ordered_json result) {
            result.erase("log");
            if (flips != 0) result.erase("pins");
            return result;
        };
        observed = same_for_both(observed);
        nlohmann::ordered_json alone;
        for (const unsigned threads : {1u, 2u, 3u, 8u, 16u}) {
            config.threads = threads;
            const nlohmann::ordered_json result = result_of(config, traffic, 3000, false, flips);
            if (threads == 1) alone = result;
            EXPECT_TRUE(result.dump() == alone.dump()) << threads << " threads, load " << load;
            EXPECT_TRUE(same_for_both(result).dump() == observed.dump())
                << threads << " threads, load " << load;
        }
    }
}

// Links that re-synchronize, and tables and injectors of chips of all lanes.
TEST(threads, results_match_for_multicasts_with_acks_and_link_recovery) {
    Config config;
    config.side = 16;
    config.t_ent = 60;
    config.t_ack = 4000;
    SyntheticOptions traffic;
    traffic.load = 0.6;
    traffic.flits_min = machine::MinFlits;
    traffic.queue = 4;
    traffic.multicasts = 0.1;
    traffic.density = 0.3;
    traffic.acks = true;
    traffic.seed = seed_or(2);
    expect_same(config, traffic, 5000);
    traffic.multicasts = 0;
    traffic.load = 1.0;
    expect_same(config, traffic, 5000);
}

}  // namespace
}  // namespace rdt::tb
