// SPDX-License-Identifier: MIT
// The shared memory on a machine of chips: correct under every sharing pattern, with full ack
// tables and with inverted bits; and its checker detects injected errors.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "common/dice.h"
#include "common/run_options.h"
#include <rdt/dsm/memory.h>
#include "machine/program.h"
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/scheme_names.h>

namespace rdt::tb {
namespace {

using dsm::InjectedBug;
using dsm::Protocol;
using machine::Config;
using machine::Engine;

constexpr Protocol Protocols[] = {Protocol::Update, Protocol::Invalidate};

struct Outcome {
    machine::RunResult result;
    dsm::Statistics statistics;
    uint64_t violations;
    std::string first;
};

Config config_of(Engine engine = Engine::Fast) {
    Config config;
    config.engine = engine;
    config.t_ent = dsm::DefaultTEnt;
    config.t_ack = dsm::DefaultTAck;
    return config;
}

// Bits of data lines inverted before a cycle, in one of so many cycles.
struct Flips {
    uint32_t one_in = 0;
    uint64_t count = 0;
};

Outcome run(const Config& config, const dsm::Options& options, Flips* flips = nullptr) {
    const auto machine = machine::make_machine(config);
    dsm::Memory memory(*machine, options);
    machine->bring_up();
    machine::RunOptions o;
    o.warmup = 0;
    o.cycles = 40000000;
    o.drain = 1000000;
    Dice random(options.seed);
    if (flips != nullptr)
        o.after_clock = [&](const machine::Transport&) {
            if (random.below(flips->one_in) != 0) return;
            machine::Flip f{random.below(machine->nodes()), random.below(NumNetworkPorts), {}};
            f.bits.d = 1u << random.below(FlitW);
            machine->flip(f);
            ++flips->count;
        };
    machine::RunResult result = machine::run(*machine, memory, o);
    return {std::move(result), memory.statistics(), memory.violations(), memory.first_violation()};
}

dsm::Options options_of(const std::string& pattern, Protocol protocol, uint64_t operations) {
    dsm::Options o;
    o.pattern = pattern;
    o.protocol = protocol;
    o.operations = operations;
    o.seed = seed_or(1);
    return o;
}

std::string name_of(const dsm::Options& o) {
    return o.pattern + ", " + to_string(o.protocol) + ", seed=" + std::to_string(o.seed);
}

// RDT_OPERATIONS=1000000 is the long run.
TEST(dsm, every_pattern_and_protocol_reads_what_was_written) {
    const uint64_t operations = from_environment("RDT_OPERATIONS", 5000);
    for (const auto& pattern : dsm::Pattern::patterns())
        for (const Protocol protocol : Protocols) {
            const dsm::Options o = options_of(pattern.name, protocol, operations);
            const Outcome run = tb::run(config_of(), o);
            EXPECT_EQ(run.result.error, "") << name_of(o);
            EXPECT_EQ(run.violations, 0u) << run.first << "\n" << name_of(o);
            EXPECT_TRUE(run.result.drained) << name_of(o);
            EXPECT_EQ(run.statistics.reads + run.statistics.writes, operations) << name_of(o);
            EXPECT_EQ(run.statistics.failed, 0u) << name_of(o);
            EXPECT_GT(run.statistics.read_misses, 0u) << name_of(o);
            EXPECT_GT(run.statistics.multicasts, 0u) << name_of(o);
            EXPECT_EQ(run.result.retries, run.statistics.retries) << name_of(o);
            fmt::print("{}: {} cycles, {:.1f} s\n", name_of(o), run.result.simulated,
                       run.result.seconds);
        }
}

// By every scheme of the directory, and with one entry per page: no wrong value, and a page's entry
// names at least the sharers of its lines.
TEST(dsm, every_scheme_and_directories_of_pages_read_what_was_written) {
    for (const char* pattern : {"all-to-all", "producer-consumer", "migratory"})
        for (const Protocol protocol : Protocols)
            for (const Type scheme : {TypeMcSm, TypeMcLpra, TypeMcLarp})
                for (const uint32_t page : {1u, 4u}) {
                    dsm::Options o = options_of(pattern, protocol, 1500);
                    o.scheme = scheme;
                    o.page = page;
                    const Outcome run = tb::run(config_of(), o);
                    const std::string name = fmt::format("{}, {}, {} lines per page", name_of(o),
                                                         machine::scheme_name(scheme), page);
                    EXPECT_EQ(run.result.error, "") << name;
                    EXPECT_EQ(run.violations, 0u) << run.first << "\n" << name;
                    EXPECT_TRUE(run.result.drained) << name;
                    EXPECT_EQ(run.statistics.failed, 0u) << name;
                    EXPECT_GT(run.statistics.multicasts, 0u) << name;
                    EXPECT_EQ(run.result.workload["directory_bits"],
                              run.result.workload["directory_entries"].get<uint64_t>() * 16);
                    EXPECT_LE(run.result.workload["directory_entries"], o.lines / page) << name;
                }
}

TEST(dsm, is_the_same_on_every_engine) {
    for (const Protocol protocol : Protocols) {
        const dsm::Options o = options_of("all-to-all", protocol, 200);
        const Outcome fast = run(config_of(), o);
        for (const Engine engine : {Engine::SystemC, Engine::Rtl}) {
            const Outcome other = run(config_of(engine), o);
            const char* const name = machine::EngineKind::of(engine).name;
            EXPECT_EQ(other.result.error, "") << name;
            EXPECT_EQ(other.result.simulated, fast.result.simulated) << name;
            EXPECT_EQ(other.result.workload, fast.result.workload) << name;
        }
        Config checked = config_of();
        checked.check = {Engine::Rtl};
        const Outcome both = run(checked, o);
        EXPECT_EQ(both.result.error, "");
        EXPECT_EQ(both.result.workload, fast.result.workload);
    }
}

// Without a rate nothing waits. With one that can be carried, what is issued is done, and sooner
// than at full speed; with more, the rest waits.
TEST(dsm, operations_are_issued_at_the_requested_rate) {
    dsm::Options o = options_of("stencil", Protocol::Update, 6000);
    const Outcome full = run(config_of(), o);
    EXPECT_EQ(full.statistics.ended, o.operations);
    EXPECT_EQ(full.statistics.latency.summary().mean, full.statistics.processing.summary().mean);
    const double most = double(full.statistics.ended) / double(full.statistics.clocks);
    for (const double share : {0.3, 3.0}) {
        o.rate = share * most / 64;
        const Outcome run = tb::run(config_of(), o);
        const dsm::Statistics& s = run.statistics;
        EXPECT_EQ(run.result.error, "") << name_of(o);
        EXPECT_EQ(run.violations, 0u) << run.first << "\n" << name_of(o);
        EXPECT_EQ(s.reads + s.writes, o.operations) << name_of(o);
        EXPECT_EQ(s.issued, o.operations) << name_of(o);
        EXPECT_EQ(s.ended, o.operations) << name_of(o);
        EXPECT_EQ(s.clocks, run.result.clocks) << name_of(o);
        const double wait = s.latency.summary().mean - s.processing.summary().mean;
        if (share < 1) {
            const double clocks = double(o.operations) / (share * most);
            EXPECT_NEAR(double(s.clocks), clocks, 0.1 * clocks) << name_of(o);
            EXPECT_LT(s.processing.summary().mean, full.statistics.processing.summary().mean);
            EXPECT_LT(wait, s.processing.summary().mean) << name_of(o);
        } else {
            EXPECT_GT(double(s.clocks), 2 * double(o.operations) / (share * most)) << name_of(o);
            EXPECT_GT(wait, 10 * s.processing.summary().mean) << name_of(o);
        }
    }
}

// Only operations of the cycles that are measured count; all are checked.
TEST(dsm, operations_before_the_measurement_are_checked_and_not_counted) {
    for (const InjectedBug bug : {InjectedBug::None, InjectedBug::StaleUpdate}) {
        dsm::Options o = options_of("all-to-all", Protocol::Update, UINT64_MAX);
        o.rate = 0.001;
        o.bug = bug;
        const auto machine = machine::make_machine(config_of());
        dsm::Memory memory(*machine, o);
        machine->bring_up();
        machine::RunOptions r;
        r.warmup = 60000;
        r.cycles = 20000;
        r.drain = 1000000;
        const machine::RunResult result = machine::run(*machine, memory, r);
        EXPECT_EQ(result.error.empty(), bug == InjectedBug::None) << result.error;
        EXPECT_TRUE(memory.finished());
        EXPECT_EQ(memory.statistics().clocks, r.cycles);
        EXPECT_NEAR(memory.offered(), o.rate, 0.1 * o.rate);
        EXPECT_NEAR(memory.accepted(), o.rate, 0.1 * o.rate);
        EXPECT_GT(memory.operations(), 3 * memory.statistics().ended);
    }
}

double excess_with(uint32_t entries, const dsm::Options& o, uint64_t* violations = nullptr) {
    Config config = config_of();
    config.pruning = entries;
    const Outcome run = tb::run(config, o);
    if (violations != nullptr) *violations = run.violations;
    else EXPECT_EQ(run.result.error, "") << name_of(o);
    EXPECT_TRUE(run.result.drained) << name_of(o);
    EXPECT_EQ(run.statistics.failed, 0u) << name_of(o);
    EXPECT_EQ(run.statistics.reads + run.statistics.writes, o.operations) << name_of(o);
    return double(run.statistics.receivers - run.statistics.needed) /
           double(run.statistics.multicasts);
}

TEST(dsm, pruning_caches_leave_out_superfluous_copies_alone) {
    for (const auto& pattern : dsm::Pattern::patterns())
        for (const Protocol protocol : Protocols)
            for (const Type scheme : {TypeMcSm, TypeMcLpra, TypeMcLarp}) {
                dsm::Options o = options_of(pattern.name, protocol, 1500);
                o.scheme = scheme;
                o.page = 4;
                excess_with(8, o);
            }
    dsm::Options o = options_of("producer-consumer", Protocol::Update, 10000);
    o.lines = 64;
    const double without = excess_with(0, o);
    const double with_few = excess_with(4, o);
    const double with_many = excess_with(64, o);
    EXPECT_GT(without, 1);
    EXPECT_LT(with_few, without);
    EXPECT_LT(with_many, with_few);
    EXPECT_LT(with_many, 0.3 * without);
    o.page = 4;  // lines of a page get copies one after the other
    o.bug = InjectedBug::StalePruning;
    uint64_t violations = 0;
    excess_with(64, o, &violations);
    EXPECT_GT(violations, 0u) << "nodes that were given a copy later are left out";
}

// More multicasts than the tables hold, and little patience: RETRY is answered and handled.
TEST(dsm, full_ack_tables_cost_time_and_nothing_else) {
    dsm::Options o = options_of("all-to-all", Protocol::Update, 4000);
    o.lines = 64;
    o.multicasts = 7;
    Config config = config_of();
    config.t_ent = 10;
    const Outcome run = tb::run(config, o);
    EXPECT_EQ(run.result.error, "") << name_of(o);
    EXPECT_EQ(run.statistics.failed, 0u) << name_of(o);
    EXPECT_GT(run.statistics.retries, 10u) << "the tables were never full";
}

// An entry that times out before the answers arrive: TIMEOUT is handled, and late copies and acks
// do no harm.
TEST(dsm, multicasts_that_time_out_are_repeated) {
    dsm::Options o = options_of("all-to-all", Protocol::Update, 2000);
    o.lines = 64;
    Config config = config_of();
    config.t_ack = 100;
    const Outcome run = tb::run(config, o);
    EXPECT_EQ(run.violations, 0u) << run.first << "\n" << name_of(o);
    EXPECT_GT(run.statistics.timeouts, 50u);
    EXPECT_EQ(run.result.error, "");
}

TEST(dsm, flipped_bits_are_reported_and_never_read) {
    for (const Protocol protocol : Protocols)
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            dsm::Options o = options_of("all-to-all", protocol, 3000);
            o.seed += seed;
            o.resend = 10000;
            Flips flips{10, 0};
            const Outcome run = tb::run(config_of(), o, &flips);
            const uint64_t reported =
                run.result.strays + run.statistics.damaged + run.statistics.timeouts;
            EXPECT_GT(flips.count, 200u);
            EXPECT_GT(reported, 10u) << name_of(o);
            EXPECT_GT(run.statistics.resends, 0u) << "no message was lost";
            EXPECT_EQ(run.statistics.undetected, 0u) << name_of(o);
            EXPECT_EQ(run.violations, 0u) << run.first << "\n" << name_of(o);
            EXPECT_EQ(run.result.error, "") << name_of(o);
            EXPECT_EQ(run.statistics.reads + run.statistics.writes, o.operations);
        }
}

// A network that loses a link for good: operations over it end with an error, the others continue.
TEST(dsm, operations_over_a_cut_link_end_with_an_error) {
    dsm::Options o = options_of("all-to-all", Protocol::Invalidate, 300);
    o.resend = 500;
    o.attempts = 2;
    Config config = config_of();
    config.t_ack = 1000;
    const auto machine = machine::make_machine(config);
    dsm::Memory memory(*machine, o);
    machine->bring_up();
    machine->cut(9, PortE0);
    machine::RunOptions r;
    r.warmup = 0;
    r.cycles = 1000000;
    r.drain = 1;  // packets blocked at the link stay there
    machine::run(*machine, memory, r);
    EXPECT_TRUE(memory.finished());
    EXPECT_EQ(memory.violations(), 0u) << memory.first_violation();
    EXPECT_EQ(memory.operations(), o.operations);
    EXPECT_GT(memory.statistics().failed, 0u);
    EXPECT_LT(memory.statistics().failed, o.operations);
}

struct Injected {
    InjectedBug bug;
    Protocol protocol;
};
TEST(dsm, the_checker_detects_injected_bugs) {
    const Injected all[] = {{InjectedBug::LostInvalidate, Protocol::Invalidate},
                            {InjectedBug::StaleUpdate, Protocol::Update},
                            {InjectedBug::EarlyCompletion, Protocol::Update},
                            {InjectedBug::EarlyCompletion, Protocol::Invalidate},
                            {InjectedBug::ReadBeforeRelease, Protocol::Update},
                            {InjectedBug::NonAtomic, Protocol::Update},
                            {InjectedBug::NonAtomic, Protocol::Invalidate}};
    for (const Injected& p : all)
        for (const char* pattern : {"all-to-all", "migratory"}) {
            // In migratory sharing no node reads a line that another is writing.
            if (p.bug == InjectedBug::ReadBeforeRelease && pattern != std::string("all-to-all"))
                continue;
            dsm::Options o = options_of(pattern, p.protocol, 5000);
            o.bug = p.bug;
            // Bugs that only show when several nodes use a line at the same moment.
            const bool is_rare = p.bug >= InjectedBug::ReadBeforeRelease;
            o.atomics = p.bug == InjectedBug::NonAtomic ? 0.5 : 0;
            if (is_rare) o.lines = 8;
            Config config = config_of();
            if (p.bug == InjectedBug::ReadBeforeRelease) {
                o.multicasts = 7;
                config.t_ent = 10;
            }
            const Outcome run = tb::run(config, o);
            EXPECT_GT(run.violations, 0u) << int(p.bug) << ", " << name_of(o);
            EXPECT_EQ(run.result.error.rfind("the memory was wrong", 0), 0u) << run.result.error;
        }
}

// Every pin of every link may be disturbed, those that frame packets and count buffers too.
TEST(dsm, disturbed_pins_of_any_kind_never_give_a_wrong_value) {
    for (const Protocol protocol : Protocols) {
        const dsm::Options o = options_of("all-to-all", protocol, 3000);
        const auto machine = machine::make_machine(config_of());
        dsm::Memory memory(*machine, o);
        machine->bring_up();
        machine::RunOptions r;
        r.warmup = 0;
        r.cycles = 10000000;
        r.drain = 1;  // packets blocked at a dead link stay there
        r.flips = 0.02;
        r.seed = o.seed;
        const machine::RunResult result = machine::run(*machine, memory, r);
        EXPECT_GT(result.flips, 100u);
        EXPECT_EQ(memory.statistics().undetected, 0u) << name_of(o);
        EXPECT_EQ(memory.violations(), 0u) << memory.first_violation() << name_of(o);
        EXPECT_TRUE(memory.finished()) << name_of(o);
        EXPECT_EQ(memory.operations(), o.operations) << name_of(o);
    }
}

TEST(dsm, refuses_what_it_cannot_do) {
    const auto refused = [](const Config& config, const dsm::Options& o) {
        const auto machine = machine::make_machine(config);
        EXPECT_THROW(dsm::Memory(*machine, o), std::invalid_argument);
    };
    refused(config_of(), options_of("random", Protocol::Update, 1));
    dsm::Options o;
    o.reads = 1.5;
    refused(config_of(), o);
    o = {};
    o.lines = 0;
    refused(config_of(), o);
    o = {};
    o.rate = 1.5;
    refused(config_of(), o);
    Config torus = config_of();
    torus.upper_rank = false;
    refused(torus, {});
}

TEST_F(Program, run_prints_and_writes_the_figures_of_a_shared_memory) {
    ASSERT_EQ(Program::run("run --traffic dsm-stencil --protocol update --operations 500 "
                           "--lines 128 --rate 0.01 --json " +
                           file("r.json")),
              0)
        << text("err");
    for (const char* row :
         {"128 lines, stencil sharing, update protocol", "read misses", "operation throughput",
          "operation latency", "writes by the home", "directory", "answers", "0 violations"})
        EXPECT_NE(text("out").find(row), std::string::npos) << row;
    const auto json = nlohmann::json::parse(text("r.json"))["workload"];
    for (const char* key : {"pattern",
                            "protocol",
                            "lines",
                            "rate",
                            "operations",
                            "operations_offered",
                            "operations_accepted",
                            "operation_latency",
                            "processing_latency",
                            "reads",
                            "writes",
                            "read_misses",
                            "write_misses",
                            "read_miss_latency",
                            "write_miss_latency",
                            "recalls",
                            "multicasts",
                            "excess_receivers_mean",
                            "retries",
                            "timeouts",
                            "resends",
                            "failed",
                            "violations"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["operations"], 500);
    EXPECT_EQ(json["rate"], 0.01);
    EXPECT_EQ(json["violations"], 0);
}

TEST_F(Program, run_refuses_an_invalid_shared_memory) {
    for (const char* options :
         {"--traffic dsm-nonsense", "--traffic dsm-stencil --lines 0",
          "--traffic dsm-stencil --reads 2", "--traffic dsm-stencil --rate 2",
          "--traffic dsm-stencil --torus", "--traffic dsm-stencil --protocol both",
          "--traffic dsm-stencil --directory none", "--traffic dsm-stencil --cache-ways 2",
          "--traffic dsm-stencil --cache-lines 6", "--traffic dsm-stencil --processors 9",
          "--traffic dsm-stencil --atomics 2", "--traffic dsm-stencil --lines 16777217",
          "--traffic dsm-stencil --directory exact --scheme larp", "--load 0.1 --pruning 4",
          "--traffic dsm-stencil --pruning 4 --engine systemc",
          "--traffic dsm-stencil --pruning 4 --check rtl", "--traffic dsm-stencil --pruning 5000",
          "--traffic dsm-stencil --pruning 4 --directory exact"})
        expect_refused(std::string("run ") + options);
}

}  // namespace
}  // namespace rdt::tb
