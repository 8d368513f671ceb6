// SPDX-License-Identifier: MIT
// Cycles in which nothing is pending are left out. Later cycles and all counters are as if every
// cycle had been simulated.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <sstream>

#include "machine/mbp_load.h"
#include "machine/option_run.h"

namespace rdt::tb {
namespace {

constexpr uint64_t LastCycle = (uint64_t(1) << 63) - 1;  // limit of a trace

OptionSet trace_set(const std::string& text) {
    OptionSet o;
    o.source = OptionSet::Source::Trace;
    o.trace = text;
    o.run.warmup = 0;
    o.run.cycles = ~uint64_t(0);
    o.run.drain = 1000;
    o.logs_packets = true;
    return o;
}

struct Row {
    uint64_t end;
    uint64_t clocks;
    uint64_t packets;
};
std::vector<Row> rows_of(const std::string& timeline) {
    std::vector<Row> rows;
    std::istringstream in(timeline);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        Row r{};
        double offered = 0, accepted = 0;
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream(line) >> r.end >> r.clocks >> offered >> accepted >> r.packets;
        rows.push_back(r);
    }
    return rows;
}

// The machine with every register, after it has left out about as many cycles as a time stamp of
// the event engine counts.
TEST(idle, machine_continues_after_any_number_of_skipped_cycles) {
    for (const uint64_t cycles :
         {uint64_t(64), uint64_t(1000003), (uint64_t(1) << 31) - 7, (uint64_t(1) << 32) - 40,
          (uint64_t(1) << 32) - 25, (uint64_t(1) << 32) + 1, uint64_t(1000000000000)}) {
        const Case c = with_acks(case_of(8, 0.3, 0), 0.2, 0.5);
        Subject fast(c.config, By::Cycles, c.traffic);
        Subject events(c.config, By::Events, c.traffic);
        ASSERT_EQ(run_together(fast, events, 200, 50), "");
        EXPECT_FALSE(fast.machine->skip(cycles));
        EXPECT_FALSE(events.machine->skip(cycles));
        for (Subject* s : {&fast, &events}) s->workload->stop();
        for (uint64_t n = 0; n < 20000; ++n)
            for (Subject* s : {&fast, &events}) s->clock();
        ASSERT_EQ(fast.transport->open(), 0u);
        ASSERT_TRUE(fast.machine->skip(cycles));
        ASSERT_TRUE(events.machine->skip(cycles));
        EXPECT_EQ(fast.machine->now(), events.machine->now());
        for (Subject* s : {&fast, &events}) {
            s->workload = std::make_unique<machine::Synthetic>(*s->machine, c.traffic);
            s->delivered = 0;
        }
        ASSERT_EQ(run_together(fast, events, 300, 20), "") << cycles;
        EXPECT_GT(fast.delivered, 100u);
    }
}

// Ticks of the chips' counters continue over what is left out, and so do those of the memory's
// timers.
TEST(idle, results_do_not_depend_on_cycles_left_out) {
    const char* text =
        "0 0 9 8\n"
        "5000 1 mc:ff:0f 7 ack\n"
        "5003 2 lpra:3c:81 16 ack\n"
        "17777 3 larp:ff:ff 5 ack after:0+2500\n"
        "40000 7 63\n"
        "40000 7 62 after:3+60000\n";
    OptionSet o = trace_set(text);
    o.config.t_ent = 60;
    o.config.t_ack = 300;
    o.interval = 7;
    OptionSet memory;
    memory.source = OptionSet::Source::Memory;
    memory.config.t_ent = dsm::DefaultTEnt;
    memory.config.t_ack = dsm::DefaultTAck;
    memory.memory.operations = 30;
    memory.memory.rate = 1e-5;
    memory.memory.resend = 700;
    memory.run.warmup = 500;
    memory.run.cycles = 200000;
    memory.run.drain = 1000;
    memory.run.flips = 1e-4;
    memory.interval = 1000;
    for (const OptionSet& set : {o, memory}) {
        const Results all = run_options(set, By::Cycles, false);
        EXPECT_EQ(all.skipped, 0u);
        for (const By by : {By::Cycles, By::Events}) {
            const Results some = run_options(set, by, true);
            EXPECT_EQ(difference(all, some), "") << (by == By::Events ? "events" : "cycles");
            EXPECT_GT(some.skipped, 30000u);
        }
    }
}

TEST(idle, packet_at_the_last_cycle_of_a_trace_arrives) {
    for (const uint64_t cycle : {uint64_t(1000000000000), LastCycle})
        for (const By by : {By::Cycles, By::Events}) {
            OptionSet o = trace_set(fmt::format("0 0 9\n{} 0 9\n", cycle));
            o.interval = 1000;
            const Results r = run_options(o, by, true);
            const auto json = nlohmann::json::parse(r.json);
            EXPECT_EQ(json["delivered"], 2);
            EXPECT_TRUE(json["drained"]);
            EXPECT_EQ(json["latency"]["median"], json["latency"]["max"]);
            const uint64_t measured = json["cycles_measured"];
            EXPECT_GT(measured, cycle);
            EXPECT_LT(measured, cycle + 1000);
            // Two packets of 16 flits over one link each of two ranks at most and two MBP links.
            EXPECT_DOUBLE_EQ(json["link_utilization_mbp"],
                             2.0 * 2 * 16 / 2 / 64 / double(measured));
            const std::vector<Row> rows = rows_of(r.timeline);
            EXPECT_LT(rows.size(), 110u);
            uint64_t sum = 0, packets = 0, end = rows.front().end - rows.front().clocks;
            for (const Row& row : rows) {
                sum += row.clocks;
                packets += row.packets;
                end += row.clocks;
                EXPECT_EQ(row.end, end);
            }
            EXPECT_GE(sum, measured);
            EXPECT_EQ(packets, 2u);
        }
}

TEST(idle, trace_beyond_the_last_cycle_is_refused) {
    const Geometry geometry(8);
    std::istringstream in(fmt::format("{} 0 9\n", LastCycle + 1));
    try {
        machine::read_trace(in, "long.trace", geometry);
        FAIL() << "taken";
    } catch (const machine::TraceError& e) {
        EXPECT_STREQ(e.what(), "long.trace:1: cycle 9223372036854775808 is more than 2^63 - 1");
    }
}

TEST(idle, memory_at_its_least_rate_comes_to_an_end) {
    OptionSet o;
    o.source = OptionSet::Source::Memory;
    o.config.t_ent = dsm::DefaultTEnt;
    o.config.t_ack = dsm::DefaultTAck;
    o.memory.operations = 200;
    o.memory.rate = dsm::LeastRate;
    o.run.warmup = 0;
    o.run.cycles = ~uint64_t(0);
    o.run.drain = 1000000;
    for (const By by : {By::Cycles, By::Events}) {
        const Results r = run_options(o, by, true);
        const auto json = nlohmann::json::parse(r.json);
        EXPECT_EQ(json["error"], "");
        EXPECT_GT(json["cycles_measured"], 1000000000000u);
    }
    o.memory.rate = 1e-300;
    EXPECT_THROW(run_options(o, By::Events, true), std::invalid_argument);
}

// A multicast without an answer counts as a time-out in the same cycle, also in an idle machine.
TEST(idle, overdue_answers_are_not_left_out) {
    OptionSet o = trace_set(
        "0 0 mc:ff:ff 5 ack\n"
        "30000 1 2 5\n");
    o.config.t_ent = 60;
    o.config.t_ack = 200;
    // Pins that MBP 0 of node 0 reads from its router: the answer to its multicast is corrupted.
    for (uint64_t cycle = 60; cycle < 200; ++cycle)
        o.faults.push_back(
            {LinkFault::Kind::Flip, cycle, 0, machine::MbpReads, {flit_t(1) << 3, 0, 0}, false});
    const Results all = run_options(o, By::Cycles, false);
    EXPECT_NE(all.json.find("\"acks_with_timeout\": 1"), std::string::npos);
    const Results some = run_options(o, By::Events, true);
    EXPECT_EQ(difference(all, some), "");
    EXPECT_GT(some.skipped, 20000u);
}

TEST(idle, progress_is_reported_after_cycles_left_out) {
    OptionSet o = trace_set("0 0 9\n1000000000000 0 9\n");
    machine::Config config;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    const auto workload = workload_of(o, *machine);
    uint64_t calls = 0, last = 0;
    o.run.progress = [&](uint64_t done, uint64_t) {
        ++calls;
        last = done;
        return done < 1000000000000;
    };
    const machine::RunResult r = machine::run(*machine, *workload, o.run);
    EXPECT_TRUE(r.stopped);
    EXPECT_GE(last, 1000000000000u);
    EXPECT_LT(calls, 100u);
}

}  // namespace
}  // namespace rdt::tb
