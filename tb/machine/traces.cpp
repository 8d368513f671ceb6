// SPDX-License-Identifier: MIT
// Traces: wrong lines, cycles, reductions.
#include <rdt/machine/traffic/trace.h>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <rdt/machine/measure/run.h>

namespace rdt::tb {
namespace {

using machine::Config;

std::string trace_error(const std::string& text, uint32_t reduce_width = 0, int side = 8) {
    std::istringstream in(text);
    machine::TraceReader reader(in, "t", Geometry(side), true, reduce_width);
    try {
        while (reader.next()) {
        }
    } catch (const machine::TraceError& e) {
        return e.what();
    }
    return "";
}

TEST(trace, wrong_lines_are_named) {
    const std::pair<const char*, const char*> cases[] = {
        {"0 1\n", "t:1: needs a cycle, a source and a destination"},
        {"# fine\n\n0 1 2\nx 1 2\n", "t:4: x is not a cycle"},
        {"0 64 2\n", "t:1: there is no node 64 in a machine of 8 x 8"},
        {"0 1 8,0\n", "t:1: there is no node 8,0 in a machine of 8 x 8"},
        {"0 1 2 4\n", "t:1: a packet has 5 to 16 flits, not 4"},
        {"0 1 2 17\n", "t:1: a packet has 5 to 16 flits, not 17"},
        {"0 1 2 8 ack\n", "t:1: does not expect ack"},
        {"0 1 mc:fg\n", "t:1: fg are no map bytes, as ff:0f"},
        {"0 1 mc:1:1:1\n", "t:1: 1:1:1 has more levels than this machine, which has 2"},
        {"0 1 mc:00\n", "t:1: 00 has no receivers"},
        {"5 1 2\n4 1 2\n", "t:2: cycle 4 after cycle 5"},
        {"0 1 2 after:0\n", "t:1: packet 0 cannot wait for packet 0, only for those before it"},
        {"0 1 2\n0 1 2 5 after:x\n", "t:2: after:x are no numbers of packets"},
        {"0 1 2\n0 1 2 5 after:0,\n", "t:2: after:0, are no numbers of packets"},
        {"0 1 2\n0 1 2 5 after:0+\n", "t:2: after:0+ has no number of cycles after +"},
        {"0 1 2\n0 1 2 after:0 5\n", "t:2: does not expect 5"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(trace_error(text), expected) << text;
    EXPECT_EQ(trace_error("# nothing\n"), "there is no packet in t");
    EXPECT_EQ(trace_error("0 0 lpra:ff:0f 8 ack\n1 0 larp:03:01\n2 0 sm:01:01\n"), "");
    EXPECT_EQ(trace_error("0 0 5\n3 1,2 mc:ff:0f 8 ack # both\n3 9 1,1 5\n"), "");
}

// A reduction of all 64 nodes. The eighth line waits for 300 cycles.
std::string reduction(uint32_t first = 0, uint32_t answers = 64) {
    std::string text = "0 1 reduce:ff:ff\n";
    for (uint32_t n = 0; n < answers; ++n)
        text += fmt::format("0 {} answer:0{}\n", (first + n) % 64, n == 7 ? " after:6+300" : "");
    return text;
}

TEST(trace, wrong_reductions_are_named) {
    EXPECT_EQ(trace_error(reduction(), 16), "");
    EXPECT_EQ(trace_error(reduction()), "t:1: a reduction needs --reduce-width 16 or 32");
    const Geometry large(16);
    uint32_t other = 0;
    while (large.rank(other) == 1) ++other;
    EXPECT_EQ(
        trace_error(fmt::format("0 {} reduce:ff:ff\n", other), 32, 16),
        fmt::format("t:1: a reduction needs a root of rank 1, not node {}, and at most two map "
                    "bytes",
                    other));
    EXPECT_EQ(trace_error(reduction(0, 60), 32), "t ends without 4 answers to reduction 0");
    EXPECT_EQ(trace_error(reduction() + "0 5 answer:0\n", 32),
              "t:66: packet 0 is no reduction that awaits answers");
    EXPECT_EQ(trace_error("0 1 reduce:ff:ff\n0 5 answer:0\n0 5 answer:0\n", 32),
              "t:3: reduction 0 awaits no answer of node 5");
    EXPECT_EQ(trace_error("0 1 reduce:ff:ff 8\n", 32), "t:1: does not expect 8");
    EXPECT_EQ(trace_error("0 1 2\n0 1 answer:x\n", 32), "t:2: answer:x is no number of a packet");
}

// The multicast leaves when the last node has answered, 300 cycles after the others.
TEST(trace, reductions_have_the_result_of_all_answers) {
    for (const uint32_t width : {16u, 32u}) {
        Config config;
        config.reduce_width = width;
        const auto machine = machine::make_machine(config);
        machine->bring_up();
        machine::Trace workload(
            std::make_unique<std::istringstream>(reduction(9) + "0 1 mc:ff:ff 6 after:0\n"), "t",
            machine->geometry(), true, machine::Trace::Window, width);
        machine::RunOptions options;
        options.warmup = 0;
        options.drain = 10'000;
        const machine::RunResult r = machine::run(*machine, workload, options);
        EXPECT_EQ(r.error, "");
        EXPECT_TRUE(r.drained);
        EXPECT_EQ(r.workload["results"], 1);
        EXPECT_EQ(r.delivered, 128u);
        EXPECT_GT(r.clocks, 350u);
        EXPECT_LT(r.clocks, 550u);
    }
}

// Changes the first result that the root gets.
class ChangedTrace : public machine::Trace {
public:
    using machine::Trace::Trace;
    std::function<void(core::Operand&)> change;
    void clock(machine::Transport& transport) override {
        machine::Trace::clock(transport);
        if (std::exchange(m_is_injected, true)) return;
        transport.on_result = [this, pass_on = transport.on_result](
                                  const machine::Packet& p, const core::Operand& from_routers) {
            core::Operand operand = from_routers;
            if (change) std::exchange(change, nullptr)(operand);
            pass_on(p, operand);
        };
    }

private:
    bool m_is_injected = false;
};

std::string changed_reduction_error(const std::function<void(core::Operand&)>& change) {
    Config config;
    config.reduce_width = 32;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    ChangedTrace workload(std::make_unique<std::istringstream>(reduction()), "t",
                          machine->geometry(), true, machine::Trace::Window, 32);
    workload.change = change;
    machine::RunOptions options;
    options.warmup = 0;
    options.drain = 10'000;
    return machine::run(*machine, workload, options).error;
}

// Injected bugs.
TEST(trace, wrong_and_invalid_results_of_reductions_are_reported) {
    const std::string error = "1 of 1 results of reductions are wrong or invalid";
    EXPECT_EQ(changed_reduction_error({}), "");
    EXPECT_EQ(changed_reduction_error([](core::Operand& o) { o.value ^= 8; }), error);
    EXPECT_EQ(changed_reduction_error([](core::Operand& o) { o.is_good = false; }), error);
}

TEST(trace, trace_is_sent_at_its_cycles_and_ends_by_itself) {
    auto in = std::make_unique<std::istringstream>("0 0 5\n10 1,2 mc:ff:ff 8 ack\n");
    const auto machine = machine::make_machine({});
    machine->bring_up();
    const uint64_t start = machine->now();
    machine::Trace workload(std::move(in), "t", machine->geometry());
    std::vector<uint64_t> born;
    machine::RunOptions options;
    options.warmup = 0;
    options.after_packet = [&](const machine::Packet& p) { born.push_back(p.born - start); };
    const machine::RunResult r = machine::run(*machine, workload, options);
    EXPECT_EQ(born, (std::vector<uint64_t>{0, 10}));
    EXPECT_EQ(r.delivered, 65u);
    EXPECT_EQ(r.acks, 1u);
    EXPECT_LT(r.clocks, 300u);
}

}  // namespace
}  // namespace rdt::tb
