// SPDX-License-Identifier: MIT
// What a run reads and writes: traces, figures, waveforms, the packet log.
#include <rdt/machine/measure/run.h>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "common/mc_territory.h"
#include "gtkwave/fstapi.h"
#include <rdt/machine/measure/packet_log.h>
#include <rdt/machine/measure/recorder.h>
#include <rdt/machine/measure/step_run.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/traffic/trace.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

using machine::Config;
using machine::Engine;

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

// The number of receivers against the reference that knows no routers.
TEST(transport, knows_how_many_nodes_receive_a_multicast) {
    std::mt19937_64 random(1);
    for (int side : {4, 8, 16, 32}) {
        const Geometry geometry(side);
        const Territory territory(side, int(geometry.top_rank()), top_map_mask(geometry));
        for (int n = 0; n < 200; ++n) {
            McSpec mc;
            mc.type = 1 + uint32_t(random() % 3);
            Maps maps = 0;
            for (uint32_t level = 0; level <= geometry.top_rank(); ++level) {
                mc.map[level] = uint32_t(random() % 256);
                maps |= map_byte(level, mc.map[level]);
            }
            uint32_t expected = 0;
            for (const auto& [node, times] : territory.receivers({3, 5}, mc))
                expected += uint32_t(times);
            EXPECT_EQ(machine::receivers_of(geometry, Type(mc.type), maps), expected);
        }
    }
}

machine::RunResult short_run(machine::Machine& machine, machine::RunOptions options = {}) {
    machine::SyntheticOptions traffic;
    traffic.load = 0.3;
    traffic.multicasts = 0.1;
    traffic.density = 0.3;
    traffic.acks = true;
    machine::Synthetic workload(machine, traffic);
    options.warmup = 100;
    options.cycles = 500;
    return machine::run(machine, workload, options);
}

TEST(result, has_the_keys_that_others_rely_on) {
    Config config;
    config.t_ent = 400;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    const auto json = machine::to_json(short_run(*machine), config);
    std::vector<std::string> keys;
    for (const auto& item : json.items()) keys.push_back(item.key());
    EXPECT_EQ(keys, (std::vector<std::string>{"engine",
                                              "check",
                                              "size",
                                              "rtl_nodes",
                                              "upper_rank",
                                              "guard",
                                              "sink",
                                              "reduce_width",
                                              "registers",
                                              "seed",
                                              "workload",
                                              "cycles_measured",
                                              "cycles_simulated",
                                              "offered",
                                              "accepted",
                                              "packets",
                                              "accepted_half_interval",
                                              "saturated",
                                              "is_short",
                                              "cycles_needed",
                                              "latency",
                                              "latency_queueing",
                                              "latency_network",
                                              "hops_mean",
                                              "hops_max",
                                              "link_utilization_rank0",
                                              "link_utilization_upper",
                                              "link_utilization_mbp",
                                              "multicasts",
                                              "multicast_copies",
                                              "multicast_latency",
                                              "acks",
                                              "acks_with_retry",
                                              "acks_with_timeout",
                                              "ack_latency",
                                              "injected",
                                              "delivered",
                                              "corrupted",
                                              "unexpected",
                                              "flips",
                                              "links_down",
                                              "in_flight",
                                              "converged",
                                              "drained",
                                              "stopped",
                                              "error",
                                              "waiting",
                                              "deadlock",
                                              "signals_compared",
                                              "seconds",
                                              "cycles_per_second",
                                              "cpu_seconds",
                                              "cycles_per_cpu_second",
                                              "bytes_per_node",
                                              "nodes",
                                              "links",
                                              "histograms"}));
    EXPECT_EQ(json["engine"], "fast");
    EXPECT_EQ(json["cycles_measured"], 500);
    for (const char* key : {"mean", "median", "p99", "max"})
        EXPECT_GT(json["latency"][key].get<double>(), 0) << key;
    EXPECT_GT(json["accepted"].get<double>(), 0.2);
    EXPECT_GT(json["acks"].get<int>(), 0);
}

TEST(result, run_stops_on_request_and_keeps_its_results) {
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::SyntheticOptions traffic;
    machine::Synthetic workload(*machine, traffic);
    machine::RunOptions options;
    options.warmup = 0;
    options.progress = [](uint64_t done, uint64_t) { return done < 3000; };
    const machine::RunResult r = machine::run(*machine, workload, options);
    EXPECT_TRUE(r.stopped);
    EXPECT_GE(r.clocks, 3000u);
    EXPECT_LT(r.clocks, 4000u);
    EXPECT_GT(r.packets, 100u);
}

// Means of a stationary run are known after a while, those of a saturated one are not.
TEST(result, ends_early_once_converged) {
    machine::RunOptions options;
    options.cycles = 100000;
    options.tolerance = 0.05;
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::SyntheticOptions traffic;
    machine::Synthetic workload(*machine, traffic);
    const machine::RunResult r = machine::run(*machine, workload, options);
    EXPECT_TRUE(r.converged);
    EXPECT_LT(r.clocks, 50000u);
    EXPECT_NEAR(r.accepted, 0.1, 0.005);
}

TEST(result, zero_load_latency_is_six_cycles_per_hop) {
    auto in = std::make_unique<std::istringstream>("0 0 1 16\n500 0 4,4 16\n");
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::Trace workload(std::move(in), "t", machine->geometry());
    std::vector<std::pair<uint32_t, uint64_t>> seen;  // hops, cycles in the network
    machine::Transport transport(*machine);
    transport.on_delivery = [&](const machine::Packet& p, const machine::Delivery& d) {
        seen.emplace_back(d.hops, d.head - p.started);
    };
    for (int n = 0; n < 1000; ++n) {
        workload.clock(transport);
        transport.clock();
    }
    ASSERT_EQ(seen.size(), 2u);
    for (const auto& [hops, clocks] : seen) EXPECT_EQ(clocks, 6 * (hops + 1)) << hops << " hops";
    EXPECT_EQ(seen[0].first, 1u);
}

// A flip in the flits of a number may make it that of another packet.
TEST(transport, a_disturbed_number_is_that_of_no_packet) {
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::Transport transport(*machine);
    machine::Message message;
    message.destination = 59;
    message.flits = 9;
    constexpr uint32_t Packets = 4;
    for (uint32_t n = 0; n < Packets; ++n) transport.send(message);
    const flit_t high = make_flit(0);
    for (uint32_t n = 0; n < Packets; ++n) {
        const flit_t low = make_flit(n);
        ASSERT_NE(transport.find(low, high), nullptr) << n;
        EXPECT_EQ(transport.find(low, high)->number, n);
        for (int bit = 0; bit < FlitW; ++bit) {
            EXPECT_EQ(transport.find(low ^ flit_t(1) << bit, high), nullptr) << bit;
            EXPECT_EQ(transport.find(low, high ^ flit_t(1) << bit), nullptr) << bit;
        }
    }
}

struct Recorded {
    const char* name;
    Engine engine;
    std::vector<Engine> check;
};
void PrintTo(const Recorded& r, std::ostream* out) { *out << r.name; }
class Wave : public ::testing::TestWithParam<Recorded> {};
INSTANTIATE_TEST_SUITE_P(run, Wave,
                         ::testing::Values(Recorded{"fast", Engine::Fast, {}},
                                           Recorded{"rtl", Engine::Rtl, {}},
                                           Recorded{"both", Engine::Rtl, {Engine::Fast}}),
                         [](const auto& p) { return p.param.name; });

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_P(Wave, fst_holds_the_requested_nodes_and_cycles) {
    Config config;
    config.engine = GetParam().engine;
    config.check = GetParam().check;
    config.t_ent = 400;
    const std::string stem = std::string("wave_") + GetParam().name;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::Recorder recorder(*machine, {stem + ".fst", {5, 9}, 300, 400});
    machine::RunOptions options;
    options.after_clock = [&](const machine::Transport&) { recorder.clock(); };
    short_run(*machine, options);
    EXPECT_EQ(recorder.finish(), stem + ".gtkw");

    auto* wave = fstReaderOpen((stem + ".fst").c_str());
    ASSERT_NE(wave, nullptr);
    const uint64_t sides = 1 + config.check.size();
    // A port has 4 pins and 7 registers a side, 3 pins of the other end and the packet's type.
    EXPECT_EQ(fstReaderGetVarCount(wave), 2 * (sides * (10 * 11 + 2) + 10 * 4));
    EXPECT_EQ(fstReaderGetStartTime(wave), 300u);
    EXPECT_EQ(fstReaderGetEndTime(wave), 401u);
    fstReaderClose(wave);
    const std::string save = text_of(stem + ".gtkw");
    EXPECT_NE(save.find("-node 9 port E1"), std::string::npos);
    EXPECT_NE(save.find("^1 type.flt"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists("type.flt"));
}

TEST(wave, vcd_changes_values_after_its_definitions) {
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::Recorder recorder(*machine, {"wave_text.vcd", {0}});
    machine::RunOptions options;
    options.after_clock = [&](const machine::Transport&) { recorder.clock(); };
    short_run(*machine, options);
    recorder.finish();
    const std::string vcd = text_of("wave_text.vcd");
    const size_t defined = vcd.find("$enddefinitions $end");
    ASSERT_NE(defined, std::string::npos);
    EXPECT_EQ(vcd.find("$var", defined), std::string::npos);
    EXPECT_NE(vcd.find("$scope module E0 $end"), std::string::npos);
    EXPECT_GT(std::count(vcd.begin() + long(defined), vcd.end(), '#'), 500);
    // GTKWave does not report rows of the save file that are not in the recording.
    std::set<std::string> names;
    std::vector<std::string> scopes;
    std::istringstream lines(vcd.substr(0, defined));
    const std::regex scope(R"(\$scope module (\S+) \$end)"), var(R"(\$var \S+ \d+ \S+ (.*) \$end)");
    std::smatch m;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_match(line, m, scope)) scopes.push_back(m[1]);
        if (line == "$upscope $end") scopes.pop_back();
        if (!std::regex_match(line, m, var)) continue;
        std::string name;
        for (const std::string& of : scopes) name += of + ".";
        for (const char c : m[1].str())
            if (c != ' ') name += c;
        names.insert(name);
    }
    size_t rows = 0;
    std::istringstream save(text_of("wave_text.gtkw"));
    const std::regex row(R"(\+\{.*\} (\S+))");
    for (std::string line; std::getline(save, line);) {
        if (!std::regex_match(line, m, row)) continue;
        EXPECT_EQ(names.count(m[1]), 1u) << line;
        ++rows;
    }
    EXPECT_GT(rows, 100u);
}

// Every line of the log: steps six cycles apart or more, from the source to the destination.
TEST(packet_log, follows_every_packet_from_its_source_to_its_destination) {
    const auto machine = machine::make_machine({});
    machine->bring_up();
    machine::PacketLog log(*machine, "packets.log");
    machine::SyntheticOptions traffic;
    traffic.load = 0.3;
    machine::Synthetic workload(*machine, traffic);
    machine::RunOptions options;
    options.warmup = 0;
    options.cycles = 500;
    options.drain = 10000;
    options.after_clock = [&](const machine::Transport& t) { log.clock(t); };
    options.after_packet = [&](const machine::Packet& p) { log.done(p, machine->now()); };
    const machine::RunResult r = machine::run(*machine, workload, options);
    log.finish();
    std::ifstream file("packets.log");
    const std::regex step(R"((\d+)\.([EWNSM][01])(/\d)?@(\d+))");
    const std::regex head(R"(^\d+ (\d+)\.M\d to (\d+)\.(M\d), 16 flits: generated \d+;)");
    uint64_t lines = 0;
    for (std::string line; std::getline(file, line); ++lines) {
        std::smatch h;
        ASSERT_TRUE(std::regex_search(line, h, head)) << line;
        uint64_t clock = 0;
        std::string at;
        std::string port;
        for (std::sregex_iterator it(line.begin(), line.end(), step), end; it != end; ++it) {
            if (at.empty()) {
                EXPECT_EQ((*it)[1], h[1]) << line;
            } else {
                EXPECT_GE(std::stoull((*it)[4]), clock + 6) << line;
            }
            at = (*it)[1];
            port = (*it)[2];
            clock = std::stoull((*it)[4]);
        }
        EXPECT_EQ(at, h[2]) << line;
        EXPECT_EQ(port, h[3]) << line;
    }
    EXPECT_EQ(lines, r.sent);
}

// Intermediate results equal the results of a run of that length.
TEST(run, run_is_the_same_cycle_by_cycle) {
    machine::SyntheticOptions traffic;
    traffic.load = 0.3;
    traffic.multicasts = 0.1;
    traffic.density = 0.3;
    machine::RunOptions options;
    options.warmup = 100;
    const auto figures = [](machine::RunResult result) {
        result.seconds = result.cycles_per_second = 0;
        result.cpu_seconds = result.cycles_per_cpu_second = result.bytes_per_node = 0;
        return to_json(result, {}).dump();  // text: a value that is not known equals itself there
    };
    const auto whole = [&](uint64_t cycles) {
        const auto machine = machine::make_machine({});
        machine::Synthetic workload(*machine, traffic);
        machine->bring_up();
        options.cycles = cycles;
        return figures(machine::run(*machine, workload, options));
    };
    const auto first = whole(300);
    const auto second = whole(1500);
    const auto machine = machine::make_machine({});
    machine::Synthetic workload(*machine, traffic);
    machine->bring_up();
    options.cycles = ~uint64_t(0);
    machine::StepRun run(*machine, workload, options);
    for (int n = 0; n < 400; ++n) ASSERT_TRUE(run.step());
    EXPECT_EQ(figures(run.result()), first);
    for (int n = 0; n < 1200; ++n) ASSERT_TRUE(run.step());
    EXPECT_EQ(figures(run.result()), second);
    EXPECT_NE(first, second);
}

}  // namespace
}  // namespace rdt::tb
