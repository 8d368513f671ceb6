// SPDX-License-Identifier: MIT
// The chip under everything that can come in at its pins: RTL, SystemC module and fast core are
// equal on every pin in every clock, whether that makes sense or not.
//
// RDT_SEED is the first seed and RDT_CYCLES the length of the whole run; a long one is cut into
// seeds of 100,000 clocks, so that a difference never takes longer to run again. RDT_KINDS leaves
// out kinds of trouble (see mood.h).
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "fuzz/models.h"
#include "fuzz/surroundings.h"
#include <rdt/support/status_line.h>

namespace rdt::tb::fuzz {
namespace {

constexpr uint32_t AllPeers = (1u << NumPorts) - 1;

// One seed.
class SeedRun {
public:
    SeedRun(uint64_t seed, uint32_t kinds, Totals& totals)
        : m_random(seed), m_kinds(kinds), m_totals(totals) {
        for (uint32_t c = 0; c < Together; ++c)
            m_around.push_back(
                std::make_unique<Surroundings>(seed * Together + c + 1000, kinds, totals));
        ++totals.seeds;
    }

    // What was found, or empty.
    std::string clock() {
        if (m_now == m_epoch_ends) begin_epoch();
        if (m_reset_every != 0 && m_random.below(m_reset_every) == 0) begin_reset();
        const bool rst_n = m_now >= m_reset_until;
        Models::PinsIn in;
        for (uint32_t c = 0; c < Together; ++c) {
            in[c] = &m_around[c]->clock(m_models.pins(c), m_now);
            if (!rst_n) m_around[c]->reset(m_reset_peers[c]);
        }
        m_models.clock(in, rst_n);
        ++m_now;
        ++m_totals.clocks;
        if (m_now == m_reset_until)
            for (auto& around : m_around) around->configure();
        count_events();
        return m_models.difference();
    }
    uint64_t now() const { return m_now; }

private:
    // Many epochs are calm, and most of those begin with all as new: what the wild one broke
    // on the links would not mend otherwise.
    void begin_epoch() {
        const bool calm = m_random.chance(40) || m_now == 0;
        m_epoch_ends = m_now + m_random.between(300, 4000);
        const bool resets = m_random.chance(40) && (m_kinds >> Resets & 1) != 0;
        m_reset_every = resets ? m_random.between(100, 1500) : 0;
        for (auto& around : m_around) around->begin_epoch(calm || m_random.chance(20));
        if (m_now == 0 || (calm && m_random.chance(80))) begin_reset(true);
    }

    void begin_reset(bool all_peers = false) {
        m_reset_until = m_now + m_random.between(1, 4);
        m_totals.resets += Together;
        for (uint32_t& peers : m_reset_peers)
            peers = all_peers || m_random.chance(60) ? AllPeers
                    : m_random.chance(50)            ? 0
                                                     : m_random.bits(NumPorts);
    }

    void count_events() {
        for (uint32_t c = 0; c < Together; ++c) {
            const auto& local = m_models.state(c).local().q();
            const bool halted = local.shot != ShotRun;
            m_totals.shoot_downs += halted && !m_halted[c];
            m_halted[c] = halted;
            m_totals.sunk += local.cfg.sunk_cnt == m_sunk[c] + 1;
            m_sunk[c] = local.cfg.sunk_cnt;
        }
    }

    Dice m_random;
    uint32_t m_kinds;
    Totals& m_totals;
    Models m_models;
    std::vector<std::unique_ptr<Surroundings>> m_around;
    uint64_t m_now = 0;
    uint64_t m_epoch_ends = 0;
    uint64_t m_reset_until = 0;
    uint32_t m_reset_every = 0;  // clocks, about; 0: never
    std::array<uint32_t, Together> m_reset_peers{};
    std::array<bool, Together> m_halted{};
    std::array<uint32_t, Together> m_sunk{};
};

void print(const Totals& t) {
    fmt::print(
        "{} clocks of four chips, {} seeds: RTL, SystemC and fast core equal on every pin\n"
        "  packets       {} sent, {} of them spoilt, {} received; {} acks\n"
        "  pins flipped  {}; peers stopped {}\n"
        "  resets        {}\n"
        "  shoot-downs   {}; put back {}, {} of them spoilt\n"
        "  packets sunk  {}\n"
        "  writes        {} registers\n",
        t.clocks, t.seeds, t.sent, t.spoilt, t.received, t.acks, t.flips, t.stops, t.resets,
        t.shoot_downs, t.put_backs, t.spoilt_put_backs, t.sunk, t.writes);
}

TEST(chip, models_are_equal_whatever_comes) {
    constexpr uint64_t Longest = 100000;
    const uint64_t all = cycles_or(0);
    const uint64_t cycles = all != 0 ? all : 300000;
    const uint64_t of_seed = all != 0 ? std::min(Longest, all) : cycles / 10;
    const auto kinds = uint32_t(from_environment("RDT_KINDS", ~0u));
    Totals totals;
    StatusLine status;
    for (uint64_t seed = seed_or(1); totals.clocks < cycles; ++seed) {
        SeedRun run(seed, kinds, totals);
        while (run.now() < of_seed && totals.clocks < cycles) {
            const std::string found = run.clock();
            if (run.now() % 1000 == 0)
                status.show(fmt::format("seed {}: {} of {} clocks", seed, totals.clocks, cycles));
            if (found.empty()) continue;
            status.clear();
            std::string rerun = rerun_line("fuzz_chip", "chip.*", seed, run.now());
            if (kinds != ~0u) rerun = fmt::format("RDT_KINDS={:#x} {}", kinds, rerun);
            FAIL() << found << "\nin clock " << run.now() - 1 << " of seed " << seed
                   << "\nrerun: " << rerun;
        }
    }
    status.clear();
    print(totals);
    if (kinds != ~0u || cycles < 100000) return;
    EXPECT_GT(totals.received, cycles / 5);
    EXPECT_GT(totals.flips, cycles / 100);
    EXPECT_GT(totals.resets, cycles / 1000);
    EXPECT_GT(totals.shoot_downs, cycles / 1000);
    EXPECT_GT(totals.put_backs, cycles / 1000);
    EXPECT_GT(totals.writes, cycles / 100);
    EXPECT_GT(totals.sunk, cycles / 1000);
}

}  // namespace
}  // namespace rdt::tb::fuzz
