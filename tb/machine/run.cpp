// SPDX-License-Identifier: MIT
// What a run writes: figures, waveforms, the packet log.
#include <rdt/machine/measure/run.h>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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
                                              "entries",
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
