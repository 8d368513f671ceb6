// SPDX-License-Identifier: MIT
// Traces whose packets wait for each other, read while they run.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <map>
#include <sstream>

#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/trace.h>
#include <rdt/support/random.h>

namespace rdt::machine {
namespace {

// The packets of the file, and when each left and arrived, by its number in the file.
struct Seen {
    std::map<uint64_t, uint64_t> sent;
    std::map<uint64_t, uint64_t> arrived;  // the last copy's last flit
    std::map<uint64_t, uint64_t> started;  // first flit at the sender's pins
    RunResult result;
    size_t most_held = 0;
};

Seen play(const std::string& text, size_t window = Trace::Window,
          const std::function<void(Machine&)>& prepare = {}) {
    const auto machine = make_machine({});
    machine->bring_up();
    if (prepare) prepare(*machine);
    const uint64_t start = machine->now();
    Trace trace(std::make_unique<std::istringstream>(text), "t", machine->geometry(), true, window);
    Seen seen;
    RunOptions options;
    options.warmup = 0;
    options.cycles = 100000000;
    options.drain = 100000;
    options.after_send = [&](const Packet& p) { seen.sent[p.message.user] = p.born - start; };
    options.after_delivery = [&](const Packet& p, const Delivery& d) {
        uint64_t& last = seen.arrived[p.message.user];
        last = std::max(last, d.tail - start);
        seen.started[p.message.user] = p.started - start;
    };
    seen.result = run(*machine, trace, options);
    seen.most_held = trace.most_held();
    return seen;
}

// Packets that left before one that they wait for was there, or before their own cycle.
size_t count_early(const Seen& seen, const std::vector<TraceEntry>& entries) {
    size_t early = 0;
    for (uint64_t n = 0; n < entries.size(); ++n) {
        const TraceEntry& e = entries[n];
        bool is_early = seen.sent.at(n) < e.clock + e.delay;
        for (const uint64_t other : e.after)
            is_early |= seen.sent.at(n) < seen.arrived.at(other) + e.delay ||
                        seen.started.at(n) <= seen.arrived.at(other);
        early += is_early ? 1 : 0;
    }
    return early;
}

std::vector<TraceEntry> entries_of(const std::string& text) {
    std::istringstream in(text);
    return read_trace(in, "t", Geometry(8));
}

std::string random_trace(uint64_t seed, uint32_t packets, bool with_after) {
    Random random(seed);
    std::string text;
    uint64_t clock = 0;
    for (uint32_t n = 0; n < packets; ++n, clock += random.below(4)) {
        const bool multicast = random.below(20) == 0;
        text += fmt::format("{} {} {} {}{}", clock, random.below(64),
                            multicast ? "mc:ff:0f" : std::to_string(random.below(64)),
                            5 + random.below(12), multicast && random.below(2) ? " ack" : "");
        std::string after;
        for (uint32_t i = random.below(3); i > 0 && n > 0; --i)
            after += fmt::format("{}{}", after.empty() ? " after:" : ",",
                                 n - 1 - random.below(std::min(n, 40u)));
        if (!after.empty() && random.below(2)) after += fmt::format("+{}", random.below(200));
        text += (with_after ? after : "") + "\n";
    }
    return text;
}

TEST(traces, no_packet_leaves_before_those_it_waits_for_have_arrived) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        const std::string text = random_trace(seed, 2000, true);
        const std::vector<TraceEntry> entries = entries_of(text);
        const Seen seen = play(text);
        ASSERT_EQ(seen.sent.size(), entries.size());
        EXPECT_TRUE(seen.result.drained);
        EXPECT_EQ(seen.result.error, "");
        EXPECT_EQ(count_early(seen, entries), 0u) << "seed " << seed;
        // The same packets without waiting: the check sees it.
        EXPECT_GT(count_early(play(random_trace(seed, 2000, false)), entries), 100u);
    }
}

// The first chain of a ping-pong: each packet as soon as the one before is there, or later.
TEST(traces, a_packet_leaves_in_the_cycle_after_the_one_it_waits_for) {
    const Seen seen = play("0 0 9\n0 9 0 after:0\n0 0 9 after:1+50\n400 9 0 after:2\n");
    EXPECT_EQ(seen.sent.at(0), 0u);
    // The tail is at the pins in one cycle and taken in the next.
    const uint64_t taken = seen.sent.at(1) - seen.arrived.at(0);
    EXPECT_GE(taken, 1u);
    EXPECT_LE(taken, 2u);
    EXPECT_EQ(seen.sent.at(2), seen.arrived.at(1) + taken + 50);
    EXPECT_EQ(seen.sent.at(3), 400u);
}

TEST(traces, a_window_bounds_what_is_in_memory_and_changes_nothing_if_it_is_wide) {
    const std::string text = random_trace(7, 3000, true);
    const Seen all = play(text);
    const Seen wide = play(text, all.most_held + 1);
    EXPECT_EQ(all.sent, wide.sent);
    const Seen narrow = play(text, 16);
    EXPECT_LE(narrow.most_held, 16u);
    EXPECT_EQ(narrow.sent.size(), 3000u);
    EXPECT_TRUE(narrow.result.drained);
    EXPECT_EQ(count_early(narrow, entries_of(text)), 0u);
    EXPECT_GT(narrow.result.workload["read_late"], 0);
}

// The link is cut: packet 0 is lost, and the waiting packet is named.
TEST(traces, one_that_waits_for_a_lost_packet_ends_the_run) {
    const Seen seen = play("0 0 1\n0 9 8 after:0\n", Trace::Window,
                           [](Machine& machine) { machine.cut(0, PortE0); });
    EXPECT_EQ(seen.result.error, "packet 1 of t waits for others that do not arrive");
    EXPECT_EQ(seen.sent.size(), 1u);
}

TEST(traces, wrong_lines_are_found_while_it_runs_where_they_could_not_be_before) {
    const auto machine = make_machine({});
    machine->bring_up();
    Trace trace(std::make_unique<std::istringstream>("0 0 9\n5 0 99\n"), "t", machine->geometry());
    EXPECT_THROW(run(*machine, trace, {}), TraceError);
}

}  // namespace
}  // namespace rdt::machine
