// SPDX-License-Identifier: MIT
// Litmus tests on the shared memory: only outcomes that the documented memory model allows. Several
// rounds run at the same time on nodes that change from round to round; other nodes write lines
// that all nodes share, so that ack tables are full and multicasts are answered with RETRY.
#include "machine/memory_bench.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "common/dice.h"
#include "common/litmus.h"
#include "common/run_options.h"

namespace rdt::tb {
namespace {

using dsm::Access;
using dsm::DirectoryKind;
using dsm::InjectedBug;
using dsm::Op;
using dsm::Protocol;
using dsm::Result;

constexpr uint32_t Nodes = 64;
constexpr uint32_t SharedLines = 16;  // lines of the background traffic
constexpr uint32_t Rounds = 22;       // at the same time, at most
constexpr uint32_t Places = 32;       // addresses for each of the three lines of a round
constexpr uint32_t FirstFree = 8;     // nodes below make the background traffic

struct Campaign {
    std::map<LitmusOutcome, uint64_t> seen;
    uint64_t forbidden = 0;
    LitmusOutcome first;
    uint64_t retries = 0;
    std::string error;  // error of the checker
};

class LitmusRun {
public:
    LitmusRun(const LitmusTest& test, const dsm::Options& options, uint64_t rounds)
        : m_test(test),
          m_enumerator(test, options.store_buffer != 0),
          m_bench(config_of(), options),
          m_dice(options.seed),
          m_left(rounds) {
        for (uint32_t n = FirstFree; n < Nodes; ++n) m_free.push_back(n);
        for (uint32_t line = 0; line < SharedLines; ++line)
            for (uint32_t n = 0; n < Nodes; ++n) read(n, line, nullptr);
        for (uint32_t n = 0; n < FirstFree; ++n) write_background(n);
        // A fifth of the nodes stays free, so that roles move.
        const auto threads = uint32_t(test.threads.size());
        m_rounds.resize(std::min<size_t>(Rounds, m_free.size() * 4 / 5 / threads));
        for (uint32_t k = 0; k < m_rounds.size(); ++k) begin(k);
    }

    Campaign run() {
        const bool has_ended = m_bench.run_until(
            [this] {
                for (const Delayed& d : m_delayed)
                    if (d.cycle == m_bench.now()) step(d.round, d.thread);
                m_delayed.erase(
                    std::remove_if(m_delayed.begin(), m_delayed.end(),
                                   [this](const Delayed& d) { return d.cycle <= m_bench.now(); }),
                    m_delayed.end());
                return m_open == 0 && m_left == 0;
            },
            2000000000);
        EXPECT_TRUE(has_ended) << m_test.name;
        m_is_over = true;
        m_campaign.error = m_bench.finish();
        m_campaign.retries = m_bench.memory.statistics().retries;
        return m_campaign;
    }

private:
    struct Round {
        std::vector<uint32_t> nodes;  // by thread
        std::vector<uint32_t> next;   // step
        std::vector<std::vector<uint32_t>> reads;
        std::vector<uint64_t> address;  // by variable
        uint32_t open = 0;
    };
    struct Delayed {
        uint64_t cycle;
        uint32_t round;
        uint32_t thread;
    };
    static machine::Config config_of() {
        machine::Config config;
        config.t_ent = 10;
        return config;
    }

    void read(uint32_t node, uint32_t line, std::function<void(const Result&)> ended) {
        Access a;
        a.address = uint64_t(line) * dsm::LineBytes;
        m_bench.memory.request(node, {a, std::move(ended)});
    }
    void write_background(uint32_t node) {
        Access a;
        a.op = Op::Store;
        a.address = m_dice.below(SharedLines) * uint64_t(dsm::LineBytes);
        a.value = m_bench.now();
        const uint32_t line = m_dice.below(SharedLines);
        m_bench.memory.request(node, {a, [this, node, line](const Result&) {
                                          if (m_is_over) return;
                                          read(node, line, nullptr);
                                          write_background(node);
                                      }});
    }

    // Sets all variables to 0, gives copies to some nodes, then starts the threads.
    void begin(uint32_t k) {
        if (m_left == 0) return;
        --m_left;
        ++m_open;
        Round& round = m_rounds[k];
        round = {};
        for (size_t t = 0; t < m_test.threads.size(); ++t) {
            const uint32_t at = m_dice.below(uint32_t(m_free.size()));
            round.nodes.push_back(m_free[at]);
            m_free.erase(m_free.begin() + at);
        }
        round.next.resize(m_test.threads.size());
        round.reads.resize(m_test.threads.size());
        round.open = m_test.variables;
        for (uint32_t v = 0; v < m_test.variables; ++v) {
            // Three lines per round, of homes anywhere.
            const uint64_t line = SharedLines + (k * 3 + v) + m_dice.below(Places) * Rounds * 3;
            round.address.push_back(line * dsm::LineBytes + m_dice.below(4) * dsm::WordBytes);
            Access a;
            a.op = Op::Store;
            a.address = round.address[v];
            m_bench.memory.request(round.nodes[0], {a, nullptr});
            a.op = Op::Fence;
            m_bench.memory.request(round.nodes[0],
                                   {a, [this, k, v](const Result&) { spread(k, v); }});
        }
    }

    void spread(uint32_t k, uint32_t v) {
        Round& round = m_rounds[k];
        const auto line = uint32_t(round.address[v] / dsm::LineBytes);
        const auto done = [this, k](const Result&) {
            if (--m_rounds[k].open == 0) start(k);
        };
        --round.open;
        round.open += 1 + uint32_t(round.nodes.size());
        for (const uint32_t node : round.nodes) read(node, line, done);
        for (int i = 0; i < 12; ++i) read(m_dice.below(Nodes), line, nullptr);
        read(m_dice.below(Nodes), line, done);
    }

    void start(uint32_t k) {
        Round& round = m_rounds[k];
        round.open = uint32_t(m_test.threads.size());
        for (uint32_t t = 0; t < round.nodes.size(); ++t)
            m_delayed.push_back(
                {m_bench.now() + 1 + m_dice.below(m_dice.chance(50) ? 8 : 400), k, t});
    }

    void step(uint32_t k, uint32_t t) {
        Round& round = m_rounds[k];
        if (round.next[t] == m_test.threads[t].size()) {
            Access a;  // the writes have to be there when the outcome is looked at
            a.op = Op::Fence;
            m_bench.memory.request(round.nodes[t], {a, [this, k](const Result&) {
                                                        if (--m_rounds[k].open == 0) end(k);
                                                    }});
            return;
        }
        issue(k, t, m_test.threads[t][round.next[t]++]);
    }

    void issue(uint32_t k, uint32_t t, const LitmusStep& s) {
        const bool reads = s.what == LitmusStep::What::Read || s.what == LitmusStep::What::Await;
        Access a;
        a.address = m_rounds[k].address[s.variable];
        a.value = s.value;
        a.op = reads ? Op::Load : s.what == LitmusStep::What::Write ? Op::Store : Op::Fence;
        const auto ended = [this, k, t, s, reads](const Result& r) {
            if (s.what == LitmusStep::What::Await && r.value == 0) return issue(k, t, s);
            if (reads) m_rounds[k].reads[t].push_back(uint32_t(r.value));
            step(k, t);
        };
        m_bench.memory.request(m_rounds[k].nodes[t], {a, ended});
    }

    void end(uint32_t k) {
        Round& round = m_rounds[k];
        LitmusOutcome outcome;
        for (const auto& reads : round.reads)
            outcome.insert(outcome.end(), reads.begin(), reads.end());
        for (const uint64_t address : round.address) {
            uint64_t value = 0;
            m_bench.memory.peek(address, &value, sizeof value);
            outcome.push_back(uint32_t(value));
        }
        ++m_campaign.seen[outcome];
        if (m_enumerator.allowed().count(outcome) == 0 && m_campaign.forbidden++ == 0)
            m_campaign.first = outcome;
        for (const uint32_t node : round.nodes) m_free.push_back(node);
        --m_open;
        begin(k);
    }

    const LitmusTest& m_test;
    const LitmusEnumerator m_enumerator;
    MemoryBench m_bench;
    Dice m_dice;
    uint64_t m_left;
    uint64_t m_open = 0;  // rounds
    bool m_is_over = false;
    std::vector<uint32_t> m_free;
    std::vector<Round> m_rounds;
    std::deque<Delayed> m_delayed;
    Campaign m_campaign;
};

dsm::Options options_of(Protocol protocol, DirectoryKind directory) {
    dsm::Options o;
    o.protocol = protocol;
    o.directory = directory;
    o.lines = SharedLines + Places * Rounds * 3;
    o.multicasts = 4;
    o.seed = seed_or(1);
    return o;
}

struct Settings {
    Protocol protocol;
    DirectoryKind directory;
    uint32_t store_buffer;
};

// RDT_LITMUS_ROUNDS=100000 is the campaign.
class Litmus : public ::testing::TestWithParam<Settings> {};

TEST_P(Litmus, has_no_outcome_that_the_memory_model_forbids) {
    const Settings p = GetParam();
    const uint64_t rounds = from_environment("RDT_LITMUS_ROUNDS", 10);
    for (const LitmusTest& test : litmus_tests()) {
        if (const char* only = std::getenv("RDT_LITMUS_TEST"); only != nullptr && test.name != only)
            continue;
        dsm::Options o = options_of(p.protocol, p.directory);
        o.store_buffer = p.store_buffer;
        const Campaign c = LitmusRun(test, o, rounds).run();
        EXPECT_EQ(c.forbidden, 0u) << test.name << ": " << fmt::format("{}", c.first);
        EXPECT_EQ(c.error, "") << test.name;
        print_count(rounds, "rounds");
        fmt::print("{} {} store buffer {}: {}: {} of {} allowed outcomes, {} RETRY\n",
                   to_string(p.protocol), to_string(p.directory), p.store_buffer, test.name,
                   c.seen.size(), LitmusEnumerator(test, p.store_buffer != 0).allowed().size(),
                   c.retries);
    }
}

INSTANTIATE_TEST_SUITE_P(Protocols, Litmus,
                         ::testing::Values(Settings{Protocol::Update, DirectoryKind::Multicast, 0},
                                           Settings{Protocol::Invalidate, DirectoryKind::Multicast,
                                                    0},
                                           Settings{Protocol::Update, DirectoryKind::Exact, 0},
                                           Settings{Protocol::Invalidate, DirectoryKind::Exact, 0},
                                           Settings{Protocol::Update, DirectoryKind::Multicast, 4},
                                           Settings{Protocol::Invalidate, DirectoryKind::Exact, 4}),
                         [](const ::testing::TestParamInfo<Settings>& info) {
                             return fmt::format("{}_{}_{}", to_string(info.param.protocol),
                                                to_string(info.param.directory),
                                                info.param.store_buffer);
                         });

TEST(litmus, a_store_buffer_shows_the_outcome_that_it_relaxes) {
    const std::vector<LitmusTest> tests = litmus_tests();
    const LitmusTest& sb = tests[1];
    dsm::Options o = options_of(Protocol::Update, DirectoryKind::Multicast);
    o.store_buffer = 4;
    const Campaign c = LitmusRun(sb, o, 300).run();
    const LitmusOutcome both_old{0, 0, 1, 1};
    EXPECT_EQ(LitmusEnumerator(sb, false).allowed().count(both_old), 0u);
    EXPECT_EQ(LitmusEnumerator(sb, true).allowed().count(both_old), 1u);
    EXPECT_EQ(c.seen.count(both_old), 1u);
}

// By outcomes alone, without the checker.
TEST(litmus, detects_reads_before_release_and_writes_that_do_not_wait_for_acks) {
    for (const InjectedBug bug : {InjectedBug::ReadBeforeRelease, InjectedBug::EarlyCompletion}) {
        uint64_t forbidden = 0;
        for (const LitmusTest& test : litmus_tests()) {
            const bool is_early = bug == InjectedBug::EarlyCompletion;
            if (test.name != (is_early ? "SB" : "WRC+await")) continue;
            dsm::Options o = options_of(Protocol::Update, DirectoryKind::Multicast);
            o.bug = bug;
            o.is_checked = false;
            const uint64_t found = LitmusRun(test, o, is_early ? 100 : 800).run().forbidden;
            fmt::print("{} with bug {}: {} forbidden outcomes\n", test.name, int(bug), found);
            forbidden += found;
        }
        EXPECT_GT(forbidden, 0u) << int(bug);
    }
}

// The numbers of outcomes that the literature has for these tests.
TEST(litmus, the_enumerator_knows_what_the_models_allow) {
    const auto allows = [](const char* name, const LitmusOutcome& outcome, bool buffers) {
        for (const LitmusTest& test : litmus_tests())
            if (test.name == name)
                return LitmusEnumerator(test, buffers).allowed().count(outcome) != 0;
        ADD_FAILURE() << name;
        return false;
    };
    struct Case {
        const char* name;
        LitmusOutcome outcome;
        bool is_relaxed_by_buffers;
    };
    const Case cases[] = {{"MP", {1, 0, 1, 1}, false},
                          {"SB", {0, 0, 1, 1}, true},
                          {"LB", {1, 1, 1, 1}, false},
                          {"S", {1, 2, 1}, false},
                          {"R", {0, 1, 2}, true},
                          {"2+2W", {1, 1}, false},
                          {"CoRR", {1, 0, 1}, false},
                          {"WRC", {1, 1, 0, 1, 1}, false},
                          {"IRIW", {1, 0, 1, 0, 1, 1}, false},
                          {"ISA2", {1, 1, 0, 1, 1, 1}, false},
                          {"WRC+await", {1, 1, 0, 1, 1}, false},
                          {"IRIW+await", {1, 0, 1, 0, 1, 1}, false},
                          {"SB+fences", {0, 0, 1, 1}, false},
                          {"R+fences", {0, 1, 2}, false}};
    for (const Case& c : cases) {
        EXPECT_FALSE(allows(c.name, c.outcome, false)) << c.name;
        EXPECT_EQ(allows(c.name, c.outcome, true), c.is_relaxed_by_buffers) << c.name;
    }
}

}  // namespace
}  // namespace rdt::tb
