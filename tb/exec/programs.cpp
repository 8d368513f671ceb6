// SPDX-License-Identifier: MIT
// The programs of examples/program on the fast engine: their output, and cycles that depend neither
// on sleeping nor on executing ahead.
#include <gtest/gtest.h>

#include <rdt/exec/flat.h>

#include "exec/program_run.h"

namespace rdt::tb {
namespace {

using exec::CycleKind;

TEST(Programs, print_what_they_print_on_a_flat_memory) {
    for (const char* name : {"barrier", "ocean"})
        for (const uint32_t harts : {1u, 7u, 64u}) {
            std::string flat;
            exec::FlatRun run(exec::read_elf(example(name)), harts, "",
                              [&flat](const std::string& text) { flat += text; });
            ASSERT_TRUE(run.run(10'000'000));
            EXPECT_EQ(run.error(), "");
            const ProgramRun on_machine(name, {}, options(harts));
            EXPECT_EQ(on_machine.error, "");
            EXPECT_EQ(on_machine.console, flat) << name << " on " << harts;
            EXPECT_FALSE(flat.empty());
        }
}

TEST(Programs, take_the_same_cycles_asleep_and_ahead) {
    for (const auto protocol : {dsm::Protocol::Invalidate, dsm::Protocol::Update})
        for (const char* arguments : {"0 3", "1 3", "2 3"}) {
            exec::Options o = options(24);
            o.memory.protocol = protocol;
            o.arguments = arguments;
            const ProgramRun usual("barrier", {}, o);
            EXPECT_GT(usual.sleeps, 0u);
            o.sleeps = false;
            const ProgramRun awake("barrier", {}, o);
            o.runs_ahead = false;
            const ProgramRun plain("barrier", {}, o);
            EXPECT_EQ(awake.sleeps, 0u);
            EXPECT_EQ(usual.figures, awake.figures) << arguments;
            EXPECT_EQ(usual.figures, plain.figures) << arguments;
        }
}

// Messages about lines that a hart has used ahead of their cycle: edges of blocks, and lines of
// four counters, each written by another node.
TEST(Programs, take_the_same_cycles_when_hits_ahead_are_taken_back) {
    struct Case {
        const char* program;
        const char* arguments;
        dsm::DirectoryKind directory;
    };
    const Case cases[] = {{"ocean", "32 3", dsm::DirectoryKind::Multicast},
                          {"ocean", "16 4", dsm::DirectoryKind::Exact},
                          {"false_sharing", "8 40", dsm::DirectoryKind::Multicast}};
    for (const Case& c : cases) {
        exec::Options o = options(64);
        o.arguments = c.arguments;
        o.memory.directory = c.directory;
        const ProgramRun usual(c.program, {}, o);
        o.runs_ahead = o.sleeps = false;
        const ProgramRun plain(c.program, {}, o);
        EXPECT_EQ(usual.console, plain.console) << c.program << " " << c.arguments;
        EXPECT_EQ(usual.figures, plain.figures) << c.program << " " << c.arguments;
        EXPECT_GT(usual.hits_taken_back, 0u) << c.program << " " << c.arguments;
        EXPECT_EQ(plain.hits_taken_back, 0u);
    }
}

// A hart that begins the region of interest brings the later ones back to this cycle.
TEST(Programs, harts_that_return_to_the_cycle_execute_in_it) {
    exec::HartWheel wheel;
    wheel.add(3, 7);
    ASSERT_EQ(wheel.take(7, 0), 3u);
    wheel.add(5, 7);
    wheel.add(130, 7);
    wheel.add(200, 8);
    EXPECT_EQ(wheel.take(7, 4), 5u);
    EXPECT_EQ(wheel.take(7, 6), 130u);
    EXPECT_EQ(wheel.take(7, 131), exec::MaxHarts);
    EXPECT_EQ(wheel.next_after(7, 0), 8u);
    EXPECT_EQ(wheel.take(8, 0), 200u);
    EXPECT_TRUE(wheel.is_empty());
}

TEST(Programs, every_cycle_of_every_node_has_a_kind) {
    const ProgramRun run("ocean", {}, options(64));
    uint64_t sum = 0;
    for (const auto& kind : run.json["cycles_per_node"])
        sum += uint64_t(kind["mean"].get<double>() * 64 + 0.5);
    EXPECT_EQ(sum, run.json["cycles"].get<uint64_t>() * 64);
    const auto& causes = run.json["misses_by_cause"];
    uint64_t misses = 0;
    for (const auto& count : causes) misses += count.get<uint64_t>();
    EXPECT_NEAR(double(misses), run.json["misses"].get<double>(), 64);
    EXPECT_GT(causes["true_sharing"].get<uint64_t>(), 0u);  // edges of the grid
}

TEST(Programs, false_sharing_is_the_cause_of_misses_in_a_line_of_four_counters) {
    exec::Options o = options(64);
    const auto share = [&o](const char* arguments) {
        o.arguments = arguments;
        const ProgramRun run("false_sharing", {}, o);
        return run.json["misses_by_cause"]["false_sharing"].get<double>() /
               run.json["misses"].get<double>();
    };
    EXPECT_GT(share("8 50"), 0.3);
    EXPECT_EQ(share("32 50"), 0);
}

TEST(Programs, network_barrier_of_64_nodes_takes_250_cycles_at_most) {
    exec::Options o = options(64);
    o.arguments = "3 20";
    const ProgramRun run("barrier", {}, o);
    EXPECT_GE(run.json["network_barriers"].get<uint64_t>(), 20u);
    EXPECT_LE(run.json["cycles"].get<uint64_t>() / 20, 250u);
}

TEST(Programs, end_at_their_cycle_limit) {
    exec::Options o = options(4);
    const ProgramRun run("ocean", {}, o, 1000);
    EXPECT_FALSE(run.has_ended);
    EXPECT_LE(run.json["total_cycles"].get<uint64_t>(), 1000u);
}

TEST(Programs, refuse_options_that_do_not_fit) {
    const auto why = [](exec::Options o) -> std::string {
        try {
            const ProgramRun run("ocean", {}, o);
            return "";
        } catch (const std::invalid_argument& e) {
            return e.what();
        }
    };
    EXPECT_NE(why(options(0)), "");
    EXPECT_NE(why(options(65)), "");
    exec::Options page = options(4);
    page.memory.page = 3;
    EXPECT_NE(why(page), "");
    exec::Options arguments = options(4);
    arguments.arguments = std::string(256, '1');
    EXPECT_NE(why(arguments), "");
}

TEST(Programs, detect_an_injected_bug_of_the_memory) {
    exec::Options o = options(16);
    o.memory.bug = dsm::InjectedBug::LostInvalidate;
    const ProgramRun run("ocean", {}, o, 2'000'000);
    EXPECT_NE(run.error.find("wrong"), std::string::npos) << run.error;
}

TEST(Programs, print_the_same_on_all_machines) {
    const ProgramRun expected("ocean", {}, options(64));
    machine::Config torus;
    torus.upper_rank = false;
    for (const auto protocol : {dsm::Protocol::Invalidate, dsm::Protocol::Update})
        for (const bool is_torus : {false, true})
            for (const uint32_t store_buffer : {0u, 3u}) {
                exec::Options o = options(64);
                o.memory.protocol = protocol;
                o.memory.store_buffer = store_buffer;
                if (is_torus) o.memory.directory = dsm::DirectoryKind::Exact;
                const ProgramRun run("ocean", is_torus ? torus : machine::Config(), o);
                EXPECT_EQ(run.error, "");
                EXPECT_EQ(run.console, expected.console);
            }
}

TEST(Programs, are_right_with_flipped_pins_or_report_an_error) {
    machine::Config config;
    config.faults = true;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        const ProgramRun expected("ocean", {}, options(16));
        exec::Options o = options(16);
        const ProgramRun run("ocean", config, o, 3'000'000, 0.01, seed);
        if (run.has_ended && run.error.empty()) {
            EXPECT_EQ(run.console, expected.console);
        }
    }
}

}  // namespace
}  // namespace rdt::tb
