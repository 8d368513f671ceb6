// SPDX-License-Identifier: MIT
// The shared memory with the cycles of MBPs, on the 16 clusters of four processors of JUMP-1.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/run_options.h"
#include <rdt/dsm/memory.h>
#include "machine/memory_bench.h"
#include "machine/program.h"
#include <rdt/machine/measure/run.h>

namespace rdt::tb {
namespace {

// Mean cycles of read misses about lines of other nodes, or of the own one.
double read_cycles(const dsm::MbpCosts& costs, bool is_remote) {
    machine::Config config;
    config.side = 4;
    dsm::Options o;
    o.mbp = costs;
    MemoryBench bench(config, o);
    for (uint32_t node = 0; node < 16; ++node)
        bench.load(node, (is_remote ? (node + 1) % 16 : node) * dsm::LineBytes);
    return bench.memory.statistics().read_miss.summary().mean;
}

TEST(jump_1, a_read_takes_the_cycles_of_the_mbps_on_its_way) {
    using dsm::MbpCosts;
    const double remote = read_cycles({}, true);
    const double local = read_cycles({}, false);
    EXPECT_LT(local, remote);
    const dsm::HandlerCycles MbpCosts::*const on_the_way[] = {&MbpCosts::request, &MbpCosts::home,
                                                              &MbpCosts::reply};
    for (const auto handler : on_the_way) {
        MbpCosts costs;
        const_cast<dsm::HandlerCycles&>(costs.*handler) = {10, 20};
        // A message that waits is handled at the beginning of a cycle, not at its end.
        EXPECT_NEAR(read_cycles(costs, true), remote + 30, 1);
        EXPECT_NEAR(read_cycles(costs, false), local + 10, 1) << "software is for other nodes";
    }
    MbpCosts costs;
    costs.memory_cycles = 40;
    EXPECT_NEAR(read_cycles(costs, true), remote + 40, 1);
    costs = {};
    costs.recall = costs.answer = {10, 20};
    costs.replacement = 30;
    EXPECT_EQ(read_cycles(costs, true), remote) << "nothing is recalled or replaced";
}

// Sixteen clusters of four processors.
TEST(jump_1, reads_what_was_written) {
    machine::Config config;
    config.side = 4;
    config.t_ent = dsm::DefaultTEnt;
    config.t_ack = dsm::DefaultTAck;
    for (const auto& pattern : dsm::Pattern::patterns())
        for (const auto protocol : {dsm::Protocol::Update, dsm::Protocol::Invalidate})
            for (const auto kind : {dsm::DirectoryKind::Multicast, dsm::DirectoryKind::Exact}) {
                dsm::Options o;
                o.pattern = pattern.name;
                o.protocol = protocol;
                o.directory = kind;
                o.operations = 2000;
                o.processors = 4;
                o.mbp = dsm::MbpCosts::jump_1();
                o.cache_lines = 32;
                o.seed = seed_or(1);
                const std::string name = o.pattern + ", " + to_string(protocol) + ", " +
                                         to_string(kind) + ", seed=" + std::to_string(o.seed);
                const auto machine = machine::make_machine(config);
                dsm::Memory memory(*machine, o);
                machine->bring_up();
                machine::RunOptions r;
                r.warmup = 0;
                r.cycles = 40000000;
                r.drain = 1000000;
                const machine::RunResult result = machine::run(*machine, memory, r);
                EXPECT_EQ(result.error, "") << name;
                EXPECT_EQ(memory.violations(), 0u) << memory.first_violation() << name;
                EXPECT_EQ(memory.statistics().failed, 0u) << name;
                EXPECT_EQ(memory.operations(), o.operations) << name;
                if (o.pattern == "all-to-all") {
                    EXPECT_GT(memory.statistics().evictions, 0u) << name;
                }
                EXPECT_GT(memory.statistics().read_miss.summary().mean, 181) << name;
            }
}

TEST_F(Program, machine_jump_1_has_16_clusters_of_4_processors) {
    const auto workload = [this](const std::string& options) {
        EXPECT_EQ(Program::run("run --machine jump-1 --traffic dsm-stencil --operations 200 " +
                               options + " --json " + file("r.json")),
                  0)
            << text("err");
        return nlohmann::json::parse(text("r.json"));
    };
    const auto jump = workload("");
    EXPECT_EQ(jump["parameters"]["size"], 4);
    EXPECT_EQ(jump["parameters"]["mbp"], "jump-1");
    EXPECT_EQ(jump["workload"]["processors"], 4);
    EXPECT_EQ(jump["workload"]["mbp"]["replacement"], 28);
    const auto other = workload("--size 8 --processors 2 --mbp hardware");
    EXPECT_EQ(other["parameters"]["size"], 8);
    EXPECT_EQ(other["workload"]["processors"], 2);
    EXPECT_EQ(other["workload"]["mbp"]["home"]["software"], 0);
    EXPECT_GT(other["workload"]["mbp"]["home"]["hardware"], 0);
    expect_refused("run --machine jump-2");
    expect_refused("run --size 5");
    expect_refused("run --load 0.1 --mbp jump-1");
}

}  // namespace
}  // namespace rdt::tb
