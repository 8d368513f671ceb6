// SPDX-License-Identifier: MIT
// The event engine is the fast engine: every pin of every chip and MBP shows the same in every
// clock, so that every packet makes every hop in the same clock; and so do results and packet logs.
// Machines are large, packets of all lengths and loads beyond what they carry, since small machines
// do not reach all rules.
#include <gtest/gtest.h>

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/dsm/memory.h>
#include <rdt/machine/measure/packet_log.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {
namespace {

using machine::Config;
using machine::Engine;
using machine::Machine;
using machine::SyntheticOptions;

struct Case {
    Config config;
    SyntheticOptions traffic;
    uint64_t clocks = 1000;
    uint64_t drain = 0;
};

std::string to_string(const Case& c) {
    const SyntheticOptions& t = c.traffic;
    return fmt::format(
        "size {} torus {} t_ent {} t_ack {} {} load {} flits {}-{} multicasts {} density "
        "{} acks {} outstanding {} queue {} seed {}",
        c.config.side, !c.config.upper_rank, c.config.t_ent, c.config.t_ack, t.pattern, t.load,
        t.flits_min, t.flits_max, t.multicasts, t.density, t.acks, t.outstanding, t.queue, t.seed);
}

// A machine, its traffic, and what happened in this clock.
struct Subject {
    Subject(Config config, Engine engine, const SyntheticOptions& traffic) {
        config.engine = engine;
        machine = machine::make_machine(config);
        machine->bring_up();
        workload = std::make_unique<machine::Synthetic>(*machine, traffic);
        transport = std::make_unique<machine::Transport>(*machine);
        transport->on_delivery = [this](const machine::Packet& p, const machine::Delivery& d) {
            happened += fmt::format(" {} to {}.{} in {}-{} over {}, {}{}", p.number, d.node, d.mbp,
                                    d.head, d.tail, d.hops, d.intact, d.sound);
            ++delivered;
        };
        transport->on_ack = [this](const machine::Packet& p, uint32_t status) {
            happened += fmt::format(" {} acked {}", p.number, status);
            ++acks;
            retries += status >> AckRetry & 1;
        };
        transport->on_done = [this](const machine::Packet& p) { workload->done(*transport, p); };
        transport->on_stray = [this](uint32_t node, const machine::Flits&) {
            happened += fmt::format(" stray at {}", node);
        };
    }
    void clock() {
        happened.clear();
        workload->clock(*transport);
        transport->clock();
    }

    std::unique_ptr<Machine> machine;
    std::unique_ptr<machine::Synthetic> workload;
    std::unique_ptr<machine::Transport> transport;
    std::string happened;
    uint64_t delivered = 0;
    uint64_t acks = 0;
    uint64_t retries = 0;
    uint64_t calls = 0;  // links that find back
};

// The first pin that differs, or nothing.
std::string difference(const Machine& a, const Machine& b, uint64_t& calls) {
    for (uint32_t n = 0; n < a.nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts + 2; ++p) {
            if (p < NumPorts && !a.has_link(p)) continue;
            const bool is_chip = p < NumPorts;
            const core::LinkPinsOut x = is_chip ? a.pins(n, p) : a.mbp_pins(n, p - NumPorts);
            const core::LinkPinsOut y = is_chip ? b.pins(n, p) : b.mbp_pins(n, p - NumPorts);
            calls += x.req == ReqCall ? 1 : 0;
            if (x.oe == y.oe && x.req == y.req && x.cred == y.cred && (!x.oe || x.d == y.d))
                continue;
            return fmt::format(
                "end {} of node {} in clock {}: OE {} {} REQ {} {} CRED {} {} D "
                "{:x} {:x}",
                p, n, a.now(), x.oe, y.oe, x.req, y.req, x.cred, y.cred, x.d, y.d);
        }
    return "";
}

struct Outcome {
    std::string difference;
    uint64_t delivered = 0;
    uint64_t acks = 0;
    uint64_t retries = 0;
    uint64_t calls = 0;
    uint64_t open = 0;
};

Outcome compare(const Case& c, const Case& other) {
    Subject fast(c.config, Engine::Fast, c.traffic);
    Subject events(other.config, Engine::Events, other.traffic);
    Outcome out;
    if (fast.machine->now() != events.machine->now()) out.difference = "up at different clocks";
    for (uint64_t n = 0; n < c.clocks + c.drain && out.difference.empty(); ++n) {
        if (n == c.clocks)
            for (Subject* s : {&fast, &events}) s->workload->stop();
        if (n > c.clocks && fast.transport->open() == 0 && events.machine->idle()) break;
        fast.clock();
        events.clock();
        if (fast.happened != events.happened)
            out.difference = fmt::format("clock {}:{} but{}", fast.machine->now(), fast.happened,
                                         events.happened);
        else out.difference = difference(*fast.machine, *events.machine, out.calls);
    }
    out.delivered = fast.delivered;
    out.acks = fast.acks;
    out.retries = fast.retries;
    out.open = events.transport->open();
    return out;
}

Outcome expect_same(const Case& c) {
    const Outcome out = compare(c, c);
    EXPECT_EQ(out.difference, "") << to_string(c);
    EXPECT_GT(out.delivered, 5u) << to_string(c);
    return out;
}

Case case_of(int side, double load, uint64_t clocks) {
    Case c;
    c.config.side = side;
    c.traffic.load = load;
    c.traffic.flits_min = machine::MinFlits;
    c.traffic.queue = 4;
    c.clocks = clocks;
    return c;
}
Case with_acks(Case c, double share, double density) {
    c.traffic.multicasts = share;
    c.traffic.density = density;
    c.traffic.acks = true;
    c.config.t_ent = 60;
    c.config.t_ack = 4000;
    return c;
}

TEST(events, unicasts_of_all_loads_and_sizes) {
    const uint64_t seed = seed_or(1);
    for (const int side : {8, 16, 32})
        for (const double load : {0.05, 0.3, 1.0}) {
            Case c = case_of(side, load, side == 32 ? 300 : 800);
            c.traffic.seed = seed;
            expect_same(c);
        }
}

TEST(events, all_patterns) {
    const uint64_t seed = seed_or(2);
    for (const auto& pattern : Traffic::patterns()) {
        Case c = case_of(16, 0.5, 300);
        c.traffic.pattern = pattern.name;
        c.traffic.seed = seed;
        expect_same(c);
    }
}

TEST(events, multicasts_in_several_passes) {
    const uint64_t seed = seed_or(3);
    for (const double share : {0.1, 1.0}) {
        Case c = case_of(16, 0.3, 500);
        c.traffic.multicasts = share;
        c.traffic.density = 0.3;
        c.traffic.seed = seed;
        expect_same(c);
    }
}

TEST(events, multicasts_with_acks_up_to_full_tables) {
    const uint64_t seed = seed_or(4);
    Case c = with_acks(case_of(8, 0.3, 2000), 0.5, 0.5);
    c.traffic.seed = seed;
    c.drain = 50000;
    const Outcome full = expect_same(c);
    EXPECT_GT(full.retries, 100u);
    EXPECT_EQ(full.open, 0u);
    Case large = with_acks(case_of(16, 0.2, 800), 0.05, 0.2);
    large.traffic.seed = seed;
    large.drain = 50000;
    const Outcome out = expect_same(large);
    EXPECT_GT(out.acks, 50u);
    EXPECT_EQ(out.open, 0u);
}

// An entry that waits for too long is answered by a time-out, and its tag is not used for a while.
TEST(events, acks_that_come_too_late) {
    const uint64_t seed = seed_or(5);
    Case c = with_acks(case_of(8, 0.6, 1500), 0.1, 0.5);
    c.config.t_ent = 20;
    c.config.t_ack = 40;
    c.traffic.seed = seed;
    expect_same(c);
}

// Where packets wait for thousands of clocks, links re-synchronise without any fault.
TEST(events, links_that_find_back_in_overload) {
    const uint64_t seed = seed_or(6);
    Case c = case_of(8, 0.5, 4500);
    c.traffic.pattern = "hotspot";
    c.traffic.seed = seed;
    EXPECT_GT(expect_same(c).calls, 100u);
    Case large = case_of(16, 1.0, 3500);
    large.traffic.seed = seed;
    EXPECT_GT(expect_same(large).calls, 100u);
}

TEST(events, closed_loops_and_plain_tori) {
    const uint64_t seed = seed_or(7);
    Case c = case_of(8, 0, 1500);
    c.traffic.outstanding = 3;
    c.traffic.seed = seed;
    expect_same(c);
    Case torus = case_of(16, 0.4, 500);
    torus.config.upper_rank = false;
    torus.traffic.seed = seed;
    expect_same(torus);
}

TEST(events, random_configurations) {
    const uint64_t seed = seed_or(8);
    Dice dice(seed);
    const auto& patterns = Traffic::patterns();
    for (uint64_t n = 0; n < cycles_or(12); ++n) {
        const int side = dice.chance(30) ? 16 : 8;
        Case c = case_of(side, 0.01 * dice.between(2, 120), side == 8 ? 1500 : 500);
        c.traffic.pattern = patterns[dice.below(uint32_t(patterns.size()))].name;
        c.traffic.flits_min = dice.between(machine::MinFlits, machine::MaxFlits);
        c.traffic.flits_max = dice.between(c.traffic.flits_min, machine::MaxFlits);
        c.traffic.queue = dice.chance(50) ? dice.between(1, 8) : 0;
        c.traffic.seed = seed + n;
        if (dice.chance(60)) c.traffic.multicasts = 0.01 * dice.between(1, 60);
        c.traffic.density = 0.05 * dice.between(1, 20);
        if (c.traffic.multicasts > 0 && dice.chance(70)) {
            c.traffic.acks = true;
            c.config.t_ent = dice.between(10, 400);
            c.config.t_ack = dice.between(100, 5000);
        }
        c.drain = dice.chance(30) ? 50000 : 0;
        expect_same(c);
    }
}

// What is compared is not the same whatever happens.
TEST(events, a_tick_one_clock_later_is_found) {
    Case c = with_acks(case_of(8, 0.3, 3000), 0.5, 0.5);
    Case other = c;
    ++other.config.t_ent;
    EXPECT_NE(compare(c, other).difference, "");
}

class Files {
public:
    Files() : m_folder(std::filesystem::temp_directory_path() / fmt::format("rdt_{}", getpid())) {
        std::filesystem::create_directories(m_folder);
    }
    ~Files() { std::filesystem::remove_all(m_folder); }
    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    std::string text(const std::string& name) const {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::filesystem::path m_folder;
};

// A whole run, as the program does it: its result without times, and its packet log.
std::pair<std::string, std::string> run(Config config, const machine::RunOptions& how,
                                        const SyntheticOptions& traffic, bool memory) {
    const Files files;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::PacketLog log(*machine, files.path("log"));
    machine::RunOptions options = how;
    options.after_clock = [&log](const machine::Transport& t) { log.clock(t); };
    options.after_packet = [&](const machine::Packet& p) { log.done(p, machine->now()); };
    std::unique_ptr<machine::Workload> workload;
    dsm::Options lines;
    lines.operations = 2000;
    if (memory) workload = std::make_unique<dsm::Memory>(*machine, lines);
    else workload = std::make_unique<machine::Synthetic>(*machine, traffic);
    const machine::RunResult r = machine::run(*machine, *workload, options);
    log.finish();
    EXPECT_EQ(r.error, "");
    nlohmann::ordered_json json = machine::to_json(r, config);
    for (const char* time : {"engine", "seconds", "clocks_per_second", "cpu_seconds",
                             "clocks_per_cpu_second", "bytes_per_node"})
        json.erase(time);
    return {json.dump(1), files.text("log")};
}

TEST(events, results_and_packet_logs_are_the_same) {
    const uint64_t seed = seed_or(9);
    for (const bool memory : {false, true}) {
        Case c = with_acks(case_of(8, 0.4, 0), 0.05, 0.3);
        c.traffic.seed = seed;
        machine::RunOptions how;
        how.warmup = memory ? 0 : 700;
        how.cycles = memory ? 1000000 : 1500;
        how.drain = 50000;
        const auto fast = run(c.config, how, c.traffic, memory);
        c.config.engine = Engine::Events;
        const auto events = run(c.config, how, c.traffic, memory);
        EXPECT_EQ(fast.first, events.first) << "seed=" << seed;
        EXPECT_TRUE(fast.second == events.second) << "packet logs differ, seed=" << seed;
        EXPECT_GT(fast.second.size(), 10000u);
    }
}

// What has no events is run by clocks, or refused in one line.
TEST(events, faults_are_run_by_clocks_or_refused) {
    Config config;
    config.engine = Engine::Events;
    config.faults = true;
    const auto clocked = machine::make_machine(config);
    clocked->bring_up();
    EXPECT_NE(clocked->state(0), nullptr);
    clocked->cut(9, PortE0);

    config.faults = false;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    EXPECT_EQ(machine->state(0), nullptr);
    EXPECT_THROW(machine->cut(9, PortE0), machine::MachineError);
    EXPECT_THROW(machine->flip({0, 0, {1, 0, 0}}), machine::MachineError);
}

}  // namespace
}  // namespace rdt::tb
